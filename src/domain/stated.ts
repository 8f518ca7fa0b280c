/**
 * What the venue's durable record says of an order whose events are lost for good (contract R75). It says where the
 * order stands and what it traded, not how it came there: the trades that were not heard are reported one by one, then
 * the state. No event stands behind these reports, so their ExecIDs count with the order's own.
 */
import { denialOf } from './denial.ts';
import type { Draft } from './draft.ts';
import type { EventKind, Fill, Reason, StreamEvent, VenueStatus } from './event.ts';
import { hasEnded } from './order.ts';
import { refuseEntry } from './pending.ts';
import { accepted, amended, canceled, filled, replaced } from './stream-transition.ts';
import type { OrderId, Qty } from './units.ts';

export interface Standing {
  readonly orderId: OrderId;
  readonly status: VenueStatus;
  readonly leavesQty: Qty | null;
  /** Every trade of the order, the oldest first. */
  readonly fills: readonly Fill[];
  readonly reason: Reason | null;
}

export interface Statement {
  readonly order: Standing;
  /** The order that the replace in flight has placed. */
  readonly child: Standing | null;
}

export function applyStatement(draft: Draft, { order, child }: Statement): void {
  if (hasEnded(draft.order)) return;
  if (order.status === 'rejected') {
    const reason = order.reason ?? { code: 'ENGINE_REJECTED', number: null, text: '' };
    if (draft.order.phase !== 'live') refuseEntry(draft, denialOf(reason));
    return;
  }
  accepted(draft, told(draft, order, 'accepted'));
  trade(draft, order);
  if (child !== null && !hasEnded(draft.order)) {
    const parentOrderId = draft.order.orderId;
    const actionHash = draft.order.pending?.actionHash ?? null;
    replaced(draft, { ...told(draft, child, 'replaced'), parentOrderId, actionHash });
    trade(draft, child);
  }
  settle(draft, child ?? order);
}

function trade(draft: Draft, standing: Standing): void {
  for (const fill of unheard(draft, standing)) filled(draft, told(draft, standing, 'fill'), fill);
}

/** What is left after the trades. */
function settle(draft: Draft, standing: Standing): void {
  if (hasEnded(draft.order)) return;
  const { leavesQty, orderId, status } = standing;
  if (status === 'canceled') canceled(draft, told(draft, standing, 'canceled'));
  else if (status === 'filled') {
    const text = `the venue says that ${orderId} is filled, and not by which trades`;
    draft.requests.push({ kind: 'alarm', text });
  } else if (leavesQty !== null && leavesQty !== draft.order.leavesQty) {
    amended(draft, told(draft, standing, 'amended'));
  }
}

/** The trades come in their order, so those that were heard are the first. */
function unheard({ order }: Draft, { fills }: Standing): readonly Fill[] {
  let heard = order.cumQty - order.carriedQty;
  return fills.filter(({ qty }) => {
    if (heard < qty) return true;
    heard -= qty;
    return false;
  });
}

/** The standing in the form of an event that names no action. */
function told(
  { order, nowMs }: Draft,
  { fills, leavesQty, orderId, status }: Standing,
  kind: EventKind,
): StreamEvent {
  const filledQty = fills.reduce((sum, { qty }) => sum + qty, 0n) as Qty;
  return {
    seq: order.lastSeq,
    prevSeq: null,
    kind,
    account: order.owner.account,
    market: order.instrument.market.marketId,
    book: order.instrument.book,
    orderId,
    parentOrderId: null,
    legIndex: null,
    clientOrderId: null,
    nonce: null,
    actionHash: null,
    side: order.terms.side,
    price: null,
    qty: leavesQty === null ? null : ((filledQty + leavesQty) as Qty),
    filledQty,
    leavesQty,
    status,
    reason: null,
    fill: null,
    nonceConsumed: null,
    engineTsMs: nowMs,
    serverTsMs: nowMs,
  };
}
