/**
 * What the order scripts say as FIX text, said in messages of orders.xml by the schema alone, and the bridge's answers
 * as the FIX text of the same facts. Nothing of the bridge's own mapping stands behind it, so it checks that too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonMessage, JsonObject } from '../../../src/sbe/json.ts';
import { readSchema } from '../../../src/sbe/schema.ts';

export const orders = readSchema(
  readFileSync(join(import.meta.dirname, '../../../dictionaries/orders.xml'), 'utf8'),
);

/** What a client knows of an instrument from SecurityList. */
export interface Listed {
  readonly symbol: string;
  readonly marketId: number;
  readonly book: 'YES' | 'NO' | null;
}

type Fields = ReadonlyMap<string, string>;

/** A line that the schema has no words for. */
export class Unsayable extends Error {}

// Codes: the letter of FIX, or a name of the schema that is the word of the bridge's own tags in another form.

/** A code that the schema does not name is sent all the same: the letter itself, or a number beyond the table. */
function nameOf(enumName: string, code: string): Json {
  const found = orders.enums.find(({ typeName }) => typeName === enumName);
  const value = found?.values.find((one) => codeOf(enumName, one.name) === code);
  return value?.name ?? (found?.primitive.name === 'char' ? code.charCodeAt(0) : unknownCode);
}

const unknownCode = 99;

function codeOf(enumName: string, name: string): string {
  const found = orders.enums.find(({ typeName }) => typeName === enumName);
  const value = found?.values.find((one) => one.name === name)?.value ?? 0;
  if (found?.primitive.name === 'char') return String.fromCharCode(value);
  if (wordEnums.has(enumName)) {
    return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  }
  return enumName === 'Book' ? name : String(value);
}

const wordEnums = new Set(['StpMode', 'TriggerDirection', 'ConditionalKind', 'AlgoKind']);

const named = (fields: Fields, tag: string, enumName: string): Json =>
  fields.has(tag) ? nameOf(enumName, fields.get(tag) ?? '') : 0;
const optional = (fields: Fields, tag: string, enumName: string): Json =>
  fields.has(tag) ? nameOf(enumName, fields.get(tag) ?? '') : null;
const text = (fields: Fields, tag: string): string => fields.get(tag) ?? '';

// Requests.

const allowed: Readonly<Record<string, string>> = {
  D: '97 11 1 60 55 48 22 9103 54 40 59 38 44 99 111 18 77 126 15 9104 9105 9106 9107 9108 9109 847 848',
  G: '11 41 37 1 60 55 48 22 9103 54 40 59 38 44 99 111 18 77 126 15 9104 9105 9106 9107 9108 9109 586',
  F: '11 41 37 1 60 55 48 22 9103 54 586',
  q: '11 60 530 54 55 48 22 9103',
  H: '11 37 790 54 55 48 22 9103',
  AF: '584 585 1 55 48 22 9103',
  i: '117 301 296 302 304 295 299 55 132 133 134 135 1',
  S: '117 301 55 132 133 134 135 1',
  Z: '117 301 298 55 1',
  x: '320 559 55 48 22 9103',
  e: '324 263 55 48 22 9103',
  g: '335 263 336',
  V: '262 263 264 265 266 267 269 146 55',
  BE: '923 924 553',
  UR: '9120 9121 1 9122 9123 9124 9125 9126 9127',
  UK: '17 1',
  AD: '568 569 263 55 54 37 11 17',
  AR: '571 150 55 939 751 58',
};

/** The message that says the same as a line such as `D|11=a|55=BTC-USDC|…`. */
export function requestOf(line: string): JsonMessage {
  const [type = '', ...pairs] = line.split('|').filter((part) => part !== '');
  const list = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  const known = allowed[type]?.split(' ');
  if (known === undefined) throw new Unsayable(`MsgType(35)=${type}`);
  const strange = list.find(([tag]) => !known.includes(tag));
  if (strange !== undefined) throw new Unsayable(`tag ${strange[0]} of ${type}`);
  const make = requests[type];
  if (make === undefined) throw new Unsayable(`MsgType(35)=${type}`);
  return make(new Map(list), list);
}

type Make = (fields: Fields, list: readonly (readonly [string, string])[]) => JsonMessage;

const own = (f: Fields) => ({ ClOrdID: text(f, '11'), TransactTime: utcMs(f.get('60')) ?? 0 });
const change = (f: Fields) => ({
  ...own(f),
  OrderID: octets(f.get('37')),
  OrigOrdModTime: utcMs(f.get('586')),
  Instrument: instrument(f),
  OrigClOrdID: text(f, '41'),
  Account: text(f, '1'),
  Symbol: symbol(f),
});

