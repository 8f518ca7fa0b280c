/** Values of orders.xml, as the generic codec has them, in the text of FIX. */
import type { Json } from '../../../src/sbe/json.ts';
import { orders } from './fixp-words.ts';

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
  | 'InboundType'
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
  | 'RawData'
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
  | 'TotNumTradeReports'
  | 'TotalAffectedOrders'
  | 'TradSesReqID'
  | 'TradSesStatus'
  | 'TradeReportID'
  | 'TradeReportRefID'
  | 'TradeReportTransType'
  | 'TradeRequestID'
  | 'TradeRequestResult'
  | 'TradeRequestStatus'
  | 'TradeRequestType'
  | 'TransactTime'
  | 'TriggerDirection'
  | 'UserRequestID'
  | 'UserStatus'
  | 'Username'
  | 'VenueCode'
  | 'VenueRejectNumber'
  | 'VenueSeq'
  | 'WorkingIndicator';
export type Fields = { readonly [K in Name]?: Json };

export type Pair = readonly [tag: string, value: string | undefined];

export const said = (json: Json | undefined): string | undefined =>
  typeof json === 'string' && json !== '' ? json : undefined;
export const number = (json: Json | undefined): string | undefined =>
  json === null || json === undefined ? undefined : String(json);
export const utc = (json: Json | undefined): string =>
  new Date(Number(json)).toISOString().replaceAll('-', '').replace('T', '-').replace('Z', '');
export const yesNo = (json: Json | undefined): string | undefined =>
  json === 'Yes' ? 'Y' : json === 'No' ? 'N' : undefined;
export const has = (json: Json | undefined, choice: string): boolean =>
  Array.isArray(json) && json.includes(choice);
export const of = (json: Json | undefined): Fields =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : {};
export const entries = (json: Json | undefined): Fields[] =>
  Array.isArray(json) ? json.map(of) : [];

/** A name of a char enumeration as its letter; a letter that the schema does not name as itself. */
export function letter(enumName: string, json: Json | undefined): string | undefined {
  if (json === 0 || json === null || json === undefined) return undefined;
  if (typeof json === 'number') return String.fromCharCode(json);
  return String.fromCharCode(codeNamed(enumName, String(json)));
}

export function code(enumName: string, json: Json | undefined): string {
  return String(typeof json === 'number' ? json : codeNamed(enumName, String(json)));
}

export function codeNamed(enumName: string, name: string): number {
  const found = orders.enums.find(({ typeName }) => typeName === enumName);
  return found?.values.find((one) => one.name === name)?.value ?? 0;
}

/** CancelMaker as cancel_maker; YES stays. */
export function word(json: Json | undefined): string | undefined {
  if (typeof json !== 'string' || json === 'Unset') return undefined;
  if (json === json.toUpperCase()) return json;
  return json.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

export function orderId(json: Json | undefined): string | undefined {
  if (!Array.isArray(json)) return undefined;
  const hex = Buffer.from(json as number[]).toString('hex');
  return /^0*$/.test(hex) ? undefined : `0x${hex}`;
}

export function amount(json: Json | undefined, exponent: Json | undefined): string | undefined {
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
