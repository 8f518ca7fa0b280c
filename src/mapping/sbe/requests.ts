/**
 * The requests of orders.xml (contract C.4, C.14): how each is converted to a command, and how each is rejected. A
 * request that the bridge does not support becomes a denial for the response. A request keeps its message between the
 * two calls; it is valid until the next one of its kind is read.
 */
import type { Command, OrderRef, QuoteEntry, QuoteSet } from '../../domain/command.ts';
import { type Denial, deny } from '../../domain/denial.ts';
import type { InstrumentRef } from '../../domain/instrument.ts';
import type { SentOrder } from '../../domain/sent-order.ts';
import { deniedAs } from '../fix/read-command.ts';
import { isBusiness } from '../fix/refusal-message.ts';
import { quoteResponses, sides, subscriptions } from './codes.ts';
import {
  QuoteCancelType,
  RequestFlags,
  Scope,
  SecurityListRequestType,
} from './generated/codes.ts';
import { MessageHeader } from './generated/message-header.ts';
import * as orders from './generated/messages.ts';
import { readTerms } from './read-terms.ts';
import * as refusing from './refusal-message.ts';
import {
  decimal,
  orderIdOf,
  type RequestFrame,
  RequestValues,
  shownCode,
} from './request-values.ts';
import { sentOrder } from './sent-order.ts';

/** A kind of request, and its last message. */
export interface Request {
  readonly templateId: number;
  /** MsgType(35) of the same request on the FIX lane, which the refusal tables use. */
  readonly msgType: string;
  /** Takes a message; returns the fault in its bytes, if any. */
  wrap(bytes: Uint8Array): string | undefined;
  read(frame: RequestFrame): Command | Denial;
  /** The client's id of the request. */
  id(): string;
  /** The order that it is to cancel or replace, however readable the rest is. */
  target(): OrderRef | null;
  /** The order that it sends, if it sends one. */
  order(): SentOrder | null;
  /** Writes the rejection into `out` and returns it, valid until `out` is reused. */
  refuse(out: Uint8Array, refused: refusing.Refused): Uint8Array;
}

interface MessageClass<M> {
  readonly templateId: number;
  new (): M;
}

/** `id` is the member with the client's id of the request. */
function request<Id extends string, M extends Pick<Request, 'wrap'> & Readonly<Record<Id, string>>>(
  msgType: string,
  Message: MessageClass<M>,
  id: Id,
  refuse: refusing.Refuse<M>,
  read: (message: M, values: RequestValues) => Command,
  order: (message: M) => SentOrder | null = () => null,
): Request {
  const { templateId } = Message;
  const message = new Message();
  return {
    templateId,
    msgType,
    wrap: (bytes) => message.wrap(bytes),
    id: () => message[id],
    target: () => (isChanging(message) ? refOf(message) : null),
    order: () => order(message),
    read(frame) {
      const values = new RequestValues(frame);
      const command = read(message, values);
      return values.fault ?? command;
    },
    refuse: (out, refused) =>
      isBusiness(msgType, refused.denial)
        ? refusing.writeBusinessReject(out, { templateId, id: message[id] }, refused)
        : refuse(message, out, refused),
  };
}

type Changing = orders.OrderCancelRequest | orders.OrderCancelReplaceRequest;

