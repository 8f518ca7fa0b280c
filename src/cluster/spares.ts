/** Processes that are loaded and own nothing, so that a shard does not wait for a start. */
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RaiseAlarm } from '../runtime/operator-line.ts';
import type { ToWorker } from './worker-messages.ts';
import { WorkerProcess, type WorkerProgram } from './worker-process.ts';

export interface SparesOptions {
  readonly program: WorkerProgram;
  /** The first message to each of them. It answers this and every `alive` with `prepared`. */
  readonly prepare: ToWorker;
  readonly clock: Clock;
  readonly alarm: RaiseAlarm;
}

interface Spare {
  readonly worker: WorkerProcess;
  isPrepared: boolean;
  /** Questions without an answer. */
  unanswered: number;
}

const lookMs = 5_000;
/** So many looks without an answer: it hangs. A machine with too much to do may need long for a start. */
const mostUnanswered = 12;
const restartRules = { firstMs: 1_000, maxMs: 60_000 };

export class Spares {
  readonly #options: SparesOptions;
  readonly #spares = new Set<Spare>();
  /** They take a shard, and nothing that can wait is done beside them. */
  readonly #starting = new Set<WorkerProcess>();
  #failures = 0;
  #againMs = 0;
  #isClosed = false;
  #cancelLook = () => {};
  /** How many there should be. */
  wanted = 1;

  constructor(options: SparesOptions) {
    this.#options = options;
  }

  get prepared(): number {
    return [...this.#spares].filter(({ isPrepared }) => isPrepared).length;
  }

  /** For a shard. `started` must follow. */
  take(): WorkerProcess {
    const all = [...this.#spares];
    const spare = all.find(({ isPrepared }) => isPrepared) ?? all[0];
    if (spare !== undefined) this.#spares.delete(spare);
    const worker = spare?.worker ?? new WorkerProcess(this.#options.program);
    this.#starting.add(worker);
    return worker;
  }

  /** It serves its shard, or has ended. */
  started(worker: WorkerProcess): void {
    if (this.#starting.delete(worker)) this.refill();
  }

  /** One is loaded at a time, and none while a shard waits for its worker. */
  refill(): void {
    const { clock, prepare, program } = this.#options;
    const { monoMs } = clock.now();
    const isBusy = this.#starting.size > 0 || this.prepared < this.#spares.size;
    if (this.#isClosed || isBusy || monoMs < this.#againMs) return;
    if (this.#spares.size >= this.wanted) return;
    const spare: Spare = { worker: new WorkerProcess(program), isPrepared: false, unanswered: 0 };
    this.#spares.add(spare);
    spare.worker.onMessage(({ kind }) => {
      if (kind !== 'prepared') return;
      spare.unanswered = 0;
      if (spare.isPrepared) return;
      spare.isPrepared = true;
      this.#failures = 0;
      this.refill();
    });
    spare.worker.send(prepare);
    void spare.worker.ended.then((code) => this.#ended(spare, code));
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

  /** Counts questions and not the time, because all of them may have been stopped together with this process. */
  #look(): void {
    const { clock } = this.#options;
    this.#cancelLook();
    this.#cancelLook = clock.at(clock.now().monoMs + lookMs, () => this.#look());
    for (const spare of this.#spares) {
      spare.unanswered += 1;
      if (spare.unanswered > mostUnanswered) spare.worker.kill();
      else if (spare.isPrepared) spare.worker.send({ kind: 'alive' });
    }
  }

  /** Before it was given a shard. */
  #ended(spare: Spare, code: number | undefined): void {
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
