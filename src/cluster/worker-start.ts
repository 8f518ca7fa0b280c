/**
 * The start of a worker with a shard of a database. It may wait for others for a long time, so a worker that is asked to
 * stop does not wait for its end, but releases what it has taken: the next owner then need not wait for the lease.
 */
import type { Transactions } from '../store/transactions.ts';

/** What has been opened on the shard. */
type Opened = Pick<Transactions, 'close'> & {
  readonly store: Pick<Transactions['store'], 'close'>;
};

export class WorkerStart {
  #hasTaken = false;
  readonly #opened = Promise.withResolvers<Opened | undefined>();
  /** It was asked to stop, so a failure is only the consequence. */
  isStopping = false;

  taken(): void {
    this.#hasTaken = true;
  }

  opened(transactions: Opened): void {
    this.#opened.resolve(transactions);
  }

  failed(): void {
    this.#opened.resolve(undefined);
  }

  /** Resolves when the process may exit. From the call on, nothing more is recorded or sent. */
  async stop(): Promise<void> {
    this.isStopping = true;
    if (!this.#hasTaken) return;
    const transactions = await this.#opened.promise;
    transactions?.close();
    await transactions?.store.close();
  }
}
