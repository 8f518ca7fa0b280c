/** Answers of the FIXP lane as the FIX text of the same facts, field by field, in the order of the FIX lane. */
import type { Json, JsonObject } from '../../../src/sbe/json.ts';
import {
  amount,
  code,
  entries,
  type Fields,
  has,
  letter,
  number,
  of,
  orderId,
  type Pair,
  said,
  utc,
  word,
  yesNo,
} from './fix-values.ts';
import { type Listed, orders } from './fixp-words.ts';

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
  TradeCaptureReportRequestAck: (m) => [
    ['35', 'AQ'],
    ['568', said(m.TradeRequestID)],
    ['569', number(m.TradeRequestType)],
    ['748', number(m.TotNumTradeReports)],
    ['749', number(m.TradeRequestResult)],
    ['750', code('TradeRequestStatus', m.TradeRequestStatus)],
    ['58', said(m.Text)],
  ],
  TradeCaptureReport: (m, listed) => [
    ['35', 'AE'],
    ['571', said(m.TradeReportID)],
    ['487', code('TradeReportTransType', m.TradeReportTransType)],
    ['568', said(m.TradeRequestID)],
    ['912', has(m.Flags, 'Unsolicited') ? undefined : has(m.Flags, 'LastFragment') ? 'Y' : 'N'],
    ['325', has(m.Flags, 'Unsolicited') ? 'Y' : undefined],
    ['572', said(m.TradeReportRefID)],
    ...instrument(m.Instrument, undefined, listed),
    ['32', amount(m.LastQty, m.QtyExponent)],
    ['31', amount(m.LastPx, m.PriceExponent)],
    ['60', utc(m.TransactTime)],
    ['54', letter('Side', m.Side)],
    ['37', orderId(m.OrderID)],
    ['11', said(m.ClOrdID)],
    ['448', said(m.OnBehalfOfCompID)],
    ['1', said(m.Account)],
    ['797', has(m.Flags, 'Copy') ? 'Y' : undefined],
    ['97', has(m.Flags, 'PossResend') ? 'Y' : undefined],
  ],
  InboundCopy: (m) => [
    ['35', 'UO'],
    ['9120', said(m.CopyReqID)],
    ['1', said(m.Account)],
    ['55', said(m.Symbol)],
    ['60', utc(m.TransactTime)],
    ['96', Buffer.from(said(m.RawData) ?? '', 'hex').toString('latin1')],
    ['448', said(m.OnBehalfOfCompID)],
    ['9142', said(m.InboundType)],
    ['797', has(m.Flags, 'Copy') ? 'Y' : undefined],
    ['97', has(m.Flags, 'PossResend') ? 'Y' : undefined],
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
      ['9120', has(state.Flags, 'Requested') ? 'asked' : undefined],
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
    ['9114', has(terms.Flags, 'ReduceOnly') ? 'Y' : undefined],
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

function msgTypeOf(templateId: Json | undefined): string | undefined {
  return orders.messages.find(({ id }) => id === templateId)?.semanticType;
}
