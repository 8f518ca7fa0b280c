/**
 * What an event of the venue's stream does to an order (contract C.13). Events that say nothing new about it change
 * nothing: duplicates, the venue's own echoes, slices of an algo coming and going.
 */
import { type Denial, denialOf } from './denial.ts';
import { change, type Draft, nextExecId, report } from './draft.ts';
import type { Fill, StreamEvent } from './event.ts';
import {
  type Execution,
  hasEnded,
  isOfOtherChannel,
  keptExecutions,
  type Order,
  type Pending,
} from './order.ts';
import { endPending, refuseEntry, release, requestRefused, trim } from './pending.ts';
import type { Restatement } from './report.ts';
import type { OrderId, Qty } from './units.ts';

const none = 0n as Qty;

export function applyEvent(draft: Draft, event: StreamEvent): void {
  if (event.seq <= draft.order.lastSeq) return;
  change(draft, { lastSeq: event.seq });
  if (hasEnded(draft.order)) {
    afterTheEnd(draft, event);
    return;
  }
  switch (event.kind) {
    case 'accepted':
    case 'resting':
      accepted(draft, event);
      return;
    case 'fill':
      if (event.fill !== null) filled(draft, event, event.fill);
      return;
    case 'amended':
      amended(draft, event);
      return;
    case 'replaced':
      replaced(draft, event);
      return;
    case 'canceled':
      canceled(draft, event);
      return;
    case 'expired':
      if (!isSlice(draft.order, event)) ended(draft, 'expired');
      return;
    case 'rejected':
      rejected(draft, event);
      return;
    case 'triggered':
      triggered(draft, event);
      return;
    case 'algo_done':
      algoDone(draft, event);
      return;
    case 'halt':
    case 'resume':
      return;
  }
}

/** The venue contradicts what the client was told: never reported, always heard. */
function afterTheEnd(draft: Draft, { kind, seq }: StreamEvent): void {
  const { phase } = draft.order;
  if (kind === 'fill' || (kind === 'accepted' && phase === 'rejected')) {
    draft.requests.push({
      kind: 'alarm',
      text: `${kind} (seq ${seq}) on an order that is ${phase}`,
    });
  }
}

/** An order of another channel may be an algo too: nobody told the bridge. */
function isSlice(order: Order, event: StreamEvent): boolean {
  const maySlice = order.terms.strategy !== null || isOfOtherChannel(order);
  return maySlice && event.orderId !== order.orderId;
}

function isLive({ phase }: Order): boolean {
  return phase !== 'created' && phase !== 'pending_new';
}

/** The child that a pending one-leg replace placed, seen under its own id. */
function childOf(order: Order, event: StreamEvent): Extract<Pending, { kind: 'replace' }> | null {
  const { pending } = order;
  if (pending?.kind !== 'replace' || pending.way !== 'leg' || event.orderId === order.orderId) {
    return null;
  }
  const isNamed = event.actionHash !== null || event.parentOrderId === order.orderId;
  return isNamed && answers(pending, event) ? pending : null;
}

export function accepted(draft: Draft, event: StreamEvent): void {
  if (isLive(draft.order)) return;
  become(draft, isSlice(draft.order, event) ? null : event.orderId);
  release(draft);
}

/** New: the first time that the stream shows the order. */
function become(draft: Draft, orderId: OrderId | null): void {
  change(draft, {
    phase: 'live',
    submission: 'answered',
    orderId: orderId ?? draft.order.orderId,
    modTimeMs: draft.event?.engineTsMs ?? draft.nowMs,
  });
  report(draft, 'new');
}

export function filled(draft: Draft, event: StreamEvent, fill: Fill): void {
  if (draft.order.executions.some(({ fillId }) => fillId === fill.fillId)) return;
  const slice = isSlice(draft.order, event);
  if (!isLive(draft.order)) {
    become(draft, slice || draft.order.terms.trigger ? null : event.orderId);
  }
  const child = childOf(draft.order, event);
  if (child !== null) moveOn(draft, child, event.orderId, null);
  const { order } = draft;
  const cumQty = (order.cumQty + fill.qty) as Qty;
  const isBeyond = cumQty > order.terms.qty;
  if (isBeyond) {
    draft.requests.push({ kind: 'alarm', text: `filled beyond OrderQty at seq ${event.seq}` });
  }
  const qty = isBeyond ? cumQty : order.terms.qty;
  const leavesQty = (qty - cumQty) as Qty;
  const execId = nextExecId(draft);
  const { fillId, price, feeMicro } = fill;
  change(draft, {
    phase: leavesQty === none ? 'filled' : 'live',
    terms: isBeyond ? { ...order.terms, qty } : order.terms,
    cumQty,
    leavesQty,
    notional: order.notional + price * fill.qty,
    executions: withLast(order.executions, { fillId, execId, price, qty: fill.qty, feeMicro }),
  });
  report(draft, 'trade', {
    fill,
    childOrderId: slice || order.triggered ? event.orderId : null,
    parentOrderId: slice ? order.orderId : order.parentOrderId,
  });
  if (leavesQty === none) endPending(draft);
  else release(draft);
}

