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
import { ExecutionReportNew } from './generated/execution-report-new.ts';
import type { ExecutionReportRejected } from './generated/execution-report-rejected.ts';
import { MessageHeader } from './generated/message-header.ts';

const state = new ExecutionReportNew();
const stateMessage = Buffer.alloc(512);

/**
 * Puts the State into the message that begins in `out`. Every kind of ExecutionReport begins with it and New is nothing
 * else, so it is written in one place and copied: setters of ten classes in turn would cost more than all the rest.
 */
export function writeState(out: Uint8Array, report: ExecutionReport, frame: ReportFrame): void {
  const { order } = report;
  const { instrument, terms } = order;
  const { priceScale, qtyScale } = instrument.market;
  const { copy, massStatus, possResend, requested } = frame;
  state
    .encode(stateMessage)
    .setStateOrdStatus(ordStatuses.code[report.ordStatus])
    .setStateFlags(
      (copy === true ? ReportFlags.Copy : 0) |
        (possResend === true ? ReportFlags.PossResend : 0) |
        (requested === true ? ReportFlags.Requested : 0) |
        (massStatus?.isLast === true ? ReportFlags.LastFragment : 0),
    )
    .setStateTransactTime(report.transactTimeMs)
    .setStateVenueSeq(report.venueSeq ?? undefined)
    .setStateLegIndex(report.legIndex ?? undefined)
    .setStateWorkingIndicator(workingIndicator(order));
  if (order.orderId !== null) state.setStateOrderId(orderIdBytes(order.orderId));
  if (report.parentOrderId !== null) {
    state.setStateParentOrderId(orderIdBytes(report.parentOrderId));
  }
  writeInstrument(instrument);
  state.setStateTermsPriceExponent(-priceScale).setStateTermsQtyExponent(-qtyScale);
  writeTerms(terms, instrument);
  writeSums(state, order, order.leavesQty);
  const end = MessageHeader.size + ExecutionReportNew.blockLength;
  out.set(stateMessage.subarray(MessageHeader.size, end), MessageHeader.size);
}

/** LeavesQty(151), CumQty(14) and AvgPx(6), whose order need not be the one whose terms stand beside them. */
export function writeSums(
  out: ExecutionReportNew | ExecutionReportRejected,
  order: Order,
  leavesQty: bigint,
): void {
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

function writeInstrument({ market, book }: Instrument): void {
  state.setStateInstrumentMarketId(market.marketId);
  if (book !== null) state.setStateInstrumentBook(books.code[book]);
}

function writeTerms(terms: Terms, { market }: Instrument): void {
  const { expiresAtMs, lifetime, price, stp, strategy, trigger } = terms;
  state
    .setStateTermsSide(sides.code[terms.side])
    .setStateTermsOrdType(ordTypes.code[terms.ordType])
    .setStateTermsTimeInForce(lifetimes.code[lifetime])
    .setStateTermsFlags(
      (terms.timeInForce === 'post_only' ? OrderFlags.PostOnly : 0) |
        (terms.reduceOnly ? OrderFlags.ReduceOnly : 0),
    )
    .setStateTermsOrderQtyBig(terms.qty)
    .setStateTermsCurrency(market.quote);
  if (price !== null) state.setStateTermsPriceBig(price);
  if (lifetime === 'gtd' && expiresAtMs !== null) state.setStateTermsExpireTime(expiresAtMs);
  if (trigger !== null) {
    state
      .setStateTermsStopPxBig(trigger.price)
      .setStateTermsTriggerDirection(triggerDirections.code[trigger.direction])
      .setStateTermsConditionalKind(conditionalKinds.code[trigger.kind]);
  }
  if (strategy === null) {
    state.setStateTermsStpMode(stpModes.code[stp ?? 'none']);
    return;
  }
  state
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
