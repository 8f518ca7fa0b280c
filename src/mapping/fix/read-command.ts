/**
 * Converts a client's application messages to commands (contract C.4). The messages have been validated by the
 * dictionary. A request that the bridge does not support becomes a denial for the response (`refusal-message.ts`).
 */
import type {
  Command,
  OrderRef,
  Origin,
  QuoteEntry,
  QuoteResponse,
  QuoteSet,
  QuoteSide,
  RequestedTerms,
  Subscription,
} from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import type { Decimal } from '../../domain/units.ts';
import type { FieldReader, Message } from '../../fix/message.ts';
import { tradingSessionId } from './answer-message.ts';
import { type ClientFieldsPolicy, readClientFields } from './client-fields.ts';
import {
  massCancelTypes,
  massStatusTypes,
  quoteCancelTypes,
  quoteResponses,
  securityListTypes,
  sides,
  subscriptions,
  userRequests,
} from './codes.ts';
import { FieldValues } from './field-values.ts';
import { type InstrumentSettings, namesInstrument, readInstrument } from './instrument-fields.ts';
import { readTerms } from './read-terms.ts';
import { noOrderId } from './report-message.ts';

export interface ReadSettings extends InstrumentSettings {
  readonly session: string;
  readonly clientFields: ClientFieldsPolicy;
  /** The meaning of a missing QuoteResponseLevel(301). */
  readonly quoteResponse: QuoteResponse;
}

type Reader = (message: Message, origin: Origin, settings: ReadSettings, v: FieldValues) => Command;

/** Longer names would be stored and sent in every report. */
const maxIdChars = 64;
/** The ClOrdID(11) of a quote's order has three ids, a side and perhaps a number: `QuoteID.set.entry.B.2`. */
const maxNamedChars = 3 * maxIdChars + '...B.999999'.length;
const idFields = [11, 41, 37, 117, 262, 320, 324, 335, 584, 790, 923] as const;

export function readCommand(message: Message, settings: ReadSettings): Command | Denial {
  const reader = readers[message.msgType];
  if (reader === undefined) return deny('message_not_offered', 'Unsupported Message Type');
  for (const tag of idFields) {
    const maxChars = maxCharsOf(tag, message.msgType);
    if (message.size(tag) > maxChars) return tooLong(tag, maxChars);
  }
  const values = new FieldValues();
  const command = reader(message, originOf(message, settings.session), settings, values);
  return values.fault ?? command;
}

function maxCharsOf(tag: number, msgType: string): number {
  if (tag === 37) return 80;
  const isOfExistingOrder = tag === 41 || (tag === 11 && msgType === 'H');
  return isOfExistingOrder ? maxNamedChars : maxIdChars;
}

function tooLong(tag: number, maxChars: number): Denial {
  return deny('bridge.value_out_of_range', `tag ${tag}: more than ${maxChars} characters`);
}

function originOf(message: Message, session: string): Origin {
  return {
    session,
    seq: message.msgSeqNum ?? 0,
    sendingTimeMs: message.utcMs(122) ?? message.utcMs(52) ?? null,
    transactTimeMs: message.utcMs(60) ?? null,
    possDup: message.bool(43) ?? false,
    possResend: message.bool(97) ?? false,
  };
}

const id = (message: FieldReader, tag: number): string => message.text(tag) ?? '';
/** A client may give back what it was told of an order without an id. */
function orderIdOf(message: FieldReader): string | null {
  const orderId = message.text(37) ?? noOrderId;
  return orderId === noOrderId ? null : orderId;
}
const accountOf = (message: FieldReader) => message.text(1) ?? null;
export const targetOf = (message: FieldReader): OrderRef => ({
  origClOrdId: message.text(41) ?? null,
  orderId: orderIdOf(message),
});

/** How a cancel and a replace identify the order, and the state in which they expect it. */
const targeted = (message: Message, origin: Origin, settings: ReadSettings) => ({
  origin,
  clOrdId: id(message, 11),
  target: targetOf(message),
  instrument: readInstrument(message, settings),
  account: accountOf(message),
  origModTimeMs: message.utcMs(586) ?? null,
});

