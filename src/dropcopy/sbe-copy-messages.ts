/**
 * The messages of orders.xml between a FIXP reader and the relay, except for reports (docs/DROPCOPY.md, "Over FIXP"). A
 * written message is valid until `out` is used again.
 */
import { books, sides, subscriptions } from '../mapping/sbe/codes.ts';
import { ReportFlags, TrdRptStatus } from '../mapping/sbe/generated/codes.ts';
import { CopyAcknowledge } from '../mapping/sbe/generated/copy-acknowledge.ts';
import { CopyRequest as CopyRequestMessage } from '../mapping/sbe/generated/copy-request.ts';
import { CopyRequestAck } from '../mapping/sbe/generated/copy-request-ack.ts';
import { InboundCopy } from '../mapping/sbe/generated/inbound-copy.ts';
import { MessageHeader } from '../mapping/sbe/generated/message-header.ts';
import { TradeCaptureReport } from '../mapping/sbe/generated/trade-capture-report.ts';
import { TradeCaptureReportAck } from '../mapping/sbe/generated/trade-capture-report-ack.ts';
import { TradeCaptureReportRequest } from '../mapping/sbe/generated/trade-capture-report-request.ts';
import { TradeCaptureReportRequestAck } from '../mapping/sbe/generated/trade-capture-report-request-ack.ts';
import { named } from '../mapping/sbe/refusal-fields.ts';
import { orderIdOf } from '../mapping/sbe/request-values.ts';
import { orderIdBytes } from '../mapping/sbe/state-fields.ts';
import type { MessageOf, RequestAnswer, TradeAnswer } from './copy-output.ts';
import type { CopyRequest } from './copy-request.ts';
import { reqReasons, reqStatuses, tradeStatuses } from './copy-tags.ts';
import { tradeFacts } from './trade-report.ts';
import type { TradeRefusal, TradeRequest } from './trade-request.ts';

export type ReaderMessage =
  | { readonly kind: 'request'; readonly request: CopyRequest }
  | { readonly kind: 'acknowledge'; readonly account: string | null; readonly execId: string }
  | { readonly kind: 'trades'; readonly request: TradeRequest }
  /** The reader's dispute of a trade; null if it accepts the trade. */
  | { readonly kind: 'trade_word'; readonly refusal: TradeRefusal | null };

const header = new MessageHeader();
const request = new CopyRequestMessage();
const acknowledge = new CopyAcknowledge();
const tradeRequest = new TradeCaptureReportRequest();
const tradeWord = new TradeCaptureReportAck();
const ack = new CopyRequestAck();
const tradeAck = new TradeCaptureReportRequestAck();
const trade = new TradeCaptureReport();
const inbound = new InboundCopy();

/** Returns undefined for another kind of message, and a text about invalid bytes. */
export function readReaderMessage(bytes: Uint8Array): ReaderMessage | string | undefined {
  const read = messageIn(bytes);
  // A text that was read with replacement characters could not be given back as it was.
  if (typeof read === 'object' && JSON.stringify(read).includes('\ufffd'))
    return 'a text is not UTF-8';
  return read;
}

function messageIn(bytes: Uint8Array): ReaderMessage | string | undefined {
  if (!header.wrap(bytes)) return 'no message header';
  switch (header.templateId) {
    case CopyRequestMessage.templateId:
      return request.wrap(bytes) ?? { kind: 'request', request: readRequest() };
    case CopyAcknowledge.templateId:
      return acknowledge.wrap(bytes) ?? { kind: 'acknowledge', ...readAcknowledge() };
    case TradeCaptureReportRequest.templateId:
      return tradeRequest.wrap(bytes) ?? { kind: 'trades', request: readTradeRequest() };
    case TradeCaptureReportAck.templateId:
      return tradeWord.wrap(bytes) ?? { kind: 'trade_word', refusal: readTradeRefusal() };
    default:
      return undefined;
  }
}

export function writeRequestAck(out: Uint8Array, answer: RequestAnswer): Uint8Array {
  const { count, reason, reqId, reqType, status, text } = answer;
  return ack
    .encode(out)
    .setCopyReqType(reqType)
    .setCopyReqStatus(reqStatuses[status])
    .setCopyReqReason(reason === null ? undefined : reqReasons[reason])
    .setCopyCount(count ?? undefined)
    .setCopyReqId(named(reqId))
    .setText(text ?? '').bytes;
}

