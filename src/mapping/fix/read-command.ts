/**
 * Application messages of a client as commands (contract C.4). A message has passed its dictionary; what it asks
 * that the bridge does not offer comes back as the denial to answer with (`refusal-message.ts`).
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
import { type InstrumentSettings, namesInstrument, readInstrument } from './instrument-fields.ts';
import { readDecimal, readTerms, required } from './read-terms.ts';

export interface ReadSettings extends InstrumentSettings {
  readonly session: string;
  readonly clientFields: ClientFieldsPolicy;
  /** What a missing QuoteResponseLevel(301) means. */
  readonly quoteResponse: QuoteResponse;
}

type Reader = (message: Message, origin: Origin, settings: ReadSettings) => Command | Denial;

/** Longer names would be kept for ever and sent back in every report. */
const maxIdChars = 64;
const idFields = [11, 41, 37, 117, 262, 320, 324, 335, 584, 790, 923] as const;

export function readCommand(message: Message, settings: ReadSettings): Command | Denial {
  const reader = readers[message.msgType];
  if (reader === undefined) return deny('message_not_offered', 'Unsupported Message Type');
  for (const tag of idFields) {
    if (message.size(tag) > (tag === 37 ? 80 : maxIdChars)) return tooLong(tag);
  }
  return reader(message, originOf(message, settings.session), settings);
}

function tooLong(tag: number): Denial {
  return deny('bridge.value_out_of_range', `tag ${tag}: more than ${maxIdChars} characters`);
}

function originOf(message: Message, session: string): Origin {
  return {
    session,
    seq: message.msgSeqNum ?? 0,
    sendingTimeMs: message.utcMs(122) ?? message.utcMs(52) ?? 0,
    transactTimeMs: message.utcMs(60) ?? null,
    possDup: message.bool(43) ?? false,
    possResend: message.bool(97) ?? false,
  };
}

const id = (message: FieldReader, tag: number): string => message.text(tag) ?? '';
const accountOf = (message: FieldReader) => message.text(1) ?? null;
const sideOf = (message: FieldReader) => sides.word(message.text(54)) ?? null;
const responseOf = (message: FieldReader, { quoteResponse }: ReadSettings) =>
  quoteResponses.word(message.text(301)) ?? quoteResponse;
const targetOf = (message: FieldReader): OrderRef => ({
  origClOrdId: message.text(41) ?? null,
  orderId: message.text(37) ?? null,
});

function readOrderTerms(message: Message, settings: ReadSettings): RequestedTerms | Denial {
  const { clientFields, tags } = settings;
  const client = readClientFields(message, tags, clientFields);
  if (client !== undefined && isDenial(client)) return client;
  const terms = readTerms(message, tags);
  return client === undefined || isDenial(terms) ? terms : { ...terms, client };
}

const readers: Readonly<Record<string, Reader>> = {
  D: (message, origin, settings) => {
    const terms = readOrderTerms(message, settings);
    if (isDenial(terms)) return terms;
    return {
      kind: 'new_order',
      origin,
      clOrdId: id(message, 11),
      account: accountOf(message),
      instrument: readInstrument(message, settings),
      terms,
    };
  },
  F: (message, origin, settings) => ({
    kind: 'cancel_order',
    origin,
    clOrdId: id(message, 11),
    target: targetOf(message),
    instrument: readInstrument(message, settings),
    account: accountOf(message),
    side: sideOf(message),
    origModTimeMs: message.utcMs(586) ?? null,
  }),
  G: (message, origin, settings) => {
    const terms = readOrderTerms(message, settings);
    if (isDenial(terms)) return terms;
    return {
      kind: 'replace_order',
      origin,
      clOrdId: id(message, 11),
      target: targetOf(message),
      account: accountOf(message),
      instrument: readInstrument(message, settings),
      terms,
      origModTimeMs: message.utcMs(586) ?? null,
    };
  },
  i: (message, origin, settings) => {
    const sets = readSets(message, settings);
    if (isDenial(sets)) return sets;
    return {
      kind: 'mass_quote',
      origin,
      quoteId: id(message, 117),
      response: responseOf(message, settings),
      account: accountOf(message),
      sets,
    };
  },
  S: (message, origin, settings) => {
    const entry = readEntry(message, id(message, 117), settings, noSizes);
    if (isDenial(entry)) return entry;
    return {
      kind: 'quote',
      origin,
      quoteId: id(message, 117),
      response: responseOf(message, settings),
      account: accountOf(message),
      entry,
    };
  },
  Z: (message, origin, settings) => {
    const type = quoteCancelTypes.word(message.text(298));
    if (type === undefined) {
      return deny('bridge.unsupported', `QuoteCancelType(298)=${message.text(298)}`);
    }
    const listed = message.entries(295).map((entry) => readInstrument(entry, settings));
    return {
      kind: 'quote_cancel',
      origin,
      quoteId: id(message, 117),
      response: responseOf(message, settings),
      account: accountOf(message),
      instruments: type === 'all' ? null : listed,
    };
  },
  q: (message, origin, settings) => {
    const type = massCancelTypes.word(message.text(530));
    if (type === undefined) return deny('mass_cancel_not_offered');
    const isOfOne = type === 'instrument';
    if (isOfOne && !namesInstrument(message)) return deny('field_missing', 'Symbol(55)');
    return {
      kind: 'mass_cancel',
      origin,
      clOrdId: id(message, 11),
      account: null,
      instrument: isOfOne ? readInstrument(message, settings) : null,
      side: sideOf(message),
    };
  },
  H: (message, origin, settings) => ({
    kind: 'order_status',
    origin,
    reqId: message.text(790) ?? null,
    clOrdId: message.text(11) ?? null,
    orderId: message.text(37) ?? null,
    instrument: readInstrument(message, settings),
    side: sideOf(message),
  }),
  AF: (message, origin, settings) => {
    const type = massStatusTypes.word(message.text(585));
    if (type === undefined) {
      return deniedAs('order', 99, `MassStatusReqType(585)=${message.text(585)}`);
    }
    return {
      kind: 'mass_status',
      origin,
      reqId: id(message, 584),
      instrument: type === 'instrument' ? readInstrument(message, settings) : null,
      account: accountOf(message),
    };
  },
  x: (message, origin, settings) => {
    const type = securityListTypes.word(message.text(559));
    if (type === undefined) {
      return deniedAs('securityList', 1, `SecurityListRequestType(559)=${message.text(559)}`);
    }
    const instrument = type === 'instrument' ? readInstrument(message, settings) : null;
    return { kind: 'security_list', origin, reqId: id(message, 320), instrument };
  },
  e: (message, origin, settings) => {
    const subscription = required(message, 263, 'SubscriptionRequestType', subscriptions);
    if (isDenial(subscription)) return subscription;
    const instrument = readInstrument(message, settings);
    return { kind: 'security_status', origin, reqId: id(message, 324), instrument, subscription };
  },
  g: (message, origin) => {
    const session = message.text(336) ?? tradingSessionId;
    if (session !== tradingSessionId) {
      return deny('bridge.unsupported', `TradingSessionID(336)=${session}`);
    }
    const subscription = required(message, 263, 'SubscriptionRequestType', subscriptions);
    if (isDenial(subscription)) return subscription;
    return { kind: 'session_status', origin, reqId: id(message, 335), subscription };
  },
  V: readMarketData,
  BE: (message, origin) => {
    const type = message.text(924);
    if (userRequests.word(type) === undefined) {
      return deny('bridge.unsupported', `UserRequestType(924)=${type}`);
    }
    const username = id(message, 553);
    return { kind: 'user_status', origin, reqId: id(message, 923), username };
  },
};

