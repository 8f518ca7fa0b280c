/**
 * Execution events (contract G41) and other effects that depend on their outcome. Events are staged until the change
 * that they report is certain. `commit` then adds them to the streams, and a rollback takes their numbers back.
 */
import type { EventKind, VenueStatus } from '../../domain/event.ts';
import { blank, type ExecutionEvent, type ExecutionFill, type ExecutionReason } from './event.ts';
import type { Refusal } from './refusal.ts';
import {
  type AccountState,
  type Algo,
  type BookState,
  leavesOf,
  type MarketState,
  type Order,
  type Parent,
  type State,
} from './state.ts';

type Draft = { -readonly [Key in keyof ExecutionEvent]: ExecutionEvent[Key] };

/** Stages an event of the account with its header filled in; the caller sets the other members at once. */
function stage(state: State, kind: EventKind, account: AccountState): Draft {
  const { nowMs, cause } = state;
  const event: Draft = { ...blank };
  event.kind = kind;
  event.account = account.id;
  event.prevSeq = account.lastSeq === 0 ? null : account.lastSeq;
  account.lastSeq += 1;
  event.seq = account.lastSeq;
  event.engineTsMs = nowMs;
  event.serverTsMs = nowMs;
  if (cause !== null && cause.account === account) {
    event.clientOrderId = cause.ids.clientOrderId;
    event.nonce = cause.ids.nonce;
    event.actionHash = cause.ids.actionHash;
    event.nonceConsumed = true;
  }
  state.staged.events.push(event);
  return event;
}

/** An event of an order, or of the algo or stored conditional itself. */
export function emitOrder(
  state: State,
  kind: EventKind,
  of: Order | Parent,
  status: VenueStatus,
  reason: Refusal | null = null,
  fill: ExecutionFill | null = null,
): Draft {
  const event = stage(state, kind, of.account);
  event.market = of.at.market.spec.marketId;
  event.book = of.at.book;
  event.orderId = of.id;
  if (of.kind === 'order') {
    event.parentOrderId = of.parentId;
    event.legIndex = of.legIndex;
  }
  event.side = of.side;
  event.price = of.price;
  event.qty = of.qty;
  event.filledQty = of.kind === 'conditional' ? 0 : of.filledQty;
  event.leavesQty = leavesOf(of);
  event.status = status;
  event.reason = reasonOf(state, reason);
  event.fill = fill;
  return event;
}

/** The firing of a conditional, which opens the order `orderId`. */
export function emitTriggered(state: State, parent: Parent, orderId: string): void {
  const event = emitOrder(state, 'triggered', parent, 'resting');
  event.orderId = orderId;
  event.parentOrderId = parent.id;
  event.leavesQty = parent.qty;
}

/** The request of a refused action, as far as it is known. */
export interface Refused {
  readonly account: AccountState;
  readonly refusal: Refusal;
  /** The order that was not placed; null if the action places none. */
  readonly orderId: string | null;
  /** The order that the action named, or the parent of the order that it would have placed. */
  readonly parentOrderId: string | null;
  readonly legIndex?: number | null;
  readonly market?: number;
  readonly terms?: Pick<ExecutionEvent, 'book' | 'side' | 'price' | 'qty'>;
}

export function emitRefused(state: State, refused: Refused): void {
  const event = stage(state, 'rejected', refused.account);
  event.orderId = refused.orderId;
  event.parentOrderId = refused.parentOrderId;
  event.legIndex = refused.legIndex ?? null;
  event.market = refused.market ?? null;
  if (refused.terms !== undefined) {
    event.book = refused.terms.book;
    event.side = refused.terms.side;
    event.price = refused.terms.price;
    event.qty = refused.terms.qty;
    event.filledQty = 0;
    event.leavesQty = 0;
  }
  event.status = 'rejected';
  event.reason = reasonOf(state, refused.refusal);
}

/** Reports to every account; a `market` of null means the whole venue. */
export function emitGate(
  state: State,
  kind: 'halt' | 'resume',
  market: MarketState | null,
  reason: Refusal | null,
): void {
  for (const account of state.accounts.values()) {
    const event = stage(state, kind, account);
    event.market = market?.spec.marketId ?? null;
    event.reason = reasonOf(state, reason);
  }
}

function reasonOf(state: State, refusal: Refusal | null): ExecutionReason | null {
  if (refusal === null) return null;
  const { code, text } = refusal;
  return { code, number: state.config.reasonNumbers[code] ?? null, text };
}

/** Marks an order that has ended; it is kept for queries until retention drops it. */
export function stageEnd({ staged }: State, ended: Order | Parent): void {
  staged.ended.push(ended);
}

export function stageSliceEnd(state: State, algo: Algo, slice: Order): void {
  state.staged.followUps.push({ kind: 'slice_ended', algo, slice });
}

export function stageTraded(state: State, at: BookState): void {
  const { followUps } = state.staged;
  const last = followUps[followUps.length - 1];
  if (last?.kind !== 'traded' || last.at !== at) followUps.push({ kind: 'traded', at });
}

const noEvents: readonly ExecutionEvent[] = [];

/** Commits the staged changes; returns their events. */
export function commit(state: State): readonly ExecutionEvent[] {
  const { staged } = state;
  const { ended, events, trades } = staged;
  if (events.length === 0) return noEvents;
  // New lists are used, because clearing one takes longer than creating one.
  staged.events = [];
  for (const event of events) state.accounts.get(event.account)?.events.push(event);
  if (trades.length > 0) {
    staged.trades = [];
    for (const trade of trades) state.trades.push(trade);
  }
  if (ended.length > 0) {
    staged.ended = [];
    for (const one of ended) {
      forget(state, one.account.keepsHistory ? state.ended.push(one) : one);
    }
  }
  return events;
}

function forget(state: State, ended: Order | Parent | undefined): void {
  if (ended === undefined) return;
  if (ended.kind === 'order') state.orders.delete(ended.id);
  else state.parents.delete(ended.id);
}

/**
 * Rolls back a group's changes. The stage was empty before, because timers due before an action are committed first.
 * Records are restored first: a saved account has the seq of the time when it was saved.
 */
export function rollback(state: State): void {
  const { staged } = state;
  state.undo.rollback();
  for (const { account, seq } of staged.events.toReversed()) {
    const owner = state.accounts.get(account);
    if (owner !== undefined) owner.lastSeq = seq - 1;
  }
  staged.events = [];
  staged.trades = [];
  staged.ended = [];
  staged.followUps.length = 0;
}
