/**
 * Seeded liquidity: one account quotes both sides of every book around a random walk, and another occasionally trades
 * with it, so that a person who connects sees a live market. Prices are whole ticks.
 */
import type { Book, Side } from '../domain/units.ts';
import type { Ecdsa } from '../signer/ecdsa.ts';
import type { ProfileMarket } from '../venue/profile.ts';
import { type DevelopmentAccount, developmentAccount, register } from './development-accounts.ts';
import type { Place } from './engine/action.ts';
import { SeededRandom } from './random.ts';
import type { State } from './state.ts';

/** Every book is quoted again once in this time, in turn. */
const roundMs = 3000;
const levels = 3;
/** In millionths of the quote currency; a quarter of the largest order. */
type Value = Readonly<Record<'spot' | 'outcome', bigint>>;
/** Deep enough that a person's trades move no book far. */
const quotedValue: Value = { spot: 10_000_000_000n, outcome: 1_000_000_000n };
const flowValue: Value = { spot: 100_000_000n, outcome: 20_000_000n };
/** One turn in this many also trades. */
const tradeEvery = 4;

/** The state from which the makers continue when a venue starts again. */
export interface MakersRecord {
  on: boolean;
  readonly random: { state: number };
  turn: number;
  actions: number;
  nextMs: number;
  /** The mid price of each book, in ticks. */
  readonly mids: number[];
}

interface Walk {
  readonly market: ProfileMarket;
  readonly book: Book | null;
  /** The initial mid price and its bounds, in ticks. */
  readonly start: number;
  readonly least: number;
  readonly most: number;
}

export class Makers {
  readonly record: MakersRecord;
  readonly #state: State;
  readonly #random: SeededRandom;
  readonly #quoter: DevelopmentAccount;
  readonly #taker: DevelopmentAccount;
  readonly #walks: readonly Walk[];

  constructor(state: State, ecdsa: Ecdsa, record?: MakersRecord) {
    this.#state = state;
    this.#quoter = developmentAccount(state, ecdsa, 'maker');
    this.#taker = developmentAccount(state, ecdsa, 'flow');
    this.#walks = state.profile.markets.flatMap((market) =>
      walksOf(market, Number(state.profile.outcome.payout)),
    );
    this.record = record ?? {
      on: false,
      random: SeededRandom.of(state.seed).record,
      turn: 0,
      actions: 0,
      nextMs: 0,
      mids: this.#walks.map(({ start }) => start),
    };
    this.#random = new SeededRandom(this.record.random);
  }

  /** The makers' history is not kept, because it is never queried and a venue may run for months. */
  register(): void {
    register(this.#state, this.#quoter, false);
    register(this.#state, this.#taker, false);
  }

  isDue(wallMs: number): boolean {
    const { nextMs, on } = this.record;
    if (!on || this.#walks.length === 0) return false;
    // A next time more than a whole round ahead was set before the clock jumped back.
    return wallMs >= nextMs || nextMs > wallMs + roundMs;
  }

  /** Quotes at most one book per call, when it is due. */
  step(wallMs: number): void {
    if (!this.isDue(wallMs)) return;
    const { record } = this;
    record.nextMs = wallMs + Math.floor(roundMs / this.#walks.length);
    const index = record.turn % this.#walks.length;
    const walk = this.#walks[index];
    record.turn += 1;
    if (walk === undefined) return;
    const moved = (record.mids[index] ?? walk.start) + this.#random.below(5) - 2;
    const mid = Math.min(walk.most, Math.max(walk.least, moved));
    record.mids[index] = mid;
    if (this.#random.below(tradeEvery) === 0) this.#trade(walk, mid, wallMs);
    this.#quote(walk, mid, wallMs);
  }

  /** Removes the quotes of all books. */
  withdraw(wallMs: number): void {
    this.#state.exchange.cancelAll(this.#quoter.account, {}, wallMs);
  }

  #quote(walk: Walk, mid: number, wallMs: number): void {
    const { book, market } = walk;
    const scope = { market: market.marketId, ...(book === null ? {} : { book }) };
    this.#state.exchange.cancelAll(this.#quoter.account, scope, wallMs);
    for (let level = 1; level <= levels; level += 1) {
      const away = level + this.#random.below(2);
      this.#place(this.#quoter, walk, 'Bid', mid - away, 'post_only', wallMs);
      this.#place(this.#quoter, walk, 'Ask', mid + away, 'post_only', wallMs);
    }
  }

  #trade(walk: Walk, mid: number, wallMs: number): void {
    const side = this.#random.below(2) === 0 ? 'Bid' : 'Ask';
    const far = mid + (side === 'Bid' ? levels : -levels);
    this.#place(this.#taker, walk, side, far, 'ioc', wallMs);
  }

  #place(
    { account }: DevelopmentAccount,
    { book, market }: Walk,
    side: Side,
    ticks: number,
    timeInForce: 'post_only' | 'ioc',
    nowMs: number,
  ): void {
    const price = ticks * Number(market.tick);
    if (ticks < 1) return;
    const isTaker = timeInForce === 'ioc';
    const action: Place = {
      kind: 'place',
      market: market.marketId,
      book,
      side,
      price,
      qty: sizeOf(market, price, isTaker ? flowValue : quotedValue) * (1 + this.#random.below(4)),
      stpMode: 'cancel_taker',
      timeInForce,
      isMarket: false,
      reduceOnly: false,
      expiresAt: null,
    };
    this.record.actions += 1;
    const canonical = `maker ${this.#state.seed} ${this.record.actions} ${nowMs}`;
    this.#state.exchange.apply({
      account,
      action,
      ids: {
        actionHash: this.#state.ids.orderId(`hash ${canonical}`),
        nonce: this.record.actions,
        clientOrderId: null,
        orderId: this.#state.ids.orderId(canonical),
        legIds: [],
        canonical: null,
      },
      nowMs,
    });
  }
}

/** In whole lots, at least one; four times this size is still a valid order. */
function sizeOf({ kind, lot, maxQty, qtyScale }: ProfileMarket, price: number, of: Value): number {
  const wanted =
    (of[kind === 'spot' ? 'spot' : 'outcome'] * 10n ** BigInt(qtyScale)) / BigInt(price);
  const most = maxQty / 4n;
  return Number(((wanted < most ? wanted : most - lot) / lot + 1n) * lot);
}

function walksOf(market: ProfileMarket, payout: number): readonly Walk[] {
  const seed = Math.floor(Number(market.seedPrice) / Number(market.tick));
  const room = levels + 2;
  if (market.kind === 'spot') {
    return [{ market, book: null, start: seed, least: Math.ceil(seed / 2), most: seed * 2 }];
  }
  const top = Math.floor(payout / Number(market.tick));
  const bounds = { least: room, most: top - room };
  return [
    { market, book: 'YES', start: seed, ...bounds },
    { market, book: 'NO', start: top - seed, ...bounds },
  ];
}
