/** Answers of the FIXP lane as the FIX text of the same facts, field by field, in the order of the FIX lane. */
import type { Json, JsonObject } from '../../../src/sbe/json.ts';
import { type Listed, orders } from './fixp-words.ts';

/** Fields of messages, groups and composites of orders.xml. */
type Name =
  | 'Account'
  | 'AlgoKind'
  | 'AvgPx'
  | 'AvgPxExponent'
  | 'Book'
  | 'BusinessRejectRefID'
  | 'ClOrdID'
  | 'ConditionalKind'
  | 'CopyCount'
  | 'CopyReqID'
  | 'CopyReqReason'
  | 'CopyReqStatus'
  | 'CopyReqType'
  | 'CumQty'
  | 'CumQtyExponent'
  | 'Currency'
  | 'CxlRejResponseTo'
  | 'Entries'
  | 'ExecID'
  | 'ExecRefID'
  | 'ExecRestatementReason'
  | 'ExecType'
  | 'ExpireTime'
  | 'FeeCurrency'
  | 'FeeMicro'
  | 'Flags'
  | 'Headline'
  | 'Instrument'
  | 'Instruments'
  | 'LastLiquidityInd'
  | 'LastPx'
  | 'LastQty'
  | 'LeavesQty'
  | 'LegIndex'
  | 'Lines'
  | 'Lot'
  | 'MDEntryPx'
  | 'MDEntrySize'
  | 'MDEntryType'
  | 'MDReqID'
  | 'MDReqRejReason'
  | 'MarketId'
  | 'MarketKind'
  | 'MassStatusReqID'
  | 'MaxQty'
  | 'MinNotional'
  | 'NonceConsumed'
  | 'OnBehalfOfCompID'
  | 'OrdStatus'
  | 'OrdStatusReqID'
  | 'OrdType'
  | 'OrderID'
  | 'OrderQty'
  | 'OrigClOrdID'
  | 'ParentOrderID'
  | 'Price'
  | 'PriceExponent'
  | 'PriorityKept'
  | 'QtyExponent'
  | 'QuoteEntries'
  | 'QuoteEntryID'
  | 'QuoteID'
  | 'QuoteResponseLevel'
  | 'QuoteSetID'
  | 'QuoteSets'
  | 'QuoteStatus'
  | 'Reason'
  | 'RefTemplateId'
  | 'Refusal'
  | 'Response'
  | 'Scope'
  | 'SecondaryOrderID'
  | 'SecurityDesc'
  | 'SecurityReqID'
  | 'SecurityRequestResult'
  | 'SecurityStatusReqID'
  | 'SecurityTradingStatus'
  | 'Side'
  | 'SliceIntervalMs'
  | 'SliceQty'
  | 'State'
  | 'StopPx'
  | 'StpMode'
  | 'Symbol'
  | 'Terms'
  | 'Text'
  | 'Tick'
  | 'TimeInForce'
  | 'TotNoRelatedSym'
  | 'TotNumReports'
  | 'TotalAffectedOrders'
  | 'TradSesReqID'
  | 'TradSesStatus'
  | 'TransactTime'
  | 'TriggerDirection'
  | 'UserRequestID'
  | 'UserStatus'
  | 'Username'
  | 'VenueCode'
  | 'VenueRejectNumber'
  | 'VenueSeq'
  | 'WorkingIndicator';
type Fields = { readonly [K in Name]?: Json };

type Pair = readonly [tag: string, value: string | undefined];

interface Told {
  readonly message: string;
  readonly fields: JsonObject;
}

/** A line such as `35=8|11=a|150=0|…|`. */
export function fixLine({ message, fields }: Told, listed: readonly Listed[]): string {
  const write = answers[message];
  if (write === undefined) throw new Error(`no words for ${message}`);
  const pairs = write(fields as Fields, listed).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  return pairs.map(([tag, value]) => `${tag}=${value}|`).join('');
}

