/** Writes the order after a report: the State of every ExecutionReport of orders.xml. */
import type { Instrument } from '../../domain/instrument.ts';
import { averageOf, type Order } from '../../domain/order.ts';
import type { ExecutionReport, ReportFrame } from '../../domain/report.ts';
import type { Terms } from '../../domain/terms.ts';
import { averageScale, maxU32, type OrderId } from '../../domain/units.ts';
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
import type { State } from './generated/types.ts';

/** The highest number of 16 bits that is not SBE's null value. */
const maxLegIndex = 65_534;

/** Every kind of ExecutionReport starts with a State, which is the same class for all of them. */
export function writeState(state: State, report: ExecutionReport, frame: ReportFrame): void {
  const { order } = report;
  const { instrument, terms } = order;
  const { priceScale, qtyScale } = instrument.market;
  const { copy, massStatus, possResend, requested } = frame;
  state
    .setOrdStatus(ordStatuses.code[report.ordStatus])
    .setFlags(
      (copy === true ? ReportFlags.Copy : 0) |
        (possResend === true ? ReportFlags.PossResend : 0) |
        (requested === true ? ReportFlags.Requested : 0) |
        (massStatus?.isLast === true ? ReportFlags.LastFragment : 0),
    )
    .setTransactTime(report.transactTimeMs)
    .setVenueSeq(report.venueSeq ?? undefined)
    .setLegIndex(legIndexOf(report))
    .setWorkingIndicator(workingIndicator(order));
  if (order.orderId !== null) state.setOrderId(orderIdBytes(order.orderId));
  if (report.parentOrderId !== null) {
    state.setParentOrderId(orderIdBytes(report.parentOrderId));
  }
  writeInstrument(state, instrument);
  state.setTermsPriceExponent(-priceScale).setTermsQtyExponent(-qtyScale);
  writeTerms(state, terms, instrument);
  writeSums(state, order, order.leavesQty);
}

/** LegIndex(9113); one that the field cannot hold is not said. */
function legIndexOf({ legIndex }: ExecutionReport): number | undefined {
  return legIndex === null || legIndex > maxLegIndex ? undefined : legIndex;
}

/** LeavesQty(151), CumQty(14) and AvgPx(6). The terms next to them may belong to another order. */
export function writeSums(state: State, order: Order, leavesQty: bigint): void {
  const { cumQty, instrument } = order;
  state
    .setLeavesQtyBig(leavesQty)
    .setCumQtyBig(cumQty)
    .setCumQtyExponent(-instrument.market.qtyScale)
    .setAvgPxBig(averageOf(order))
    .setAvgPxExponent(-averageScale(instrument.market.priceScale));
}

/** WorkingIndicator(636), for an open order. */
export function workingIndicator({ phase, terms, triggered }: Order): number {
  if (phase !== 'live') return 0;
  return terms.trigger === null || triggered ? YesNo.Yes : YesNo.No;
}

interface InstrumentSetters {
  setInstrumentMarketId(value: number | undefined): unknown;
  setInstrumentBook(value: number): unknown;
}

export function writeInstrument(out: InstrumentSetters, { market, book }: Instrument): void {
  out.setInstrumentMarketId(market.marketId);
  if (book !== null) out.setInstrumentBook(books.code[book]);
}

function writeTerms(state: State, terms: Terms, { market }: Instrument): void {
  const { expiresAtMs, lifetime, price, stp, strategy, trigger } = terms;
  state
    .setTermsSide(sides.code[terms.side])
    .setTermsOrdType(ordTypes.code[terms.ordType])
    .setTermsTimeInForce(lifetimes.code[lifetime])
    .setTermsFlags(
      (terms.timeInForce === 'post_only' ? OrderFlags.PostOnly : 0) |
        (terms.reduceOnly ? OrderFlags.ReduceOnly : 0),
    )
    .setTermsOrderQtyBig(terms.qty)
    .setTermsCurrency(currencyCode(market.quote));
  if (price !== null) state.setTermsPriceBig(price);
  if (lifetime === 'gtd' && expiresAtMs !== null) state.setTermsExpireTime(expiresAtMs);
  if (trigger !== null) {
    state
      .setTermsStopPxBig(trigger.price)
      .setTermsTriggerDirection(triggerDirections.code[trigger.direction])
      .setTermsConditionalKind(conditionalKinds.code[trigger.kind]);
  }
  if (strategy === null) {
    state.setTermsStpMode(stpModes.code[stp ?? 'none']);
    return;
  }
  state
    .setTermsAlgoKind(algoKinds.code[strategy.kind])
    .setTermsSliceQtyBig(strategy.sliceQty)
    // Earlier versions accepted longer intervals.
    .setTermsSliceIntervalMs(
      strategy.intervalMs === null ? undefined : Math.min(strategy.intervalMs, maxU32),
    );
}

const currencyForm = /^[\x20-\x7e]{0,8}$/;

/** Currency(15); a currency that the field cannot hold is not said, because a part of it may be another one. */
export function currencyCode(currency: string): string {
  return currencyForm.test(currency) ? currency : '';
}

const orderIdOctets = Buffer.alloc(32);

/** The venue's id as bytes, valid until the next call. */
export function orderIdBytes(orderId: OrderId): Uint8Array {
  orderIdOctets.write(orderId.slice(2), 'hex');
  return orderIdOctets;
}
