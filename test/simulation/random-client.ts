/** A client of the simulated line that orders, quotes, replaces and cancels at random. */
import { type Instrument, InstrumentList } from '../../src/domain/instrument.ts';
import type { Order, Owner } from '../../src/domain/order.ts';
import { planQuotes, type QuoteRules } from '../../src/domain/quote-plan.ts';
import type { Terms } from '../../src/domain/terms.ts';
import {
  type Account,
  type MarketId,
  maxSafeAtoms,
  type Price,
  type Qty,
} from '../../src/domain/units.ts';
import type { AccountRunner } from '../../src/gateway/account/account-runner.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Profile } from '../../src/venue/profile.ts';

const unit = 1_000_000;
const quoteRules: QuoteRules = {
  postOnly: true,
  stp: 'cancel_maker',
  skipUnchanged: true,
  maxLegs: 32,
  maxAtoms: maxSafeAtoms,
};

/** What takes the client's orders. */
type Orders = Pick<AccountRunner, 'apply' | 'orders'>;

export class RandomClient {
  readonly #below: (bound: number) => number;
  readonly #clock: Clock;
  readonly #account: Account;
  readonly #instruments: InstrumentList;
  #count = 0;

  constructor(below: (bound: number) => number, clock: Clock, account: Account, profile: Profile) {
    this.#below = below;
    this.#clock = clock;
    this.#account = account;
    this.#instruments = marketOne(profile);
  }

  /** Inside a transaction. */
  act(line: Orders): void {
    const open = [...line.orders.open()];
    const order = open[this.#below(open.length)];
    const dice = this.#below(10);
    if (dice === 0) this.#quote(line);
    else if (order === undefined || dice < 4) this.enter(line);
    else if (dice < 7) this.#replace(line, order);
    else this.#cancel(line, order, dice === 9);
  }

  /** Inside a transaction. */
  enter(line: Orders): void {
    const key = `o${++this.#count}`;
    line.apply({
      kind: 'entry',
      owner: this.#owner(key),
      clOrdId: key,
      instrument: this.#instrument(),
      terms: this.terms(),
      nowMs: this.#clock.now().wallMs,
    });
  }

  #quote(line: Orders): void {
    const quoteId = `q${++this.#count}`;
    const sideOf = (sign: number) => ({
      price: { mantissa: BigInt(50_000 + sign * (this.#below(40) - 1)), scale: 0 },
      qty: { mantissa: BigInt(this.#below(4)), scale: 3 },
    });
    const entry = {
      entryId: `e${this.#below(2)}`,
      instrument: { symbol: null, securityId: '1', book: null },
      bid: sideOf(-1),
      ask: sideOf(1),
    };
    const book = {
      resolve: () => this.#instrument(),
      marketOf: () => this.#instrument().market,
      present: (slot: string) => line.orders.quoted('S', slot),
      isSpent: (clOrdId: string) => line.orders.isSpent('S', clOrdId),
    };
    const [group] = planQuotes(quoteId, [{ setId: 's', entries: [entry] }], book, quoteRules);
    if (group?.intent === undefined || group.intent === null) return;
    const { entries, intent, places, cancels, awaits, olds } = group;
    const facts = { key: quoteId, quoteId, accountName: 'desk', response: 'all' } as const;
    line.apply({
      kind: 'quotes',
      key: quoteId,
      session: 'S',
      flight: {
        ...facts,
        single: null,
        setId: 's',
        entries,
        places: places.map(({ clOrdId }) => clOrdId),
        cancels,
        olds,
      },
      awaits,
      orders: places.map(({ clOrdId, slot, instrument, terms, legIndex }) => ({
        owner: { ...this.#owner(clOrdId), quoteId, slot },
        clOrdId,
        instrument,
        terms,
        legIndex,
      })),
      intent,
      nowMs: this.#clock.now().wallMs,
    });
  }

  #instrument(): Instrument {
    const instrument = this.#instruments.of(1 as MarketId, null);
    if (instrument === undefined) throw new Error('no market 1');
    return instrument;
  }

  #owner(key: string): Owner {
    return {
      session: 'S',
      account: this.#account,
      accountName: 'desk',
      tag: 'T',
      key,
      quoteId: null,
    };
  }

  /** Bids and asks that mostly rest on their own side of 50,000. */
  terms(): Terms {
    const side = this.#below(2) === 0 ? 'Bid' : 'Ask';
    const away = this.#below(100) - 3;
    const price = BigInt((50_000 + (side === 'Bid' ? -away : away)) * unit) as Price;
    return {
      side,
      ordType: 'limit',
      lifetime: 'gtc',
      qty: BigInt((1 + this.#below(50)) * 100_000) as Qty,
      price,
      limitPrice: price,
      timeInForce: this.#below(6) === 0 ? 'ioc' : 'gtc',
      expiresAtMs: null,
      cancelAtMs: null,
      isMarket: false,
      reduceOnly: false,
      stp: 'cancel_maker',
      strategy: null,
      trigger: null,
    };
  }

  #replace(line: Orders, order: Order): void {
    const { price, limitPrice, qty } = this.terms();
    const isMove = this.#below(2) === 0;
    const terms = { ...order.terms, qty, ...(isMove && { price, limitPrice }) };
    const input = { kind: 'replace', clOrdId: `r${++this.#count}`, terms } as const;
    const nowMs = this.#clock.now().wallMs;
    const key = order.owner.key;
    line.apply({ kind: 'order', key, input: { ...input, origModTimeMs: null, nowMs } });
  }

  #cancel(line: Orders, order: Order, isOwn: boolean): void {
    const nowMs = this.#clock.now().wallMs;
    const clOrdId = `c${++this.#count}`;
    const input = isOwn
      ? ({ kind: 'own_cancel', text: 'gone', nowMs } as const)
      : ({ kind: 'cancel', clOrdId, origModTimeMs: null, nowMs } as const);
    line.apply({ kind: 'order', key: order.owner.key, input });
  }
}

function marketOne(profile: Profile): InstrumentList {
  return new InstrumentList(
    profile.markets
      .filter(({ marketId }) => marketId === 1)
      .map(({ seedPrice: _, ...market }) => ({
        ...market,
        marketId: market.marketId as MarketId,
        status: 'open',
        tick: BigInt(market.tick) as Price,
        lot: BigInt(market.lot) as Qty,
        minNotional: BigInt(market.minNotional) as Price,
        maxQty: BigInt(market.maxQty) as Qty,
      })),
  );
}
