/**
 * The life of an order as one pure function: state and input in; next state, reports and requests out. What the
 * client and the gateway say is here, what the venue's stream says in `stream-transition.ts`. The rules are those of
 * FIX 4.4, appendix D, and of contract C.5, C.6 and C.13: nothing but the stream starts, fills or ends an order,
 * except a decisive refusal of the order itself.
 */
import { type Denial, deny } from './denial.ts';
import { change, type Draft, rejectRequest, report } from './draft.ts';
import type { StreamEvent } from './event.ts';
import {
  type Execution,
  hasEnded,
  type Order,
  type OrderRequest,
  type OrderRules,
  submissionId,
} from './order.ts';
import { refuseEntry, release, requestRefused, waited } from './pending.ts';
import { decideReplace } from './replace.ts';
import type { Report } from './report.ts';
import { applyStatement, type Statement } from './stated.ts';
import { applyEvent } from './stream-transition.ts';
import type { Terms } from './terms.ts';
import type { OrderId, Price, Qty } from './units.ts';

const none = 0n as Qty;

export type OrderInput =
  /** The action is recorded and goes out; once more where it is signed again with a fresh nonce. */
  | {
      readonly kind: 'sent';
      readonly requestId: string;
      readonly actionHash: string;
      /** The id of the order or child that the action places. */
      readonly orderId: OrderId | null;
      readonly firedOrderId?: OrderId | null;
      /** Of a group: the id of the order of each leg. */
      readonly legIds?: readonly (OrderId | null)[];
      readonly nowMs: number;
    }
  | {
      readonly kind: 'answered';
      readonly requestId: string;
      readonly outcome: Outcome;
      readonly nowMs: number;
    }
  | { readonly kind: 'event'; readonly event: StreamEvent }
  | {
      readonly kind: 'cancel';
      readonly clOrdId: string;
      readonly origModTimeMs: number | null;
      readonly nowMs: number;
    }
  | {
      readonly kind: 'replace';
      readonly clOrdId: string;
      readonly terms: Terms;
      readonly origModTimeMs: number | null;
      readonly nowMs: number;
    }
  /** Cancel on disconnect, mass cancel, end of day of an algo, kill switch. */
  | { readonly kind: 'own_cancel'; readonly text: string; readonly nowMs: number }
  /** `unknownAfterMs` has passed. */
  | { readonly kind: 'overdue'; readonly requestId: string; readonly nowMs: number }
  /** The wait that a step asked for is over. */
  | { readonly kind: 'waited'; readonly requestId: string; readonly nowMs: number }
  | { readonly kind: 'bust'; readonly execId: string; readonly nowMs: number }
  | {
      readonly kind: 'correct';
      readonly execId: string;
      readonly price: Price;
      readonly qty: Qty;
      readonly nowMs: number;
    }
  /** Where the order stands after events that are lost (R75). */
  | { readonly kind: 'stated'; readonly statement: Statement; readonly nowMs: number }
  /** An order that lives on is stated again, after a rollover or at a late start. */
  | { readonly kind: 'restate'; readonly nowMs: number };

export interface Step {
  readonly order: Order;
  readonly reports: readonly Report[];
  readonly requests: readonly OrderRequest[];
}

