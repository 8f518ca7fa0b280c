/** A worker as the node has it: a process that is loaded, is given a shard, and ends. */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** The arguments with which Node runs a worker. */
export type WorkerProgram = readonly [entry: string, ...given: string[]];

export class WorkerProcess {
  readonly #child: ChildProcess;
  /** With its exit code; undefined if a signal ended it. */
  readonly ended: Promise<number | undefined>;

  /** Its log goes where the node's goes. */
  constructor([entry, ...given]: WorkerProgram) {
    this.#child = fork(entry, given, {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code) => resolve(code ?? undefined));
      // It could not be started.
      this.#child.once('error', () => resolve(undefined));
    });
    // A message to a process that has just died; its end is reported by `ended`.
    this.#child.on('error', () => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  onMessage(callback: (message: FromWorker) => void): void {
    this.#child.on('message', (message) => callback(message as FromWorker));
  }

  /** The socket is kept open here: if the worker dies before it has it, Node would never close it (24.21). */
  send(message: ToWorker, socket?: Socket): void {
    if (this.#child.connected) this.#child.send(message, socket, { keepOpen: true }, () => {});
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Processes that are loaded and own nothing, so that a shard does not wait for a start. */
export class Spares {
  readonly #program: WorkerProgram;
  readonly #prepare: ToWorker;
  readonly #spares = new Set<WorkerProcess>();
  /** How many there should be. */
  wanted = 1;

  /** `prepare` is the message that each of them gets first. */
  constructor(program: WorkerProgram, prepare: ToWorker) {
    this.#program = program;
    this.#prepare = prepare;
  }

  /** The one that was started first has had most time to load. */
  take(): WorkerProcess {
    const [spare] = this.#spares;
    if (spare === undefined) return new WorkerProcess(this.#program);
    this.#spares.delete(spare);
    return spare;
  }

  /** Called once there is time for it. */
  refill(): void {
    while (this.#spares.size < this.wanted) {
      const spare = new WorkerProcess(this.#program);
      spare.send(this.#prepare);
      this.#spares.add(spare);
      void spare.ended.then(() => this.#spares.delete(spare));
    }
  }

  async close(): Promise<void> {
    const spares = [...this.#spares];
    this.#spares.clear();
    for (const spare of spares) spare.kill();
    await Promise.all(spares.map((spare) => spare.ended));
  }
}
