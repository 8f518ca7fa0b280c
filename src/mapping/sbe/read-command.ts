/**
 * Requests of a FIXP client as commands (contract C.4, C.14), message by message. What the bridge does not offer comes
 * back as the denial to answer with (`refusal-message.ts`).
 */
import type {
  CancelOrder,
  Command,
  MarketDataQuery,
  MassCancel as MassCancelCommand,
  MassQuote as MassQuoteCommand,
  MassStatus,
  NewOrder,
  OrderStatus,
  Origin,
  QuoteCancel as QuoteCancelCommand,
  Quote as QuoteCommand,
  QuoteEntry,
  QuoteSet,
  ReplaceOrder,
  SecurityListQuery,
  SecurityStatusQuery,
  SessionStatusQuery,
  Subscription,
  UserStatusQuery,
} from '../../domain/command.ts';
import { deny } from '../../domain/denial.ts';
import type { InstrumentRef } from '../../domain/instrument.ts';
import { deniedAs } from '../fix/read-command.ts';
import { quoteResponses, sides, subscriptions } from './codes.ts';
import {
  QuoteCancelType,
  RequestFlags,
  Scope,
  SecurityListRequestType,
} from './generated/codes.ts';
import type { MarketDataRequest } from './generated/market-data-request.ts';
import type { MassCancel } from './generated/mass-cancel.ts';
import type { MassQuote, MassQuoteQuoteSetsQuoteEntries } from './generated/mass-quote.ts';
import type { NewOrderSingle } from './generated/new-order-single.ts';
import type { OrderCancelReplaceRequest } from './generated/order-cancel-replace-request.ts';
import type { OrderCancelRequest } from './generated/order-cancel-request.ts';
import type { OrderMassStatusRequest } from './generated/order-mass-status-request.ts';
import type { OrderStatusRequest } from './generated/order-status-request.ts';
import type { Quote } from './generated/quote.ts';
import type { QuoteCancel } from './generated/quote-cancel.ts';
import type { SecurityListRequest } from './generated/security-list-request.ts';
import type { SecurityStatusRequest } from './generated/security-status-request.ts';
import type { TradingSessionStatusRequest } from './generated/trading-session-status-request.ts';
import type { UserStatusRequest } from './generated/user-status-request.ts';
import { readTerms } from './read-terms.ts';
import { decimal, orderIdOf, type RequestValues } from './request-values.ts';

/** Where a request came from: its session, and its number in the client's flow. */
export interface RequestFrame {
  readonly session: string;
  readonly seq: number;
}

/** A request without a time of its own is as old as it says or, saying nothing, of this moment. */
function originOf(
  { session, seq }: RequestFrame,
  transactTimeMs: number | null,
  flags = 0,
): Origin {
  return {
    session,
    seq,
    sendingTimeMs: transactTimeMs ?? 0,
    transactTimeMs,
    possDup: false,
    possResend: (flags & RequestFlags.PossResend) !== 0,
  };
}

export function readNewOrder(m: NewOrderSingle, frame: RequestFrame, v: RequestValues): NewOrder {
  if ((m.flags & ~RequestFlags.PossResend) !== 0) {
    v.refuse('bridge.unsupported', `RequestFlags=${m.flags}`);
  }
  return {
    kind: 'new_order',
    origin: originOf(frame, v.utcMs(m.transactTimeBig, 'TransactTime(60)'), m.flags),
    clOrdId: v.id(m.clOrdId, 'ClOrdID(11)'),
    account: v.name(m.account, 'Account(1)'),
    instrument: v.instrument(m),
    terms: readTerms(m, v),
  };
}

/** How a cancel and a replace name the order, and say that it must be as they know it. */
function targeted(m: OrderCancelRequest | OrderCancelReplaceRequest, v: RequestValues) {
  return {
    clOrdId: v.id(m.clOrdId, 'ClOrdID(11)'),
    target: {
      origClOrdId: v.existing(m.origClOrdId, 'OrigClOrdID(41)'),
      orderId: orderIdOf(m.orderId),
    },
    instrument: v.instrument(m),
    account: v.name(m.account, 'Account(1)'),
    origModTimeMs: v.utcMs(m.origOrdModTimeBig, 'OrigOrdModTime(586)'),
  };
}

