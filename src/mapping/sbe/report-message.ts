/** Writes reports of orders as the kinds of ExecutionReport and OrderCancelReject: the SBE side of contract C.13. */
import { correctedTrade } from '../../domain/amended-trade.ts';
import type { Denial } from '../../domain/denial.ts';
import type { Fill } from '../../domain/event.ts';
import type { CancelReject, ExecutionReport, Report, ReportFrame } from '../../domain/report.ts';
import { restatements } from '../fix/codes.ts';
import { numberOf, reasonOf } from '../fix/denial-fields.ts';
import type { ReportSettings } from '../fix/report-message.ts';
import { books, execTypes, ordStatuses } from './codes.ts';
import { CxlRejResponseTo, LiquidityInd, YesNo } from './generated/codes.ts';
import * as orders from './generated/messages.ts';
import type { State } from './generated/types.ts';
import { named, writeRefusalFields, writeRefusalWords } from './refusal-fields.ts';
import { currencyCode, orderIdBytes, workingIndicator, writeState } from './state-fields.ts';

const canceled = new orders.ExecutionReportCanceled();
const expired = new orders.ExecutionReportExpired();
const accepted = new orders.ExecutionReportNew();
const pending = new orders.ExecutionReportPending();
const rejected = new orders.ExecutionReportRejected();
const replaced = new orders.ExecutionReportReplaced();
const restated = new orders.ExecutionReportRestated();
const status = new orders.ExecutionReportStatus();
const trade = new orders.ExecutionReportTrade();
const correction = new orders.ExecutionReportTradeCorrection();
const cancelReject = new orders.OrderCancelReject();

/** Writes the message into `out` and returns it, valid until `out` is reused. */
export function writeReport(
  out: Uint8Array,
  report: Report,
  settings: ReportSettings,
  frame: ReportFrame = {},
): Uint8Array {
  if (report.kind === 'cancel_reject') return writeCancelReject(out, report, settings);
  switch (report.execType) {
    case 'new':
      return begun(accepted.encode(out), report, frame).bytes;
    case 'pending_new':
    case 'pending_cancel':
    case 'pending_replace':
      pending.encode(out).setExecType(execTypes.code[report.execType]);
      return begun(pending, report, frame).setOrigClOrdId(named(report.origClOrdId ?? '')).bytes;
    case 'replaced':
      replaced.encode(out).setPriorityKept(yesNo(report.priorityKept));
      return begun(replaced, report, frame).setOrigClOrdId(named(report.origClOrdId ?? '')).bytes;
    case 'restated':
      restated
        .encode(out)
        .setExecRestatementReason(restatementOf(report))
        .setPriorityKept(yesNo(report.priorityKept));
      return begun(restated, report, frame).bytes;
    case 'trade':
      return writeTrade(out, report, settings, frame);
    case 'trade_cancel':
    case 'trade_correct':
      return writeCorrection(out, report, frame);
    case 'canceled':
      canceled.encode(out).setExecRestatementReason(restatementOf(report));
      writeReason(canceled, report, settings);
      begun(canceled, report, frame).setOrigClOrdId(named(report.origClOrdId ?? ''));
      return worded(canceled, report.denial);
    case 'expired':
      expired.encode(out);
      writeReason(expired, report, settings);
      return worded(begun(expired, report, frame), report.denial);
    case 'rejected':
      rejected.encode(out);
      writeReason(rejected, report, settings);
      return worded(begun(rejected, report, frame), report.denial);
    case 'order_status':
      return writeStatus(out, report, settings, frame);
  }
}

/** The setters that all kinds of ExecutionReport have. */
interface AnyReport {
  readonly state: State;
  setClOrdId(value: string): this;
  setExecId(value: string): this;
  setAccount(value: string): this;
  setQuoteId(value: string): this;
  setOnBehalfOfCompId(value: string): this;
}

/** Writes state and ids, which all kinds have; the kind's own fields after them are already set. */
function begun<M extends AnyReport>(message: M, report: ExecutionReport, frame: ReportFrame): M {
  writeState(message.state, report, frame);
  const { owner } = report.order;
  message
    .setClOrdId(named(report.clOrdId))
    .setExecId(named(report.execId))
    .setAccount(owner.accountName);
  if (owner.quoteId !== null) message.setQuoteId(named(owner.quoteId));
  if (frame.originator !== undefined) message.setOnBehalfOfCompId(frame.originator.compId);
  return message;
}

