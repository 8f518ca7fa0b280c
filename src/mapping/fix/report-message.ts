/** Writes reports of orders as ExecutionReport(8) or OrderCancelReject(9): the FIX side of contract C.13. */
import { correctedTrade } from '../../domain/amended-trade.ts';
import type { ClientFields } from '../../domain/command.ts';
import { averageOf, hasEnded, isOfOtherChannel, type Order } from '../../domain/order.ts';
import type {
  CancelReject,
  ExecutionReport,
  Originator,
  Report,
  ReportFrame,
} from '../../domain/report.ts';
import type { Terms } from '../../domain/terms.ts';
import { averageScale, feeScale, formatAtoms, latestMs } from '../../domain/units.ts';
import type { FieldWriter } from '../../fix/field-writer.ts';
import { writeFields } from './client-fields.ts';
import { execTypes, lifetimes, ordStatuses, ordTypes, restatements, sides } from './codes.ts';
import {
  type DenialSettings,
  numberOf,
  reasonOf,
  writeNonceConsumed,
  writeText,
  writeVenueCode,
} from './denial-fields.ts';
import { writeBook, writeInstrument } from './instrument-fields.ts';

export interface ReportSettings extends DenialSettings {
  /** MiscFeeCurr(138). */
  readonly feeCurrency: string;
}

export const noOrderId = 'NONE';
const venueFee = '4';
const absoluteFee = '0';
/** PartyIDSource(447) and PartyRole(452). */
const proprietaryCode = 'D';
const originatingFirm = 13;
const originatingTrader = 11;

/** Writes the body and returns its MsgType(35). */
export function writeReport(
  out: FieldWriter,
  report: Report,
  settings: ReportSettings,
  frame: ReportFrame = {},
): '8' | '9' {
  if (report.kind === 'cancel_reject') {
    writeCancelReject(out, report, settings);
    return '9';
  }
  writeExecutionReport(out, report, settings, frame);
  return '8';
}

function writeExecutionReport(
  out: FieldWriter,
  report: ExecutionReport,
  settings: ReportSettings,
  frame: ReportFrame,
): void {
  const { order } = report;
  const { tags } = settings;
  const { owner, instrument, terms } = order;
  out.text(37, order.orderId ?? noOrderId);
  if (report.childOrderId !== null) out.text(198, report.childOrderId);
  if (owner.quoteId !== null) out.text(526, owner.quoteId);
  out.text(11, report.clOrdId);
  if (report.origClOrdId !== null) out.text(41, report.origClOrdId);
  writeFrame(out, frame);
  out.text(17, report.execId);
  if (report.execRefId !== null) out.text(19, report.execRefId);
  out.char(150, execTypes.code[report.execType]).char(39, ordStatuses.code[report.ordStatus]);
  if (order.phase === 'live') out.bool(636, terms.trigger === null || order.triggered);
  writeOrderReason(out, report, settings);
  if (report.restatement !== null) out.text(378, restatements.code[report.restatement]);
  out.text(1, owner.accountName);
  writeInstrument(out, instrument);
  writeTerms(out, order);
  writeTrade(out, report);
  writeSums(out, order, order.leavesQty);
  out.utc(60, report.transactTimeMs);
  if (terms.reduceOnly) out.char(77, 'C');
  if (report.denial !== null) writeText(out, report.denial);
  else if (frame.behind === true) out.text(58, `state as of seq ${order.lastSeq}`);
  else if (order.unseenQty > 0n) out.text(58, unseenText(order));
  else if (terms.client?.text) out.text(58, terms.client.text);
  if (report.priorityKept !== null) out.int(638, report.priorityKept ? 0 : 1);
  if (report.fill !== null) out.int(851, report.fill.liquidity === 'maker' ? 1 : 2);
  if (frame.copy === true) out.bool(797, true);
  writeParties(out, frame.originator, terms.client);
  if (report.fill !== null) writeFee(out, report.fill.feeMicro, settings.feeCurrency);
  if (report.denial !== null) writeVenueCode(out, report.denial, settings);
  writeBook(out, instrument, tags);
  writeOwnTerms(out, order, settings);
  if (report.venueSeq !== null) out.int(tags.venueSeq, report.venueSeq);
  if (report.denial !== null) writeNonceConsumed(out, report.denial, tags);
  if (report.parentOrderId !== null) out.text(tags.parentOrderId, report.parentOrderId);
  if (report.legIndex !== null) out.int(tags.legIndex, report.legIndex);
  if (terms.client !== undefined) writeFields(out, terms.client.fields);
}

function writeFrame(out: FieldWriter, { statusReqId, massStatus }: ReportFrame): void {
  if (statusReqId !== undefined) out.text(790, statusReqId);
  if (massStatus === undefined) return;
  out.text(584, massStatus.reqId).int(911, massStatus.total).bool(912, massStatus.isLast);
}

/**
 * Parties(453). A copy first names the firm by its session's CompID, and its trader if the session has only one user.
 * The parties that the client named follow.
 */
