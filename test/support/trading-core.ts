/**
 * One session on one account without venue, sockets or journal: what it may do is judged, what it does is kept by the
 * account's orders, and what would go to the venue is recorded.
 */
import type { Answer } from '../../src/domain/answer.ts';
import type {
  CancelOrder,
  MassQuote,
  NewOrder,
  Quote,
  QuoteCancel,
  QuoteEntry,
  ReplaceOrder,
} from '../../src/domain/command.ts';
import type { Denial } from '../../src/domain/denial.ts';
import type { StreamEvent } from '../../src/domain/event.ts';
import { InstrumentList } from '../../src/domain/instrument.ts';
import type { Intent } from '../../src/domain/intent.ts';
import type { Order } from '../../src/domain/order.ts';
import type { Report } from '../../src/domain/report.ts';
import type { Outcome } from '../../src/domain/transition.ts';
import {
  type MarketId,
  maxSafeAtoms,
  type OrderId,
  parseDecimal,
  type Side,
} from '../../src/domain/units.ts';
import { Orders } from '../../src/engine/orders.ts';
import type { OrdersEffect, OrdersInput } from '../../src/engine/orders-input.ts';
import { OrderEntry, type Refused } from '../../src/gateway/clients/order-entry.ts';
import { Quoting } from '../../src/gateway/clients/quoting.ts';
import type { RiskLimits } from '../../src/gateway/config/config.ts';
import type { TradingContext } from '../../src/gateway/gate/gate-view.ts';
import type { Principal } from '../../src/gateway/gate/principal.ts';
import { RiskGuard } from '../../src/gateway/gate/risk.ts';
import { denialOf } from '../../src/venue/refusals.ts';
import { account, fullRules, silentEvent, spot } from '../domain/ladder.ts';
import { denied } from './venue-denial.ts';

export interface Sent {
  readonly key: string;
  readonly requestId: string;
  readonly intent: Intent;
}

export interface CoreOptions {
  readonly session?: RiskLimits;
  readonly account?: RiskLimits;
}

const eth = { ...spot, marketId: 2 as MarketId, symbol: 'ETH-USDC', base: 'ETH' };
const decimal = (text: string) => parseDecimal(text) ?? { mantissa: 0n, scale: 0 };
const sideOf = (text: string | null) => {
  const [price = null, qty = null] = text?.split('x') ?? [];
  return {
    price: price === null ? null : decimal(price),
    qty: qty === null ? null : decimal(qty),
  };
};

/** `bid` and `ask` as `price x size`. */
export function entry(
  entryId: string,
  symbol: string,
  bid: string | null,
  ask: string | null = null,
): QuoteEntry {
  const instrument = { symbol, securityId: null, book: null };
  return { entryId, instrument, bid: sideOf(bid), ask: sideOf(ask) };
}

const origin = {
  sendingTimeMs: null,
  transactTimeMs: null,
  possDup: false,
  possResend: false,
};

export class TradingCore {
  readonly orders = new Orders(() => fullRules);
  readonly sent: Sent[] = [];
  readonly answers: Answer[] = [];
  readonly reports: Report[] = [];
  readonly inputs: OrdersInput[] = [];
  readonly #entry: OrderEntry;
  readonly #quoting: Quoting;
  nowMs = 1_000;
  /** What the venue and the operator say at this moment. */
  killed: Denial | undefined;
  closed: Denial | undefined;
  maxLegs = 64;
  instruments = new InstrumentList([spot, eth]);
  /** The order that each order of a leg takes the place of. */
  readonly #replaced = new Map<string, OrderId>();
  /** What rests at the venue, as `settleOne` and `happen` have it. */
  readonly atVenue = new Set<OrderId>();
  readonly #events: Partial<StreamEvent>[] = [];
  #venueIds = 0;

