/** The request in flight on an order: it is sent once the venue can know the order, refused, or obsolete at its end. */
import { type Denial, deny, isDenial } from './denial.ts';
import { change, type Draft, rejectRequest, report } from './draft.ts';
import type { Intent } from './intent.ts';
import { hasEnded, type Order, submissionId, unsentRequest } from './order.ts';
import { amendedQty, decideReplace, type ReplaceRules } from './replace.ts';
import { targetOf } from './terms.ts';
import type { OrderId, Qty } from './units.ts';

/** The bridge retries its own requests at growing intervals, up to about a minute. */
const maxDoublings = 6;

/** Ends the pending request without effect; if a client made it, the client gets a reject. */
export function dropPending(draft: Draft, denial: Denial): void {
  const { pending } = draft.order;
  if (pending === null) return;
  change(draft, { pending: null });
  if (pending.kind === 'cancel' || pending.kind === 'replace') {
    rejectRequest(draft, pending, denial);
  }
  if (pending.kind === 'cancel' && pending.trimQty !== undefined) trim(draft, pending.trimQty);
}

/** The order has ended for another reason; the fill or cancel has been reported, so the refusal may follow. */
export function endPending(draft: Draft): void {
  const { pending } = draft.order;
  if (pending === null) return;
  const denial = pending.refused ?? deny('bridge.too_late', 'the order has ended');
  const late = { ...denial.refusal, cancel: 0, replace: 0 };
  dropPending(draft, { ...denial, refusal: late });
}

/** Sends the held request as soon as the venue's order is known and nothing else is in flight. */
export function release(draft: Draft): void {
  followTarget(draft);
  const { order } = draft;
  if (hasEnded(order) || order.submission !== 'answered') return;
  if (order.pending === null && order.ownCancel !== null) {
    const ownRequests = order.ownRequests + 1;
    const request = unsentRequest(`own-${ownRequests}`);
    const pending = { ...request, kind: 'own_cancel', text: order.ownCancel } as const;
    change(draft, { ownCancel: null, ownRequests, pending });
  }
  const { pending } = draft.order;
  if (pending === null || !pending.held) return;
  if (pending.kind === 'cancel' || pending.kind === 'own_cancel') sendCancel(draft);
  else if (pending.kind === 'replace') sendReplace(draft);
}

/**
 * A cancel is sent again if the venue refused it because the order has another id than the one that it names: that of
 * a trigger's order, of the child of a replace by another channel, or one that we had derived otherwise (R10).
 */
function followTarget(draft: Draft): void {
  const { orderId, pending } = draft.order;
  if (pending === null || pending.refused === null || pending.target === undefined) return;
  if (hasEnded(draft.order) || pending.target === orderId) return;
  change(draft, { pending: { ...pending, held: true, venueRef: null, refused: null } });
}

function sendCancel(draft: Draft): void {
  const { orderId, pending, terms, triggered } = draft.order;
  if (pending === null || orderId === null) return;
  const target = triggered ? 'order' : targetOf(terms);
  change(draft, { pending: { ...pending, held: false, target: orderId } });
  draft.requests.push({
    kind: 'send',
    requestId: pending.requestId,
    intent: { kind: 'cancel', target, orderId },
  });
}

function sendReplace(draft: Draft): void {
  const { order } = draft;
  if (order.pending?.kind !== 'replace') return;
  const decision = decideReplace(order, order.pending.terms, draft.rules);
  if (isDenial(decision)) {
    dropPending(draft, decision);
    release(draft);
    return;
  }
  if (decision.way === 'not_yet') return;
  if (decision.way === 'unchanged') {
    acceptUnchanged(draft);
    release(draft);
    return;
  }
  change(draft, { pending: { ...order.pending, held: false, way: decision.way } });
  draft.requests.push({
    kind: 'send',
    requestId: order.pending.requestId,
    intent: decision.intent,
  });
}

/**
 * What a request that has waited asks for now, because fills change the quantity of a replace and of a trim. Undefined
 * if that is the same; null if the request has ended, needs another kind of action and has to be sent again, or would
 * place an order that an earlier copy of its action has placed already.
 */
export function intentNow(
  order: Order,
  requestId: string,
  rules: ReplaceRules,
): Intent | null | undefined {
  const { orderId, pending, phase } = order;
  if (requestId === submissionId) {
    return phase === 'created' || phase === 'pending_new' ? undefined : null;
  }
  if (pending?.requestId !== requestId) return null;
  if (pending.kind === 'trim' && orderId !== null) {
    return trimIntent(order, orderId, pending.qty, rules);
  }
  if (pending.kind !== 'replace') return undefined;
  const decision = decideReplace(order, pending.terms, rules);
  return 'intent' in decision && decision.way === pending.way ? decision.intent : null;
}

