/**
 * After a transaction that threw, the process exits once its messages are set aside
 * (docs/decisions/0032-transactions.md), which can take a moment with a database. By then the error has reached the
 * caller of the transaction, if there is one.
 */
import { TransactionFailed } from '../store/transactions.ts';
import { exitCodes } from './verb.ts';

/** Any other uncaught error ends the process at once. */
export function awaitFailedTransactions(): void {
  process.on('uncaughtException', (error) => {
    if (error instanceof TransactionFailed) return;
    console.error(error);
    process.exit(exitCodes.failed);
  });
}