  constructor(limits: CoreOptions = {}) {
    const runner = {
      account,
      orders: this.orders,
      apply: (input: OrdersInput) => this.apply(input),
    };
    const guard = new RiskGuard('account desk', limits.account ?? {});
    const accounts = [{ name: 'desk', runner, guard }];
    const principal = {
      session: 'S',
      compId: 'C',
      ...{ accounts, reach: accounts, known: accounts },
      actions: new Set(['order', 'quote', 'algo', 'conditional']),
      markets: null,
      guard: new RiskGuard('session C', limits.session ?? {}),
      rules: fullRules,
      profile: { dayOrders: 'gtc', stp: 'none', maxOrderAgeMs: 5_000 },
    } as unknown as Principal;
    const context = {
      instruments: () => this.instruments,
      closed: () => this.closed,
      killed: () => this.killed,
      venueNameOf: (_: string, clOrdId: string) => clOrdId,
      maxLegs: () => this.maxLegs,
      maxStored: 32,
      skipUnchanged: true,
      gate: { refusal: () => null },
      top: () => ({ bid: null, ask: null }),
      admission: {
        maxAtoms: maxSafeAtoms,
        acceptMarketPrice: true,
        collarBps: 100,
        conditionals: new Set(),
        algos: new Set(),
        marketOrders: true,
        goodTillDate: true,
        expiryStepMs: 1,
        localChecks: false,
      },
    } as unknown as TradingContext;
    this.#entry = new OrderEntry(principal, context);
    this.#quoting = new Quoting(principal, context, {
      answer: (answer) => this.answers.push(answer),
    });
  }

  apply(input: OrdersInput): void {
    this.inputs.push(input);
    for (const effect of this.orders.apply(input)) this.#take(effect);
  }

  order(clOrdId: string, side: Side, text: string, symbol = 'BTC-USDC'): Refused | undefined {
    const command = {
      kind: 'new_order',
      clOrdId,
      account: null,
      instrument: { symbol, securityId: null, book: null },
      terms: wanted(side, text),
      origin,
    } as unknown as NewOrder;
    return this.#entry.newOrder(command, this.#now()) as Refused | undefined;
  }

  replace(
    clOrdId: string,
    of: string,
    side: Side,
    text: string,
    symbol: string | null = 'BTC-USDC',
  ): Refused | undefined {
    const command = {
      kind: 'replace_order',
      origin,
      clOrdId,
      target: { origClOrdId: of, orderId: null },
      account: null,
      instrument: { symbol, securityId: null, book: null },
      terms: wanted(side, text),
      origModTimeMs: null,
    } as unknown as ReplaceOrder;
    return this.#entry.replace(command, this.#now()) as Refused | undefined;
  }

  /** Sets by their ids. */
  quote(
    quoteId: string,
    sets: Record<string, QuoteEntry[]>,
    sendingTimeMs: number | null = null,
  ): Refused | undefined {
    const command = {
      kind: 'mass_quote',
      origin: { ...origin, sendingTimeMs },
      quoteId,
      account: null,
      response: 'all',
      sets: Object.entries(sets).map(([setId, entries]) => ({ setId, entries })),
    } as unknown as MassQuote;
    return this.#quoting.massQuote(command, this.#now());
  }

  /** A Quote(S). */
  quoteOne(quoteId: string, one: QuoteEntry): Refused | undefined {
    const facts = { kind: 'quote', origin, quoteId, account: null, response: 'all', entry: one };
    return this.#quoting.quote(facts as unknown as Quote, this.#now());
  }

  cancelQuotes(): void {
    const command = { kind: 'quote_cancel', quoteId: 'Z', account: null, instruments: null };
    this.#quoting.cancel({ ...command, response: 'none' } as unknown as QuoteCancel, this.#now());
  }

  cancel(clOrdId: string, of: string, symbol: string | null = 'BTC-USDC'): Refused | undefined {
    const command = {
      kind: 'cancel_order',
      origin,
      clOrdId,
      target: { origClOrdId: of, orderId: null },
      account: null,
      instrument: { symbol, securityId: null, book: null },
      origModTimeMs: null,
    } as unknown as CancelOrder;
    return this.#entry.cancel(command, this.#now()) as Refused | undefined;
  }

  /** The stream ends an order. */
  end(clOrdId: string, kind: 'canceled' | 'expired' = 'canceled'): void {
    const orderId = this.named(clOrdId)?.orderId ?? null;
    this.hear({ ...silentEvent, kind, orderId, seq: this.#nextSeq() });
  }

  named(clOrdId: string): Order | undefined {
    return this.orders.byClOrdId('S', clOrdId);
  }

  /** Takes the oldest request that goes to the venue, gives its orders ids and lets HTTP accept or refuse it. */
  settle(
    outcome: 'accepted' | Denial = 'accepted',
    { key, requestId, intent } = this.take(),
  ): readonly OrderId[] {
    const legIds =
      intent.kind === 'group'
        ? intent.legs.map(({ qty }) => (qty > 0n ? this.#newId() : null))
        : [];
    const orderId = legIds[0] ?? this.#newId();
    for (const [index, id] of legIds.entries()) {
      const before = intent.kind === 'group' ? intent.legs[index]?.cancelOrderId : null;
      if (id !== null && before != null) this.#replaced.set(id, before);
    }
    const sent = { kind: 'sent', requestId, venueRef: `hash-${orderId}`, orderId } as const;
    this.#input(key, { ...sent, ...(legIds.length > 0 && { legIds }), nowMs: this.nowMs });
    const result: Outcome =
      outcome === 'accepted' ? { kind: 'accepted', orderId } : { kind: 'refused', denial: outcome };
    this.#input(key, { kind: 'answered', requestId, outcome: result, nowMs: this.nowMs });
    const placed = intent.kind === 'group' ? legIds : intent.kind === 'cancel' ? [] : [orderId];
    return placed.flatMap((id) => id ?? []);
  }

  /** The venue's stream refuses an action of which it names no order. Returns alarms and unknown events. */
  refuseOnStream(venueRef: string, code = 'post_only_would_cross'): readonly string[] {
    const denial = denialOf({ code, number: null, text: '' });
    const seq = this.#nextSeq();
    return this.hear({ ...silentEvent, kind: 'rejected', venueRef, denial, seq });
  }

  /** The stream shows that an order rests; where another one gave way to it, that one ends. */
  show(clOrdId: string): void {
    const orderId = this.named(clOrdId)?.orderId ?? null;
    const parentOrderId = this.#replaced.get(orderId ?? '') ?? null;
    const kind = parentOrderId === null ? 'resting' : 'replaced';
    this.hear({ ...silentEvent, kind, orderId, parentOrderId, seq: this.#nextSeq() });
  }

  hear(event: StreamEvent): readonly string[] {
    const effects = this.orders.apply({ kind: 'event', event });
    for (const effect of effects) this.#take(effect);
    return effects.flatMap(({ kind }) => (kind === 'foreign' || kind === 'alarm' ? [kind] : []));
  }

  #nextSeq(): number {
    return this.orders.lastSeq + 1;
  }

  /** The venue carries out one of the requests under way, or refuses it; its events come later, its answer at once. */
  settleOne(random: (below: number) => number, wanted: 'accepted' | Denial): void {
    const [request] = this.sent.splice(random(Math.max(1, this.sent.length)), 1);
    if (request === undefined) return;
    const { intent } = request;
    const legs = intent.kind === 'group' ? intent.legs : [];
    const named =
      intent.kind === 'cancel' ? [intent.orderId] : legs.map((leg) => leg.cancelOrderId);
    const gone = named.flatMap((id) => id ?? []);
    const isPossible = gone.every((id) => this.atVenue.has(id));
    const outcome = isPossible ? wanted : denied('order_not_open');
    const placed = this.settle(outcome, request);
    if (outcome !== 'accepted') return;
    for (const id of gone) this.atVenue.delete(id);
    for (const id of placed) this.atVenue.add(id);
    for (const id of placed) {
      const parentOrderId = this.#replaced.get(id) ?? null;
      const kind = parentOrderId === null ? 'resting' : 'replaced';
      this.#events.push({ kind, orderId: id, parentOrderId });
    }
    const ended = gone.filter((id) => !placed.some((one) => this.#replaced.get(one) === id));
    for (const orderId of ended) this.#events.push({ kind: 'canceled', orderId });
  }

  /** The next event of the stream; where there is none the venue takes an order out by itself. */
  happen(random: (below: number) => number): void {
    if (this.#events.length === 0) {
      const orderId = [...this.atVenue][random(Math.max(1, this.atVenue.size))];
      if (orderId === undefined) return;
      this.atVenue.delete(orderId);
      this.#events.push({ kind: 'expired', orderId });
    }
    this.hear({ ...silentEvent, ...this.#events.shift(), seq: this.#nextSeq() });
  }

  /** The oldest request that goes to the venue. */
  take(): Sent {
    const first = this.sent.shift();
    if (first === undefined) throw new Error('nothing goes to the venue');
    return first;
  }

  #input(key: string, input: Extract<OrdersInput, { kind: 'order' }>['input']): void {
    this.apply({ kind: 'order', key, input });
  }

  #newId(): OrderId {
    this.#venueIds += 1;
    return `0x${this.#venueIds}` as OrderId;
  }

  #now() {
    return { wallMs: this.nowMs, monoMs: this.nowMs };
  }

  #take(effect: OrdersEffect): void {
    if (effect.kind === 'send') this.sent.push(effect);
    else if (effect.kind === 'answer') this.answers.push(effect.answer);
    else if (effect.kind === 'report') this.reports.push(effect.report);
  }
}

export function wanted(side: Side, text: string) {
  const { price, qty } = sideOf(text);
  return {
    side,
    ordType: 'limit',
    lifetime: 'gtc',
    qty,
    price,
    stopPrice: null,
    triggerDirection: null,
    conditionalKind: null,
    expireTimeMs: null,
    postOnly: false,
    reduceOnly: false,
    stp: undefined,
    maxFloor: null,
    algo: null,
    currency: null,
  };
}