/** Submitting has three outcomes; an acceptance is no state of the order. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly orderId: OrderId | null }
  | { readonly kind: 'refused'; readonly denial: Denial }
  | { readonly kind: 'unknown' };

export function transition(order: Order, input: OrderInput, rules: OrderRules): Step {
  const event = input.kind === 'event' ? input.event : null;
  const nowMs = input.kind === 'event' ? input.event.engineTsMs : input.nowMs;
  const draft: Draft = { order, reports: [], requests: [], rules, event, nowMs };
  apply(draft, input);
  const { reports, requests } = draft;
  return { order: draft.order, reports, requests };
}

function apply(draft: Draft, input: OrderInput): void {
  switch (input.kind) {
    case 'sent':
      if (input.requestId === submissionId) entrySent(draft, input);
      else requestSent(draft, input);
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
      amendExecution(draft, input.execId, null);
      return;
    case 'correct':
      amendExecution(draft, input.execId, { price: input.price, qty: input.qty });
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
  const { phase } = draft.order;
  if (phase !== 'created' && phase !== 'pending_new') return;
  change(draft, {
    phase: 'pending_new',
    orderId: sent.orderId,
    firedOrderId: sent.firedOrderId ?? null,
    actionHash: sent.actionHash,
  });
  if (phase === 'created' && draft.rules.pendingStates) report(draft, 'pending_new');
}

function requestSent(draft: Draft, sent: Sent): void {
  const { pending } = draft.order;
  if (pending?.requestId !== sent.requestId) return;
  change(draft, { pending: { ...pending, actionHash: sent.actionHash } });
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
      // The stream is the truth; the gateway learns that the venue contradicts itself.
      if (order.phase !== 'rejected') {
        draft.requests.push({ kind: 'alarm', text: 'refused an order that its stream accepted' });
      }
  }
}

function requestAnswered(draft: Draft, requestId: string, outcome: Outcome): void {
  if (draft.order.pending?.requestId !== requestId) return;
  if (outcome.kind === 'refused') requestRefused(draft, outcome.denial);
}

/** Why a client's request cannot even begin. */
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
  // A cancel of the bridge's own in flight serves the client's as well: one action is enough.
  const request =
    pending?.kind === 'own_cancel' && pending.refused === null
      ? pending
      : { requestId: clOrdId, held: true, actionHash: null, refused: null };
  const { requestId, held, actionHash, refused } = request;
  change(draft, {
    pending: { kind: 'cancel', clOrdId, requestId, held, actionHash, refused },
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
  const decision = decideNow(draft, terms);
  if ('refusal' in decision) {
    rejectRequest(draft, { kind: 'replace', clOrdId }, decision);
    return;
  }
  const way = decision.way === 'unchanged' ? 'amend' : decision.way;
  const request = { requestId: clOrdId, held: true, actionHash: null, refused: null };
  change(draft, { pending: { ...request, kind: 'replace', clOrdId, terms, way } });
  if (decision.way !== 'unchanged' && draft.rules.pendingStates) {
    report(draft, 'pending_replace', chained(draft, clOrdId));
  }
  release(draft);
}

/** While the order's own submission is open the way is not known; it is decided when the request goes out. */
function decideNow({ order, rules }: Draft, terms: Terms) {
  return order.submission === 'answered'
    ? decideReplace(order, terms, rules)
    : { way: 'amend' as const };
}

function ownCancelAsked(draft: Draft, text: string): void {
  const { order } = draft;
  if (hasEnded(order)) return;
  if (order.pending?.kind === 'own_cancel') {
    if (order.pending.refused === null) return;
    // One that was refused waits to be tried again; whoever asks once more does not wait.
    change(draft, { pending: null });
  }
  change(draft, { ownCancel: text });
  release(draft);
}

const chained = ({ order }: Draft, clOrdId: string) => ({ clOrdId, origClOrdId: order.clOrdId });

/** The client learns that the outcome is not known; it will hear exactly one true outcome later. */
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

/** A trade is taken back or corrected: the sums are made anew, an ended order stays ended. */
function amendExecution(
  draft: Draft,
  execId: string,
  corrected: { readonly price: Price; readonly qty: Qty } | null,
): void {
  const { order } = draft;
  const trade = order.executions.find((execution) => execution.execId === execId);
  if (trade === undefined) {
    draft.requests.push({ kind: 'alarm', text: `no execution ${execId} to bust or correct` });
    return;
  }
  const executions: readonly Execution[] = order.executions.flatMap((execution) => {
    if (execution !== trade) return [execution];
    return corrected === null ? [] : [{ ...execution, ...corrected }];
  });
  const { price, qty } = corrected ?? { price: trade.price, qty: none };
  const cumQty = (order.cumQty - trade.qty + qty) as Qty;
  const notional = order.notional - trade.price * trade.qty + price * qty;
  const isFull = cumQty >= order.terms.qty;
  const leavesQty = (hasEnded(order) || isFull ? 0n : order.terms.qty - cumQty) as Qty;
  const phase = order.phase === 'filled' && !isFull ? 'canceled' : order.phase;
  change(draft, { executions, cumQty, notional, leavesQty, phase });
  report(draft, corrected === null ? 'trade_cancel' : 'trade_correct', { execRefId: execId });
}