/** The common members of all quote requests. */
const quoting = (message: Message, origin: Origin, settings: ReadSettings) => ({
  origin,
  quoteId: id(message, 117),
  response: quoteResponses.word(message.text(301)) ?? settings.quoteResponse,
  account: accountOf(message),
});

/** The client may mean another book than the one that its other fields name. A cancel may be urgent, so it passes. */
function refusePutOrCall(fields: FieldReader, settings: ReadSettings, v: FieldValues): void {
  if (!settings.putOrCallAsBook && fields.has(201))
    v.refuse('bridge.unsupported', 'PutOrCall(201)');
}

function readOrderTerms(message: Message, settings: ReadSettings, v: FieldValues): RequestedTerms {
  const { clientFields, tags } = settings;
  refusePutOrCall(message, settings, v);
  const client = readClientFields(message, tags, clientFields);
  const isRefused = client !== undefined && isDenial(client);
  // A field that stands in for another one, as CashOrderQty(152) for OrderQty(38), is named before the missing one.
  if (isRefused) v.deny(client);
  const terms = readTerms(message, tags, v);
  return client === undefined || isRefused ? terms : { ...terms, client };
}

const readers: Readonly<Record<string, Reader>> = {
  D: (message, origin, settings, v) => ({
    kind: 'new_order',
    origin,
    clOrdId: id(message, 11),
    account: accountOf(message),
    instrument: readInstrument(message, settings),
    terms: readOrderTerms(message, settings, v),
  }),
  F: (message, origin, settings) => ({
    kind: 'cancel_order',
    ...targeted(message, origin, settings),
  }),
  G: (message, origin, settings, v) => ({
    kind: 'replace_order',
    ...targeted(message, origin, settings),
    terms: readOrderTerms(message, settings, v),
  }),
  i: (message, origin, settings, v) => ({
    kind: 'mass_quote',
    ...quoting(message, origin, settings),
    sets: readSets(message, settings, v),
  }),
  S: (message, origin, settings, v) => ({
    kind: 'quote',
    ...quoting(message, origin, settings),
    entry: readEntry(message, id(message, 117), settings, noSizes, v),
  }),
  Z: (message, origin, settings, v) => {
    const type = v.optional(message, 298, 'QuoteCancelType', quoteCancelTypes);
    const listed = message.entries(295).map((entry) => readInstrument(entry, settings));
    if (type === 'instruments' && listed.length === 0)
      v.refuse('field_missing', 'NoQuoteEntries(295)');
    const instruments = type === 'all' ? null : listed;
    return { kind: 'quote_cancel', ...quoting(message, origin, settings), instruments };
  },
  q: (message, origin, settings, v) => {
    const type = massCancelTypes.word(message.text(530));
    if (type === undefined) {
      const text = `MassCancelRequestType(530)=${message.text(530)}`;
      v.deny(deny('mass_cancel_not_offered', text));
    }
    const isOfOne = type === 'instrument';
    if (isOfOne && !namesInstrument(message)) v.refuse('field_missing', 'Symbol(55)');
    return {
      kind: 'mass_cancel',
      origin,
      clOrdId: id(message, 11),
      account: null,
      instrument: isOfOne ? readInstrument(message, settings) : null,
      side: v.optional(message, 54, 'Side', sides) ?? null,
    };
  },
  H: (message, origin) => ({
    kind: 'order_status',
    origin,
    reqId: message.text(790) ?? null,
    clOrdId: message.text(11) ?? null,
    orderId: orderIdOf(message),
  }),
  AF: (message, origin, settings, v) => {
    const type = massStatusTypes.word(message.text(585));
    if (type === undefined) {
      v.deny(deniedAs('order', 99, `MassStatusReqType(585)=${message.text(585)}`));
    }
    return {
      kind: 'mass_status',
      origin,
      reqId: id(message, 584),
      instrument: type === 'instrument' ? readInstrument(message, settings) : null,
      account: accountOf(message),
    };
  },
  x: (message, origin, settings, v) => {
    const type = securityListTypes.word(message.text(559));
    if (type === undefined) {
      v.deny(deniedAs('securityList', 1, `SecurityListRequestType(559)=${message.text(559)}`));
    }
    const instrument = type === 'instrument' ? readInstrument(message, settings) : null;
    return { kind: 'security_list', origin, reqId: id(message, 320), instrument };
  },
  e: (message, origin, settings, v) => ({
    kind: 'security_status',
    origin,
    reqId: id(message, 324),
    instrument: readInstrument(message, settings),
    subscription: subscriptionOf(message, v),
  }),
  g: (message, origin, _settings, v) => {
    const session = message.text(336) ?? tradingSessionId;
    if (session !== tradingSessionId) {
      v.refuse('bridge.unsupported', `TradingSessionID(336)=${session}`);
    }
    const subscription = subscriptionOf(message, v);
    return { kind: 'session_status', origin, reqId: id(message, 335), subscription };
  },
  V: (message, origin, settings, v) => {
    const subscription = subscriptions.word(message.text(263));
    const depth = message.int(264) ?? 0;
    checkMarketData(message, depth, v);
    return {
      kind: 'market_data',
      origin,
      reqId: id(message, 262),
      subscription: subscription ?? 'snapshot',
      depth,
      instruments: message.entries(146).map((entry) => readInstrument(entry, settings)),
    };
  },
  BE: (message, origin, _settings, v) => {
    v.optional(message, 924, 'UserRequestType', userRequests);
    const username = id(message, 553);
    return { kind: 'user_status', origin, reqId: id(message, 923), username };
  },
};