/** Most orders have one or two, and nothing is to be forgotten. */
function withLast(executions: readonly Execution[], last: Execution): readonly Execution[] {
  // An array that grows takes room for seventeen.
  if (executions.length === 0) return [last];
  if (executions.length < keptExecutions) return [...executions, last];
  return [...executions.slice(1 - keptExecutions), last];
}

export function amended(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  const { pending } = order;
  if (!isLive(order)) become(draft, event.orderId);
  const isOurs = pending !== null && answers(pending, event);
  const isReplace = isOurs && pending.kind === 'replace' && pending.way === 'amend';
  const asked = isReplace ? pending.terms.qty : order.terms.qty;
  const leavesQty = event.leavesQty ?? ((asked - order.cumQty) as Qty);
  const qty = (order.cumQty + leavesQty) as Qty;
  if (isReplace) {
    const { clOrdId, terms } = pending;
    change(draft, {
      pending: null,
      clOrdId,
      terms: { ...terms, qty },
      leavesQty,
      modTimeMs: event.engineTsMs,
    });
    report(draft, 'replaced', { origClOrdId: order.clOrdId, priorityKept: true });
  } else {
    const isTrim = isOurs && pending.kind === 'trim';
    change(draft, {
      terms: { ...order.terms, qty },
      leavesQty,
      pending: isTrim ? null : pending,
      modTimeMs: event.engineTsMs,
    });
    if (isOfOtherChannel(order)) report(draft, 'replaced', { priorityKept: true });
    else report(draft, 'restated', { restatement: isTrim ? 'partial_decline' : 'other' });
  }
  release(draft);
}

/**
 * Whether the event answers the request in flight: it names its action, or it names none and gives no other cause.
 * Before the action is signed nothing can.
 */
function answers({ actionHash }: Pending, event: StreamEvent): boolean {
  if (actionHash === null || event.actionHash !== null) {
    return actionHash !== null && event.actionHash === actionHash;
  }
  return event.reason === null || event.kind === 'rejected';
}

export function replaced(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  const child = childOf(order, event);
  if (child !== null) {
    moveOn(draft, child, event.orderId, event.qty);
  } else if (event.orderId === order.orderId) {
    // A side of a quote that took another quote's place, or the child already known by its fill.
    if (!isLive(order)) become(draft, event.orderId);
  } else if (event.parentOrderId === order.orderId) {
    if (order.owner.quoteId !== null) ended(draft, 'canceled');
    else replacedByOther(draft, event);
  }
  release(draft);
}

/**
 * The venue order is now the child. Fills that crossed with the replace may leave more alive than the client asked
 * for; the client is told what is alive, and the excess is amended away at once.
 */
function moveOn(
  draft: Draft,
  pending: Extract<Pending, { kind: 'replace' }>,
  childId: OrderId | null,
  childQty: Qty | null,
): void {
  const { order } = draft;
  const asked = pending.terms.qty;
  const leavesQty = childQty ?? ((asked - order.cumQty) as Qty);
  const qty = (order.cumQty + leavesQty) as Qty;
  change(draft, {
    pending: null,
    clOrdId: pending.clOrdId,
    terms: { ...pending.terms, qty },
    orderId: childId,
    parentOrderId: order.orderId,
    carriedQty: order.cumQty,
    leavesQty,
    modTimeMs: draft.event?.engineTsMs ?? draft.nowMs,
  });
  report(draft, 'replaced', { origClOrdId: order.clOrdId, priorityKept: false });
  if (qty > asked) trim(draft, asked);
}

/** Someone else with authority over the account replaced it: the order goes on under the new id. */
function replacedByOther(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  const leavesQty = event.qty ?? order.leavesQty;
  const price = event.price ?? order.terms.limitPrice;
  change(draft, {
    orderId: event.orderId,
    parentOrderId: order.orderId,
    carriedQty: order.cumQty,
    leavesQty,
    terms: { ...order.terms, price, limitPrice: price, qty: (order.cumQty + leavesQty) as Qty },
    modTimeMs: event.engineTsMs,
  });
  if (isOfOtherChannel(order)) report(draft, 'replaced', { priorityKept: false });
  else report(draft, 'restated', { restatement: 'other', priorityKept: false });
}