/** In the order of the schema. */
const requests: readonly Request[] = [
  request('D', orders.NewOrderSingle, 'clOrdId', refusing.refuseOrder, readNewOrder, sentOrder),
  request('G', orders.OrderCancelReplaceRequest, 'clOrdId', refusing.refuseChange, (m, v) => ({
    kind: 'replace_order',
    ...targeted(m, v),
    terms: readTerms(m, v),
  })),
  request('F', orders.OrderCancelRequest, 'clOrdId', refusing.refuseChange, (m, v) => ({
    kind: 'cancel_order',
    ...targeted(m, v),
  })),
  request('q', orders.MassCancel, 'clOrdId', refusing.refuseMassCancel, (m, v) => {
    const instrument = v.instrument(m);
    const isOfOne = m.scope === Scope.Instrument;
    if (!isOfOne && m.scope !== Scope.All) {
      const text = `MassCancelRequestType(530)=${shownCode(m.scope)}`;
      v.deny(deny('mass_cancel_not_offered', text));
    }
    if (isOfOne && !isNamed(instrument)) v.refuse('field_missing', 'Instrument');
    return {
      kind: 'mass_cancel',
      origin: v.origin(m.transactTimeBig),
      clOrdId: v.id(m.clOrdId, 'ClOrdID(11)'),
      account: null,
      instrument: isOfOne ? instrument : null,
      side: v.optional(sides, m.side ?? 0, 'Side(54)'),
    };
  }),
  request('H', orders.OrderStatusRequest, 'clOrdId', refusing.refuseStatus, (m, v) => ({
    kind: 'order_status',
    origin: v.origin(),
    reqId: v.name(m.ordStatusReqId, 'OrdStatusReqID(790)'),
    clOrdId: v.existing(m.clOrdId, 'ClOrdID(11)'),
    orderId: orderIdOf(m.orderId),
  })),
  request('AF', orders.OrderMassStatusRequest, 'massStatusReqId', refusing.refuseStatus, (m, v) => {
    const instrument = v.instrument(m);
    const isOfOne = m.scope === Scope.Instrument;
    if (!isOfOne && m.scope !== Scope.All) {
      v.deny(deniedAs('order', 99, `MassStatusReqType(585)=${shownCode(m.scope)}`));
    }
    return {
      kind: 'mass_status',
      origin: v.origin(),
      reqId: v.id(m.massStatusReqId, 'MassStatusReqID(584)'),
      instrument: isOfOne ? instrument : null,
      account: v.name(m.account, 'Account(1)'),
    };
  }),
  request('i', orders.MassQuote, 'quoteId', refusing.refuseQuotes, (m, v) => {
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
    return { kind: 'mass_quote', ...quoting(m, v), sets };
  }),
  request('S', orders.Quote, 'quoteId', refusing.refuseQuote, (m, v) => {
    const facts = quoting(m, v);
    return { kind: 'quote', ...facts, entry: readEntry(m, facts.quoteId, v) };
  }),
  request('Z', orders.QuoteCancel, 'quoteId', refusing.refuseQuotes, (m, v) => {
    const instruments = instrumentsOf(m, v);
    const isAll = m.quoteCancelType === QuoteCancelType.All;
    if (!isAll && m.quoteCancelType !== QuoteCancelType.Instruments) {
      v.refuse('bridge.unsupported', `QuoteCancelType(298)=${m.quoteCancelType}`);
    } else if (!isAll && instruments.length === 0) v.refuse('field_missing', 'Instruments');
    return { kind: 'quote_cancel', ...quoting(m, v), instruments: isAll ? null : instruments };
  }),
  request('x', orders.SecurityListRequest, 'securityReqId', refusing.refuseSecurityList, (m, v) => {
    const { securityListRequestType: type } = m;
    const isOfOne = type === SecurityListRequestType.Symbol;
    if (!isOfOne && type !== SecurityListRequestType.AllSecurities) {
      v.deny(deniedAs('securityList', 1, `SecurityListRequestType(559)=${type}`));
    }
    const instrument = v.instrument(m);
    return {
      kind: 'security_list',
      origin: v.origin(),
      reqId: v.id(m.securityReqId, 'SecurityReqID(320)'),
      instrument: isOfOne ? instrument : null,
    };
  }),
  request(
    'e',
    orders.SecurityStatusRequest,
    'securityStatusReqId',
    refusing.refuseSecurityStatus,
    (m, v) => ({
      kind: 'security_status',
      origin: v.origin(),
      reqId: v.id(m.securityStatusReqId, 'SecurityStatusReqID(324)'),
      instrument: v.instrument(m),
      subscription: subscriptionOf(m, v),
    }),
  ),
  request(
    'g',
    orders.TradingSessionStatusRequest,
    'tradSesReqId',
    refusing.refuseSessionStatus,
    (m, v) => ({
      kind: 'session_status',
      origin: v.origin(),
      reqId: v.id(m.tradSesReqId, 'TradSesReqID(335)'),
      subscription: subscriptionOf(m, v),
    }),
  ),
  request('V', orders.MarketDataRequest, 'mdReqId', refusing.refuseMarketData, (m, v) => {
    const { subscriptionRequestType: type } = m;
    const subscription = subscriptions.word(type);
    if (subscription === undefined) {
      v.deny(deniedAs('marketData', '4', `SubscriptionRequestType(263)=${type}`));
    }
    const instruments = instrumentsOf(m, v);
    return {
      kind: 'market_data',
      origin: v.origin(),
      reqId: v.id(m.mdReqId, 'MDReqID(262)'),
      subscription: subscription ?? 'snapshot',
      depth: m.marketDepth,
      instruments,
    };
  }),
  request('BE', orders.UserStatusRequest, 'userRequestId', refusing.refuseUserStatus, (m, v) => ({
    kind: 'user_status',
    origin: v.origin(),
    reqId: v.id(m.userRequestId, 'UserRequestID(923)'),
    username: v.id(m.username, 'Username(553)'),
  })),
];

