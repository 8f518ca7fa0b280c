/** Orders driven step by step, and what they say as short lines that read like the state tables of FIX 4.4. */

import type { Lifetime } from '../../src/domain/command.ts';
import type { Denial } from '../../src/domain/denial.ts';
import type { EventKind, StreamEvent } from '../../src/domain/event.ts';
import { type Instrument, instrumentsOf, type Market } from '../../src/domain/instrument.ts';
import type { Intent } from '../../src/domain/intent.ts';
import {
  createOrder,
  type Order,
  type OrderRequest,
  type OrderRules,
} from '../../src/domain/order.ts';
import type { ExecType, Report } from '../../src/domain/report.ts';
import type { Terms } from '../../src/domain/terms.ts';
import { type OrderInput, transition } from '../../src/domain/transition.ts';
import {
  type Account,
  averagePrice,
  type FeeMicro,
  formatAtoms,
  type MarketId,
  type OrderId,
  type Price,
  type Qty,
} from '../../src/domain/units.ts';
import { denialOf, type Reason } from '../../src/venue/refusals.ts';

export const spot: Market = {
  marketId: 1 as MarketId,
  kind: 'spot',
  symbol: 'BTC-USDC',
  base: 'BTC',
  quote: 'USDC',
  status: 'open',
  priceScale: 0,
  qtyScale: 0,
  tick: 1n as Price,
  lot: 1n as Qty,
  minNotional: 1n as Price,
  maxQty: 1_000_000n as Qty,
  expiryMs: null,
};

export const account = `0x${'11'.repeat(20)}` as Account;

/** Says nothing that an event may leave unsaid. */
export const silentEvent: StreamEvent = {
  seq: 1,
  prevSeq: null,
  kind: 'resting',
  account,
  market: null,
  book: null,
  orderId: null,
  parentOrderId: null,
  legIndex: null,
  clientOrderId: null,
  venueRef: null,
  side: null,
  price: null,
  qty: null,
  filledQty: null,
  leavesQty: null,
  status: null,
  denial: null,
  fill: null,
  engineTsMs: 0,
  serverTsMs: 0,
};

export const fullRules: OrderRules = {
  pendingStates: true,
  iocRemainder: 'canceled',
  terminalWaitMs: 1000,
  amendQty: 'total',
  strictPriority: false,
};

export function terms(changes: Partial<Terms> & { qty: Qty; price?: Price | null }): Terms {
  const price = changes.price === undefined ? (10n as Price) : changes.price;
  return {
    side: 'Bid',
    ordType: 'limit',
    lifetime: 'gtc' as Lifetime,
    price,
    limitPrice: price ?? (10n as Price),
    timeInForce: 'gtc',
    expiresAtMs: null,
    cancelAtMs: null,
    isMarket: false,
    reduceOnly: false,
    stp: 'cancel_taker',
    strategy: null,
    trigger: null,
    ...changes,
  };
}

const execTypes: Record<ExecType, string> = {
  pending_new: 'A',
  new: '0',
  trade: 'F',
  trade_correct: 'G',
  trade_cancel: 'H',
  pending_cancel: '6',
  pending_replace: 'E',
  replaced: '5',
  canceled: '4',
  expired: 'C',
  rejected: '8',
  restated: 'D',
  order_status: 'I',
};
const statuses: Record<string, string> = {
  pending_new: 'A',
  new: '0',
  partially_filled: '1',
  filled: '2',
  canceled: '4',
  expired: 'C',
  rejected: '8',
  pending_cancel: '6',
  pending_replace: 'E',
};

