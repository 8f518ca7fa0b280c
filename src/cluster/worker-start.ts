/**
 * The start of a worker with a shard of a database. It may wait for others for a long time, so a worker that is asked
 * to stop does not wait for its end, but releases what it has taken: the next owner then need not wait for the lease.
 */
import type { Transactions } from '../store/transactions.ts';

/** What has been opened on the shard. */
type Opened = Pick<Transactions, 'close'> & {
  readonly store: Pick<Transactions['store'], 'close'>;
};

export class WorkerStart {
  #hasTaken = false;
  readonly #opened = Promise.withResolvers<Opened>();
  /** Whether what was opened is being closed, so that the start fails. */
  isReleasing = false;

  taken(): void {
    this.#hasTaken = true;
  }

  opened(transactions: Opened): void {
    this.#opened.resolve(transactions);
  }

  /** Resolves when the process may exit. From the call on, nothing more is recorded or sent. */
  async stop(): Promise<void> {
    if (!this.#hasTaken) return;
    const transactions = await this.#opened.promise;
    this.isReleasing = true;
    transactions.close();
    await transactions.store.close();
  }
}
