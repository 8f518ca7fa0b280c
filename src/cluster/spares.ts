/**
 * Keeps preloaded worker processes without a shard, so that a takeover does not wait for a process to start. A spare
 * may also read ahead a shard that this node may get.
 */
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RaiseAlarm } from '../runtime/operator-line.ts';
import { aheadKeptMs } from './worker-ahead.ts';
import type { ToWorker } from './worker-messages.ts';
import { WorkerProcess, type WorkerProgram } from './worker-process.ts';

export interface SparesOptions {
  readonly program: WorkerProgram;
  /** The first message to each spare. A spare answers this and every `alive` with `prepared`. */
  readonly prepare: ToWorker;
  /** Asks a spare to read a shard ahead. The spare answers with `ahead`. */
  readonly ahead: (shard: string) => ToWorker;
  readonly clock: Clock;
  readonly alarm: RaiseAlarm;
}

interface Spare {
  readonly worker: WorkerProcess;
  isPrepared: boolean;
  /** The number of messages without a response. */
  unanswered: number;
  /** The shard that this spare has read, or is reading, since `askedMs`. */
  shard?: string;
  askedMs: number;
  readonly whenRead: Set<(problem: string | undefined) => void>;
}

const lookMs = 5_000;
/** After this many checks without a response a spare counts as hung. An overloaded machine may start it slowly. */
const maxUnanswered = 12;
/** How long the clients of a shard take to log on again and to learn what they have missed. */
const comingBackMs = 2_000;
const restartRules = { firstMs: 1_000, maxMs: 60_000 };

export class Spares {
  readonly #options: SparesOptions;
  readonly #spares = new Set<Spare>();
  /** Workers that are taking a shard, or whose clients come back. Everything that can wait does so meanwhile. */
  readonly #starting = new Set<WorkerProcess>();
  #failures = 0;
  #againMs = 0;
  #isClosed = false;
  #cancelLook = () => {};
  /** The number of spares to keep. */
  wanted = 1;

  constructor(options: SparesOptions) {
    this.#options = options;
  }

  get prepared(): number {
    return [...this.#spares].filter(({ isPrepared }) => isPrepared).length;
  }

  /** A shard is expected to come to this node soon. */
  get isExpecting(): boolean {
    return [...this.#spares].some((one) => this.#reads(one));
  }

  hasRead(shard: string): boolean {
    return [...this.#spares].some((one) => one.shard === shard && this.#reads(one));
  }

  /**
   * Lets a spare read the shard, once it is loaded, unless all have read others. Resolves once it has read the shard,
   * or will not, with why it is not ready to serve it; undefined if it is.
   */
  readAhead(shard: string): Promise<string | undefined> {
    const all = [...this.#spares].sort((a, b) => Number(b.isPrepared) - Number(a.isPrepared));
    const spare = all.find((one) => one.shard === shard) ?? all.find((one) => !this.#reads(one));
    if (spare === undefined) return Promise.resolve('it has no worker in reserve for it');
    spare.shard = shard;
    spare.askedMs = this.#options.clock.now().monoMs;
    spare.worker.send(this.#options.ahead(shard));
    return new Promise((resolve) => spare.whenRead.add(resolve));
  }

  /** Takes a spare for a shard. The caller must call `serving` or `ended` afterwards. */
  take(shard: string): WorkerProcess {
    const all = [...this.#spares];
    const prepared = all.filter(({ isPrepared }) => isPrepared);
    const spare =
      all.find((one) => one.shard === shard) ??
      prepared.find((one) => !this.#reads(one)) ??
      prepared[0] ??
      all[0];
    if (spare !== undefined) this.#spares.delete(spare);
    const worker = spare?.worker ?? new WorkerProcess(this.#options.program);
    this.#starting.add(worker);
    return worker;
  }

  /** The worker serves its shard: its clients, who log on now, need the processor more than the next spare does. */
  serving(worker: WorkerProcess): void {
    const { clock } = this.#options;
    clock.at(clock.now().monoMs + comingBackMs, () => this.ended(worker));
  }

  ended(worker: WorkerProcess): void {
    if (this.#starting.delete(worker)) this.refill();
  }

  /** Loads one spare at a time, and none while a shard waits for its worker. */
  refill(): void {
    const { clock, prepare, program } = this.#options;
    const { monoMs } = clock.now();
    const isBusy = this.#starting.size > 0 || this.prepared < this.#spares.size;
    if (this.#isClosed || isBusy || monoMs < this.#againMs) return;
    if (this.#spares.size >= this.wanted) return;
    const worker = new WorkerProcess(program);
    const spare: Spare = {
      worker,
      isPrepared: false,
      unanswered: 0,
      askedMs: 0,
      whenRead: new Set(),
    };
    this.#spares.add(spare);
    worker.onMessage((message) => {
      if (message.kind === 'ahead') this.#read(spare, message.problem);
      if (message.kind !== 'prepared') return;
      spare.unanswered = 0;
      if (spare.isPrepared) return;
      spare.isPrepared = true;
      this.#failures = 0;
      this.refill();
    });
    worker.send(prepare);
    void worker.ended.then((code) => this.#ended(spare, code));
    if (this.#spares.size === 1) this.#look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook();
    const spares = [...this.#spares];
    this.#spares.clear();
    for (const { worker } of spares) worker.kill();
    await Promise.all(spares.map(({ worker }) => worker.ended));
  }

  /** Counts messages instead of time, because all spares may have been suspended together with this process. */
  #look(): void {
    const { clock } = this.#options;
    this.#cancelLook();
    this.#cancelLook = clock.at(clock.now().monoMs + lookMs, () => this.#look());
    for (const spare of this.#spares) {
      spare.unanswered += 1;
      if (spare.unanswered > maxUnanswered) spare.worker.kill();
      else if (spare.isPrepared) spare.worker.send({ kind: 'alive' });
    }
  }

  #reads({ askedMs, shard }: Spare): boolean {
    return shard !== undefined && this.#options.clock.now().monoMs - askedMs < aheadKeptMs;
  }

  #read(spare: Spare, problem: string | undefined): void {
    for (const resolve of spare.whenRead) resolve(problem);
    spare.whenRead.clear();
  }

  /** A spare has exited before it was given a shard. */
  #ended(spare: Spare, code: number | undefined): void {
    this.#read(spare, 'its worker in reserve has ended');
    if (!this.#spares.delete(spare)) return;
    const { alarm, clock } = this.#options;
    this.#failures += 1;
    const waitMs = backoffMs(restartRules, this.#failures);
    this.#againMs = clock.now().monoMs + waitMs;
    const how = code === undefined ? '' : ` with exit code ${code}`;
    const text = `a worker in reserve has ended${how}; another one is started in ${waitMs} ms`;
    alarm(text, { event: 'worker_ended' });
    clock.at(this.#againMs, () => this.refill());
  }
}