function readNewOrder(m: orders.NewOrderSingle, v: RequestValues): Command {
  if ((m.flags & ~RequestFlags.PossResend) !== 0) {
    v.refuse('bridge.unsupported', `RequestFlags=${m.flags}`);
  }
  return {
    kind: 'new_order',
    origin: v.origin(m.transactTimeBig, (m.flags & RequestFlags.PossResend) !== 0),
    clOrdId: v.id(m.clOrdId, 'ClOrdID(11)'),
    account: v.name(m.account, 'Account(1)'),
    instrument: v.instrument(m),
    terms: readTerms(m, v),
  };
}

function isChanging(message: object): message is Changing {
  return (
    message instanceof orders.OrderCancelRequest ||
    message instanceof orders.OrderCancelReplaceRequest
  );
}

function refOf({ origClOrdId, orderId }: Changing): OrderRef {
  return { origClOrdId: origClOrdId === '' ? null : origClOrdId, orderId: orderIdOf(orderId) };
}

/** How a cancel and a replace identify the order, and the state in which they expect it. */
function targeted(m: Changing, v: RequestValues) {
  return {
    origin: v.origin(m.transactTimeBig),
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

/** The common members of all quote requests. */
function quoting(m: orders.MassQuote | orders.Quote | orders.QuoteCancel, v: RequestValues) {
  return {
    origin: v.origin(m.transactTimeBig),
    quoteId: v.id(m.quoteId, 'QuoteID(117)'),
    response: v.optional(quoteResponses, m.quoteResponseLevel, 'QuoteResponseLevel(301)') ?? 'none',
    account: v.name(m.account, 'Account(1)'),
  } as const;
}

function readEntry(
  m: orders.Quote | orders.MassQuoteQuoteSetsQuoteEntries,
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

function instrumentsOf(
  { instruments }: orders.QuoteCancel | orders.MarketDataRequest,
  v: RequestValues,
): InstrumentRef[] {
  const found: InstrumentRef[] = [];
  while (instruments.next()) found.push(v.instrument(instruments));
  return found;
}

function subscriptionOf(
  {
    subscriptionRequestType: code,
  }: orders.SecurityStatusRequest | orders.TradingSessionStatusRequest,
  v: RequestValues,
) {
  return v.required(subscriptions, code, 'SubscriptionRequestType(263)', 'snapshot');
}

function isNamed({ symbol, securityId }: InstrumentRef): boolean {
  return symbol !== null || securityId !== null;
}

const byTemplate = new Map(requests.map((one) => [one.templateId, one]));
const header = new MessageHeader();

const rejected = new orders.BusinessReject();

/** The content of a client's BusinessReject; undefined for another message. A reject is never rejected in turn. */
export function readReject(bytes: Uint8Array): { ours: string; text: string } | undefined {
  if (!header.wrap(bytes) || header.templateId !== orders.BusinessReject.templateId)
    return undefined;
  const fault = rejected.wrap(bytes);
  if (fault !== undefined) return { ours: 'message', text: fault };
  const { refSeqNumBig, refTemplateId, text } = rejected;
  return { ours: `message ${refSeqNumBig ?? '?'} (template ${refTemplateId ?? '?'})`, text };
}

/** Returns the request in these bytes, or their fault. */
export function takeRequest(bytes: Uint8Array): Request | string {
  if (!header.wrap(bytes)) return 'no message header';
  const found = byTemplate.get(header.templateId) ?? notOffered(header.templateId);
  const { version } = header;
  return (
    found.wrap(bytes) ??
    (version > orders.NewOrderSingle.schemaVersion ? tooNew(found, version) : found)
  );
}

/** Fields appended by a later version may change the meaning of a request, so it is not accepted partially. */
function tooNew(request: Request, version: number): Request {
  const text = `version ${version} of schema ${orders.NewOrderSingle.schemaId} is not supported, only 0 to ${orders.NewOrderSingle.schemaVersion}`;
  return { ...request, read: () => deny('bridge.unsupported', text) };
}

/** A response message, or a message of a later version. */
function notOffered(templateId: number): Request {
  return {
    templateId,
    msgType: '',
    wrap: () => undefined,
    id: () => '',
    target: () => null,
    order: () => null,
    read: () => deny('message_not_offered', 'Unsupported Message Type'),
    refuse: (out, refused) => refusing.writeBusinessReject(out, { templateId, id: '' }, refused),
  };
}
