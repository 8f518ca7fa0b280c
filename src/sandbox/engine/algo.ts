/**
 * Algo orders (contract G06, G15): an iceberg shows one slice after the other, a twap sends one per interval, and a
 * vwap sends slices in proportion to the volume traded in the book. The parent holds no funds; each slice does. The
 * quantity of a slice is never reused, so every algo ends.
 */
import type { PlaceAlgo, Strategy } from './action.ts';
import { isRefusal, refusal, refuseAmounts, refusePlacement, type Terms } from './admission.ts';
import { emitOrder } from './emit.ts';
import { end } from './matching.ts';
import { tryPlace } from './orders.ts';
import { applied, refused } from './outcome.ts';
import { admitParent, refuseParent, unregister } from './parents.ts';
import type { Refusal } from './refusal.ts';
import type { Algo, BookState, Call, Order, State } from './state.ts';
import type { Outcome } from './view.ts';

/** Limits on the slices and intervals of one algo. */
export const maxSlices = 10_000;

export function placeAlgo(call: Call, action: PlaceAlgo): Outcome {
  const { state, account, ids } = call;
  const { strategy, limitPrice: price, totalQty: qty } = action;
  const asked = { ...action, price, qty };
  const algo = admitParent(call, asked, (common): Algo | Refusal => {
    if (ids.canonical === null) throw new TypeError('an algo needs its canonical text');
    const { at, id } = common;
    const algo: Algo = {
      kind: 'algo',
      ...common,
      strategy,
      canonical: ids.canonical,
      slices: new Set(),
      state: 'open',
      filledQty: 0,
      feeMicro: 0,
      sentQty: 0,
      sliceCount: 0,
      rounds: 0,
      volumeMark: at.volume,
      stopped: null,
      timer: null,
    };
    const [terms, orderId] = [sliceTerms(algo), sliceId(state, algo)];
    return (
      refuseAmounts(at.market, price, qty) ??
      refuseStrategy(at, action) ??
      refuseParent(call, id) ??
      refusePlacement({ state, account, at, terms, orderId }) ??
      algo
    );
  });
  if (isRefusal(algo)) return refused(algo, ids.orderId);
  sendSlice(state, algo);
  setTimer(state, algo, state.nowMs);
  return applied(algo.id, algo.qty - algo.filledQty);
}

function refuseStrategy(
  at: BookState,
  { strategy, timeInForce, totalQty }: PlaceAlgo,
): Refusal | null {
  const { sliceQty } = strategy;
  if (sliceQty <= 0) return refusal('qty_must_be_positive', `slice_qty ${sliceQty}`);
  const { lot } = at.market.spec;
  if (sliceQty % lot !== 0) {
    return refusal('qty_not_aligned_to_lot', `slice_qty ${sliceQty} is off the lot ${lot}`);
  }
  if (totalQty > sliceQty * maxSlices) {
    return refusal('qty_exceeds_max', `total_qty ${totalQty} makes more than ${maxSlices} slices`);
  }
  return refuseSchedule(strategy, timeInForce);
}

function refuseSchedule(strategy: Strategy, timeInForce: PlaceAlgo['timeInForce']): Refusal | null {
  if (strategy.kind === 'iceberg') {
    return timeInForce === 'gtc' || timeInForce === 'post_only'
      ? null
      : refusal('schema_violation', `an iceberg rests, time_in_force ${timeInForce} does not`);
  }
  const { intervalMs } = strategy;
  return Number.isSafeInteger(intervalMs) && intervalMs > 0
    ? null
    : refusal('schema_violation', `interval_ms ${intervalMs}`);
}

/** The quantity of the next slice; a vwap sends nothing after an interval without trades. */
function sliceQty(algo: Algo): number {
  const { strategy, at } = algo;
  const most = Math.min(strategy.sliceQty, algo.qty - algo.sentQty);
  if (strategy.kind !== 'vwap' || algo.sliceCount === 0) return most;
  const { lot } = at.market.spec;
  const traded = at.volume - algo.volumeMark;
  return Math.min(most, traded - (traded % lot));
}

function sliceId(state: State, algo: Algo): string {
  return state.config.deriveChildId(algo.canonical, algo.sliceCount);
}

function sliceTerms(algo: Algo): Terms {
  const { at, side, price, timeInForce } = algo;
  return {
    market: at.market.spec.marketId,
    book: at.book,
    side,
    price,
    qty: sliceQty(algo),
    stpMode: null,
    timeInForce,
    isMarket: false,
    reduceOnly: false,
    expiresAt: null,
  };
}

function sendSlice(state: State, algo: Algo): void {
  const terms = sliceTerms(algo);
  if (terms.qty === 0) return;
  const placed = tryPlace({ state, account: algo.account }, terms, {
    orderId: sliceId(state, algo),
    parentId: algo.id,
    legIndex: algo.sliceCount,
    actionHash: algo.actionHash,
    nonce: algo.nonce,
    algo,
    opening: null,
  });
  if (!isRefusal(placed)) {
    algo.sentQty += terms.qty;
    algo.sliceCount += 1;
    algo.volumeMark = algo.at.volume;
  } else if (placed.code !== 'trading_halted' && placed.code !== 'MARKET_HALTED') {
    algo.stopped = placed;
  }
}

function setTimer(state: State, algo: Algo, fromMs: number): void {
  const { strategy } = algo;
  if (strategy.kind === 'iceberg' || algo.stopped !== null || algo.sentQty === algo.qty) return;
  algo.timer = state.timers.start(fromMs + strategy.intervalMs, algo.entryNo, algo);
}

/** An interval of a twap or vwap has passed. During a halt it passes without a slice. */
export function runInterval(state: State, algo: Algo, dueMs: number): void {
  algo.timer = null;
  algo.rounds += 1;
  if (algo.rounds > maxSlices) {
    algo.stopped = refusal('expired', `${maxSlices} intervals have passed`);
  } else {
    sendSlice(state, algo);
    setTimer(state, algo, dueMs);
  }
  finish(state, algo);
}

/** The remainder of an ioc slice just ends; any other end of a slice, except its fill, stops the algo. */
export function sliceEnded(state: State, algo: Algo, slice: Order): void {
  algo.slices.delete(slice);
  if (algo.state !== 'open') return;
  if (slice.state !== 'filled' && slice.timeInForce !== 'ioc') algo.stopped ??= 'canceled';
  if (algo.strategy.kind === 'iceberg' && algo.stopped === null && algo.sentQty < algo.qty) {
    sendSlice(state, algo);
  }
  finish(state, algo);
}

function finish(state: State, algo: Algo): void {
  const { stopped, timer } = algo;
  if (algo.state !== 'open' || algo.slices.size > 0) return;
  if (stopped === null && algo.sentQty < algo.qty) return;
  algo.state = algo.filledQty === algo.qty ? 'filled' : 'canceled';
  if (timer !== null) state.timers.remove(timer);
  algo.timer = null;
  unregister(state, algo);
  emitOrder(state, 'algo_done', algo, algo.state, stopped === 'canceled' ? null : stopped);
}

/** Ends the algo and its open slices at once. */
export function stopAlgo(state: State, algo: Algo, reason: Refusal | null): void {
  algo.stopped = reason ?? 'canceled';
  const slices = [...algo.slices];
  algo.slices.clear();
  for (const slice of slices) {
    if (slice.state !== 'open') continue;
    end(state, slice, 'canceled', reason);
  }
  finish(state, algo);
}
