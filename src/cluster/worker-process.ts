/** A worker as its node sees it: a process that is loaded, is given a shard, and exits. */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { FromWorker, ToWorker } from './worker-messages.ts';

export interface WorkerProgram {
  /** The arguments of Node for a worker. */
  readonly arguments: readonly [entry: string, ...given: string[]];
  /** A directory of this user alone for Node's compile cache, so that the next worker loads faster. */
  readonly cache?: string;
}

export class WorkerProcess {
  readonly #child: ChildProcess;
  /** Resolves with the exit code; undefined if a signal ended the process. */
  readonly ended: Promise<number | undefined>;

  /** The worker inherits the node's log output. */
  constructor({ arguments: [entry, ...given], cache }: WorkerProgram) {
    this.#child = fork(entry, given, {
      env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code) => resolve(code ?? undefined));
      // The process could not be started.
      this.#child.once('error', () => resolve(undefined));
    });
    // A message to a process that has just died fails; `ended` reports its exit.
    this.#child.on('error', () => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  onMessage(callback: (message: FromWorker) => void): void {
    this.#child.on('message', (message) => callback(message as FromWorker));
  }

  /** This process keeps its socket open: Node would never close it if the worker died before it has it (24.21). */
  send(message: ToWorker, socket?: Socket): void {
    if (this.#child.connected) this.#child.send(message, socket, { keepOpen: true }, () => {});
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
