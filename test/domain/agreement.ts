/**
 * Random orders of one account against the sandbox's exchange, with answers that come late, get lost or overtake the
 * stream: at the end the bridge's orders must be the venue's orders. The same seed gives the same run.
 */
import { createHash } from 'node:crypto';
import type { StreamEvent } from '../../src/domain/event.ts';
import { exactJson, parseExactJson } from '../../src/domain/exact-json.ts';
import { InstrumentList, type Market } from '../../src/domain/instrument.ts';
import type { GroupIntent, Intent } from '../../src/domain/intent.ts';
import { hasEnded, type Order, type OrderRules, submissionId } from '../../src/domain/order.ts';
import { planQuotes, type QuoteGroup } from '../../src/domain/quote-plan.ts';
import type { Report } from '../../src/domain/report.ts';
import type { Terms } from '../../src/domain/terms.ts';
import type { OrderInput } from '../../src/domain/transition.ts';
import {
  type Account,
  type MarketId,
  maxSafeAtoms,
  type OrderId,
  type Price,
  type Qty,
  type TimeInForce,
} from '../../src/domain/units.ts';
import { Orders } from '../../src/engine/orders.ts';
import type { OrdersEffect } from '../../src/engine/orders-input.ts';
import type { OrdersState } from '../../src/engine/orders-state.ts';
import type { ActionIds, EngineAction } from '../../src/sandbox/engine/action.ts';
import { defaultRetention } from '../../src/sandbox/engine/config.ts';
import type { ExecutionEvent } from '../../src/sandbox/engine/event.ts';
import { configOf, Floor } from '../sandbox/engine/floor.ts';
import { denied } from '../support/venue-denial.ts';
import { actionOf, domainEvent, termsOf } from './exchange-actions.ts';

const [spotSpec] = configOf().markets;
const market = { ...spotSpec, status: 'open' } as unknown as Market;
const instrument = new InstrumentList([
  {
    ...market,
    tick: 100n as Price,
    lot: 10n as Qty,
    minNotional: 1000n as Price,
    maxQty: (10n ** 12n) as Qty,
  },
]).of(1 as MarketId, null)!;
const rules: OrderRules = {
  pendingStates: true,
  iocRemainder: 'canceled',
  terminalWaitMs: 1000,
  amendQty: 'total',
  strictPriority: false,
};
const unit = 1_000_000;

