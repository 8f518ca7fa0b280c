/** Keeps one shard served on this node: starts its worker, starts it again when it dies, and stops it. */
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RaiseAlarm, WriteNotice } from '../runtime/operator-line.ts';
import type { LaneName } from './lanes.ts';
import type { Shard } from './shards.ts';
import { WorkerDoor } from './worker-door.ts';
import { type FromWorker, fencedExitCode, type ToWorker } from './worker-messages.ts';
import type { Spares, WorkerProcess } from './worker-process.ts';

/** `lost`: another process has the data; `damaged`: a restart cannot help. Both wait for an operator. */
export type ShardState = 'starting' | 'serving' | 'stopping' | 'stopped' | 'lost' | 'damaged';

export interface KeeperOptions {
  readonly shard: Shard;
  readonly spares: Spares;
  readonly clock: Clock;
  readonly own: Extract<ToWorker, { kind: 'own' }>;
  /** How long a worker may take to stop before it is killed. */
  readonly stopWithinMs: number;
  readonly alarm: RaiseAlarm;
  readonly notice: WriteNotice;
  readonly offended: (lane: LaneName, address: string) => void;
}

const restartRules = { firstMs: 100, maxMs: 10_000 };
/** A worker that has served so long has started well. */
const settledMs = 30_000;
/** Exit code of the program for a damaged record. */
const damagedExitCode = 4;

export class ShardKeeper {
  readonly door: WorkerDoor;
  readonly shard: Shard;
  readonly #options: KeeperOptions;
  #worker: WorkerProcess | undefined;
  #state: ShardState = 'stopped';
  #consoleUrl: string | undefined;
  #failures = 0;
  #servingSinceMs = 0;
  #cancelRestart = () => {};
  #stopped = () => {};
  restarts = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.shard = options.shard;
    this.door = new WorkerDoor(options.clock);
  }

  get state(): ShardState {
    return this.#state;
  }

  get pid(): number | undefined {
    return this.#worker?.pid;
  }

  get consoleUrl(): string | undefined {
    return this.#consoleUrl;
  }

  start(): void {
    const { own, spares } = this.#options;
    const worker = spares.take();
    this.#worker = worker;
    this.#state = 'starting';
    worker.onMessage((message) => this.#heard(worker, message));
    worker.send(own);
    void worker.ended.then((code) => this.#ended(code));
  }

  /** Applies a changed configuration; a shard that waited for an operator starts again. */
  reload(): void {
    if (this.#state === 'lost' || this.#state === 'damaged') this.start();
    else this.#worker?.send({ kind: 'reload' });
  }

  /** Logs clients out, and resolves once the process has ended. */
  async stop(): Promise<void> {
    this.#cancelRestart();
    this.door.close();
    const worker = this.#worker;
    if (worker === undefined) {
      this.#state = 'stopped';
      return;
    }
    const { clock, stopWithinMs } = this.#options;
    const cancelKill = clock.at(clock.now().monoMs + stopWithinMs, () => worker.kill());
    const ended = new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
    this.#state = 'stopping';
    worker.send({ kind: 'stop' });
    await ended;
    cancelKill();
  }

  #heard(worker: WorkerProcess, message: FromWorker): void {
    const { clock, notice, offended, shard, spares } = this.#options;
    switch (message.kind) {
      case 'serving':
        if (this.#state !== 'starting') return;
        this.#state = 'serving';
        this.#consoleUrl = message.consoleUrl;
        this.#servingSinceMs = clock.now().monoMs;
        this.door.open({ doors: message.doors, send: (...sent) => worker.send(...sent) });
        notice(`shard ${shard.name} is served by process ${worker.pid}`, {
          event: 'shard_serving',
        });
        spares.refill();
        return;
      case 'taken':
        this.door.taken();
        return;
      case 'offence':
        offended(message.lane, message.address);
    }
  }

  #ended(code: number | undefined): void {
    const { clock } = this.#options;
    const { monoMs } = clock.now();
    const before = this.#state;
    this.#worker = undefined;
    this.#consoleUrl = undefined;
    this.door.gone();
    if (before === 'stopping') {
      this.#state = 'stopped';
      this.#stopped();
      return;
    }
    const hadSettled = before === 'serving' && monoMs - this.#servingSinceMs >= settledMs;
    this.#failures = hadSettled ? 1 : this.#failures + 1;
    if (code === fencedExitCode || code === damagedExitCode) {
      this.#state = code === fencedExitCode ? 'lost' : 'damaged';
      this.#report(
        code === fencedExitCode
          ? 'another process has taken over its data; stop that process, then send SIGHUP to this node'
          : 'a stored record is damaged, so it is not restarted; the log line before this one names the record',
      );
      return;
    }
    this.#state = 'starting';
    // One that had served is replaced at once.
    const waitMs = this.#failures === 1 ? 0 : backoffMs(restartRules, this.#failures - 1);
    this.restarts += 1;
    this.#report(`it is started again in ${waitMs} ms`, code);
    this.#cancelRestart = clock.at(monoMs + waitMs, () => this.start());
  }

  #report(text: string, code?: number): void {
    const { alarm, shard } = this.#options;
    const how = code === undefined ? '' : ` with exit code ${code}`;
    alarm(`the worker of shard ${shard.name} has ended${how}: ${text}`, { event: 'worker_ended' });
  }
}