export function readCancel(
  m: OrderCancelRequest,
  frame: RequestFrame,
  v: RequestValues,
): CancelOrder {
  return {
    kind: 'cancel_order',
    origin: originOf(frame, v.utcMs(m.transactTimeBig, 'TransactTime(60)')),
    ...targeted(m, v),
    side: v.optional(sides, m.side ?? 0, 'Side(54)'),
  };
}

export function readReplace(
  m: OrderCancelReplaceRequest,
  frame: RequestFrame,
  v: RequestValues,
): ReplaceOrder {
  return {
    kind: 'replace_order',
    origin: originOf(frame, v.utcMs(m.transactTimeBig, 'TransactTime(60)')),
    ...targeted(m, v),
    terms: readTerms(m, v),
  };
}

export function readMassCancel(
  m: MassCancel,
  frame: RequestFrame,
  v: RequestValues,
): MassCancelCommand {
  const instrument = v.instrument(m);
  const isOfOne = m.scope === Scope.Instrument;
  if (!isOfOne && m.scope !== Scope.All) v.deny(deny('mass_cancel_not_offered'));
  if (isOfOne && !isNamed(instrument)) v.refuse('field_missing', 'Instrument');
  return {
    kind: 'mass_cancel',
    origin: originOf(frame, v.utcMs(m.transactTimeBig, 'TransactTime(60)')),
    clOrdId: v.id(m.clOrdId, 'ClOrdID(11)'),
    account: null,
    instrument: isOfOne ? instrument : null,
    side: v.optional(sides, m.side ?? 0, 'Side(54)'),
  };
}

export function readOrderStatus(
  m: OrderStatusRequest,
  frame: RequestFrame,
  v: RequestValues,
): OrderStatus {
  return {
    kind: 'order_status',
    origin: originOf(frame, null),
    reqId: v.name(m.ordStatusReqId, 'OrdStatusReqID(790)'),
    clOrdId: v.existing(m.clOrdId, 'ClOrdID(11)'),
    orderId: orderIdOf(m.orderId),
    instrument: v.instrument(m),
    side: v.optional(sides, m.side ?? 0, 'Side(54)'),
  };
}

export function readMassStatus(
  m: OrderMassStatusRequest,
  frame: RequestFrame,
  v: RequestValues,
): MassStatus {
  const instrument = v.instrument(m);
  const isOfOne = m.scope === Scope.Instrument;
  if (!isOfOne && m.scope !== Scope.All) v.refuse('bridge.unsupported', `Scope=${m.scope}`);
  return {
    kind: 'mass_status',
    origin: originOf(frame, null),
    reqId: v.id(m.massStatusReqId, 'MassStatusReqID(584)'),
    instrument: isOfOne ? instrument : null,
    account: v.name(m.account, 'Account(1)'),
  };
}

export function readMassQuote(
  m: MassQuote,
  frame: RequestFrame,
  v: RequestValues,
): MassQuoteCommand {
  const sets: QuoteSet[] = [];
  const group = m.quoteSets;
  while (group.next()) {
    const entries: QuoteEntry[] = [];
    const inner = group.quoteEntries;
    while (inner.next()) {
      const entryId = v.id(inner.quoteEntryId, 'QuoteEntryID(299)');
      entries.push(readEntry(inner, entryId, v));
    }
    sets.push({ setId: v.id(group.quoteSetId, 'QuoteSetID(302)'), entries });
  }
  return { kind: 'mass_quote', ...quoting(m, frame, v), sets };
}

export function readQuote(m: Quote, frame: RequestFrame, v: RequestValues): QuoteCommand {
  const facts = quoting(m, frame, v);
  return { kind: 'quote', ...facts, entry: readEntry(m, facts.quoteId, v) };
}

export function readQuoteCancel(
  m: QuoteCancel,
  frame: RequestFrame,
  v: RequestValues,
): QuoteCancelCommand {
  const instruments: InstrumentRef[] = [];
  const group = m.instruments;
  while (group.next()) instruments.push(v.instrument(group));
  const isAll = m.quoteCancelType === QuoteCancelType.All;
  if (!isAll && m.quoteCancelType !== QuoteCancelType.Instruments) {
    v.refuse('bridge.unsupported', `QuoteCancelType(298)=${m.quoteCancelType}`);
  }
  return {
    kind: 'quote_cancel',
    ...quoting(m, frame, v),
    instruments: isAll ? null : instruments,
  };
}