export function canceled(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  if (isSlice(order, event)) return;
  const { pending } = order;
  const isOurs = pending !== null && answers(pending, event);
  if (isOurs && pending.kind === 'replace' && pending.way === 'leg') {
    // The venue takes the old order out before it says `replaced`.
    if (event.actionHash !== null) return;
  }
  if (isOurs && pending.kind === 'replace' && pending.way === 'cancel_rest') {
    reduceToFilled(draft, pending);
    return;
  }
  if (isOurs && pending.kind === 'trim') {
    change(draft, {
      pending: null,
      phase: 'filled',
      leavesQty: none,
      terms: { ...order.terms, qty: order.cumQty },
    });
    report(draft, 'restated', { restatement: 'partial_decline' });
    return;
  }
  const denial = event.reason === null ? null : denialOf(event.reason, event.nonceConsumed);
  if (pending?.kind === 'cancel' && !pending.held) {
    change(draft, { pending: null, phase: 'canceled', leavesQty: none });
    report(draft, 'canceled', {
      clOrdId: pending.clOrdId,
      origClOrdId: order.clOrdId,
      denial,
    });
    return;
  }
  ended(draft, isRemainder(order) ? draft.rules.iocRemainder : 'canceled', denial);
}

/** A replace down to what is filled already: the rest is out, and the order is full at its new size. */
function reduceToFilled(draft: Draft, pending: Extract<Pending, { kind: 'replace' }>): void {
  const { order } = draft;
  const isFilled = order.cumQty > none;
  change(draft, {
    pending: null,
    clOrdId: pending.clOrdId,
    phase: isFilled ? 'filled' : 'canceled',
    leavesQty: none,
    terms: { ...pending.terms, qty: isFilled ? order.cumQty : pending.terms.qty },
  });
  report(draft, 'replaced', { origClOrdId: order.clOrdId, priorityKept: true });
}

function isRemainder({ terms }: Order): boolean {
  return terms.timeInForce === 'ioc' || terms.timeInForce === 'fok';
}

function ended(draft: Draft, phase: 'canceled' | 'expired', denial: Denial | null = null): void {
  const { order } = draft;
  const { event } = draft;
  if (!isLive(order)) become(draft, event?.kind === 'replaced' ? null : (event?.orderId ?? null));
  const isOwn = order.pending?.kind === 'own_cancel' && !order.pending.held;
  // The report of an end that the client did not ask for carries the order's own state, not its pending request's.
  const { pending } = order;
  change(draft, { phase, leavesQty: none, pending: null });
  report(draft, phase, { denial, restatement: restatementOf(isOwn, phase, denial) });
  change(draft, { pending });
  endPending(draft);
}

const haltCodes: ReadonlySet<string> = new Set(['trading_halted', 'MARKET_HALTED', 'KILL_SWITCH']);

function restatementOf(
  isOwn: boolean,
  phase: 'canceled' | 'expired',
  denial: Denial | null,
): Restatement | null {
  if (phase === 'expired') return null;
  if (isOwn) return 'broker_option';
  return haltCodes.has(denial?.refusal.code ?? '') ? 'trading_halt' : 'market_option';
}

function rejected(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  const denial = denialOf(
    event.reason ?? { code: 'ENGINE_REJECTED', number: null, text: '' },
    event.nonceConsumed,
  );
  const namesOrder = event.orderId === order.orderId || event.orderId === order.firedOrderId;
  const namesEntry = event.actionHash !== null && event.actionHash === order.actionHash;
  if (!isLive(order)) {
    if (namesOrder || namesEntry) refuseEntry(draft, denial);
    return;
  }
  if (order.pending !== null && !namesEntry && answers(order.pending, event)) {
    requestRefused(draft, denial);
    return;
  }
  // Refused after all, or when the trigger fired: the client already has its New, so the end is a cancel.
  if (namesEntry || (order.terms.trigger !== null && namesOrder)) ended(draft, 'canceled', denial);
}

function triggered(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  if ((order.terms.trigger === null && !isOfOtherChannel(order)) || order.triggered) return;
  if (!isLive(order)) become(draft, null);
  const isConditional = event.orderId === null || event.orderId === order.orderId;
  const fired = isConditional ? order.firedOrderId : event.orderId;
  change(draft, {
    triggered: true,
    parentOrderId: order.orderId,
    orderId: fired ?? order.orderId,
    firedOrderId: fired,
  });
  report(draft, 'restated', { restatement: 'other' });
  release(draft);
}

function algoDone(draft: Draft, event: StreamEvent): void {
  const { pending } = draft.order;
  const denial = event.reason === null ? null : denialOf(event.reason);
  if (pending?.kind !== 'cancel' || pending.held) {
    ended(draft, 'canceled', denial);
    return;
  }
  const origClOrdId = draft.order.clOrdId;
  change(draft, { pending: null, phase: 'canceled', leavesQty: none });
  report(draft, 'canceled', { clOrdId: pending.clOrdId, origClOrdId, denial });
}