export function writeParties(
  out: FieldWriter,
  originator: Originator | undefined,
  client?: Pick<ClientFields, 'parties' | 'partyCount'>,
): void {
  const { compId, users = [] } = originator ?? {};
  const [trader] = users.length === 1 ? users : [];
  const ofBridge = Number(compId !== undefined) + Number(trader !== undefined);
  const count = ofBridge + (client?.partyCount ?? 0);
  if (count === 0) return;
  out.int(453, count);
  if (compId !== undefined) writeParty(out, compId, originatingFirm);
  if (trader !== undefined) writeParty(out, trader, originatingTrader);
  if (client !== undefined) writeFields(out, client.parties);
}

function writeParty(out: FieldWriter, id: string, role: number): void {
  out.text(448, id).char(447, proprietaryCode).int(452, role);
}

/** OrdRejReason(103): in a rejection, and with every venue number. */
function writeOrderReason(
  out: FieldWriter,
  { execType, denial }: ExecutionReport,
  settings: ReportSettings,
): void {
  if (denial === null) return;
  if (execType === 'rejected' || numberOf(denial, settings) !== null) {
    out.int(103, reasonOf(denial, settings, 'order'));
  }
}

function writeTerms(out: FieldWriter, order: Order): void {
  const { terms, instrument } = order;
  const { priceScale, qtyScale, quote } = instrument.market;
  out.char(54, sides.code[terms.side]).decimal(38, terms.qty, qtyScale);
  if (isOfOtherChannel(order)) {
    // The stream contains no more of its terms.
    out.decimal(44, terms.limitPrice, priceScale).text(15, quote);
    return;
  }
  out.char(40, ordTypes.code[terms.ordType]);
  if (terms.price !== null) out.decimal(44, terms.price, priceScale);
  if (terms.trigger !== null) out.decimal(99, terms.trigger.price, priceScale);
  out.text(15, quote).char(59, lifetimes.code[terms.lifetime]);
  if (terms.lifetime === 'gtd') writeExpiry(out, terms);
  if (terms.timeInForce === 'post_only') out.char(18, '6');
}

function writeExpiry(out: FieldWriter, { expiresAtMs }: Terms): void {
  // Earlier versions accepted later times.
  if (expiresAtMs !== null) out.utc(126, Math.min(expiresAtMs, latestMs));
}

/** LastQty(32) and LastPx(31) of a trade, or of a trade after its correction. */
function writeTrade(out: FieldWriter, report: ExecutionReport): void {
  const { priceScale, qtyScale } = report.order.instrument.market;
  const trade = report.fill ?? correctedTrade(report);
  if (trade !== undefined)
    out.decimal(32, trade.qty, qtyScale).decimal(31, trade.price, priceScale);
}

export function writeSums(out: FieldWriter, order: Order, leavesQty: bigint): void {
  const { priceScale, qtyScale } = order.instrument.market;
  out.decimal(151, leavesQty, qtyScale).decimal(14, order.cumQty, qtyScale);
  out.decimal(6, averageOf(order), averageScale(priceScale));
}

/** The text for an order of another channel that was partially filled before the bridge received its first event. */
function unseenText({ unseenQty, instrument }: Order): string {
  const unseen = formatAtoms(unseenQty, instrument.market.qtyScale);
  return `${unseen} of CumQty(14) was filled before, AvgPx(6) is of the rest`;
}

function writeFee(out: FieldWriter, feeMicro: bigint, currency: string): void {
  out.int(136, 1).decimal(137, feeMicro, feeScale);
  out.text(138, currency).char(139, venueFee).char(891, absoluteFee);
}

/** Writes the terms that only this venue has. */
function writeOwnTerms(out: FieldWriter, order: Order, settings: ReportSettings): void {
  if (isOfOtherChannel(order)) return;
  const { terms, instrument } = order;
  const { tags } = settings;
  const { strategy, trigger } = terms;
  if (strategy === null) out.text(tags.stpMode, terms.stp ?? 'none');
  if (terms.reduceOnly) out.bool(tags.reduceOnly, true);
  if (trigger !== null) {
    out.text(tags.triggerDirection, trigger.direction).text(tags.conditionalKind, trigger.kind);
  }
  if (strategy === null) return;
  out.text(tags.algoKind, strategy.kind);
  out.decimal(tags.sliceQty, strategy.sliceQty, instrument.market.qtyScale);
  if (strategy.intervalMs !== null) out.int(tags.sliceIntervalMs, strategy.intervalMs);
}

function writeCancelReject(out: FieldWriter, reject: CancelReject, settings: ReportSettings): void {
  const { order, denial } = reject;
  out
    .text(37, order.orderId ?? noOrderId)
    .text(11, reject.clOrdId)
    .text(41, reject.origClOrdId);
  out.char(39, ordStatuses.code[reject.ordStatus]);
  if (!hasEnded(order) && order.phase === 'live') {
    out.bool(636, order.terms.trigger === null || order.triggered);
  }
  out.text(1, order.owner.accountName).utc(60, reject.transactTimeMs);
  out.char(434, reject.request === 'cancel' ? '1' : '2');
  out.int(102, reasonOf(denial, settings, reject.request));
  writeText(out, denial);
  writeVenueCode(out, denial, settings);
  writeBook(out, order.instrument, settings.tags);
  writeNonceConsumed(out, denial, settings.tags);
}