type Write = (m: Fields, listed: readonly Listed[]) => Pair[];

const answers: Readonly<Record<string, Write>> = {
  ExecutionReportNew: report('0'),
  ExecutionReportReplaced: report('5'),
  ExecutionReportCanceled: report('4'),
  ExecutionReportTrade: report('F'),
  ExecutionReportRejected: report('8'),
  ExecutionReportExpired: report('C'),
  ExecutionReportRestated: report('D'),
  ExecutionReportStatus: report('I'),
  ExecutionReportPending: (m, listed) => report(letter('ExecType', m.ExecType) ?? '')(m, listed),
  ExecutionReportTradeCorrection: (m, listed) =>
    report(letter('ExecType', m.ExecType) ?? '')(m, listed),
  OrderCancelReject: (m) => [
    ['35', '9'],
    ['37', orderId(m.OrderID) ?? 'NONE'],
    ['11', said(m.ClOrdID)],
    ['41', said(m.OrigClOrdID)],
    ['39', letter('OrdStatus', m.OrdStatus)],
    ['636', yesNo(m.WorkingIndicator)],
    ['1', said(m.Account)],
    ['434', letter('CxlRejResponseTo', m.CxlRejResponseTo)],
    ['102', number(of(m.Refusal).Reason)],
    ...words(m),
    ['9103', word(m.Book)],
  ],
  MassCancelReport: (m, listed) => [
    ['35', 'r'],
    ['11', said(m.ClOrdID)],
    ['37', 'NONE'],
    ['530', letter('Scope', m.Scope)],
    ['531', m.Response === null ? '0' : letter('Scope', m.Response)],
    ['532', number(of(m.Refusal).Reason)],
    ['533', number(m.TotalAffectedOrders)],
    ...instrument(m.Instrument, m.Symbol, listed),
    ['54', letter('Side', m.Side)],
    ...words(m),
  ],
  BusinessReject: (m) => [
    ['35', 'j'],
    ['372', msgTypeOf(m.RefTemplateId)],
    ['379', said(m.BusinessRejectRefID)],
    ['380', number(of(m.Refusal).Reason)],
    ...words(m),
  ],
  QuoteAck: (m, listed) => [
    ['35', 'b'],
    ['117', said(m.QuoteID)],
    ['297', code('QuoteStatus', m.QuoteStatus)],
    ['300', number(of(m.Refusal).Reason)],
    ['301', letter('QuoteResponseLevel', m.QuoteResponseLevel)],
    ['1', said(m.Account)],
    ['58', said(m.Text)],
    ...venueCode(m),
    ...quoteSets(m, listed),
  ],
  QuoteStatusReport: (m, listed) => [
    ['35', 'AI'],
    ['117', said(m.QuoteID)],
    ...instrument(m.Instrument, m.Symbol, listed),
    ['1', said(m.Account)],
    ['297', code('QuoteStatus', m.QuoteStatus)],
    ...words(m),
  ],
  SecurityList: (m, listed) => [
    ['35', 'y'],
    ['320', said(m.SecurityReqID)],
    ['322', said(m.SecurityReqID)],
    ['560', number(m.SecurityRequestResult)],
    ['393', number(m.TotNoRelatedSym)],
    ['893', m.TotNoRelatedSym === null ? undefined : has(m.Flags, 'LastFragment') ? 'Y' : 'N'],
    [
      '146',
      entries(m.Instruments).length === 0 ? undefined : String(entries(m.Instruments).length),
    ],
    ...entries(m.Instruments).flatMap((one): Pair[] => securityOf(one, listed)),
    ['9102', said(m.VenueCode)],
  ],
  TradingStatus: (m, listed) => [
    ['35', 'f'],
    ['324', said(m.SecurityStatusReqID)],
    ...instrument(m.Instrument, m.Symbol, listed),
    ['325', has(m.Flags, 'Unsolicited') ? 'Y' : undefined],
    ['326', code('SecurityTradingStatus', m.SecurityTradingStatus)],
    ...words(m),
  ],
  TradingSessionStatus: (m) => [
    ['35', 'h'],
    ['335', said(m.TradSesReqID)],
    ['336', 'VENUE'],
    ['325', has(m.Flags, 'Unsolicited') ? 'Y' : undefined],
    ['340', code('TradSesStatus', m.TradSesStatus)],
    ['567', number(of(m.Refusal).Reason)],
    ...words(m),
  ],
  MarketDataSnapshot: (m, listed) => [
    ['35', 'W'],
    ['262', said(m.MDReqID)],
    ...instrument(m.Instrument, '', listed),
    ['268', String(entries(m.Entries).length)],
    ...entries(m.Entries).flatMap((one): Pair[] => [
      ['269', letter('MDEntryType', one.MDEntryType)],
      ['270', amount(one.MDEntryPx, m.PriceExponent)],
      ['271', amount(one.MDEntrySize, m.QtyExponent)],
    ]),
    ['9110', number(m.VenueSeq)],
  ],
  MarketDataReject: (m) => [
    ['35', 'Y'],
    ['262', said(m.MDReqID)],
    ['281', number(m.MDReqRejReason)],
    ['58', said(m.Text)],
  ],
  UserStatusReport: (m) => [
    ['35', 'BF'],
    ['923', said(m.UserRequestID)],
    ['553', said(m.Username)],
    ['926', code('UserStatus', m.UserStatus)],
    ...venueCode(m),
  ],
  News: (m) => [
    ['35', 'B'],
    ['148', said(m.Headline)],
    ['33', String(entries(m.Lines).length)],
    ...entries(m.Lines).map((line): Pair => ['58', said(line.Text)]),
  ],
  CopyRequestAck: (m) => [
    ['35', 'UA'],
    ['58', said(m.Text)],
    ['9120', said(m.CopyReqID)],
    ['9121', code('CopyReqType', m.CopyReqType)],
    ['9128', code('CopyReqStatus', m.CopyReqStatus)],
    ['9129', number(m.CopyReqReason)],
    ['9130', number(m.CopyCount)],
  ],
};