function writeTrade(
  out: Uint8Array,
  report: ExecutionReport,
  settings: ReportSettings,
  frame: ReportFrame,
): Uint8Array {
  trade.encode(out).setFeeCurrency(currencyCode(settings.feeCurrency));
  if (report.fill !== null) writeFill(report.fill);
  if (report.childOrderId !== null) trade.setSecondaryOrderId(orderIdBytes(report.childOrderId));
  return begun(trade, report, frame).bytes;
}

function writeFill({ price, qty, feeMicro, liquidity }: Fill): void {
  trade
    .setLastPxBig(price)
    .setLastQtyBig(qty)
    .setFeeMicroBig(feeMicro)
    .setLastLiquidityInd(liquidity === 'maker' ? LiquidityInd.Added : LiquidityInd.Removed);
}

/** A correction contains the corrected trade. */
function writeCorrection(out: Uint8Array, report: ExecutionReport, frame: ReportFrame): Uint8Array {
  correction.encode(out).setExecType(execTypes.code[report.execType]);
  const now = correctedTrade(report);
  if (now !== undefined) correction.setLastPxBig(now.price).setLastQtyBig(now.qty);
  return begun(correction, report, frame).setExecRefId(named(report.execRefId ?? '')).bytes;
}

function writeStatus(
  out: Uint8Array,
  report: ExecutionReport,
  settings: ReportSettings,
  frame: ReportFrame,
): Uint8Array {
  const { massStatus, statusReqId, behind } = frame;
  status.encode(out).setTotNumReports(massStatus?.total);
  writeReason(status, report, settings);
  begun(status, report, frame)
    .setOrdStatusReqId(named(statusReqId ?? ''))
    .setMassStatusReqId(named(massStatus?.reqId ?? ''));
  if (report.denial === null && behind === true) {
    status.setText(`state as of seq ${report.order.lastSeq}`);
  }
  return worded(status, report.denial);
}

type Reasoned =
  | orders.ExecutionReportCanceled
  | orders.ExecutionReportExpired
  | orders.ExecutionReportRejected
  | orders.ExecutionReportStatus;

/** OrdRejReason(103): in a rejection, and with every venue number. */
function writeReason(out: Reasoned, report: ExecutionReport, settings: ReportSettings): void {
  const { denial, execType } = report;
  if (denial === null) return;
  const isStated = execType === 'rejected' || numberOf(denial, settings) !== null;
  writeRefusalFields(out, denial, isStated ? reasonOf(denial, settings, 'order') : null, settings);
}

function worded(out: Reasoned, denial: Denial | null): Uint8Array {
  return denial === null ? out.bytes : writeRefusalWords(out, denial);
}

function writeCancelReject(
  out: Uint8Array,
  reject: CancelReject,
  settings: ReportSettings,
): Uint8Array {
  const { order, denial, request } = reject;
  cancelReject
    .encode(out)
    .setOrdStatus(ordStatuses.code[reject.ordStatus])
    .setWorkingIndicator(workingIndicator(order))
    .setCxlRejResponseTo(request === 'cancel' ? CxlRejResponseTo.Cancel : CxlRejResponseTo.Replace)
    .setTransactTime(reject.transactTimeMs);
  if (order.orderId !== null) cancelReject.setOrderId(orderIdBytes(order.orderId));
  if (order.instrument.book !== null) cancelReject.setBook(books.code[order.instrument.book]);
  writeRefusalFields(cancelReject, denial, reasonOf(denial, settings, request), settings);
  cancelReject
    .setClOrdId(named(reject.clOrdId))
    .setOrigClOrdId(named(reject.origClOrdId))
    .setAccount(order.owner.accountName);
  return writeRefusalWords(cancelReject, denial);
}

/** ExecRestatementReason(378). */
function restatementOf({ restatement }: ExecutionReport): number | undefined {
  return restatement === null ? undefined : Number(restatements.code[restatement]);
}

function yesNo(value: boolean | null): number {
  return value === null ? 0 : value ? YesNo.Yes : YesNo.No;
}
