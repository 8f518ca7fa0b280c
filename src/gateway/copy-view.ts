/** The console's view of the drop-copy readers: what each may see, and its position. */
import type { Relay } from '../dropcopy/relay.ts';

export type ReaderRow = ReturnType<typeof readerRows>[number];

export function readerRows({ readers }: Pick<Relay, 'readers'>) {
  return readers.map((reader) => ({
    name: reader.name,
    symbols: reader.filter.symbols === null ? null : [...reader.filter.symbols],
    seesRequests: reader.filter.requests,
    /** The number of copies that are not sent, or not acknowledged. */
    behind: reader.behind,
    unacknowledged: reader.unacknowledged,
    isHere: reader.isHere,
    isHeldUp: reader.isHeldUp,
    /** The replays and lists that are being sent to it. */
    asked: reader.asked,
    hasSubscription: reader.subscription !== null,
    accounts: reader.filter.accounts.map((account) => {
      const { count, hash, lost, trades } = reader.totals(account);
      return { account, count, trades, lost, hash, acknowledged: reader.acknowledged(account) };
    }),
  }));
}