function report(execType: string): Write {
  return (m, listed) => {
    const state = of(m.State);
    const terms = of(state.Terms);
    // The bridge's own refusal gives back more of the request than FIX does.
    const isRefused = execType === '8' && /-r\d+$/.test(said(m.ExecID) ?? '');
    const isAboutNone = execType === 'I' && terms.OrdType === 0;
    return [
      ['35', '8'],
      ['37', orderId(state.OrderID) ?? 'NONE'],
      ['198', orderId(m.SecondaryOrderID)],
      ['526', said(m.QuoteID)],
      ['11', said(m.ClOrdID)],
      ['41', said(m.OrigClOrdID)],
      ['790', said(m.OrdStatusReqID)],
      ['584', said(m.MassStatusReqID)],
      ['911', number(m.TotNumReports)],
      ['912', m.TotNumReports == null ? undefined : has(state.Flags, 'LastFragment') ? 'Y' : 'N'],
      ['17', said(m.ExecID)],
      ['19', said(m.ExecRefID)],
      ['150', execType],
      ['39', letter('OrdStatus', state.OrdStatus)],
      ['636', yesNo(state.WorkingIndicator)],
      ['103', number(of(m.Refusal).Reason)],
      ['378', number(m.ExecRestatementReason)],
      ['1', said(m.Account)],
      ...instrument(state.Instrument, m.Symbol, listed, isAboutNone ? '[N/A]' : undefined),
      ['54', letter('Side', terms.Side) ?? '7'],
      ...termsOf(terms),
      ...(isRefused ? [] : ownTermsOf(terms)),
      ['32', m.LastQty === 0 ? undefined : amount(m.LastQty, terms.QtyExponent)],
      ['31', m.LastPx === 0 ? undefined : amount(m.LastPx, terms.PriceExponent)],
      ['151', amount(state.LeavesQty, state.CumQtyExponent)],
      ['14', amount(state.CumQty, state.CumQtyExponent)],
      ['6', amount(state.AvgPx, state.AvgPxExponent)],
      ['60', utc(state.TransactTime)],
      ['58', said(m.Text)],
      ['638', m.PriorityKept === 'Yes' ? '0' : m.PriorityKept === 'No' ? '1' : undefined],
      [
        '851',
        m.LastLiquidityInd === undefined ? undefined : code('LiquidityInd', m.LastLiquidityInd),
      ],
      ['797', has(state.Flags, 'Copy') ? 'Y' : undefined],
      ['97', has(state.Flags, 'PossResend') ? 'Y' : undefined],
      ['448', said(m.OnBehalfOfCompID)],
      ...fee(m),
      ...venueCode(m),
      ['9110', number(state.VenueSeq)],
      ['9111', yesNo(of(m.Refusal).NonceConsumed)],
      ['9112', orderId(state.ParentOrderID)],
      ['9113', number(state.LegIndex)],
    ];
  };
}