/** The request has not left, and is decided again as if it came now. */
export function outdated(draft: Draft, requestId: string): void {
  const { pending } = draft.order;
  if (pending?.requestId !== requestId) return;
  change(draft, { pending: { ...pending, held: true, venueRef: null } });
  release(draft);
}

/** Only the ClOrdID changes, so nothing is sent to the venue. */
function acceptUnchanged(draft: Draft): void {
  const { order } = draft;
  if (order.pending?.kind !== 'replace') return;
  const { clOrdId, terms } = order.pending;
  change(draft, { pending: null, clOrdId, terms, modTimeMs: draft.nowMs });
  report(draft, 'replaced', { origClOrdId: order.clOrdId, priorityKept: true });
}

export function refuseEntry(draft: Draft, denial: Denial): void {
  const { pending } = draft.order;
  change(draft, { phase: 'rejected', submission: 'answered', leavesQty: 0n as Qty, pending: null });
  report(draft, 'rejected', { denial });
  if (pending?.kind === 'cancel' || pending?.kind === 'replace') {
    rejectRequest(draft, pending, deny('bridge.too_late', 'the order was rejected'));
  }
}

/** Removes the open quantity beyond what the client requested, unless all of it is to be canceled. */
export function trim(draft: Draft, asked: Qty): void {
  const { order } = draft;
  const { orderId, ownCancel, terms } = order;
  if (orderId === null || ownCancel !== null || hasEnded(order) || terms.qty <= asked) return;
  const ownRequests = order.ownRequests + 1;
  const request = unsentRequest(`trim-${ownRequests}`);
  change(draft, { ownRequests, pending: { ...request, kind: 'trim', qty: asked } });
}

/** Sends a trim at the end of the step that began it, because the fills of the whole step change its quantity. */
export function sendTrim(draft: Draft): void {
  const { order, rules } = draft;
  const { orderId, pending } = order;
  if (pending?.kind !== 'trim' || !pending.held || orderId === null) return;
  change(draft, { pending: { ...pending, held: false } });
  const intent = trimIntent(order, orderId, pending.qty, rules);
  draft.requests.push({ kind: 'send', requestId: pending.requestId, intent });
}

function trimIntent(order: Order, orderId: OrderId, asked: Qty, rules: ReplaceRules): Intent {
  const newQty = asked > order.cumQty ? amendedQty(order, asked, rules) : undefined;
  if (newQty === undefined) return { kind: 'cancel', target: 'order', orderId };
  return { kind: 'amend', orderId, newQty };
}

/**
 * If a refusal indicates that the order has ended, it waits for the event that ended it, so that the client gets the
 * fill before the OrderCancelReject. The bridge's own request waits as well, and is then retried.
 */
export function requestRefused(draft: Draft, denial: Denial): void {
  const { pending } = draft.order;
  if (pending === null || pending.refused !== null) return;
  const isOwn = pending.kind === 'own_cancel' || pending.kind === 'trim';
  const isTooLate = denial.refusal.cancel === 0 || denial.refusal.cancel === 1;
  if (!isTooLate && !isOwn) {
    dropPending(draft, denial);
    release(draft);
    return;
  }
  if (!isTooLate) {
    const text = `${pending.kind} refused: ${denial.refusal.name} ${denial.text ?? ''}`;
    draft.requests.push({ kind: 'alarm', code: 'own_cancel_refused', text: text.trim() });
  }
  change(draft, { pending: { ...pending, refused: denial } });
  if (isTooLate) release(draft);
  if (draft.order.pending?.refused == null) return;
  // Without room nothing was sent to the venue, so the retry need not be slowed down: there may be room by now.
  const isSpared = isOwn && denial.refusal.name !== 'bridge.nonce_window';
  const doublings = isSpared ? Math.min(draft.order.ownRequests - 1, maxDoublings) : 0;
  draft.requests.push({
    kind: 'wait',
    requestId: pending.requestId,
    ms: draft.rules.terminalWaitMs * 2 ** doublings,
  });
}

/** The event that would have ended the order has not arrived: the refusal is final, or the bridge retries. */
export function waited(draft: Draft, requestId: string): void {
  const { pending } = draft.order;
  if (pending?.requestId !== requestId || pending.refused === null) return;
  dropPending(draft, pending.refused);
  if (pending.kind === 'own_cancel') change(draft, { ownCancel: pending.text });
  if (pending.kind === 'trim') trim(draft, pending.qty);
  release(draft);
}
