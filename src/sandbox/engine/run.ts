/** Changes without an action: due timers, consequences of trades, and the operator's switches on markets. */
import type { Book } from '../../domain/units.ts';
import { balanceOf } from './accounts.ts';
import type { Cancel } from './action.ts';
import { isRefusal, payoutOf, refusal } from './admission.ts';
import { runInterval, sliceEnded, stopAlgo } from './algo.ts';
import { dropConditional, fireTriggers } from './conditional.ts';
import { emitGate } from './emit.ts';
import { end } from './matching.ts';
import { mulDivFloor } from './notional.ts';
import { ownOpen, refuseTarget } from './orders.ts';
import { applied, noProgress } from './outcome.ts';
import type { Refusal } from './refusal.ts';
import {
  type AccountState,
  type Actor,
  bookOf,
  type Due,
  type MarketState,
  type Order,
  type Parent,
  type State,
} from './state.ts';
import type { Outcome, Scope } from './view.ts';

/** Runs every timer due at or before `nowMs`, each at its own time, and its consequences. */
export function runDue(state: State, nowMs: number): void {
  for (let timer = state.timers.first(); timer !== undefined; timer = state.timers.first()) {
    if (timer.dueMs > nowMs) break;
    state.nowMs = Math.max(state.nowMs, timer.dueMs);
    state.timers.remove(timer);
    ring(state, timer.target, timer.dueMs);
    runFollowUps(state);
  }
  state.nowMs = Math.max(state.nowMs, nowMs);
}

function ring(state: State, target: Due, dueMs: number): void {
  switch (target.kind) {
    case 'order':
      target.timer = null;
      end(state, target, 'expired', refusal('expired', `expires_at ${dueMs}`));
      break;
    case 'algo':
      runInterval(state, target, dueMs);
      break;
    case 'market':
      target.timer = null;
      closeMarket(state, target);
      break;
  }
}

/** This terminates, because slices only reduce the remaining quantity and a conditional fires once. */
export function runFollowUps(state: State): void {
  const { followUps } = state.staged;
  for (let next = followUps.shift(); next !== undefined; next = followUps.shift()) {
    if (next.kind === 'traded') fireTriggers(state, next.at);
    else sliceEnded(state, next.algo, next.slice);
  }
}

export function cancelParent(actor: Actor, { kind, orderId }: Cancel): Outcome {
  const { state, account } = actor;
  const found = state.parents.get(orderId);
  const isKind = kind === `cancel_${found?.kind}`;
  const parent = ownOpen(isKind ? found : undefined, account, orderId);
  if (isRefusal(parent)) return refuseTarget(actor, orderId, parent);
  endParent(state, parent, null);
  const { feeMicro, filledQty } = parent.kind === 'algo' ? parent : noProgress;
  return { ...applied(parent.id), status: 'canceled', filledQty, feeMicro };
}

function endParent(state: State, parent: Parent, reason: Refusal | null): void {
  if (parent.kind === 'algo') stopAlgo(state, parent, reason);
  else dropConditional(state, parent, reason);
}

/** Cancels everything open in the scope: algos with their slices, conditionals, then the other orders, oldest first. */
export function cancelScope(
  state: State,
  account: AccountState,
  scope: Scope,
  reason: Refusal | null,
): void {
  for (const parent of inScope(account.parents, scope)) endParent(state, parent, reason);
  for (const order of inScope(account.open, scope)) end(state, order, 'canceled', reason);
}

export function inScope<T extends Order | Parent>(candidates: Iterable<T>, scope: Scope): T[] {
  return [...candidates]
    .filter(
      ({ at, side }) =>
        (scope.market === undefined || scope.market === at.market.spec.marketId) &&
        (scope.book === undefined || scope.book === at.book) &&
        (scope.side === undefined || scope.side === side),
    )
    .sort((a, b) => a.entryNo - b.entryNo);
}

export function haltTrading(state: State, on: boolean): void {
  if (state.tradingHalted === on) return;
  state.tradingHalted = on;
  if (on) emitGate(state, 'halt', null, refusal('trading_halted', 'trading is halted'));
  else emitGate(state, 'resume', null, null);
}

function haltMarket(state: State, market: MarketState): void {
  if (market.status === 'halted') return;
  if (market.status !== 'open') throw cannot(market, 'halt');
  market.status = 'halted';
  const reason = refusal('MARKET_HALTED', `market ${market.spec.marketId} is halted`);
  emitGate(state, 'halt', market, reason);
}

function resumeMarket(state: State, market: MarketState): void {
  if (market.status === 'open') return;
  if (market.status !== 'halted') throw cannot(market, 'resume');
  market.status = 'open';
  emitGate(state, 'resume', market, null);
}

/** Ends everything open in the market (contract G69). */
function closeMarket(state: State, market: MarketState): void {
  if (market.status === 'closed') return;
  if (market.status === 'settled') throw cannot(market, 'close');
  market.status = 'closed';
  if (market.timer !== null) state.timers.remove(market.timer);
  market.timer = null;
  const reason = refusal('MARKET_HALTED', `market ${market.spec.marketId} is closed`);
  emitGate(state, 'halt', market, reason);
  const scope = { market: market.spec.marketId };
  for (const account of state.accounts.values()) cancelScope(state, account, scope, reason);
}

export const marketChanges = { halt: haltMarket, resume: resumeMarket, close: closeMarket };

/** Pays out each share of the winning outcome, and removes the shares of both books. */
export function settleMarket(state: State, market: MarketState, outcome: Book): void {
  const winner = bookOf(market, outcome);
  if (winner === undefined || market.status !== 'closed') throw cannot(market, 'settle');
  const { quoteAsset, divisor } = market;
  const payout = payoutOf(market);
  const most = mulDivFloor(payout, state.supply[winner.baseAsset] ?? 0, divisor);
  if ((state.supply[quoteAsset] ?? 0) + most > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`settling market ${market.spec.marketId} would leave the exact range`);
  }
  let paid = 0;
  for (const account of state.accounts.values()) {
    const due = mulDivFloor(payout, balanceOf(account, winner.baseAsset).free, divisor);
    balanceOf(account, quoteAsset).free += due;
    paid += due;
    for (const { baseAsset } of market.books) balanceOf(account, baseAsset).free = 0;
  }
  for (const { baseAsset } of market.books) state.supply[baseAsset] = 0;
  state.supply[quoteAsset] = (state.supply[quoteAsset] ?? 0) + paid;
  market.status = 'settled';
  market.outcome = outcome;
}

function cannot({ spec, status }: MarketState, what: string): RangeError {
  return new RangeError(`market ${spec.marketId} (${spec.kind}, ${status}) cannot ${what}`);
}