/** Of a small state machine (mulberry32), so that a seed is all that a run needs. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const memory = { endedOrders: 1_000_000, spentNames: 1_000_000 };

interface Delivery {
  readonly run: () => void;
}

export class Agreement {
  orders = new Orders(() => rules, memory);
  readonly reports: Report[] = [];
  readonly alarms: string[] = [];
  readonly #floor = new Floor({ retention: defaultRetention });
  readonly #random: (below: number) => number;
  /** What the bridge has not heard yet: HTTP exchanges in any order, the stream in its own. */
  readonly #http: Delivery[] = [];
  readonly #stream: ExecutionEvent[] = [];
  readonly #waits: Delivery[] = [];
  readonly #asked = new Map<string, number>();
  readonly #quotes = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #pace: number;
  #count = 0;

  /** `pace` is how much arrives between two actions: at 4 the bridge lags far behind, at 20 hardly. */
  constructor(seed: number, pace = 4 + (seed % 3) * 8) {
    this.#random = randomFrom(seed);
    this.#pace = pace;
  }

  run(actions: number): void {
    for (let i = 0; i < actions; i++) {
      this.#someone();
      for (let d = this.#random(this.#pace); d > 0; d--) this.#deliver();
    }
    this.settle();
  }

  /** Lets everything under way arrive. */
  settle(): void {
    while (this.#http.length + this.#stream.length + this.#waits.length > 0) this.#deliver();
  }

  /** The orders as its own snapshot would give it back. */
  #restart(): void {
    const text = exactJson(this.orders.state());
    this.orders = new Orders(() => rules, memory);
    this.orders.restore(parseExactJson(text) as OrdersState);
  }

  #someone(): void {
    if (this.#random(1000) === 0) this.#restart();
    const dice = this.#random(100);
    if (dice < 6) this.#quote();
    else if (dice < 25) this.#order();
    else if (dice < 33) this.#cancel();
    else if (dice < 63) this.#replace();
    else if (dice < 65) this.#ownCancel();
    else this.#stranger();
  }

  /** Someone else's order, at prices around those of the client. */
  #stranger(): void {
    const { price, qty } = { price: this.#price(), qty: this.#qty() };
    const side = this.#random(2) === 0 ? 'bid' : 'ask';
    const result = this.#floor[side]('bob', price, qty, {
      timeInForce: this.#random(3) ? 'gtc' : 'ioc',
    });
    this.#hear(result.events);
    if (this.#random(50) === 0) this.#clearOut();
  }

  /** The stranger's resting orders, so that the book stays small. */
  #clearOut(): void {
    this.#hear(this.#floor.exchange.cancelAll('bob', {}, this.#floor.nowMs));
  }

  #price(): number {
    return (95 + this.#random(11)) * unit;
  }

  #qty(): number {
    return (1 + this.#random(20)) * unit;
  }

  #terms(): Terms {
    const timeInForce = (['gtc', 'gtc', 'gtc', 'ioc', 'fok', 'post_only'] as const)[
      this.#random(6)
    ]!;
    const price = BigInt(this.#price()) as Price;
    const qty = BigInt(this.#qty()) as Qty;
    const plain: Terms = {
      side: this.#random(2) === 0 ? 'Bid' : 'Ask',
      ordType: 'limit',
      lifetime: 'gtc',
      qty,
      price,
      limitPrice: price,
      timeInForce: timeInForce as TimeInForce,
      expiresAtMs: null,
      cancelAtMs: null,
      isMarket: false,
      reduceOnly: false,
      stp: 'cancel_maker',
      strategy: null,
      trigger: null,
    };
    const dice = this.#random(10);
    if (dice === 0) return this.#algo(plain);
    return dice === 1 ? this.#conditional(plain) : plain;
  }

  #algo(plain: Terms): Terms {
    const sliceQty = BigInt(unit * (1 + this.#random(4))) as Qty;
    const kind = this.#random(2) === 0 ? 'iceberg' : 'twap';
    const strategy = { kind, sliceQty, intervalMs: kind === 'twap' ? 20 : null } as const;
    return { ...plain, timeInForce: 'gtc', strategy };
  }

  #conditional(plain: Terms): Terms {
    const direction = this.#random(2) === 0 ? 'at_or_above' : 'at_or_below';
    const price = BigInt(this.#price()) as Price;
    return { ...plain, ordType: 'stop_limit', trigger: { price, direction, kind: 'stop_loss' } };
  }

  #order(): void {
    const key = `o${++this.#count}`;
    const account = 'ann' as Account;
    const owner = { session: 'S', account, accountName: 'ann', tag: 'A', key, quoteId: null };
    this.#keys.push(key);
    const entry = { kind: 'entry', owner, clOrdId: key, instrument, terms: this.#terms() } as const;
    this.#take(this.orders.apply({ ...entry, nowMs: this.#floor.nowMs }));
  }

  /** One of the last orders, mostly one that is open: requests on ended ones are part of life. */
  #someOrder(): Order | undefined {
    const recent = this.#keys.slice(-12).map((key) => this.orders.get(key));
    const open = recent.filter((order) => order !== undefined && !hasEnded(order));
    const choice = open.length > 0 && this.#random(10) > 0 ? open : recent;
    return choice.length === 0 ? undefined : choice[this.#random(choice.length)];
  }

  #cancel(): void {
    const order = this.#someOrder();
    if (order === undefined) return;
    const clOrdId = this.#request();
    const input = {
      kind: 'cancel',
      clOrdId,
      origModTimeMs: null,
      nowMs: this.#floor.nowMs,
    } as const;
    this.#take(this.orders.apply({ kind: 'order', key: order.owner.key, input }));
  }

  #replace(): void {
    const order = this.#someOrder();
    if (order === undefined) return;
    const clOrdId = this.#request();
    const kept = this.#random(2) === 0 ? order.terms.limitPrice : (BigInt(this.#price()) as Price);
    const qty = BigInt(this.#qty()) as Qty;
    const terms: Terms = { ...order.terms, qty, price: kept, limitPrice: kept };
    const input = { kind: 'replace', clOrdId, terms, origModTimeMs: null } as const;
    this.#take(
      this.orders.apply({
        kind: 'order',
        key: order.owner.key,
        input: { ...input, nowMs: this.#floor.nowMs },
      }),
    );
  }

  #ownCancel(): void {
    const order = this.#someOrder();
    if (order === undefined) return;
    const input = { kind: 'own_cancel', text: 'gone', nowMs: this.#floor.nowMs } as const;
    this.#take(this.orders.apply({ kind: 'order', key: order.owner.key, input }));
  }

  /** A quote of up to three entries; a size of 0 takes a side out. */
  #quote(): void {
    const quoteId = `q${++this.#count}`;
    const side = () => ({
      price: { mantissa: BigInt(this.#price()), scale: 6 },
      qty: { mantissa: BigInt(this.#random(3) === 0 ? 0 : this.#qty()), scale: 8 },
    });
    const entries = [1, 2, 3].slice(this.#random(3)).map((n) => ({
      entryId: `e${n}`,
      instrument: { symbol: 'BTC-USDC', securityId: null, book: null },
      bid: side(),
      ask: side(),
    }));
    const book = {
      resolve: () => instrument,
      marketOf: () => instrument.market,
      present: (slot: string) => this.orders.quoted('S', slot),
      isSpent: (clOrdId: string) => this.orders.isSpent('S', clOrdId),
    };
    const rulesOfQuotes = {
      postOnly: this.#random(2) === 0,
      stp: 'cancel_maker',
      skipUnchanged: true,
      maxLegs: 32,
      maxAtoms: maxSafeAtoms,
    } as const;
    for (const group of planQuotes(quoteId, [{ setId: 's', entries }], book, rulesOfQuotes)) {
      if (group.intent !== null) this.#sendQuotes(quoteId, group, group.intent);
    }
  }

  #sendQuotes(quoteId: string, group: QuoteGroup, intent: GroupIntent): void {
    this.#quotes.set(quoteId, 0);
    const account = 'ann' as Account;
    const places = group.places.map(({ clOrdId }) => clOrdId);
    this.#keys.push(...places);
    const { setId, entries, cancels, awaits, olds } = group;
    const facts = { quoteId, accountName: 'ann', response: 'all', single: null } as const;
    this.#take(
      this.orders.apply({
        kind: 'quotes',
        key: quoteId,
        session: 'S',
        flight: { ...facts, key: quoteId, setId, entries, places, cancels, olds },
        awaits,
        orders: group.places.map(({ clOrdId, slot, terms, legIndex }) => {
          const owner = {
            session: 'S',
            account,
            accountName: 'ann',
            tag: 'A',
            key: clOrdId,
            quoteId,
            slot,
          };
          return { owner, clOrdId, instrument, terms, legIndex };
        }),
        intent,
        nowMs: this.#floor.nowMs,
      }),
    );
  }

  #request(): string {
    const clOrdId = `r${++this.#count}`;
    this.#asked.set(clOrdId, 0);
    return clOrdId;
  }

  #take(effects: readonly OrdersEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'report') this.#told(effect.report);
      else if (effect.kind === 'answer') {
        const { quoteId } = effect.answer;
        this.#quotes.set(quoteId, (this.#quotes.get(quoteId) ?? 0) + 1);
      } else if (effect.kind === 'alarm') this.#alarm(effect.text);
      else if (effect.kind === 'foreign') this.#foreign(effect.event);
      else if (effect.kind === 'wait') {
        const { key, requestId } = effect;
        this.#waits.push({
          run: () => this.#input(key, { kind: 'waited', requestId, nowMs: this.#floor.nowMs }),
        });
      } else if (effect.kind === 'send') this.#send(effect.key, effect.requestId, effect.intent);
    }
  }

  /** What the bridge itself asked may be overtaken; it is tried again, and only the end counts. */
  #alarm(text: string): void {
    if (!text.includes(' refused: ')) this.alarms.push(text);
  }

  /** The stream repeats the refusal of a group that HTTP has refused already; nothing else may be foreign. */
  #foreign({ kind, orderId }: StreamEvent): void {
    if (kind !== 'rejected' || orderId !== null) this.alarms.push(`foreign ${kind}`);
  }

  #told(report: Report): void {
    this.reports.push(report);
    const isAnswer =
      report.kind === 'cancel_reject' ||
      report.execType === 'replaced' ||
      (report.execType === 'canceled' && report.origClOrdId !== null);
    if (isAnswer && this.#asked.has(report.clOrdId)) {
      this.#asked.set(report.clOrdId, (this.#asked.get(report.clOrdId) ?? 0) + 1);
    }
  }

  #input(key: string, input: OrderInput): void {
    this.#take(this.orders.apply({ kind: 'order', key, input }));
  }

  /** Signs and posts: recorded now, at the venue later, answered later still, or never. */
  #send(key: string, requestId: string, intent: Intent): void {
    const nested = intent.kind === 'conditional' ? this.#floor.ids(termsOf(intent.nested)) : null;
    const action = actionOf(intent, nested);
    const ids = this.#floor.ids(action);
    const placed = ids.orderId ?? ids.legIds[0] ?? null;
    this.#input(key, {
      kind: 'sent',
      requestId,
      venueRef: ids.actionHash,
      orderId: placed as OrderId | null,
      firedOrderId: (nested?.orderId ?? null) as OrderId | null,
      legIds: ids.legIds as readonly (OrderId | null)[],
      nowMs: this.#floor.nowMs,
    });
    this.#http.push({ run: () => this.#post(key, requestId, action, ids) });
  }

  #post(key: string, requestId: string, action: EngineAction, ids: ActionIds): void {
    if (this.#random(12) === 0) {
      // Lost before the venue saw it: unknown to the bridge, and sent once more with the same bytes.
      this.#input(key, this.#answer(requestId, { kind: 'unknown' }));
      this.#http.push({ run: () => this.#post(key, requestId, action, ids) });
      return;
    }
    const { refusal, events, orderId } = this.#floor.do('ann', action, ids);
    this.#hear(events);
    const outcome =
      this.#random(12) === 0
        ? ({ kind: 'unknown' } as const)
        : refusal === null
          ? ({
              kind: 'accepted',
              orderId: requestId === submissionId ? (orderId as OrderId) : null,
            } as const)
          : ({ kind: 'refused', denial: denied(refusal.code) } as const);
    this.#http.push({ run: () => this.#input(key, this.#answer(requestId, outcome)) });
  }

  #answer(
    requestId: string,
    outcome:
      | { readonly kind: 'unknown' }
      | { readonly kind: 'accepted'; readonly orderId: OrderId | null }
      | { readonly kind: 'refused'; readonly denial: ReturnType<typeof denied> },
  ) {
    return { kind: 'answered', requestId, outcome, nowMs: this.#floor.nowMs } as const;
  }

  #hear(events: readonly ExecutionEvent[]): void {
    this.#stream.push(...events.filter(({ account }) => account === 'ann'));
  }

  #deliver(): void {
    this.#hear(this.#floor.advance(1));
    const dice = this.#random(5);
    if (dice < 2 && this.#http.length > 0) {
      const [next] = this.#http.splice(this.#random(this.#http.length), 1);
      next?.run();
    } else if (this.#stream.length > 0) {
      const event = this.#stream.shift();
      if (event === undefined) return;
      this.#take(this.orders.apply({ kind: 'event', event: domainEvent(event) }));
      // A repeated event says nothing.
      if (this.#random(10) === 0)
        this.#take(this.orders.apply({ kind: 'event', event: domainEvent(event) }));
    } else if (this.#http.length > 0) {
      this.#http.splice(this.#random(this.#http.length), 1)[0]?.run();
    } else this.#waits.shift()?.run();
  }

  /** Every difference between the bridge's orders and the venue's, in words. */
  differences(): string[] {
    const found: string[] = this.alarms.map((text) => `alarm: ${text}`);
    for (const [clOrdId, answers] of this.#asked) {
      if (answers !== 1) found.push(`${clOrdId} has ${answers} answers`);
    }
    for (const [quoteId, answers] of this.#quotes) {
      if (answers !== 1) found.push(`quote ${quoteId} has ${answers} answers`);
    }
    const execIds = this.reports.flatMap((report) =>
      report.kind === 'execution' ? [report.execId] : [],
    );
    if (new Set(execIds).size !== execIds.length) found.push('an ExecID stands twice');
    for (const key of this.#keys) {
      const order = this.orders.get(key);
      if (order !== undefined) found.push(...this.#compare(order));
    }
    const known = new Set([...this.orders.open()].map(({ orderId }) => orderId as string));
    for (const { orderId, parentOrderId } of this.#floor.exchange.openOrders('ann')) {
      const isSlice = parentOrderId !== null && known.has(parentOrderId);
      if (!known.has(orderId) && !isSlice) found.push(`the venue has ${orderId} open`);
    }
    return found;
  }

  #compare(order: Order): string[] {
    const { key } = order.owner;
    const venue = this.#floor.exchange.order(order.orderId ?? '');
    if (order.pending !== null) return [`${key} has a request pending: ${order.pending.kind}`];
    if (order.phase === 'created' || order.phase === 'pending_new')
      return [`${key} is ${order.phase}`];
    if (venue === null) {
      // Refused at entry, or when its trigger fired.
      const isRefused = order.phase === 'rejected' || (order.triggered && order.cumQty === 0n);
      return isRefused && hasEnded(order) ? [] : [`${key} is unknown to the venue`];
    }
    const isOpen = venue.state === 'open';
    if (isOpen === hasEnded(order))
      return [`${key} is ${order.phase}, the venue says ${venue.state}`];
    if (isOpen && BigInt(venue.leavesQty) !== order.leavesQty) {
      return [`${key} leaves ${order.leavesQty}, the venue says ${venue.leavesQty}`];
    }
    const ofChild = order.cumQty - order.carriedQty;
    if (BigInt(venue.filledQty) !== ofChild) {
      return [`${key} filled ${ofChild}, the venue says ${venue.filledQty}`];
    }
    return [];
  }

  /** A hash of all that was said, to prove that a seed repeats. */
  trace(): string {
    const hash = createHash('sha256');
    for (const report of this.reports) {
      const { clOrdId, ordStatus, order } = report;
      hash.update(`${report.kind} ${clOrdId} ${ordStatus} ${order.cumQty} ${order.leavesQty};`);
    }
    return hash.digest('hex');
  }
}