function subscriptionOf(message: Message, v: FieldValues): Subscription {
  return v.required(message, 263, 'SubscriptionRequestType', subscriptions, 'snapshot');
}

/** Each of these errors has its own reason in MarketDataRequestReject(Y). */
function checkMarketData(message: Message, depth: number, v: FieldValues): void {
  const refuse = (reason: string, text: string) => v.deny(deniedAs('marketData', reason, text));
  const subscription = message.text(263);
  if (subscriptions.word(subscription) === undefined) {
    refuse('4', `SubscriptionRequestType(263)=${subscription}`);
  }
  if (depth < 0) refuse('5', `MarketDepth(264)=${depth}`);
  const updateType = message.int(265) ?? 0;
  if (updateType !== 0) refuse('6', `MDUpdateType(265)=${updateType}`);
  if (message.bool(266) === false) refuse('7', 'AggregatedBook(266)=N');
  for (const entry of message.entries(267)) {
    const type = entry.text(269);
    if (type !== '0' && type !== '1') refuse('8', `MDEntryType(269)=${type}`);
  }
}

/** A reason that only this kind of response has. */
export function deniedAs(
  answer: 'order' | 'securityList' | 'marketData',
  reason: number | string,
  text: string,
): Denial {
  const denial = deny('bridge.unsupported', text);
  return { ...denial, refusal: { ...denial.refusal, [answer]: reason } };
}

function readSets(message: Message, settings: ReadSettings, v: FieldValues): QuoteSet[] {
  const sizes = {
    bid: v.decimal(message, 293, 'DefBidSize'),
    ask: v.decimal(message, 294, 'DefOfferSize'),
  };
  const shortId = (fields: FieldReader, tag: number) => {
    if (fields.size(tag) > maxIdChars) v.deny(tooLong(tag, maxIdChars));
    return id(fields, tag);
  };
  return message.entries(296).map((set) => {
    const setId = shortId(set, 302);
    const entries = set
      .entries(295)
      .map((fields) => readEntry(fields, shortId(fields, 299), settings, sizes, v));
    return { setId, entries };
  });
}

interface DefaultSizes {
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
}

const noSizes: DefaultSizes = { bid: null, ask: null };

function readEntry(
  fields: FieldReader,
  entryId: string,
  settings: ReadSettings,
  sizes: DefaultSizes,
  v: FieldValues,
): QuoteEntry {
  const side = (word: 'Bid' | 'Offer', defaultSize: Decimal | null): QuoteSide => {
    const price = v.decimal(fields, word === 'Bid' ? 132 : 133, `${word}Px`);
    const qty = v.decimal(fields, word === 'Bid' ? 134 : 135, `${word}Size`);
    return { price, qty: qty ?? (price === null ? null : defaultSize) };
  };
  refusePutOrCall(fields, settings, v);
  const instrument = readInstrument(fields, settings);
  return { entryId, instrument, bid: side('Bid', sizes.bid), ask: side('Offer', sizes.ask) };
}