const requests: Readonly<Record<string, Make>> = {
  D: (f) => ({
    message: 'NewOrderSingle',
    fields: {
      ...own(f),
      Flags: f.get('97') === 'Y' ? ['PossResend'] : [],
      Instrument: instrument(f),
      Terms: terms(f),
      Account: text(f, '1'),
      Symbol: symbol(f),
    },
  }),
  G: (f) => ({
    message: 'OrderCancelReplaceRequest',
    fields: { ...change(f), Terms: terms(f) },
  }),
  F: (f) => ({
    message: 'OrderCancelRequest',
    fields: { ...change(f), Side: optional(f, '54', 'Side') },
  }),
  q: (f) => ({
    message: 'MassCancel',
    fields: {
      ...own(f),
      Scope: named(f, '530', 'Scope'),
      Side: optional(f, '54', 'Side'),
      Instrument: instrument(f),
      Symbol: symbol(f),
    },
  }),
  H: (f) => ({
    message: 'OrderStatusRequest',
    fields: {
      OrderID: octets(f.get('37')),
      Instrument: instrument(f),
      Side: optional(f, '54', 'Side'),
      ClOrdID: text(f, '11'),
      OrdStatusReqID: text(f, '790'),
      Symbol: symbol(f),
    },
  }),
  AF: (f) => ({
    message: 'OrderMassStatusRequest',
    fields: {
      Scope: named(f, '585', 'Scope'),
      Instrument: instrument(f),
      MassStatusReqID: text(f, '584'),
      Account: text(f, '1'),
      Symbol: symbol(f),
    },
  }),
  i: (f, list) => ({
    message: 'MassQuote',
    fields: { ...quoting(f), QuoteSets: sets(list) },
  }),
  S: (f) => ({
    message: 'Quote',
    fields: { ...quoting(f), Quote: pair(f), Symbol: symbol(f) },
  }),
  Z: (f) => ({
    message: 'QuoteCancel',
    fields: { ...quoting(f), QuoteCancelType: named(f, '298', 'QuoteCancelType') },
  }),
  x: (f) => ({
    message: 'SecurityListRequest',
    fields: {
      SecurityListRequestType: named(f, '559', 'SecurityListRequestType'),
      Instrument: instrument(f),
      SecurityReqID: text(f, '320'),
      Symbol: symbol(f),
    },
  }),
  e: (f) => ({
    message: 'SecurityStatusRequest',
    fields: {
      SubscriptionRequestType: named(f, '263', 'SubscriptionRequestType'),
      Instrument: instrument(f),
      SecurityStatusReqID: text(f, '324'),
      Symbol: symbol(f),
    },
  }),
  g: (f) => ({
    message: 'TradingSessionStatusRequest',
    fields: {
      SubscriptionRequestType: named(f, '263', 'SubscriptionRequestType'),
      TradSesReqID: text(f, '335'),
    },
  }),
  V: (f, list) => ({
    message: 'MarketDataRequest',
    fields: {
      SubscriptionRequestType: named(f, '263', 'SubscriptionRequestType'),
      MarketDepth: Number(text(f, '264')),
      Instruments: list
        .filter(([tag]) => tag === '55')
        .map(([, name]) => ({ Instrument: nowhere, Symbol: name })),
      MDReqID: text(f, '262'),
    },
  }),
  BE: (f) => ({
    message: 'UserStatusRequest',
    fields: { UserRequestID: text(f, '923'), Username: text(f, '553') },
  }),
  UR: (f) => ({
    message: 'CopyRequest',
    fields: {
      CopyReqType: Number(text(f, '9121')),
      FromTime: utcMs(f.get('9124')),
      ToTime: utcMs(f.get('9125')),
      FromVenueSeq: f.get('9126') ?? null,
      ToVenueSeq: f.get('9127') ?? null,
      CopyReqID: text(f, '9120'),
      Account: text(f, '1'),
      FromExecID: text(f, '9122'),
      ToExecID: text(f, '9123'),
    },
  }),
  UK: (f) => ({
    message: 'CopyAcknowledge',
    fields: { ExecID: text(f, '17'), Account: text(f, '1') },
  }),
  AD: (f) => ({
    message: 'TradeCaptureReportRequest',
    fields: {
      TradeRequestType: Number(text(f, '569')),
      SubscriptionRequestType: named(f, '263', 'SubscriptionRequestType'),
      Side: optional(f, '54', 'Side'),
      FromTime: null,
      ToTime: null,
      OrderID: octets(f.get('37')),
      TradeRequestID: text(f, '568'),
      ClOrdID: text(f, '11'),
      ExecID: text(f, '17'),
      Symbol: symbol(f),
    },
  }),
  AR: (f) => ({
    message: 'TradeCaptureReportAck',
    fields: {
      TrdRptStatus: Number(text(f, '939')),
      TradeReportRejectReason: Number(f.get('751') ?? Number.NaN) || null,
      TradeReportID: text(f, '571'),
      Text: text(f, '58'),
    },
  }),
};

const nowhere = { MarketId: null, Book: 0 };

