/**
 * Compares the last seq of the venue's own drop copy with the stream, if the profile enables it (contract G72). Events
 * that the drop copy had at the previous check must have arrived by now.
 */
import type { Account } from '../../domain/units.ts';
import { type Clock, every } from '../../runtime/clock.ts';
import type { VenueReads } from '../../venue/venue-reads.ts';

export interface CheckedAccount {
  readonly name: string;
  readonly account: Account;
  readonly orders: { readonly lastSeq: number };
  readonly reads: Pick<VenueReads, 'lastSeq'>;
}

interface CheckParts {
  readonly accounts: readonly CheckedAccount[];
  readonly clock: Clock;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
}

const lookMs = 60_000;

/** Returns a function that ends the checks. */
export function checkVenueCopies({ accounts, alarm, clock, notice }: CheckParts): () => void {
  const had = new Map<Account, number>();
  const look = async ({ account, name, orders, reads }: CheckedAccount) => {
    const before = had.get(account) ?? 0;
    const received = orders.lastSeq;
    if (received < before)
      alarm(`${name}: the stream is at seq ${received}, the venue's drop copy was at ${before}`);
    try {
      had.set(account, await reads.lastSeq(account));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      notice(`${name}: the venue's drop copy cannot be read: ${why}`);
    }
  };
  return every(clock, lookMs, () => {
    for (const account of accounts) void look(account);
  });
}
