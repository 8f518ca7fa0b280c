import type { KeptShard } from '../../src/cluster/membership.ts';
import type { OwnWorker } from '../../src/cluster/ownership.ts';

/** A worker process in name only: it says what it was asked to do. */
export class Kept implements KeptShard {
  readonly asked: string[] = [];
  ownWorker: OwnWorker | undefined;
  state: KeptShard['state'] = 'stopped';

  start(claim?: Parameters<KeptShard['start']>[0]): void {
    this.asked.push(
      `start after epoch ${claim?.seenEpoch}${claim?.isOver ? ', which is over' : ''}`,
    );
    this.ownWorker = { state: 'starting', epoch: claim?.seenEpoch ?? 0 };
  }

  /** As after a start. */
  owns(epoch: number): void {
    this.ownWorker = { state: 'owner', epoch };
    this.state = 'serving';
  }

  kill(): void {
    this.asked.push('kill');
    this.ownWorker = undefined;
  }

  async stop(): Promise<void> {
    this.asked.push('stop');
    this.ownWorker = undefined;
    this.state = 'stopped';
  }

  leave(): void {
    this.asked.push('leave');
  }

  sendAlive(): void {}
}