function readMarketData(
  message: Message,
  origin: Origin,
  settings: ReadSettings,
): Command | Denial {
  const subscription = subscriptions.word(message.text(263));
  if (subscription === undefined) {
    return deniedAs('marketData', '4', `SubscriptionRequestType(263)=${message.text(263)}`);
  }
  const depth = message.int(264) ?? 0;
  if (depth < 0) return deniedAs('marketData', '5', `MarketDepth(264)=${depth}`);
  const updateType = message.int(265) ?? 0;
  if (updateType !== 0) return deniedAs('marketData', '6', `MDUpdateType(265)=${updateType}`);
  if (message.bool(266) === false) return deniedAs('marketData', '7', 'AggregatedBook(266)=N');
  for (const entry of message.entries(267)) {
    const type = entry.text(269);
    if (type !== '0' && type !== '1')
      return deniedAs('marketData', '8', `MDEntryType(269)=${type}`);
  }
  const instruments = message.entries(146).map((entry) => readInstrument(entry, settings));
  return { kind: 'market_data', origin, reqId: id(message, 262), subscription, depth, instruments };
}

/** A reason that only this kind of answer has. */
export function deniedAs(
  answer: 'order' | 'securityList' | 'marketData',
  reason: number | string,
  text: string,
): Denial {
  const denial = deny('bridge.unsupported', text);
  return { ...denial, refusal: { ...denial.refusal, [answer]: reason } };
}

function readSets(message: Message, settings: ReadSettings): QuoteSet[] | Denial {
  const bid = readDecimal(message, 293, 'DefBidSize');
  if (isDenial(bid)) return bid;
  const ask = readDecimal(message, 294, 'DefOfferSize');
  if (isDenial(ask)) return ask;
  const sets: QuoteSet[] = [];
  for (const set of message.entries(296)) {
    if ((set.bytes(302)?.length ?? 0) > maxIdChars) return tooLong(302);
    const entries: QuoteEntry[] = [];
    for (const fields of set.entries(295)) {
      if ((fields.bytes(299)?.length ?? 0) > maxIdChars) return tooLong(299);
      const entry = readEntry(fields, id(fields, 299), settings, { bid, ask });
      if (isDenial(entry)) return entry;
      entries.push(entry);
    }
    sets.push({ setId: id(set, 302), entries });
  }
  return sets;
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
): QuoteEntry | Denial {
  const instrument = readInstrument(fields, settings);
  const bid = readSide(fields, 132, 134, sizes.bid);
  if (isDenial(bid)) return bid;
  const ask = readSide(fields, 133, 135, sizes.ask);
  if (isDenial(ask)) return ask;
  return { entryId, instrument, bid, ask };
}

function readSide(
  fields: FieldReader,
  priceTag: number,
  sizeTag: number,
  defaultSize: Decimal | null,
): QuoteSide | Denial {
  const price = readDecimal(fields, priceTag, 'price');
  if (isDenial(price)) return price;
  const qty = readDecimal(fields, sizeTag, 'size');
  if (isDenial(qty)) return qty;
  return { price, qty: qty ?? (price === null ? null : defaultSize) };
}
