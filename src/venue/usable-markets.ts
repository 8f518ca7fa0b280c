/**
 * Reads the venue's market list. A market whose record cannot be read is left out, and so is one with other decimals
 * than it had first, in open orders or in the list: their amounts and those of the venue's events would mean something
 * else.
 */
import { hasSameDecimals, type Market } from '../domain/instrument.ts';
import type { MarketId } from '../domain/units.ts';
import type { VenueReads } from './venue-reads.ts';

export class UsableMarkets {
  readonly #first = new Map<MarketId, Market>();

  learn(markets: Iterable<Market>): void {
    for (const market of markets)
      if (!this.#first.has(market.marketId)) this.#first.set(market.marketId, market);
  }

  /** `fault` says which are left out, and is empty if none is. */
  async read(
    reads: Pick<VenueReads, 'markets'>,
  ): Promise<{ readonly markets: readonly Market[]; readonly fault: string }> {
    const faults: string[] = [];
    const read = await reads.markets(({ message }) => void faults.push(message));
    this.learn(read);
    const markets = read.filter((market) => {
      const first = this.#first.get(market.marketId) ?? market;
      const isSame = hasSameDecimals(market, first);
      if (!isSame)
        faults.push(`${market.symbol} has ${decimals(market)}, it had ${decimals(first)}`);
      return isSame;
    });
    const [first] = faults;
    const text = `${faults.length} markets of the venue's list cannot be used: ${first}`;
    return { markets, fault: first === undefined ? '' : text };
  }
}

function decimals({ priceScale, qtyScale }: Market): string {
  return `${priceScale} decimals of the price and ${qtyScale} of the quantity`;
}