export function writeTradeAnswer(out: Uint8Array, answer: TradeAnswer): Uint8Array {
  const { requestType, result, status, text, total, tradeRequestId } = answer;
  return tradeAck
    .encode(out)
    .setTradeRequestType(requestType)
    .setTradeRequestResult(result)
    .setTradeRequestStatus(tradeStatuses[status])
    .setTotNumTradeReports(total ?? undefined)
    .setTradeRequestId(named(tradeRequestId))
    .setText(text ?? '').bytes;
}

export function writeTrade(out: Uint8Array, message: MessageOf<'trade'>): Uint8Array {
  const { copy, isLast, possResend, tradeRequestId } = message;
  const { order, clOrdId, execId, execRefId, transactTimeMs } = copy.report;
  const { instrument, orderId, owner, terms } = order;
  const { price, qty, transType } = tradeFacts(copy.report);
  trade
    .encode(out)
    .setTradeReportTransType(transType)
    .setFlags(
      ReportFlags.Copy |
        (possResend ? ReportFlags.PossResend : 0) |
        (isLast === null ? ReportFlags.Unsolicited : 0) |
        (isLast === true ? ReportFlags.LastFragment : 0),
    )
    .setSide(sides.code[terms.side])
    .setInstrumentMarketId(instrument.market.marketId)
    .setPriceExponent(-instrument.market.priceScale)
    .setQtyExponent(-instrument.market.qtyScale)
    .setLastQtyBig(qty)
    .setLastPxBig(price)
    .setTransactTime(transactTimeMs);
  if (instrument.book !== null) trade.setInstrumentBook(books.code[instrument.book]);
  if (orderId !== null) trade.setOrderId(orderIdBytes(orderId));
  return trade
    .setTradeReportId(named(execId))
    .setTradeReportRefId(named(execRefId ?? ''))
    .setTradeRequestId(named(tradeRequestId))
    .setClOrdId(named(clOrdId))
    .setAccount(owner.accountName)
    .setOnBehalfOfCompId(copy.from?.compId ?? '').bytes;
}

export function writeInbound(
  out: Uint8Array,
  { account, copy, possResend, reqId }: MessageOf<'request'>,
): Uint8Array {
  return inbound
    .encode(out)
    .setTransactTime(copy.atMs)
    .setFlags(
      ReportFlags.Copy |
        (possResend ? ReportFlags.PossResend : 0) |
        (reqId !== null ? ReportFlags.Requested : 0),
    )
    .setCopyReqId(named(reqId ?? ''))
    .setAccount(account)
    .setSymbol(named(copy.symbol ?? ''))
    .setOnBehalfOfCompId(copy.from.compId)
    .setInboundType(copy.msgType)
    .setRawData(Buffer.from(copy.message, 'base64')).bytes;
}

function readRequest(): CopyRequest {
  return {
    reqId: request.copyReqId,
    reqType: request.copyReqType,
    account: orNull(request.account),
    fromExecId: orNull(request.fromExecId),
    toExecId: orNull(request.toExecId),
    fromMs: bounded(request.fromTimeBig),
    toMs: bounded(request.toTimeBig),
    fromSeq: bounded(request.fromVenueSeqBig),
    toSeq: bounded(request.toVenueSeqBig),
  };
}

function readAcknowledge(): { account: string | null; execId: string } {
  return { account: orNull(acknowledge.account), execId: acknowledge.execId };
}

function readTradeRequest(): TradeRequest {
  const m = tradeRequest;
  return {
    tradeRequestId: m.tradeRequestId,
    requestType: m.tradeRequestType,
    subscription: subscriptions.word(m.subscriptionRequestType) ?? 'snapshot',
    criteria: {
      symbol: orNull(m.symbol),
      side: m.side === undefined ? null : (sides.word(m.side) ?? null),
      orderId: orderIdOf(m.orderId),
      clOrdId: orNull(m.clOrdId),
      execId: orNull(m.execId),
      fromMs: bounded(m.fromTimeBig),
      toMs: bounded(m.toTimeBig),
    },
  };
}

function readTradeRefusal(): TradeRefusal | null {
  const { text, tradeReportId, tradeReportRejectReason, trdRptStatus } = tradeWord;
  if (trdRptStatus !== TrdRptStatus.Rejected) return null;
  return {
    tradeReportId,
    reason: orNull(String(tradeReportRejectReason ?? '')),
    text: orNull(text),
  };
}

/** An empty text means that the field is absent. */
function orNull(name: string): string | null {
  return name === '' ? null : name;
}

/** Times and seqs never exceed a safe integer. */
function bounded(value: bigint | undefined): number | null {
  return value === undefined ? null : Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}
