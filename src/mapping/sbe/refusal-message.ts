/**
 * The response to a request that is rejected before it changes anything, in the form for its kind (contract D.0, D.6).
 * It repeats the client's own values, so it is built from the request and not from the parsed command.
 */
import type { Denial } from '../../domain/denial.ts';
import { hasEnded } from '../../domain/order.ts';
import { refusalText } from '../../domain/refusal.ts';
import { type DenialSettings, reasonOf } from '../fix/denial-fields.ts';
import type { RefusalFacts } from '../fix/refusal-message.ts';
import { ordStatuses } from './codes.ts';
import {
  CxlRejResponseTo,
  QuoteStatus,
  ReportFlags,
  SecurityTradingStatus,
  TradSesStatus,
  UserStatus,
} from './generated/codes.ts';
import * as orders from './generated/messages.ts';
import type { State } from './generated/types.ts';
import { named, writeRefusalFields, writeRefusalWords } from './refusal-fields.ts';
import { orderIdBytes, writeSums } from './state-fields.ts';

export interface Refused extends RefusalFacts {
  readonly denial: Denial;
  readonly settings: DenialSettings;
  /** The sequence number of the request in the client's flow. */
  readonly seq: number;
}

/** Writes the response into `out` and returns it, valid until `out` is reused. */
export type Refuse<M> = (message: M, out: Uint8Array, refused: Refused) => Uint8Array;

const rejected = new orders.ExecutionReportRejected();
const status = new orders.ExecutionReportStatus();
const cancelReject = new orders.OrderCancelReject();
const massCancelReport = new orders.MassCancelReport();
const quoteAck = new orders.QuoteAck();
const quoteStatus = new orders.QuoteStatusReport();
const marketDataReject = new orders.MarketDataReject();
const securityList = new orders.SecurityList();
const tradingStatus = new orders.TradingStatus();
const sessionStatus = new orders.TradingSessionStatus();
const userStatus = new orders.UserStatusReport();
const businessReject = new orders.BusinessReject();

/** For a duplicate ClOrdID, status and sums are those of the existing order (appendix D, F.1.b). */
export const refuseOrder: Refuse<orders.NewOrderSingle> = (message, out, refused) => {
  const { about, denial, execId, nowMs, settings } = refused;
  const { state } = rejected.encode(out);
  state
    .setOrdStatus(ordStatuses.code[about?.ordStatus ?? 'rejected'])
    .setTransactTime(nowMs)
    .setInstrumentMarketIdBig(message.instrumentMarketIdBig)
    .setInstrumentBook(message.instrumentBook);
  const orderId = about?.order.orderId ?? null;
  if (orderId !== null) state.setOrderId(orderIdBytes(orderId));
  echoTerms(state, message);
  if (about !== undefined) {
    writeSums(state, about.order, hasEnded(about.order) ? 0n : about.order.leavesQty);
  }
  writeRefusalFields(rejected, denial, reasonOf(denial, settings, 'order'), settings);
  rejected
    .setClOrdIdBytes(trimmed(message.clOrdIdBytes))
    .setExecId(execId)
    .setAccountBytes(message.accountBytes)
    .setSymbolBytes(message.symbolBytes);
  return writeRefusalWords(rejected, denial);
};

function echoTerms(state: State, m: orders.NewOrderSingle): void {
  state
    .setTermsSide(m.termsSide)
    .setTermsOrdType(m.termsOrdType)
    .setTermsTimeInForce(m.termsTimeInForce)
    .setTermsStpMode(m.termsStpMode)
    .setTermsFlags(m.termsFlags)
    .setTermsTriggerDirection(m.termsTriggerDirection)
    .setTermsConditionalKind(m.termsConditionalKind)
    .setTermsAlgoKind(m.termsAlgoKind)
    .setTermsPriceExponent(Math.max(-18, Math.min(0, m.termsPriceExponent)))
    .setTermsQtyExponent(Math.max(-18, Math.min(0, m.termsQtyExponent)))
    .setTermsOrderQtyBig(m.termsOrderQtyBig)
    .setTermsPriceBig(m.termsPriceBig)
    .setTermsStopPxBig(m.termsStopPxBig)
    .setTermsMaxFloorBig(m.termsMaxFloorBig)
    .setTermsSliceQtyBig(m.termsSliceQtyBig)
    .setTermsSliceIntervalMs(m.termsSliceIntervalMs)
    .setTermsExpireTimeBig(m.termsExpireTimeBig)
    .setTermsCurrencyBytes(m.termsCurrencyBytes);
}

