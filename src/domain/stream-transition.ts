/**
 * Applies a stream event to an order (contract C.13). Events without news about the order change nothing: duplicates,
 * the venue's own echoes, and slices of an algo that come and go.
 */
import { type Denial, deny, unexplained } from './denial.ts';
import { change, type Draft, nextExecId, report } from './draft.ts';
import type { Fill, StreamEvent } from './event.ts';
import {
  type Execution,
  expiredText,
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
  if (hasEnded(draft.order)) afterTheEnd(draft, event);
  else applyToOpen(draft, event);
}

/** Whether the event only refuses one copy of an action, and another copy decides what becomes of the action. */
export function isNoNews({ denial, kind }: StreamEvent): boolean {
  return kind === 'rejected' && denial?.decidesNothing === true;
}

function applyToOpen(draft: Draft, event: StreamEvent): void {
  if (isOfFired(draft.order, event)) triggered(draft, event);
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
      if (isSlice(draft.order, event) || isFormer(draft.order, event)) return;
      ended(draft, 'expired');
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

/**
 * The venue contradicts an earlier report (docs/decisions/0255-proof-before-a-rejection.md), so the client gets the
 * true state now. An order that the venue itself ended stays ended if a trade arrives late.
 */
function afterTheEnd(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  const { phase } = order;
  if (event.kind === 'fill' ? isKnownFill(order, event.fill) : !showsLife(draft, event)) return;
  draft.requests.push({
    kind: 'alarm',
    code: 'alive_after_end',
    text: `${event.kind} (seq ${event.seq}) on an order that is ${phase}: ${order.clOrdId}`,
  });
  if (event.kind === 'fill' && phase !== 'rejected') {
    if (event.fill !== null) filled(draft, event, event.fill);
    return;
  }
  revive(draft, event);
  applyToOpen(draft, event);
  release(draft);
}

/** Whether the order is alive at the venue; for the child of a replace or a side of a quote, `replaced` proves it. */
function showsLife({ isDisplaced, order }: Draft, event: StreamEvent): boolean {
  const { phase, orderId, statedEnd } = order;
  const isOld = event.orderId === statedEnd || (statedEnd !== undefined && isFormer(order, event));
  if (phase === 'filled' || isOld) return false;
  if (event.kind === 'replaced') {
    // An order of its own does not continue the one that it displaced; any other child does.
    return event.orderId === orderId || isDisplaced !== isChildOf(event, order);
  }
  return event.kind === 'accepted' || event.kind === 'resting' || event.kind === 'triggered';
}

/** The order was reported as ended, so its client no longer watches it: it is canceled at once. */
function revive(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  const { orderId, terms } = order;
  const isOwnId = !isSlice(order, event) && !isChildOf(event, order) && terms.trigger === null;
  const denial = deny('bridge.applied_late', 'the venue has this order after all; it is canceled');
  change(draft, {
    phase: 'live',
    submission: 'answered',
    orderId: isOwnId ? (event.orderId ?? orderId) : orderId,
    leavesQty: (terms.qty - order.cumQty) as Qty,
    ownCancel: isOfOtherChannel(order) ? null : denial.text,
    modTimeMs: event.engineTsMs,
  });
  report(draft, 'restated', { restatement: 'other', denial });
}

function isKnownFill({ executions }: Order, fill: Fill | null): boolean {
  return fill === null || executions.some(({ fillId }) => fillId === fill.fillId);
}

/** An order of another channel may also be an algo, which the bridge cannot know. */
function isSlice(order: Order, event: StreamEvent): boolean {
  const maySlice = order.terms.strategy !== null || isOfOtherChannel(order);
  return maySlice && event.orderId !== order.orderId;
}

/** Whether the event is of the order that this one has replaced; the venue or a receipt may tell of the child first. */
function isFormer({ orderId: ours, parentOrderId, triggered }: Order, { orderId }: StreamEvent) {
  return !triggered && parentOrderId !== null && parentOrderId === orderId && orderId !== ours;
}

/** Whether the event is of the order that a trigger fired, which it also shows where that event was lost (R75). */
function isOfFired(order: Order, event: StreamEvent): boolean {
  if (order.terms.trigger === null || event.orderId === null) return false;
  return event.orderId === order.firedOrderId || isChildOf(event, order);
}

function isChildOf({ parentOrderId }: StreamEvent, { orderId }: Order): boolean {
  return parentOrderId !== null && parentOrderId === orderId;
}

function isLive({ phase }: Order): boolean {
  return phase !== 'created' && phase !== 'pending_new';
}

/** The child that a pending one-leg replace placed, when it appears under its own id. */
function childOf(order: Order, event: StreamEvent): Extract<Pending, { kind: 'replace' }> | null {
  const { pending } = order;
  if (pending?.kind !== 'replace' || pending.way !== 'leg' || event.orderId === order.orderId) {
    return null;
  }
  const isNamed = event.venueRef !== null || event.parentOrderId === order.orderId;
  return isNamed && answers(pending, event) ? pending : null;
}

export function accepted(draft: Draft, event: StreamEvent): void {
  if (isLive(draft.order)) return;
  become(draft, isSlice(draft.order, event) ? null : event.orderId);
  release(draft);
}

/** Reports New when the order first appears on the stream, which may name it otherwise than we have derived (R10). */
function become(draft: Draft, orderId: OrderId | null): void {
  const { orderId: ours } = draft.order;
  if (ours !== null && orderId !== null && orderId !== ours) {
    draft.requests.push({ kind: 'misnamed', ours, theirs: orderId });
  }
  change(draft, {
    phase: 'live',
    submission: 'answered',
    orderId: orderId ?? draft.order.orderId,
    modTimeMs: draft.event?.engineTsMs ?? draft.nowMs,
  });
  report(draft, 'new');
}

export function filled(draft: Draft, event: StreamEvent, fill: Fill): void {
  if (isKnownFill(draft.order, fill)) return;
  const slice = isSlice(draft.order, event);
  if (!isLive(draft.order)) {
    become(draft, slice || draft.order.terms.trigger ? null : event.orderId);
  }
  const child = childOf(draft.order, event);
  const { leavesQty: restQty } = event;
  const childQty = restQty === null ? null : ((restQty + fill.qty) as Qty);
  if (child !== null) moveToChild(draft, child, event.orderId, childQty);
  const { order } = draft;
  const cumQty = (order.cumQty + fill.qty) as Qty;
  const isBeyond = cumQty > order.terms.qty;
  if (isBeyond) {
    const text = `filled beyond OrderQty at seq ${event.seq}`;
    draft.requests.push({ kind: 'alarm', code: 'overfilled', text });
  }
  const qty = isBeyond ? cumQty : order.terms.qty;
  const isFull = cumQty === qty;
  const isOver = hasEnded(order);
  const leavesQty = isOver ? none : ((qty - cumQty) as Qty);
  const execId = nextExecId(draft);
  const { fillId, price, feeMicro } = fill;
  change(draft, {
    phase: isFull ? 'filled' : isOver ? order.phase : 'live',
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
  // A trade was busted before, so nothing of an order that is not full is left at the venue.
  else if (restQty === none && !slice) ended(draft, 'canceled');
  else release(draft);
}

/** Appends a trade. Most orders have one or two, so none has to be dropped. */
function withLast(executions: readonly Execution[], last: Execution): readonly Execution[] {
  // An array that grows allocates room for seventeen.
  if (executions.length === 0) return [last];
  if (executions.length < keptExecutions) return [...executions, last];
  return [...executions.slice(1 - keptExecutions), last];
}

export function amended(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  if (isSlice(order, event) || isFormer(order, event)) return;
  const { pending, statedAmends = [] } = order;
  const { leavesQty: restQty } = event;
  if (event.venueRef !== null && statedAmends.includes(event.venueRef)) return;
  if (restQty === none && order.cumQty === none) {
    ended(draft, 'canceled');
    return;
  }
  if (!isLive(order)) become(draft, event.orderId);
  const isOurs = pending !== null && answers(pending, event);
  const isReplace = isOurs && pending.kind === 'replace' && pending.way === 'amend';
  const isTrim = isOurs && pending.kind === 'trim';
  const { clOrdId, terms } = isReplace ? pending : order;
  const asked = isTrim ? pending.qty : terms.qty;
  const leavesQty = restQty === null ? restOf(asked, order) : leftAfter(restQty, order, event);
  // Fills that crossed with the amend have left nothing. A silent venue may count `new_qty` without them.
  const isFull = leavesQty === none && (restQty !== null || draft.rules.amendQty === 'total');
  change(draft, {
    phase: isFull ? 'filled' : 'live',
    pending: isReplace || isTrim ? null : pending,
    clOrdId,
    terms: { ...terms, qty: (order.cumQty + leavesQty) as Qty },
    leavesQty,
    modTimeMs: event.engineTsMs,
  });
  if (isReplace) report(draft, 'replaced', { origClOrdId: order.clOrdId, priorityKept: true });
  else if (isOfOtherChannel(order)) report(draft, 'replaced', { priorityKept: true });
  else report(draft, 'restated', { restatement: isTrim ? 'partial_decline' : 'other' });
  // If `new_qty` means what is left, fills that crossed with the amend leave too much open. A venue that should have
  // taken it for the total would answer each trim with the same excess.
  const mayExceed = draft.rules.amendQty === 'remaining' && (isReplace || isTrim);
  if (isFull) endPending(draft);
  else if (mayExceed && leavesQty > restOf(asked, order)) trim(draft, asked);
  release(draft);
}

/** Without the trades that a receipt told before the event of the amend arrived (R75). */
function leftAfter(leavesQty: Qty, { carriedQty, cumQty }: Order, { filledQty }: StreamEvent): Qty {
  const aheadQty = filledQty === null ? none : cumQty - carriedQty - filledQty;
  if (aheadQty <= none) return leavesQty;
  return leavesQty > aheadQty ? ((leavesQty - aheadQty) as Qty) : none;
}

/** The open quantity. Fills may have crossed with a request for less. */
function restOf(asked: Qty, { cumQty }: Order): Qty {
  return asked > cumQty ? ((asked - cumQty) as Qty) : none;
}

/**
 * Whether the event answers the request in flight: it names the request's action, or it names no action and no other
 * cause. Before the action is signed, no event can.
 */
function answers({ venueRef }: Pending, event: StreamEvent): boolean {
  if (venueRef === null || event.venueRef !== null) {
    return venueRef !== null && event.venueRef === venueRef;
  }
  return event.denial === null || event.kind === 'rejected';
}

export function replaced(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  const isParent = isChildOf(event, order);
  const child = childOf(order, event);
  if (draft.isDisplaced && isParent) {
    ended(draft, 'canceled');
  } else if (child !== null) {
    moveToChild(draft, child, event.orderId, event.qty);
  } else if (event.orderId === order.orderId || (draft.isDisplaced && !isParent)) {
    // This is a side of a quote that replaced another quote, whatever its id, or the child that a fill has revealed.
    if (!isLive(order)) become(draft, event.orderId);
  } else if (isParent) {
    replacedByOther(draft, event);
  }
  release(draft);
}

/**
 * The child is now the venue's order. Fills that crossed with the replace may leave more open than the client
 * requested. The client gets a report of the open quantity, and the excess is amended away at once.
 */
function moveToChild(
  draft: Draft,
  pending: Extract<Pending, { kind: 'replace' }>,
  childId: OrderId | null,
  childQty: Qty | null,
): void {
  const { order } = draft;
  const asked = pending.terms.qty;
  const leavesQty = childQty ?? restOf(asked, order);
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

/** Someone else with authority over the account replaced the order: it continues under the new id. */
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
  if (isSlice(order, event) || isFormer(order, event)) return;
  const { pending } = order;
  const isOurs = pending !== null && answers(pending, event);
  if (isOurs && pending.kind === 'replace' && pending.way === 'leg') {
    // The venue removes the old order before it reports `replaced`.
    if (event.venueRef !== null) return;
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
  const { denial } = event;
  if (canceledAsAsked(draft, denial)) return;
  ended(draft, isRemainder(order) ? draft.rules.iocRemainder : 'canceled', denial);
}

/** Ends the order by its client's cancel. Returns false if none was sent. */
function canceledAsAsked(draft: Draft, denial: Denial | null): boolean {
  const { clOrdId: origClOrdId, pending } = draft.order;
  if (pending?.kind !== 'cancel' || pending.held) return false;
  change(draft, { pending: null, phase: 'canceled', leavesQty: none });
  report(draft, 'canceled', { clOrdId: pending.clOrdId, origClOrdId, denial });
  return true;
}

/** A replace down to the filled quantity: nothing remains open, and the order is filled at its new size. */
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
  const { event, order } = draft;
  if (!isLive(order)) become(draft, event?.kind === 'replaced' ? null : (event?.orderId ?? null));
  const isOwn = order.pending?.kind === 'own_cancel' && !order.pending.held;
  const isOver = isOwn && order.pending.text === expiredText;
  const why = isOver ? deny('bridge.expired', expiredText) : denial;
  // If the client did not request the end, the report contains the order's own state, not that of its pending request.
  const { pending } = order;
  change(draft, { phase, leavesQty: none, pending: null });
  report(draft, phase, { denial: why, restatement: restatementOf(isOwn, phase, denial) });
  change(draft, { pending });
  endPending(draft);
}

function restatementOf(
  isOwn: boolean,
  phase: 'canceled' | 'expired',
  denial: Denial | null,
): Restatement | null {
  if (phase === 'expired') return null;
  if (isOwn) return 'broker_option';
  return denial?.refusal.isHalt === true ? 'trading_halt' : 'market_option';
}

function rejected(draft: Draft, event: StreamEvent): void {
  const { order } = draft;
  // The venue itself sends the order of a trigger, so nothing else will report what became of it.
  const isFired = event.orderId !== null && event.orderId === order.firedOrderId;
  if (isNoNews(event) && !isFired) return;
  const denial = event.denial ?? unexplained;
  // A refused cancel or amend does not concern an order of its own.
  const namesOrder =
    event.orderId !== null && [order.orderId, order.firedOrderId].includes(event.orderId);
  const namesEntry = event.venueRef !== null && event.venueRef === order.venueRef;
  if (!isLive(order) && (namesOrder || namesEntry)) {
    refuseEntry(draft, denial);
    return;
  }
  if (order.pending !== null && !namesEntry && answers(order.pending, event)) {
    requestRefused(draft, denial);
    return;
  }
  // The order was refused late, or when its trigger fired. The client already has its New, so the end is a cancel.
  const isOfTrigger = order.triggered || order.terms.trigger !== null;
  if (namesEntry || (isOfTrigger && namesOrder)) ended(draft, 'canceled', denial);
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

function algoDone(draft: Draft, { denial }: StreamEvent): void {
  if (!canceledAsAsked(draft, denial)) ended(draft, 'canceled', denial);
}
