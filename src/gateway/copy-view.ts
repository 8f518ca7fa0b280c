/** The console's view of the drop-copy readers: what each may see, and its position. */
import type { Relay } from '../dropcopy/relay.ts';

export interface ReaderRow {
  readonly name: string;
  readonly symbols: readonly string[] | null;
  readonly seesRequests: boolean;
  /** The number of copies that are not sent, or not acknowledged. */
  readonly behind: number;
  readonly unacknowledged: number;
  readonly isHere: boolean;
  readonly isHeldUp: boolean;
  /** The replays and lists that are being sent to it. */
  readonly asked: number;
  readonly hasSubscription: boolean;
  readonly accounts: readonly {
    readonly account: string;
    readonly count: number;
    readonly trades: number;
    readonly lost: number;
    readonly hash: string;
    readonly acknowledged: number;
  }[];
}

export function readerRows({ readers }: Pick<Relay, 'readers'>): readonly ReaderRow[] {
  return readers.map((reader) => ({
    name: reader.name,
    symbols: reader.filter.symbols === null ? null : [...reader.filter.symbols],
    seesRequests: reader.filter.requests,
    behind: reader.behind,
    unacknowledged: reader.unacknowledged,
    isHere: reader.isHere,
    isHeldUp: reader.isHeldUp,
    asked: reader.asked,
    hasSubscription: reader.subscription !== null,
    accounts: reader.filter.accounts.map((account) => {
      const { count, hash, lost, trades } = reader.totals(account);
      return { account, count, trades, lost, hash, acknowledged: reader.acknowledged(account) };
    }),
  }));
}
