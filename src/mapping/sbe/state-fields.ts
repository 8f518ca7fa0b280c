/** An order as a report leaves it: the State of every ExecutionReport of orders.xml. */

import type { Instrument } from '../../domain/instrument.ts';
import type { Order } from '../../domain/order.ts';
import type { ExecutionReport, ReportFrame } from '../../domain/report.ts';
import type { Terms } from '../../domain/terms.ts';
import { averageDigits, averagePrice, type OrderId } from '../../domain/units.ts';
import {
  algoKinds,
  books,
  conditionalKinds,
  lifetimes,
  ordStatuses,
  ordTypes,
  sides,
  stpModes,
  triggerDirections,
} from './codes.ts';
import { OrderFlags, ReportFlags, YesNo } from './generated/codes.ts';
import type { ExecutionReportCanceled } from './generated/execution-report-canceled.ts';
import type { ExecutionReportExpired } from './generated/execution-report-expired.ts';
import type { ExecutionReportNew } from './generated/execution-report-new.ts';
import type { ExecutionReportPending } from './generated/execution-report-pending.ts';
import type { ExecutionReportRejected } from './generated/execution-report-rejected.ts';
import type { ExecutionReportReplaced } from './generated/execution-report-replaced.ts';
import type { ExecutionReportRestated } from './generated/execution-report-restated.ts';
import type { ExecutionReportStatus } from './generated/execution-report-status.ts';
import type { ExecutionReportTrade } from './generated/execution-report-trade.ts';
import type { ExecutionReportTradeCorrection } from './generated/execution-report-trade-correction.ts';

export type ReportFields =
  | ExecutionReportCanceled
  | ExecutionReportExpired
  | ExecutionReportNew
  | ExecutionReportPending
  | ExecutionReportRejected
  | ExecutionReportReplaced
  | ExecutionReportRestated
  | ExecutionReportStatus
  | ExecutionReportTrade
  | ExecutionReportTradeCorrection;

export function writeState(out: ReportFields, report: ExecutionReport, frame: ReportFrame): void {
  const { order } = report;
  const { instrument, terms } = order;
  const { priceScale, qtyScale } = instrument.market;
  const { copy, massStatus } = frame;
  out
    .setStateOrdStatus(ordStatuses.code[report.ordStatus])
    .setStateFlags(
      (copy === true ? ReportFlags.Copy : 0) |
        (massStatus?.isLast === true ? ReportFlags.LastFragment : 0),
    )
    .setStateTransactTime(report.transactTimeMs)
    .setStateVenueSeq(report.venueSeq ?? undefined)
    .setStateLegIndex(report.legIndex ?? undefined)
    .setStateWorkingIndicator(workingIndicator(order));
  if (order.orderId !== null) out.setStateOrderId(orderIdBytes(order.orderId));
  if (report.parentOrderId !== null) out.setStateParentOrderId(orderIdBytes(report.parentOrderId));
  writeInstrument(out, instrument);
  out.setStateTermsPriceExponent(-priceScale).setStateTermsQtyExponent(-qtyScale);
  writeTerms(out, terms, instrument);
  writeSums(out, order, order.leavesQty);
}

/** LeavesQty(151), CumQty(14) and AvgPx(6), whose order need not be the one whose terms stand beside them. */
export function writeSums(out: ReportFields, order: Order, leavesQty: bigint): void {
  const { cumQty, notional, instrument } = order;
  out
    .setStateLeavesQtyBig(leavesQty)
    .setStateCumQtyBig(cumQty)
    .setStateCumQtyExponent(-instrument.market.qtyScale)
    .setStateAvgPxBig(averagePrice(notional, cumQty))
    .setStateAvgPxExponent(-(instrument.market.priceScale + averageDigits));
}

/** WorkingIndicator(636), of an order that lives. */
export function workingIndicator({ phase, terms, triggered }: Order): number {
  if (phase !== 'live') return 0;
  return terms.trigger === null || triggered ? YesNo.Yes : YesNo.No;
}

function writeInstrument(out: ReportFields, { market, book }: Instrument): void {
  out.setStateInstrumentMarketId(market.marketId);
  if (book !== null) out.setStateInstrumentBook(books.code[book]);
}

function writeTerms(out: ReportFields, terms: Terms, { market }: Instrument): void {
  const { expiresAtMs, lifetime, price, stp, strategy, trigger } = terms;
  out
    .setStateTermsSide(sides.code[terms.side])
    .setStateTermsOrdType(ordTypes.code[terms.ordType])
    .setStateTermsTimeInForce(lifetimes.code[lifetime])
    .setStateTermsFlags(
      (terms.timeInForce === 'post_only' ? OrderFlags.PostOnly : 0) |
        (terms.reduceOnly ? OrderFlags.ReduceOnly : 0),
    )
    .setStateTermsOrderQtyBig(terms.qty)
    .setStateTermsCurrency(market.quote);
  if (price !== null) out.setStateTermsPriceBig(price);
  if (lifetime === 'gtd' && expiresAtMs !== null) out.setStateTermsExpireTime(expiresAtMs);
  if (trigger !== null) {
    out
      .setStateTermsStopPxBig(trigger.price)
      .setStateTermsTriggerDirection(triggerDirections.code[trigger.direction])
      .setStateTermsConditionalKind(conditionalKinds.code[trigger.kind]);
  }
  if (strategy === null) {
    out.setStateTermsStpMode(stpModes.code[stp ?? 'none']);
    return;
  }
  out
    .setStateTermsAlgoKind(algoKinds.code[strategy.kind])
    .setStateTermsSliceQtyBig(strategy.sliceQty)
    .setStateTermsSliceIntervalMs(strategy.intervalMs ?? undefined);
}

const orderIdOctets = Buffer.alloc(32);

/** The venue's id as bytes, lent until the next one is asked for. */
export function orderIdBytes(orderId: OrderId): Uint8Array {
  orderIdOctets.write(orderId.slice(2), 'hex');
  return orderIdOctets;
}