/** Returns a fixed field without its padding. */
function trimmed(octets: Uint8Array): Uint8Array {
  const end = octets.indexOf(0);
  return end < 0 ? octets : octets.subarray(0, end);
}

export const refuseChange: Refuse<orders.OrderCancelRequest | orders.OrderCancelReplaceRequest> = (
  message,
  out,
  { about, denial, nowMs, settings },
) => {
  const isReplace = message instanceof orders.OrderCancelReplaceRequest;
  cancelReject
    .encode(out)
    .setOrdStatus(ordStatuses.code[about?.ordStatus ?? 'rejected'])
    .setCxlRejResponseTo(isReplace ? CxlRejResponseTo.Replace : CxlRejResponseTo.Cancel)
    .setTransactTime(nowMs);
  const orderId = about?.order.orderId ?? null;
  if (orderId !== null) cancelReject.setOrderId(orderIdBytes(orderId));
  const reason = reasonOf(denial, settings, isReplace ? 'replace' : 'cancel');
  writeRefusalFields(cancelReject, denial, reason, settings);
  cancelReject.setClOrdIdBytes(trimmed(message.clOrdIdBytes));
  if (about === undefined) cancelReject.setOrigClOrdIdBytes(message.origClOrdIdBytes);
  else cancelReject.setOrigClOrdId(named(about.order.clOrdId));
  cancelReject.setAccountBytes(message.accountBytes);
  return writeRefusalWords(cancelReject, denial);
};

/** A status that is not available: there is no order, so the quantities are empty. */
export const refuseStatus: Refuse<orders.OrderStatusRequest | orders.OrderMassStatusRequest> = (
  message,
  out,
  { denial, nowMs, settings },
) => {
  const isUnknown = denial.refusal.name === 'bridge.unknown_order';
  const isMass = 'massStatusReqId' in message;
  const { state } = status.encode(out);
  state
    .setOrdStatus(ordStatuses.code.rejected)
    .setTransactTime(nowMs)
    .setInstrumentMarketIdBig(message.instrumentMarketIdBig)
    .setInstrumentBook(message.instrumentBook);
  const reason = isUnknown ? 5 : reasonOf(denial, settings, 'order');
  writeRefusalFields(status, denial, reason, settings);
  if (isMass) {
    state.setFlags(ReportFlags.LastFragment);
    status.setTotNumReports(0).setExecId('0');
    status
      .setAccountBytes(message.accountBytes)
      .setMassStatusReqIdBytes(message.massStatusReqIdBytes);
  } else {
    state.setOrderId(message.orderId).setTermsSide(message.side ?? 0);
    status.setClOrdIdBytes(message.clOrdIdBytes).setExecId('0');
    status.setOrdStatusReqIdBytes(message.ordStatusReqIdBytes);
  }
  status.setSymbolBytes(message.symbolBytes);
  return writeRefusalWords(status, denial);
};

export const refuseMassCancel: Refuse<orders.MassCancel> = (message, out, refused) => {
  const { denial, nowMs, settings } = refused;
  massCancelReport
    .encode(out)
    .setScope(message.scope)
    .setSide(message.side)
    .setTransactTime(nowMs)
    .setInstrumentMarketIdBig(message.instrumentMarketIdBig)
    .setInstrumentBook(message.instrumentBook);
  writeRefusalFields(massCancelReport, denial, reasonOf(denial, settings, 'massCancel'), settings);
  massCancelReport
    .setClOrdIdBytes(trimmed(message.clOrdIdBytes))
    .setSymbolBytes(message.symbolBytes);
  return writeRefusalWords(massCancelReport, denial);
};