function symbol(f: Fields): string {
  return f.get('55') === '[N/A]' ? '' : text(f, '55');
}

/** By SecurityID(48), or left to the symbol. */
function instrument(f: Fields): JsonObject {
  const [marketId, book] = text(f, '48').split(':');
  const named = f.get('9103') ?? book ?? '';
  return {
    MarketId: marketId === '' || marketId === undefined ? null : Number(marketId),
    Book: named === '' ? 0 : named,
  };
}

function terms(f: Fields): JsonObject {
  const strategy = Object.fromEntries(
    text(f, '848')
      .split(';')
      .map((part) => part.split('=')),
  ) as { slice_qty?: string; interval_ms?: string };
  const algo = f.get('847') === '1001' ? 'twap' : f.get('9107');
  const sliceQty = f.get('9108') ?? strategy.slice_qty;
  const price = shared([f.get('44'), f.get('99')]);
  const qty = shared([f.get('38'), f.get('111'), sliceQty]);
  return {
    Side: named(f, '54', 'Side'),
    OrdType: named(f, '40', 'OrdType'),
    TimeInForce: named(f, '59', 'TimeInForce'),
    StpMode: named(f, '9104', 'StpMode'),
    Flags: [
      ...(f.get('18') === '6' ? ['PostOnly'] : []),
      ...(f.get('77') === 'C' ? ['ReduceOnly'] : []),
    ],
    TriggerDirection: named(f, '9105', 'TriggerDirection'),
    ConditionalKind: named(f, '9106', 'ConditionalKind'),
    AlgoKind: algo === undefined ? 0 : nameOf('AlgoKind', algo),
    PriceExponent: -price.scale,
    QtyExponent: -qty.scale,
    OrderQty: qty.of(f.get('38')) ?? 0,
    Price: price.of(f.get('44')),
    StopPx: price.of(f.get('99')),
    MaxFloor: qty.of(f.get('111')),
    SliceQty: qty.of(sliceQty),
    SliceIntervalMs: Number(f.get('9109') ?? strategy.interval_ms ?? Number.NaN) || null,
    ExpireTime: utcMs(f.get('126')),
    Currency: text(f, '15'),
  };
}

function quoting(f: Fields): JsonObject {
  return {
    QuoteID: text(f, '117'),
    TransactTime: Date.now(),
    QuoteResponseLevel: named(f, '301', 'QuoteResponseLevel'),
    Account: text(f, '1'),
  };
}

function pair(f: Fields): JsonObject {
  const price = shared([f.get('132'), f.get('133')]);
  const size = shared([f.get('134'), f.get('135')]);
  return {
    Instrument: instrument(f),
    PriceExponent: -price.scale,
    QtyExponent: -size.scale,
    BidPx: price.of(f.get('132')),
    BidSize: size.of(f.get('134')),
    OfferPx: price.of(f.get('133')),
    OfferSize: size.of(f.get('135')),
  };
}

/** A set begins at 302, an entry at 299. */
function sets(list: readonly (readonly [string, string])[]): JsonObject[] {
  const made: { QuoteSetID: string; entries: Map<string, string>[] }[] = [];
  for (const [tag, value] of list) {
    if (tag === '302') made.push({ QuoteSetID: value, entries: [] });
    else if (tag === '299') made.at(-1)?.entries.push(new Map([[tag, value]]));
    else made.at(-1)?.entries.at(-1)?.set(tag, value);
  }
  return made.map(({ QuoteSetID, entries }) => ({
    QuoteSetID,
    QuoteEntries: entries.map((entry) => ({
      Quote: pair(entry),
      QuoteEntryID: text(entry, '299'),
      Symbol: symbol(entry),
    })),
  }));
}

/** Amounts that share one exponent. */
function shared(texts: readonly (string | undefined)[]) {
  const digits = (amount: string) => (amount.includes('.') ? amount.split('.')[1] : '') ?? '';
  const scale = Math.max(0, ...texts.map((amount) => digits(amount ?? '').length));
  return {
    scale,
    of(amount: string | undefined): string | null {
      if (amount === undefined) return null;
      const mantissa = amount.replace('.', '') + '0'.repeat(scale - digits(amount).length);
      if (!/^\d+$/.test(mantissa)) throw new Unsayable(`the amount ${amount}`);
      return mantissa;
    },
  };
}

function utcMs(value: string | undefined): number | null {
  if (value === undefined) return null;
  const [, sign, seconds] = /^now(?:([+-])(\d+)s)?$/.exec(value) ?? [];
  if (!value.startsWith('now')) throw new Unsayable(`the time ${value}`);
  return Date.now() + Number(seconds ?? 0) * (sign === '-' ? -1000 : 1000);
}

function octets(orderId: string | undefined): number[] {
  return [...Buffer.from((orderId ?? '0x').slice(2).padEnd(64, '0'), 'hex')];
}
