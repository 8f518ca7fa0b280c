/**
 * Applies the venue's durable record of an order whose events are permanently lost (contract R75). The record contains
 * the state and the trades of the order, but not its history: the missed trades are reported one by one, then the
 * state. These reports have no event, so their ExecIDs count the order's own reports.
 */
import { type Denial, unexplained } from './denial.ts';
import { change, type Draft } from './draft.ts';
import type { EventKind, Fill, StreamEvent, VenueStatus } from './event.ts';
import { hasEnded, type Order } from './order.ts';
import { refuseEntry } from './pending.ts';
import { accepted, amended, canceled, filled, replaced } from './stream-transition.ts';
import type { OrderId, Qty } from './units.ts';

/** An order remembers this many amends that receipts have shown; few are in flight when events are lost. */
const keptAmends = 8;

export interface Standing {
  readonly orderId: OrderId;
  readonly status: VenueStatus;
  readonly leavesQty: Qty | null;
  readonly filledQty: Qty | null;
  /** Every trade of the order, in an order that the contract leaves open (G49). */
  readonly fills: readonly Fill[];
  /** The reason of the refusal; null if the order was not refused. */
  readonly denial: Denial | null;
}

export interface Statement {
  readonly order: Standing;
  /** The order that the pending replace has placed. */
  readonly child: Standing | null;
}

export function applyStatement(draft: Draft, { order, child }: Statement): void {
  if (hasEnded(draft.order)) return;
  if (order.status === 'rejected') {
    if (draft.order.phase !== 'live') refuseEntry(draft, order.denial ?? unexplained);
    return;
  }
  accepted(draft, eventOf(draft, order, 'accepted'));
  trade(draft, order);
  if (child !== null && !hasEnded(draft.order)) {
    const parentOrderId = draft.order.orderId;
    const venueRef = draft.order.pending?.venueRef ?? null;
    replaced(draft, { ...eventOf(draft, child, 'replaced'), parentOrderId, venueRef });
    trade(draft, child);
  }
  settle(draft, child ?? order);
  const { orderId } = draft.order;
  if (orderId !== null && hasEnded(draft.order)) change(draft, { statedEnd: orderId });
}

/** The record does not contain the open quantity after each trade. */
function trade(draft: Draft, standing: Standing): void {
  resize(draft, standing);
  for (const fill of unreported(draft, standing))
    filled(draft, { ...eventOf(draft, standing, 'fill'), leavesQty: null }, fill);
}

/**
 * An order that was filled by less than its quantity was amended before; without all of its trades that is not known.
 * One that was filled by more had the amend in flight, which a venue applies to what is left.
 */
function resize(draft: Draft, standing: Standing): void {
  const { carriedQty, cumQty, leavesQty: ours } = draft.order;
  const { filledQty, status } = standing;
  const filled = sumOf(standing);
  const traded = carriedQty + filled - cumQty;
  const isFull = status === 'filled';
  if (isFull && filled !== filledQty) return;
  if (traded > ours ? askedQty(draft.order) === null : !isFull || traded <= 0n) return;
  const leavesQty = (traded + (isFull ? 0n : (standing.leavesQty ?? 0n))) as Qty;
  if (leavesQty !== ours) amend(draft, { ...standing, leavesQty });
}

/** The event of the amend in flight may still come; it is older if the record has exactly what was asked for. */
function amend(draft: Draft, standing: Standing): void {
  const { pending, statedAmends = [] } = draft.order;
  const asked = askedQty(draft.order);
  amended(draft, eventOf(draft, standing, 'amended'));
  if (pending?.venueRef == null || draft.order.terms.qty !== asked) return;
  change(draft, { statedAmends: [...statedAmends, pending.venueRef].slice(-keptAmends) });
}

/** The quantity that the amend in flight asks for; null if there is none. */
function askedQty({ pending }: Order): Qty | null {
  if (pending === null || pending.venueRef === null) return null;
  if (pending.kind === 'trim') return pending.qty;
  return pending.kind === 'replace' && pending.way === 'amend' ? pending.terms.qty : null;
}

function sumOf({ fills }: Standing): Qty {
  return fills.reduce((sum, { qty }) => sum + qty, 0n) as Qty;
}

/** Applies the state after the trades. */
function settle(draft: Draft, standing: Standing): void {
  if (hasEnded(draft.order)) return;
  const { leavesQty, orderId, status } = standing;
  if (status === 'canceled') canceled(draft, eventOf(draft, standing, 'canceled'));
  else if (status === 'filled') {
    const text = `the venue says that ${orderId} is filled, and not by which trades`;
    draft.requests.push({ kind: 'alarm', code: 'missing_trades', text });
  } else if (leavesQty !== null && leavesQty !== draft.order.leavesQty) {
    amend(draft, standing);
  }
}

/** Of the trades whose ids are not known, those that were reported are taken to come first. */
function unreported({ order }: Draft, { fills }: Standing): readonly Fill[] {
  const known = new Set(order.executions.map(({ fillId }) => fillId));
  let reported = order.cumQty - order.carriedQty;
  for (const { fillId, qty } of fills) if (known.has(fillId)) reported -= qty;
  return fills.filter(({ fillId, qty }) => {
    if (known.has(fillId)) return false;
    if (reported < qty) return true;
    reported -= qty;
    return false;
  });
}

/** Builds an event from the record; it names no action. */
function eventOf({ order, nowMs }: Draft, standing: Standing, kind: EventKind): StreamEvent {
  const { leavesQty, orderId, status } = standing;
  const filledQty = sumOf(standing);
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
    venueRef: null,
    side: order.terms.side,
    price: null,
    qty: leavesQty === null ? null : ((filledQty + leavesQty) as Qty),
    filledQty,
    leavesQty,
    status,
    denial: null,
    fill: null,
    engineTsMs: nowMs,
    serverTsMs: nowMs,
  };
}
