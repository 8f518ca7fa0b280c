/** A worker as the node has it: a process that is loaded, is given a shard, and ends. */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { FromWorker, ToWorker } from './worker-messages.ts';

export interface WorkerProgram {
  /** With which Node runs a worker. */
  readonly arguments: readonly [entry: string, ...given: string[]];
  /** A directory of this user alone, for what Node has compiled: the next worker is loaded with less work. */
  readonly cache?: string;
}

export class WorkerProcess {
  readonly #child: ChildProcess;
  /** With its exit code; undefined if a signal ended it. */
  readonly ended: Promise<number | undefined>;

  /** Its log goes where the node's goes. */
  constructor({ arguments: [entry, ...given], cache }: WorkerProgram) {
    this.#child = fork(entry, given, {
      env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
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
