/**
 * A thread that checks passwords. It runs at a low priority, so on a machine with few cores a check never takes the core
 * from the thread that trades, and it is none of the threads that sync the disk
 * (docs/decisions/0236-passwords-have-threads-of-low-priority.md).
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { beside } from '../runtime/beside.ts';
import type { Finding } from '../transport/pending-verdict.ts';
import type { SecretHash } from './secret-hash.ts';

export class PasswordThread {
  #worker: Worker | undefined;
  readonly #waiting: ((finding: Finding) => void)[] = [];

  /** Dropped where the thread fails: that says nothing of the password. */
  check(password: string, hash: SecretHash): Promise<Finding> {
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage([password, hash]);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #start(): Worker {
    const worker = new Worker(beside(import.meta.url, 'password-worker'));
    worker.on('message', (isRight: boolean) => {
      this.#waiting.shift()?.(isRight ? 'right' : 'wrong');
      // Nothing is under way: the thread does not keep the process.
      if (this.#waiting.length === 0) worker.unref();
    });
    worker.on('error', () => {});
    // The next check starts another one.
    worker.on('exit', () => {
      this.#worker = undefined;
      for (const answer of this.#waiting.splice(0)) answer('dropped');
    });
    return worker;
  }
}

/** Those of this process, shared by all who ask. A check takes 128 MiB while it runs, so there are few. */
export const passwordThreads = Array.from(
  { length: availableParallelism() >= 4 ? 2 : 1 },
  () => new PasswordThread(),
);
