/**
 * The life cycle of an order as one pure function: state and input in; next state, reports and requests out. This file
 * handles inputs of the client and the gateway, and `stream-transition.ts` those of the venue's stream. The rules are
 * those of FIX 4.4, appendix D, and of contract C.5, C.6 and C.13: only the stream starts, fills or ends an order,
 * except for a decisive refusal of the order itself.
 */
import { type Amendment, amendTrade } from './amended-trade.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import { change, type Draft, rejectRequest, report } from './draft.ts';
import type { StreamEvent } from './event.ts';
import {
  hasEnded,
  type Order,
  type OrderRequest,
  type OrderRules,
  requestIdOf,
  submissionId,
  unsentRequest,
} from './order.ts';
import { outdated, refuseEntry, release, requestRefused, sendTrim, waited } from './pending.ts';
import { decideReplace } from './replace.ts';
import type { Report } from './report.ts';
import { applyStatement, type Statement } from './stated.ts';
import { applyEvent } from './stream-transition.ts';
import type { Terms } from './terms.ts';
import type { OrderId } from './units.ts';

export type OrderInput =
  /** `isDisplaced`: an order of its own takes the place of the one that the event names as its parent. */
  | { readonly kind: 'event'; readonly event: StreamEvent; readonly isDisplaced?: boolean }
  | (TimedInput & { readonly nowMs: number });

/** The inputs that are not events. An event has its own time. */
type TimedInput =
  /** The request is recorded and may be sent. This input repeats when the action is built again. */
  | {
      readonly kind: 'sent';
      readonly requestId: string;
      readonly venueRef: string;
      /** The id of the order or child that the action places. */
      readonly orderId: OrderId | null;
      readonly firedOrderId?: OrderId | null;
      /** For a group: the order id of each leg. */
      readonly legIds?: readonly (OrderId | null)[];
      /** For an order of a group: its leg. */
      readonly legIndex?: number;
    }
  /** Nothing can be sent yet: the request waits for room at the venue, or for the signature of its nested order. */
  | { readonly kind: 'waiting'; readonly requestId: string }
  /** The request has waited, and needs another action than the one that was to be sent. */
  | { readonly kind: 'outdated'; readonly requestId: string }
  | { readonly kind: 'answered'; readonly requestId: string; readonly outcome: Outcome }
  | (ClientRequest & { readonly kind: 'cancel' })
  | (ClientRequest & { readonly kind: 'replace'; readonly terms: Terms })
  /** Cancel on disconnect, mass cancel, the end of an algo or a stored order, kill switch. */
  | { readonly kind: 'own_cancel'; readonly text: string }
  /** `unknownAfterMs` has passed. */
  | { readonly kind: 'overdue'; readonly requestId: string }
  /** A wait that an earlier step requested has ended. */
  | { readonly kind: 'waited'; readonly requestId: string }
  | Amendment
  /** The venue's record of the order, after events were lost (R75). */
  | { readonly kind: 'stated'; readonly statement: Statement }
  /** Repeats the report of an open order, after a rollover or at a late start. */
  | { readonly kind: 'restate' };

interface ClientRequest {
  readonly clOrdId: string;
  readonly origModTimeMs: number | null;
}

export interface Step {
  readonly order: Order;
  readonly reports: readonly Report[];
  readonly requests: readonly OrderRequest[];
}

