/**
 * A thread that checks passwords. It runs at a low priority, so that on a machine with few cores a check never takes a
 * core from the trading thread, and it is separate from the threads that sync the disk
 * (docs/decisions/0220-logons-and-passwords.md).
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../runtime/shipped.ts';
import type { Finding } from '../../transport/pending-verdict.ts';
import type { SecretHash } from './secret-hash.ts';

export class PasswordThread {
  #worker: Worker | undefined;
  readonly #waiting: ((finding: Finding) => void)[] = [];

  /** Loads the thread, so that the first check does not wait for it. */
  load(): Worker {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  /** The check is dropped if the thread fails, because that proves nothing about the password. */
  check(password: string, hash: SecretHash): Promise<Finding> {
    const worker = this.load();
    worker.ref();
    worker.postMessage([password, hash]);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #start(): Worker {
    const worker = startThread('gateway/passwords/password-worker');
    // An idle thread does not keep the process alive.
    worker.unref();
    worker.on('message', (isRight: boolean) => {
      this.#waiting.shift()?.(isRight ? 'right' : 'wrong');
      if (this.#waiting.length === 0) worker.unref();
    });
    worker.on('error', () => {});
    // The next check starts another worker.
    worker.on('exit', () => {
      this.#worker = undefined;
      for (const answer of this.#waiting.splice(0)) answer('dropped');
    });
    return worker;
  }
}

/** The threads of this process. There are few, because a running check takes 128 MiB. */
export const passwordThreads = Array.from(
  { length: availableParallelism() >= 4 ? 2 : 1 },
  () => new PasswordThread(),
);