function termsOf(terms: Fields): Pair[] {
  const price = terms.PriceExponent;
  const qty = terms.QtyExponent;
  return [
    ['38', terms.OrdType === 0 ? undefined : amount(terms.OrderQty, qty)],
    ['40', letter('OrdType', terms.OrdType)],
    ['44', amount(terms.Price, price)],
    ['99', amount(terms.StopPx, price)],
    ['15', said(terms.Currency)],
    ['59', letter('TimeInForce', terms.TimeInForce)],
    ['126', terms.ExpireTime === null ? undefined : String(terms.ExpireTime)],
    ['18', has(terms.Flags, 'PostOnly') ? '6' : undefined],
    ['77', has(terms.Flags, 'ReduceOnly') ? 'C' : undefined],
  ];
}

function ownTermsOf(terms: Fields): Pair[] {
  return [
    ['9104', word(terms.StpMode)],
    ['9105', word(terms.TriggerDirection)],
    ['9106', word(terms.ConditionalKind)],
    ['9107', word(terms.AlgoKind)],
    ['9108', amount(terms.SliceQty, terms.QtyExponent)],
    ['9109', number(terms.SliceIntervalMs)],
  ];
}

function fee(m: Fields): Pair[] {
  if (m.FeeMicro === undefined) return [];
  return [
    ['136', '1'],
    ['137', amount(m.FeeMicro, -6)],
    ['138', said(m.FeeCurrency)],
    ['139', '4'],
    ['891', '0'],
  ];
}

function quoteSets(m: Fields, listed: readonly Listed[]): Pair[] {
  const sets = entries(m.QuoteSets);
  if (sets.length === 0) return [];
  return [
    ['296', String(sets.length)],
    ...sets.flatMap((set): Pair[] => [
      ['302', said(set.QuoteSetID)],
      ['304', String(entries(set.QuoteEntries).length)],
      ['295', String(entries(set.QuoteEntries).length)],
      ...entries(set.QuoteEntries).flatMap((entry): Pair[] => [
        ['299', said(entry.QuoteEntryID)],
        ...instrument(entry.Instrument, entry.Symbol, listed),
        ['368', number(of(entry.Refusal).Reason)],
        ...venueCode(entry),
      ]),
    ]),
  ];
}

function securityOf(one: Fields, listed: readonly Listed[]): Pair[] {
  const price = one.PriceExponent;
  const qty = one.QtyExponent;
  const steps = [
    `tick=${amount(one.Tick, price)}`,
    `lot=${amount(one.Lot, qty)}`,
    `minNotional=${amount(one.MinNotional, price)}`,
    `maxQty=${amount(one.MaxQty, qty)}`,
    `priceScale=${-Number(price)}`,
    `qtyScale=${-Number(qty)}`,
  ].join(';');
  return [
    ...instrument(one.Instrument, one.Symbol, listed),
    ['460', one.MarketKind === 'Spot' ? '4' : '12'],
    ['107', said(one.SecurityDesc)],
    ['15', said(one.Currency)],
    ['561', amount(one.Lot, qty)],
    ['58', steps],
  ];
}

