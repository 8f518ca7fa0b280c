/**
 * Price-time priority (contract G62): the incoming order takes the best price first, and at each level the oldest order
 * first, always at the resting order's price. YES and NO books do not match against each other.
 */
import {
  addMakerVolume,
  addOpen,
  hold,
  holdFor,
  makerRate,
  release,
  removeOpen,
  settleSide,
} from './accounts.ts';
import type { Place } from './action.ts';
import { emitOrder, stageEnd, stageSliceEnd, stageTraded } from './emit.ts';
import type { ExecutionFill } from './event.ts';
import { feeOn, mulDivFloor } from './notional.ts';
import type { Refusal } from './refusal.ts';
import { crosses, type Order, oppositeSide, ownSide, type State, saveOrder } from './state.ts';
import type { OrderState } from './view.ts';

/** The event that opens an order, if it is not a plain `accepted` or `resting`. */
export type Opening = 'replaced' | 'reported' | null;

/** Matches an accepted order, and rests the remainder if `rests` is set. */
export function enter(state: State, order: Order, rests: boolean, opening: Opening): Order {
  register(state, order);
  const best = oppositeSide(order.at, order.side).best();
  const meets = best !== undefined && crosses(order.side, order.price, best.price);
  if (opening !== 'reported') {
    const plain = rests && !meets ? 'resting' : 'accepted';
    emitOrder(state, opening ?? plain, order, 'resting');
  }
  const prevented = meets && match(state, order);
  if (order.state !== 'open') return order;
  if (prevented) end(state, order, 'canceled', stpReason(order));
  else if (rests) rest(state, order);
  else end(state, order, 'canceled', null);
  return order;
}

/** A market order never rests, regardless of its time in force. */
export function mayRest({
  timeInForce,
  isMarket,
}: Pick<Place, 'timeInForce' | 'isMarket'>): boolean {
  return !isMarket && (timeInForce === 'gtc' || timeInForce === 'post_only');
}

function register(state: State, order: Order): void {
  state.orders.set(order.id, order);
  if (state.undo.active) state.undo.step(() => state.orders.delete(order.id));
  order.algo?.slices.add(order);
}

function stpReason({ id }: Order): Refusal {
  const text = `the rest of order ${id} would trade with its own account`;
  return { code: 'self_trade_prevented', text };
}

/** Trades until the order is filled or nothing matches; returns true if an own order blocks the remainder. */
function match(state: State, taker: Order): boolean {
  const ladder = oppositeSide(taker.at, taker.side);
  let passedOwn = false;
  let index = ladder.levels.length - 1;
  for (; index >= 0; index -= 1) {
    const level = ladder.levels[index];
    if (level === undefined || !crosses(taker.side, taker.price, level.price)) break;
    // An order that is filled or canceled leaves its place to the next one.
    let place = 0;
    for (let maker = level.orders[0]; maker !== undefined; maker = level.orders[place]) {
      if (maker.account !== taker.account) trade(state, maker, taker);
      else if (taker.stpMode === 'cancel_maker') end(state, maker, 'canceled', stpReason(maker));
      else if (taker.stpMode === 'skip_self') {
        passedOwn = true;
        place += 1;
      } else return true;
      if (taker.filledQty === taker.qty) return false;
    }
  }
  return passedOwn;
}