/** The three outcomes of a submission; an acceptance never changes the phase of the order. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly orderId: OrderId | null }
  | { readonly kind: 'refused'; readonly denial: Denial }
  | { readonly kind: 'unknown' };

export function transition(order: Order, input: OrderInput, rules: OrderRules): Step {
  const event = input.kind === 'event' ? input.event : null;
  const nowMs = input.kind === 'event' ? input.event.engineTsMs : input.nowMs;
  const isDisplaced = input.kind === 'event' && input.isDisplaced === true;
  const draft: Draft = { order, reports: [], requests: [], rules, event, isDisplaced, nowMs };
  apply(draft, input);
  sendTrim(draft);
  const { reports, requests } = draft;
  return { order: draft.order, reports, requests };
}

function apply(draft: Draft, input: OrderInput): void {
  switch (input.kind) {
    case 'sent':
      if (input.requestId === submissionId) entrySent(draft, input);
      else requestSent(draft, input);
      return;
    case 'waiting':
      if (input.requestId === submissionId && draft.order.phase === 'created')
        reportPendingNew(draft);
      return;
    case 'outdated':
      outdated(draft, input.requestId);
      return;
    case 'answered':
      if (input.requestId === submissionId) entryAnswered(draft, input.outcome);
      else requestAnswered(draft, input.requestId, input.outcome);
      return;
    case 'event':
      applyEvent(draft, input.event);
      return;
    case 'cancel':
      cancelAsked(draft, input.clOrdId, input.origModTimeMs);
      return;
    case 'replace':
      replaceAsked(draft, input);
      return;
    case 'own_cancel':
      ownCancelAsked(draft, input.text);
      return;
    case 'overdue':
      overdue(draft, input.requestId);
      return;
    case 'waited':
      waited(draft, input.requestId);
      return;
    case 'bust':
    case 'correct':
      amendTrade(draft, input);
      return;
    case 'stated':
      applyStatement(draft, input.statement);
      return;
    case 'restate':
      if (!hasEnded(draft.order)) report(draft, 'restated', { restatement: 'renewal' });
  }
}

type Sent = Extract<OrderInput, { kind: 'sent' }>;

function entrySent(draft: Draft, sent: Sent): void {
  const { orderId: before, parentOrderId, phase } = draft.order;
  if (phase !== 'created' && phase !== 'pending_new') return;
  // A new signature gives the order another id than the client knows; all later reports contain both.
  const isRenamed = draft.rules.pendingStates && before !== null;
  change(draft, {
    phase: 'pending_new',
    orderId: sent.orderId,
    parentOrderId: isRenamed ? (parentOrderId ?? before) : parentOrderId,
    firedOrderId: sent.firedOrderId ?? null,
    venueRef: sent.venueRef,
  });
  if (phase === 'created') reportPendingNew(draft);
}

/** Pending New is the first report without an event, so an order with such a report already has one. */
function reportPendingNew(draft: Draft): void {
  if (draft.rules.pendingStates && draft.order.ownReports === 0) report(draft, 'pending_new');
}

function requestSent(draft: Draft, sent: Sent): void {
  const { pending } = draft.order;
  if (pending?.requestId !== sent.requestId) return;
  change(draft, { pending: { ...pending, venueRef: sent.venueRef } });
}

function entryAnswered(draft: Draft, outcome: Outcome): void {
  const { order } = draft;
  const isOpen = order.phase === 'created' || order.phase === 'pending_new';
  switch (outcome.kind) {
    case 'accepted':
      if (order.submission === 'answered') return;
      change(draft, {
        submission: 'answered',
        ...(isOpen && outcome.orderId !== null && { orderId: outcome.orderId }),
      });
      release(draft);
      return;
    case 'unknown':
      if (order.submission === 'open') change(draft, { submission: 'unknown' });
      return;
    case 'refused':
      if (isOpen) {
        refuseEntry(draft, outcome.denial);
        return;
      }
      // The stream decides; the alarm reports the venue's contradiction.
      if (order.phase !== 'rejected') {
        const text = 'refused an order that its stream accepted';
        draft.requests.push({ kind: 'alarm', code: 'contradiction', text });
      }
  }
}

function requestAnswered(draft: Draft, requestId: string, outcome: Outcome): void {
  if (draft.order.pending?.requestId !== requestId) return;
  if (outcome.kind === 'refused') requestRefused(draft, outcome.denial);
}

