/**
 * Detects in a worker that its node process no longer runs, so that clients cannot reach the worker. It counts its own
 * checks instead of measuring time: a worker that was suspended together with its node would otherwise blame the node
 * when both resume.
 */
import { type Clock, every } from '../runtime/clock.ts';
import { leaseMs } from '../store/postgres/lease.ts';

const looks = 6;
const lookMs = leaseMs / looks;

export class NodeWatch {
  #missed = 0;
  readonly stop: () => void;

  /** Calls back once when the node has been silent for a lease. */
  constructor(clock: Clock, silent: () => void) {
    this.stop = every(clock, lookMs, () => {
      this.#missed += 1;
      if (this.#missed <= looks) return;
      this.stop();
      silent();
    });
  }

  nodeAlive(): void {
    this.#missed = 0;
  }
}