/** Text, the venue's number and its code. */
function words(m: Fields): Pair[] {
  return [['58', said(m.Text)], ...venueCode(m), ['9111', yesNo(of(m.Refusal).NonceConsumed)]];
}

function venueCode(m: Fields): Pair[] {
  return [
    ['9101', number(of(m.Refusal).VenueRejectNumber)],
    ['9102', said(m.VenueCode)],
  ];
}

/** By the list; a name that the client made up comes back as it was. */
function instrument(
  json: Json | undefined,
  symbol: Json | undefined,
  listed: readonly Listed[],
  ifNone?: string,
): Pair[] {
  const { MarketId, Book } = of(json);
  const book = word(Book) ?? null;
  const found = listed.find((one) => one.marketId === MarketId && one.book === book);
  const echoed = said(symbol);
  if (MarketId === null || echoed !== undefined) {
    return [
      ['55', echoed ?? ifNone],
      ['48', MarketId == null ? undefined : `${MarketId}${book === null ? '' : `:${book}`}`],
      ['9103', book ?? undefined],
    ];
  }
  const id = book === null ? String(MarketId) : `${MarketId}:${book}`;
  return [
    ['55', found?.symbol],
    ['48', id],
    ['22', '8'],
    ['9103', book ?? undefined],
  ];
}

const said = (json: Json | undefined): string | undefined =>
  typeof json === 'string' && json !== '' ? json : undefined;
const number = (json: Json | undefined): string | undefined =>
  json === null || json === undefined ? undefined : String(json);
const utc = (json: Json | undefined): string =>
  new Date(Number(json)).toISOString().replaceAll('-', '').replace('T', '-').replace('Z', '');
const yesNo = (json: Json | undefined): string | undefined =>
  json === 'Yes' ? 'Y' : json === 'No' ? 'N' : undefined;
const has = (json: Json | undefined, choice: string): boolean =>
  Array.isArray(json) && json.includes(choice);
const of = (json: Json | undefined): Fields =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : {};
const entries = (json: Json | undefined): Fields[] => (Array.isArray(json) ? json.map(of) : []);

/** A name of a char enumeration as its letter; a letter that the schema does not name as itself. */
function letter(enumName: string, json: Json | undefined): string | undefined {
  if (json === 0 || json === null || json === undefined) return undefined;
  if (typeof json === 'number') return String.fromCharCode(json);
  return String.fromCharCode(codeNamed(enumName, String(json)));
}

function code(enumName: string, json: Json | undefined): string {
  return String(typeof json === 'number' ? json : codeNamed(enumName, String(json)));
}

function codeNamed(enumName: string, name: string): number {
  const found = orders.enums.find(({ typeName }) => typeName === enumName);
  return found?.values.find((one) => one.name === name)?.value ?? 0;
}

/** CancelMaker as cancel_maker; YES stays. */
function word(json: Json | undefined): string | undefined {
  if (typeof json !== 'string') return undefined;
  if (json === json.toUpperCase()) return json;
  return json.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

function orderId(json: Json | undefined): string | undefined {
  if (!Array.isArray(json)) return undefined;
  const hex = Buffer.from(json as number[]).toString('hex');
  return /^0*$/.test(hex) ? undefined : `0x${hex}`;
}

function amount(json: Json | undefined, exponent: Json | undefined): string | undefined {
  if (json === null || json === undefined) return undefined;
  const scale = -Number(exponent);
  const negative = String(json).startsWith('-');
  const digits = String(json)
    .replace('-', '')
    .padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const rest = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

function msgTypeOf(templateId: Json | undefined): string | undefined {
  return orders.messages.find(({ id }) => id === templateId)?.semanticType;
}
