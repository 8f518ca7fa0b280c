/** The stored forms of orders, events and reports. */
import type { Denial } from './denial.ts';
import type { Fill, StreamEvent } from './event.ts';
import {
  amount,
  type Form,
  json,
  list,
  members,
  optional,
  orNull,
  plain,
  shared,
  unless,
  word,
} from './form.ts';
import type { Instrument, Market } from './instrument.ts';
import type { Execution, Order, Owner, Pending } from './order.ts';
import type { ExecutionReport, Originator } from './report.ts';
import type { Terms } from './terms.ts';
import type { Account, OrderId, Qty } from './units.ts';

const none = 0n as Qty;

const market = members<Market>({
  marketId: plain(),
  kind: plain(),
  symbol: plain(),
  base: plain(),
  quote: plain(),
  status: unless('open', plain()),
  priceScale: plain(),
  qtyScale: plain(),
  tick: amount(),
  lot: amount(),
  minNotional: amount(),
  maxQty: amount(),
  expiryMs: orNull(plain()),
});

export const instrumentForm: Form<Instrument> = shared(
  members<Instrument>({
    market,
    book: orNull(plain()),
    symbol: plain(),
    securityId: plain(),
  }),
);

export const ownerForm = members<Owner>({
  session: word(),
  account: word<Account>(),
  accountName: word(),
  tag: word(),
  key: plain<string>(),
  quoteId: orNull(plain<string>()),
  slot: optional(word()),
});

export const termsForm = members<Terms>({
  side: word(),
  ordType: word(),
  lifetime: unless('gtc', word()),
  qty: amount(),
  price: orNull(amount()),
  limitPrice: amount(),
  timeInForce: unless('gtc', word()),
  expiresAtMs: orNull(plain()),
  cancelAtMs: orNull(plain()),
  isMarket: unless(false, plain<boolean>()),
  reduceOnly: unless(false, plain<boolean>()),
  stp: orNull(word()),
  strategy: orNull(json()),
  trigger: orNull(json()),
  client: optional(json()),
});

const execution = members<Execution>({
  fillId: plain(),
  execId: plain(),
  price: amount(),
  qty: amount(),
  feeMicro: amount(),
  amendedBy: optional(plain()),
});

export const orderForm = members<Order>({
  owner: ownerForm,
  instrument: instrumentForm,
  terms: termsForm,
  clOrdId: plain<string>(),
  phase: unless<Order['phase']>('live', word()),
  submission: unless<Order['submission']>('answered', word()),
  orderId: orNull(plain<OrderId>()),
  parentOrderId: orNull(plain<OrderId>()),
  firedOrderId: orNull(plain<OrderId>()),
  venueRef: orNull(plain<string>()),
  triggered: unless(false, plain<boolean>()),
  cumQty: unless(none, amount<Qty>()),
  leavesQty: unless(none, amount<Qty>()),
  notional: unless(0n, amount<bigint>()),
  unseenQty: unless(none, amount<Qty>()),
  carriedQty: unless(none, amount<Qty>()),
  executions: list(execution),
  pending: orNull(json<Pending>()),
  ownCancel: orNull(plain<string>()),
  lastSeq: plain<number>(),
  modTimeMs: plain<number>(),
  ownReports: unless(0, plain<number>()),
  ownRequests: unless(0, plain<number>()),
  statedEnd: optional(plain<OrderId>()),
  statedAmends: optional(plain<readonly string[]>()),
});

const denial = json<Denial>();

const fill = members<Fill>({
  fillId: plain(),
  price: amount(),
  qty: amount(),
  feeMicro: amount(),
  liquidity: plain(),
  tsMs: plain(),
});

/** The forms of an event's members, for venues whose events have more. */
export const eventForms = {
  seq: plain<number>(),
  prevSeq: orNull(plain<number>()),
  kind: word<StreamEvent['kind']>(),
  account: word<StreamEvent['account']>(),
  market: orNull(plain()),
  book: orNull(plain()),
  orderId: orNull(plain()),
  parentOrderId: orNull(plain()),
  legIndex: orNull(plain<number>()),
  clientOrderId: orNull(plain<string>()),
  venueRef: orNull(plain<string>()),
  side: orNull(word()),
  price: orNull(amount()),
  qty: orNull(amount()),
  filledQty: orNull(amount()),
  leavesQty: orNull(amount()),
  status: orNull(word()),
  denial: orNull(denial),
  fill: orNull(fill),
  engineTsMs: plain<number>(),
  serverTsMs: plain<number>(),
} satisfies { readonly [Name in keyof StreamEvent]-?: Form<StreamEvent[Name]> };

export const executionReportForm = members<ExecutionReport>({
  kind: plain(),
  execType: word(),
  ordStatus: word(),
  execId: plain(),
  order: orderForm,
  clOrdId: plain(),
  origClOrdId: orNull(plain()),
  fill: orNull(fill),
  execRefId: orNull(plain()),
  denial: orNull(denial),
  restatement: orNull(word()),
  priorityKept: orNull(plain()),
  childOrderId: orNull(plain()),
  parentOrderId: orNull(plain()),
  legIndex: orNull(plain()),
  venueSeq: orNull(plain()),
  transactTimeMs: plain(),
});

export const originatorForm = shared(
  members<Originator>({ session: word(), compId: word(), users: list(word<string>()) }),
);
