/**
 * Carries SQLite's log over into the file before it grows long. The pages are copied and synced on a thread with a
 * connection of its own; what was committed meanwhile is little, and is carried over by the writer itself, because a
 * log can begin anew only when nothing in it is left (https://sqlite.org/wal.html#ckpt).
 */
import { Worker } from 'node:worker_threads';
import type { SqliteFile } from './sqlite-file.ts';
import { StoreFailed } from './store.ts';

/** What the thread says of a checkpoint: nothing, or SQLite's words. */
export type Checkpointed = { readonly problem?: string };

/** The log is read whole at a start, so it is kept to what takes no noticeable time. */
const longLogBytes = 32 * 1024 * 1024;

export class Checkpointer {
  readonly #path: string;
  readonly #file: SqliteFile;
  readonly #onFailure: (error: Error) => void;
  #thread: Worker | undefined;
  #isUnderWay = false;

  constructor(path: string, file: SqliteFile, onFailure: (error: Error) => void) {
    this.#path = path;
    this.#file = file;
    this.#onFailure = onFailure;
  }

  /** After a commit. */
  look(): void {
    if (this.#isUnderWay || this.#file.logBytes < longLogBytes) return;
    this.#isUnderWay = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage('checkpoint');
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.ref();
    // Asked, because a thread that is interrupted inside SQLite takes the process with it.
    thread.postMessage('close');
    await ended;
  }

  #start(): Worker {
    // The source and the built file lie side by side under the same name but for their ending.
    const entry = new URL(`./checkpoint-thread${import.meta.url.slice(-3)}`, import.meta.url);
    const thread = new Worker(entry, { workerData: this.#path });
    thread.unref();
    thread.on('message', ({ problem }: Checkpointed) => {
      this.#isUnderWay = false;
      if (problem === undefined) this.#finish();
      else this.#failed(problem);
    });
    thread.on('error', ({ message }) => this.#failed(message));
    return thread;
  }

  #finish(): void {
    try {
      this.#file.checkpoint();
    } catch (error) {
      this.#failed(String(error));
    }
  }

  #failed(problem: string): void {
    this.#onFailure(new StoreFailed(`the store's log cannot be carried over: ${problem}`));
  }
}