function trade(state: State, maker: Order, taker: Order): void {
  const { at, price } = maker;
  const qty = Math.min(maker.qty - maker.filledQty, taker.qty - taker.filledQty);
  const tsMs = state.nowMs;
  const notional = mulDivFloor(price, qty, at.market.divisor);
  const makerFee = feeOn(notional, makerRate(state, maker));
  const takerFee = feeOn(notional, state.fees.takerBps);
  settleSide(state, maker, qty, notional, makerFee);
  settleSide(state, taker, qty, notional, takerFee);
  if (state.fees.tiers.length > 0) addMakerVolume(state, maker.account, notional);
  state.counters.tradeNo += 1;
  const tradeId = `t${state.counters.tradeNo}`;
  const lastTrade = {
    tradeId,
    marketId: at.market.spec.marketId,
    book: at.book,
    price,
    qty,
    takerSide: taker.side,
    makerOrderId: maker.id,
    takerOrderId: taker.id,
    tsMs,
  };
  state.undo.save(at);
  at.lastTrade = lastTrade;
  at.volume = Math.min(Number.MAX_SAFE_INTEGER, at.volume + qty);
  at.seq += 1;
  if (maker.account.keepsHistory || taker.account.keepsHistory) state.staged.trades.push(lastTrade);
  ownSide(at, maker.side).reduce(maker, qty);
  const fillId = tradeId;
  fill(state, taker, { fillId, price, qty, feeMicro: takerFee, liquidity: 'taker', tsMs });
  fill(state, maker, { fillId, price, qty, feeMicro: makerFee, liquidity: 'maker', tsMs });
  if (at.conditionals.size > 0) stageTraded(state, at);
}

function fill(state: State, order: Order, entry: ExecutionFill): void {
  const { algo } = order;
  const { qty, feeMicro } = entry;
  saveOrder(state, order);
  order.fills.push(entry);
  if (state.undo.active) state.undo.step(() => order.fills.pop());
  order.filledQty += qty;
  order.feeMicro += feeMicro;
  if (algo !== null) {
    state.undo.save(algo);
    algo.filledQty += qty;
    algo.feeMicro += feeMicro;
  }
  const done = order.filledQty === order.qty;
  if (done) close(state, order, 'filled');
  emitOrder(state, 'fill', order, done ? 'filled' : 'partially_filled', null, entry);
}

function rest(state: State, order: Order): void {
  const { at, expiresAt } = order;
  hold(state, order, holdFor(order, order.qty - order.filledQty));
  ownSide(at, order.side).add(order);
  state.undo.save(at);
  at.seq += 1;
  addOpen(order);
  if (state.undo.active) state.undo.step(() => removeOpen(order));
  if (expiresAt !== null) {
    const timer = state.timers.start(expiresAt, order.entryNo, order);
    order.timer = timer;
    if (state.undo.active) state.undo.step(() => state.timers.remove(timer));
  }
}

/** Removes an open order from the market and reports that to its owner. */
export function end(
  state: State,
  order: Order,
  ending: 'canceled' | 'expired',
  reason: Refusal | null,
): void {
  close(state, order, ending);
  emitOrder(state, ending, order, 'canceled', reason);
}

/** Every order that leaves `open` passes through here and releases its funds. Nothing is reported. */
export function close(state: State, order: Order, ending: Exclude<OrderState, 'open'>): void {
  const { at, timer, level } = order;
  saveOrder(state, order);
  if (level !== null) {
    ownSide(at, order.side).remove(order, order.qty - order.filledQty);
    release(state, order, order.held);
    state.undo.save(at);
    at.seq += 1;
    removeOpen(order);
    if (state.undo.active) state.undo.step(() => addOpen(order));
  }
  order.state = ending;
  if (timer !== null) {
    state.timers.remove(timer);
    if (state.undo.active) state.undo.step(() => state.timers.set(timer));
    order.timer = null;
  }
  stageEnd(state, order);
  if (order.algo !== null) stageSliceEnd(state, order.algo, order);
}

/** Reduces the total quantity; the order keeps its place in the queue. */
export function reduce(state: State, order: Order, newQty: number): void {
  saveOrder(state, order);
  state.undo.save(order.at);
  ownSide(order.at, order.side).reduce(order, order.qty - newQty);
  order.qty = newQty;
  order.at.seq += 1;
  release(state, order, order.held - holdFor(order, newQty - order.filledQty));
  emitOrder(state, 'amended', order, 'applied');
}