export function lineOf(report: Report): string {
  if (report.kind === 'cancel_reject') {
    const { request, clOrdId, origClOrdId, ordStatus, denial } = report;
    const reason = denial.refusal[request] ?? 99;
    return `9 434=${request === 'cancel' ? 1 : 2} 11=${clOrdId} 41=${origClOrdId} 39=${statuses[ordStatus]} 102=${reason} ${denial.refusal.code}`;
  }
  const { order, fill, denial } = report;
  const parts = [
    `8 150=${execTypes[report.execType]} 39=${statuses[report.ordStatus]} 11=${report.clOrdId}`,
    report.origClOrdId !== null && `41=${report.origClOrdId}`,
    `38=${order.terms.qty} 14=${order.cumQty} 151=${order.leavesQty}`,
    fill !== null && `32=${fill.qty} 31=${fill.price}`,
    fill !== null && `6=${formatAtoms(averagePrice(order.notional, order.cumQty), 2)}`,
    report.execRefId !== null && `19=${report.execRefId}`,
    report.restatement !== null && `378=${report.restatement}`,
    report.priorityKept !== null && `638=${report.priorityKept ? 0 : 1}`,
    denial !== null && `${denial.refusal.code}`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}

function intentLine(intent: Intent): string {
  switch (intent.kind) {
    case 'cancel':
      return `cancel ${intent.target} ${intent.orderId}`;
    case 'amend':
      return `amend ${intent.orderId} to ${intent.newQty}`;
    case 'group':
      return `group ${intent.legs.map((leg) => `${leg.cancelOrderId}>${leg.qty}@${leg.price}`)}`;
    default:
      return intent.kind;
  }
}

function requestLine(request: OrderRequest): string {
  if (request.kind === 'send') return `-> ${intentLine(request.intent)}`;
  if (request.kind === 'misnamed') return `!! ${request.theirs} is ${request.ours}`;
  return request.kind === 'wait' ? `.. wait ${request.ms}` : `!! ${request.text}`;
}

interface EventFacts {
  id?: string | null;
  parent?: string;
  hash?: string;
  qty?: number;
  leaves?: number;
  filled?: number;
  price?: number;
  reason?: string | Reason;
  fillId?: string;
  seq?: number;
  /** Of another order of ours, which takes its place. */
  isDisplaced?: boolean;
}

/** The order under test; each call returns the lines of that step, and `said` keeps them all. */
export class Ladder {
  order: Order;
  readonly said: string[] = [];
  readonly reports: Report[] = [];
  readonly rules: OrderRules;
  #seq = 0;
  #fills = 0;

  constructor(
    termsOf: Terms,
    rules: Partial<OrderRules> = {},
    quoteId: string | null = null,
    instrument: Instrument = instrumentsOf(spot)[0]!,
  ) {
    const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key: 'o1', quoteId };
    this.rules = { ...fullRules, ...rules };
    this.order = createOrder(owner, 'X', instrument, termsOf, 1000);
  }

  /** A limit order for `qty` at 10 that the venue has accepted. */
  static live(qty: number, rules: Partial<OrderRules> = {}): Ladder {
    const ladder = new Ladder(terms({ qty: BigInt(qty) as Qty }), rules);
    ladder.sent();
    ladder.accept();
    ladder.event('resting', { id: 'v1' });
    ladder.said.length = 0;
    return ladder;
  }

  /** A replace to 80 has crossed with a fill of 30, so its child v2 has 30 more than was asked for. */
  static withExcess(): Ladder {
    const ladder = Ladder.live(100);
    ladder.replace('Y', 80, 12);
    ladder.requestSent('Y', 'v2');
    ladder.fill(30);
    ladder.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 80 });
    return ladder;
  }

  step(input: OrderInput): string[] {
    const { order, reports, requests } = transition(this.order, input, this.rules);
    this.order = order;
    this.reports.push(...reports);
    const lines = [...reports.map(lineOf), ...requests.map(requestLine)];
    this.said.push(...lines);
    return lines;
  }

  sent(orderId = 'v1', fired?: string): string[] {
    return this.step({
      kind: 'sent',
      requestId: 'new',
      venueRef: 'h-new',
      orderId: orderId as OrderId,
      firedOrderId: (fired ?? null) as OrderId | null,
      nowMs: 1000,
    });
  }

  requestSent(requestId: string, child: string | null = null): string[] {
    const orderId = child as OrderId | null;
    return this.step({
      kind: 'sent',
      requestId,
      venueRef: `h-${requestId}`,
      orderId,
      nowMs: 2000,
    });
  }

  accept(requestId = 'new'): string[] {
    const outcome = { kind: 'accepted', orderId: null } as const;
    return this.step({ kind: 'answered', requestId, outcome, nowMs: 2000 });
  }

  refuse(requestId: string, denial: Denial): string[] {
    const outcome = { kind: 'refused', denial } as const;
    return this.step({ kind: 'answered', requestId, outcome, nowMs: 2000 });
  }

  unknown(requestId = 'new'): string[] {
    return this.step({ kind: 'answered', requestId, outcome: { kind: 'unknown' }, nowMs: 2000 });
  }

  cancel(clOrdId: string, origModTimeMs: number | null = null): string[] {
    return this.step({ kind: 'cancel', clOrdId, origModTimeMs, nowMs: 2000 });
  }

  replace(clOrdId: string, qty: number, price = 10, changes: Partial<Terms> = {}): string[] {
    const wanted = terms({ qty: BigInt(qty) as Qty, price: BigInt(price) as Price, ...changes });
    return this.step({ kind: 'replace', clOrdId, terms: wanted, origModTimeMs: null, nowMs: 2000 });
  }

  fill(qty: number, price = 10, facts: EventFacts = {}): string[] {
    this.#fills += 1;
    return this.event('fill', { fillId: `f${this.#fills}`, qty, price, ...facts });
  }

  event(kind: EventKind, facts: EventFacts = {}): string[] {
    this.#seq = facts.seq ?? this.#seq + 1;
    const { qty, filled, leaves, price, reason } = facts;
    const event: StreamEvent = {
      ...silentEvent,
      seq: this.#seq,
      prevSeq: this.#seq - 1,
      kind,
      market: 1 as MarketId,
      orderId: (facts.id === null ? null : (facts.id ?? this.order.orderId ?? 'v1')) as OrderId,
      parentOrderId: (facts.parent ?? null) as OrderId | null,
      venueRef: facts.hash ?? null,
      price: price === undefined ? null : (BigInt(price) as Price),
      qty: qty === undefined ? null : (BigInt(qty) as Qty),
      filledQty: filled === undefined ? null : (BigInt(filled) as Qty),
      leavesQty: leaves === undefined ? null : (BigInt(leaves) as Qty),
      denial: reason === undefined ? null : denialOf(reasonOf(reason)),
      fill:
        kind === 'fill'
          ? {
              fillId: facts.fillId ?? `f${this.#seq}`,
              price: BigInt(price ?? 10) as Price,
              qty: BigInt(qty ?? 0) as Qty,
              feeMicro: 0n as FeeMicro,
              liquidity: 'taker',
              tsMs: 3000,
            }
          : null,
      engineTsMs: 3000 + this.#seq,
      serverTsMs: 3000 + this.#seq,
    };
    const { isDisplaced = false } = facts;
    return this.step({ kind: 'event', event, isDisplaced });
  }
}

function reasonOf(reason: string | Reason): Reason {
  return typeof reason === 'string' ? { code: reason, number: null, text: '' } : reason;
}