/** What all requests about quotes say. */
function quoting(m: MassQuote | Quote | QuoteCancel, frame: RequestFrame, v: RequestValues) {
  return {
    origin: originOf(frame, v.utcMs(m.transactTimeBig, 'TransactTime(60)')),
    quoteId: v.id(m.quoteId, 'QuoteID(117)'),
    response: v.optional(quoteResponses, m.quoteResponseLevel, 'QuoteResponseLevel(301)') ?? 'none',
    account: v.name(m.account, 'Account(1)'),
  } as const;
}

function readEntry(
  m: Quote | MassQuoteQuoteSetsQuoteEntries,
  entryId: string,
  v: RequestValues,
): QuoteEntry {
  const priceScale = v.scale(m.quotePriceExponent, 'PriceExponent');
  const qtyScale = v.scale(m.quoteQtyExponent, 'QtyExponent');
  return {
    entryId,
    instrument: v.instrument({
      instrumentMarketIdBig: m.quoteInstrumentMarketIdBig,
      instrumentBook: m.quoteInstrumentBook,
      symbol: m.symbol,
    }),
    bid: { price: decimal(m.quoteBidPxBig, priceScale), qty: decimal(m.quoteBidSizeBig, qtyScale) },
    ask: {
      price: decimal(m.quoteOfferPxBig, priceScale),
      qty: decimal(m.quoteOfferSizeBig, qtyScale),
    },
  };
}

export function readSecurityList(
  m: SecurityListRequest,
  frame: RequestFrame,
  v: RequestValues,
): SecurityListQuery {
  const { securityListRequestType: type } = m;
  const isOfOne = type === SecurityListRequestType.Symbol;
  if (!isOfOne && type !== SecurityListRequestType.AllSecurities) {
    v.deny(deniedAs('securityList', 1, `SecurityListRequestType(559)=${type}`));
  }
  const instrument = v.instrument(m);
  return {
    kind: 'security_list',
    origin: originOf(frame, null),
    reqId: v.id(m.securityReqId, 'SecurityReqID(320)'),
    instrument: isOfOne ? instrument : null,
  };
}

export function readSecurityStatus(
  m: SecurityStatusRequest,
  frame: RequestFrame,
  v: RequestValues,
): SecurityStatusQuery {
  return {
    kind: 'security_status',
    origin: originOf(frame, null),
    reqId: v.id(m.securityStatusReqId, 'SecurityStatusReqID(324)'),
    instrument: v.instrument(m),
    subscription: subscriptionOf(m.subscriptionRequestType, v),
  };
}

export function readSessionStatus(
  m: TradingSessionStatusRequest,
  frame: RequestFrame,
  v: RequestValues,
): SessionStatusQuery {
  return {
    kind: 'session_status',
    origin: originOf(frame, null),
    reqId: v.id(m.tradSesReqId, 'TradSesReqID(335)'),
    subscription: subscriptionOf(m.subscriptionRequestType, v),
  };
}

export function readMarketData(
  m: MarketDataRequest,
  frame: RequestFrame,
  v: RequestValues,
): MarketDataQuery {
  const { subscriptionRequestType: type } = m;
  const subscription = subscriptions.word(type);
  if (subscription === undefined) {
    v.deny(deniedAs('marketData', '4', `SubscriptionRequestType(263)=${type}`));
  }
  const instruments: InstrumentRef[] = [];
  const group = m.instruments;
  while (group.next()) instruments.push(v.instrument(group));
  return {
    kind: 'market_data',
    origin: originOf(frame, null),
    reqId: v.id(m.mdReqId, 'MDReqID(262)'),
    subscription: subscription ?? 'snapshot',
    depth: m.marketDepth,
    instruments,
  };
}

export function readUserStatus(
  m: UserStatusRequest,
  frame: RequestFrame,
  v: RequestValues,
): UserStatusQuery {
  return {
    kind: 'user_status',
    origin: originOf(frame, null),
    reqId: v.id(m.userRequestId, 'UserRequestID(923)'),
    username: v.id(m.username, 'Username(553)'),
  };
}

export type Reader<M> = (message: M, frame: RequestFrame, values: RequestValues) => Command;

function subscriptionOf(code: number, v: RequestValues): Subscription {
  return v.required(subscriptions, code, 'SubscriptionRequestType(263)', 'snapshot');
}

function isNamed({ symbol, securityId }: InstrumentRef): boolean {
  return symbol !== null || securityId !== null;
}
