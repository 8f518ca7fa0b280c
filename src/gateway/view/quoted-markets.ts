/** The open orders of each account per market for quoting obligations: best prices and depth. */
import { isOfOtherChannel, type Order } from '../../domain/order.ts';
import { formatAtoms } from '../../domain/units.ts';
import { entryOf } from '../../runtime/entry-of.ts';

export type QuoteRow = ReturnType<typeof quoteRow>;

interface Side {
  best: bigint | null;
  qty: bigint;
}

interface Market {
  readonly account: string;
  readonly instrument: Order['instrument'];
  readonly Bid: Side;
  readonly Ask: Side;
}

export class QuotedMarkets {
  readonly #markets = new Map<string, Market>();

  add(account: string, order: Order): void {
    const { instrument, leavesQty, phase, terms } = order;
    if (phase !== 'live' || terms.price === null || isOfOtherChannel(order)) return;
    const nothing = (): Side => ({ best: null, qty: 0n });
    const make = () => ({ account, instrument, Bid: nothing(), Ask: nothing() });
    const market = entryOf(this.#markets, `${account} ${instrument.securityId}`, make);
    const side = market[terms.side];
    side.qty += leavesQty;
    if (side.best === null || isBetter(terms, side.best)) side.best = terms.limitPrice;
  }

  get rows(): readonly QuoteRow[] {
    return [...this.#markets.values()].map(quoteRow);
  }
}

function isBetter({ limitPrice, side }: Order['terms'], best: bigint): boolean {
  return side === 'Bid' ? limitPrice > best : limitPrice < best;
}

/** A venue may state a price of zero for both sides. */
function spreadOf(bid: bigint, ask: bigint): number | null {
  return bid + ask === 0n ? null : Number((20_000n * (ask - bid)) / (ask + bid));
}

function quoteRow({ account, Ask, Bid, instrument }: Market) {
  const { priceScale, qtyScale } = instrument.market;
  const [bid, ask] = [Bid.best, Ask.best];
  return {
    account,
    symbol: instrument.symbol,
    securityId: instrument.securityId,
    bid: bid === null ? null : formatAtoms(bid, priceScale),
    ask: ask === null ? null : formatAtoms(ask, priceScale),
    bidQty: formatAtoms(Bid.qty, qtyScale),
    askQty: formatAtoms(Ask.qty, qtyScale),
    /** The spread relative to the mid price, in hundredths of a percent; null if one side is empty. */
    spreadBps: bid === null || ask === null ? null : spreadOf(bid, ask),
  };
}