/** Why a client's request cannot even start. */
function inadmissible({ order }: Draft, origModTimeMs: number | null): Denial | undefined {
  if (hasEnded(order)) return deny('bridge.too_late', 'the order has ended');
  const kind = order.pending?.kind;
  if (kind === 'cancel' || kind === 'replace') {
    return deny('bridge.pending', 'a request on this order is not answered yet');
  }
  if (origModTimeMs !== null && origModTimeMs !== order.modTimeMs) {
    return deny('bridge.modtime', 'OrigOrdModTime(586) is not that of the order');
  }
  return undefined;
}

function cancelAsked(draft: Draft, clOrdId: string, origModTimeMs: number | null): void {
  const denial = inadmissible(draft, origModTimeMs);
  if (denial !== undefined) {
    rejectRequest(draft, { kind: 'cancel', clOrdId }, denial);
    return;
  }
  const { pending } = draft.order;
  // The bridge's own cancel in flight also serves the client's cancel: one action is enough.
  const request =
    pending?.kind === 'own_cancel' && pending.refused === null
      ? pending
      : unsentRequest(requestIdOf(clOrdId));
  const { requestId, held, venueRef, refused } = request;
  const target = pending?.kind === 'own_cancel' && pending.target;
  change(draft, {
    pending: {
      ...{ kind: 'cancel', clOrdId, requestId, held, venueRef, refused },
      ...(target && { target }),
      ...(pending?.kind === 'trim' && { trimQty: pending.qty }),
    },
    ...(pending?.kind === 'own_cancel' && { ownCancel: pending.text }),
  });
  if (draft.rules.pendingStates) report(draft, 'pending_cancel', chained(draft, clOrdId));
  release(draft);
}

function replaceAsked(draft: Draft, input: Extract<OrderInput, { kind: 'replace' }>): void {
  const { clOrdId, terms } = input;
  const busy = draft.order.pending !== null || draft.order.ownCancel !== null;
  const denial =
    inadmissible(draft, input.origModTimeMs) ??
    (busy ? deny('bridge.pending', 'the bridge itself changes this order') : undefined);
  if (denial !== undefined) {
    rejectRequest(draft, { kind: 'replace', clOrdId }, denial);
    return;
  }
  const decision = decideReplace(draft.order, terms, draft.rules);
  if (isDenial(decision)) {
    rejectRequest(draft, { kind: 'replace', clOrdId }, decision);
    return;
  }
  const way = 'intent' in decision ? decision.way : 'amend';
  const request = unsentRequest(requestIdOf(clOrdId));
  change(draft, { pending: { ...request, kind: 'replace', clOrdId, terms, way } });
  if (decision.way !== 'unchanged' && draft.rules.pendingStates) {
    report(draft, 'pending_replace', chained(draft, clOrdId));
  }
  release(draft);
}

function ownCancelAsked(draft: Draft, text: string): void {
  const { order } = draft;
  if (hasEnded(order)) return;
  const { pending } = order;
  if (pending?.kind === 'own_cancel' && pending.refused === null) return;
  // A refused cancel waits for its retry; a new request does not wait, and it overtakes a trim.
  const isOvertaken = pending?.kind === 'own_cancel' || pending?.kind === 'trim';
  change(draft, { ownCancel: text, ...(isOvertaken && { pending: null }) });
  release(draft);
}

const chained = ({ order }: Draft, clOrdId: string) => ({ clOrdId, origClOrdId: order.clOrdId });

/** Reports that the outcome is unknown; the client later gets exactly one actual outcome. */
function overdue(draft: Draft, requestId: string): void {
  const { order } = draft;
  const denial = deny('bridge.unknown_outcome', 'the venue has not said what became of it');
  const { pending } = order;
  const isEntry = requestId === submissionId && order.phase === 'pending_new';
  const isOfClient = pending?.kind === 'cancel' || pending?.kind === 'replace';
  if (isEntry || (isOfClient && pending.requestId === requestId)) {
    report(draft, 'order_status', { denial });
  }
}