export const refuseQuotes: Refuse<orders.MassQuote | orders.QuoteCancel> = (
  message,
  out,
  refused,
) => {
  const { denial, settings } = refused;
  const isUnknown = denial.refusal.name === 'bridge.unknown_order';
  quoteAck
    .encode(out)
    .setQuoteStatus(isUnknown ? QuoteStatus.NotFound : QuoteStatus.Rejected)
    .setQuoteResponseLevel(message.quoteResponseLevel || undefined);
  const reason = isUnknown ? null : reasonOf(denial, settings, 'quote');
  writeRefusalFields(quoteAck, denial, reason, settings);
  quoteAck.setQuoteIdBytes(trimmed(message.quoteIdBytes)).setAccountBytes(message.accountBytes);
  return writeRefusalWords(quoteAck, denial);
};

export const refuseQuote: Refuse<orders.Quote> = (message, out, { denial, settings }) => {
  quoteStatus
    .encode(out)
    .setQuoteStatus(QuoteStatus.Rejected)
    .setInstrumentMarketIdBig(message.quoteInstrumentMarketIdBig)
    .setInstrumentBook(message.quoteInstrumentBook);
  writeRefusalFields(quoteStatus, denial, reasonOf(denial, settings, 'quote'), settings);
  quoteStatus
    .setQuoteIdBytes(trimmed(message.quoteIdBytes))
    .setAccountBytes(message.accountBytes)
    .setSymbolBytes(message.symbolBytes);
  return writeRefusalWords(quoteStatus, denial);
};

export const refuseMarketData: Refuse<orders.MarketDataRequest> = (message, out, { denial }) => {
  const reason = denial.refusal.marketData;
  marketDataReject
    .encode(out)
    .setMdReqRejReason(reason === null ? undefined : Number(reason))
    .setMdReqIdBytes(message.mdReqIdBytes);
  const { refusal, text } = denial;
  marketDataReject.setText(refusalText(refusal, text));
  return marketDataReject.bytes;
};

export const refuseSecurityList: Refuse<orders.SecurityListRequest> = (
  message,
  out,
  { denial },
) => {
  securityList
    .encode(out)
    .setSecurityRequestResult(denial.refusal.securityList ?? 4)
    .setSecurityReqIdBytes(message.securityReqIdBytes);
  return securityList.setVenueCode(named(denial.refusal.code ?? '')).bytes;
};

export const refuseSecurityStatus: Refuse<orders.SecurityStatusRequest> = (
  message,
  out,
  { denial },
) => {
  tradingStatus
    .encode(out)
    .setSecurityTradingStatus(SecurityTradingStatus.Unknown)
    .setInstrumentMarketIdBig(message.instrumentMarketIdBig)
    .setInstrumentBook(message.instrumentBook)
    .setSecurityStatusReqIdBytes(message.securityStatusReqIdBytes)
    .setSymbolBytes(message.symbolBytes);
  return writeRefusalWords(tradingStatus, denial);
};

export const refuseSessionStatus: Refuse<orders.TradingSessionStatusRequest> = (
  message,
  out,
  { denial, settings },
) => {
  sessionStatus.encode(out).setTradSesStatus(TradSesStatus.RequestRejected);
  writeRefusalFields(sessionStatus, denial, 99, settings);
  sessionStatus.setTradSesReqIdBytes(message.tradSesReqIdBytes);
  return writeRefusalWords(sessionStatus, denial);
};

export const refuseUserStatus: Refuse<orders.UserStatusRequest> = (
  message,
  out,
  { denial, settings },
) => {
  userStatus.encode(out).setUserStatus(UserStatus.Other);
  writeRefusalFields(userStatus, denial, null, settings);
  userStatus.setUserRequestIdBytes(message.userRequestIdBytes);
  userStatus.setUsernameBytes(message.usernameBytes);
  return writeRefusalWords(userStatus, denial);
};

/** Rejects the request as such; `id` is the client's id of it. */
export function writeBusinessReject(
  out: Uint8Array,
  request: { readonly templateId: number; readonly id: string },
  { denial, seq, settings }: Pick<Refused, 'denial' | 'seq' | 'settings'>,
): Uint8Array {
  const { templateId } = request;
  businessReject
    .encode(out)
    .setRefTemplateId(templateId === 0xffff ? undefined : templateId)
    .setRefSeqNum(seq);
  writeRefusalFields(businessReject, denial, denial.refusal.business ?? 0, settings);
  businessReject.setBusinessRejectRefId(named(request.id));
  return writeRefusalWords(businessReject, denial);
}
