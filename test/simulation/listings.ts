/**
 * The venue's list of markets leaves one out for a while, or states a larger tick or lot, or what nobody can read; its orders
 * go on. A market may also close for good, with the orders in it.
 */
import type { Dice } from './dice.ts';
import { instruments } from './random-commands.ts';
import type { SimulatedVenue } from './simulated-venue.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface ListingsParts {
  readonly time: VirtualTime;
  /** Without it the list stays as it is. */
  readonly dice: Dice | undefined;
  readonly venue: SimulatedVenue;
  readonly note: (text: string) => void;
}

interface Listed {
  readonly marketId: number;
  readonly tick: number;
  readonly lot: number;
}

const changes = ['is left out', 'has a larger tick', 'has a larger lot', 'is unreadable'] as const;
/** The list is read at least this often. */
const pollMs = 40_000;
type Change = (typeof changes)[number];

export class Listings {
  readonly #parts: ListingsParts;
  readonly #changed = new Map<number, Change>();
  /** Until when the bridge or a relay may not know a market. */
  readonly #unknownUntilMs = new Map<number, number>();

  constructor(parts: ListingsParts) {
    this.#parts = parts;
  }

  /** Sometimes, until the venue is calm or for two minutes at the most. */
  step(): void {
    const { dice, note, time, venue } = this.#parts;
    if (dice?.hits(15) !== true) return;
    const { market } = dice.pick(instruments);
    const change = dice.pick(changes);
    this.#changed.set(market, change);
    venue.listed = (body) => this.#listed(body);
    note(`${time.monoMs} market ${market} ${change}`);
    const forMs = dice.below(120_000);
    this.#unknownUntilMs.set(market, time.monoMs + forMs + pollMs);
    time.after(forMs, () => this.#changed.delete(market));
    if (!dice.hits(100)) return;
    note(`${time.monoMs} market ${market} closes`);
    venue.market(market, 'close');
  }

  /**
   * Whether the first event of an order there may find the market unlisted: such an order is not followed, and an alarm says
   * so (decision 0140).
   */
  isDoubtful(market: number): boolean {
    return this.#parts.time.monoMs < (this.#unknownUntilMs.get(market) ?? 0);
  }

  #listed(body: string): string {
    if (this.#changed.size === 0) return body;
    const { markets, ...rest } = JSON.parse(body) as { readonly markets: readonly Listed[] };
    return JSON.stringify({ ...rest, markets: markets.flatMap((one) => this.#said(one)) });
  }

  #said(market: Listed): readonly object[] {
    const { lot, marketId, tick } = market;
    switch (this.#changed.get(marketId)) {
      case 'is left out':
        return [];
      case 'has a larger tick':
        return [{ ...market, tick: 5 * tick }];
      case 'has a larger lot':
        return [{ ...market, lot: 5 * lot }];
      case 'is unreadable':
        return [{ ...market, tick: 'none' }];
      default:
        return [market];
    }
  }
}
