/**
 * An order in the bridge: one client order with its chain of ClOrdIDs, across all venue orders that represent it
 * (attempts, children of replaces, the order that a trigger places). It is plain data that is never modified;
 * `transition.ts` builds the next state.
 */
import type { AlarmEffect } from './alarm.ts';
import type { Denial } from './denial.ts';
import type { Fill } from './event.ts';
import type { Instrument } from './instrument.ts';
import type { Intent } from './intent.ts';
import type { Terms } from './terms.ts';
import { type Account, averagePrice, averageScale, type OrderId, type Qty } from './units.ts';

/** The session of orders that were placed through another channel of the venue. */
export const otherChannel = '';

/** The owner of an order; `key` is unique in the account and `tag` is the account's short name in ExecIDs. */
export interface Owner {
  readonly session: string;
  readonly account: Account;
  /** Account(1) as the client spells it. */
  readonly accountName: string;
  readonly tag: string;
  readonly key: string;
  /** The quote that this order is a side of, and the slot that it fills (`quote-plan.ts`). */
  readonly quoteId: string | null;
  readonly slot?: string;
}

/** `created`: not recorded for sending. `pending_new`: may be at the venue. From `live` on, the stream decides. */
export type Phase =
  | 'created'
  | 'pending_new'
  | 'live'
  | 'filled'
  | 'canceled'
  | 'expired'
  | 'rejected';

/** OrdStatus(39). */
export type OrdStatus =
  | Exclude<Phase, 'created' | 'live'>
  | 'new'
  | 'partially_filled'
  | 'pending_cancel'
  | 'pending_replace';

/** The three ways to carry out a replace (contract C.6). */
export type ReplaceWay = 'amend' | 'leg' | 'cancel_rest';

interface RequestInFlight {
  readonly requestId: string;
  /** It has not left: the order's own submission has no answer, or the request is decided anew. */
  readonly held: boolean;
  readonly venueRef: string | null;
  /** Set if the refusal indicates that the order has ended; the event that ended it must be reported first. */
  readonly refused: Denial | null;
  /** The venue's order that a cancel names; absent in journals of earlier versions. */
  readonly target?: OrderId;
}

export type Pending =
  | (RequestInFlight & {
      readonly kind: 'cancel';
      readonly clOrdId: string;
      /** The quantity of a trim that the cancel has overtaken. */
      readonly trimQty?: Qty;
    })
  | (RequestInFlight & { readonly kind: 'own_cancel'; readonly text: string })
  | (RequestInFlight & {
      readonly kind: 'replace';
      readonly clOrdId: string;
      readonly terms: Terms;
      readonly way: ReplaceWay;
    })
  | (RequestInFlight & { readonly kind: 'trim'; readonly qty: Qty });

/** How many trades of an order are kept; older trades can no longer be busted. */
export const keptExecutions = 1000;

/** One trade, kept to detect duplicates and to bust or correct it; without quantity if it is busted. */
export interface Execution extends Omit<Fill, 'liquidity' | 'tsMs'> {
  readonly execId: string;
  /** ExecID(17) of the last report that busted or corrected it. */
  readonly amendedBy?: string;
}

export interface Order {
  readonly owner: Owner;
  readonly instrument: Instrument;
  /** The terms that were last accepted. */
  readonly terms: Terms;
  /** The last accepted ClOrdID(11). */
  readonly clOrdId: string;
  readonly phase: Phase;
  readonly submission: 'open' | 'answered' | 'unknown';
  /** OrderID(37), provisional until the stream contains it. */
  readonly orderId: OrderId | null;
  /** The order that was replaced, or the conditional that fired. */
  readonly parentOrderId: OrderId | null;
  readonly firedOrderId: OrderId | null;
  readonly venueRef: string | null;
  readonly triggered: boolean;
  readonly cumQty: Qty;
  readonly leavesQty: Qty;
  /** Σ(price × qty) of the trades that the bridge received, for AvgPx(6). */
  readonly notional: bigint;
  /** The quantity that was filled before the bridge knew the order: part of CumQty(14), at unknown prices. */
  readonly unseenQty: Qty;
  /** CumQty without what the venue has filled of its current order; negative if a bust took that back. */
  readonly carriedQty: Qty;
  readonly executions: readonly Execution[];
  readonly pending: Pending | null;
  /** The text of a cancel by the bridge that waits for the pending request to end. */
  readonly ownCancel: string | null;
  readonly lastSeq: number;
  /** TransactTime(60) of the last report that changed the terms, for OrigOrdModTime(586). */
  readonly modTimeMs: number;
  /** Counts the reports that no event of the stream caused. */
  readonly ownReports: number;
  /** Counts the requests that no client made. */
  readonly ownRequests: number;
  /** The venue's order whose end only its receipt showed, so that its earlier events may still arrive (R75). */
  readonly statedEnd?: OrderId;
  /** The actions of the last amends that a receipt has shown, whose events may still arrive. */
  readonly statedAmends?: readonly string[];
}

export interface OrderRules {
  /** The meaning of the venue's `new_qty` (G58). */
  readonly amendQty: 'total' | 'remaining' | 'unknown';
  /** Refuse a replace that only reduces the quantity if it would lose queue priority. */
  readonly strictPriority: boolean;
  /** Whether to send reports with 150=A, 6, E and the matching states; otherwise the reduced profile applies. */
  readonly pendingStates: boolean;
  /** The status with which the remainder of IOC and FOK orders ends. */
  readonly iocRemainder: 'canceled' | 'expired';
  /** How long after a refusal that the order has ended the event that ended it may arrive. */
  readonly terminalWaitMs: number;
}

/** The requests of an order to the gateway. */
export type OrderRequest =
  | { readonly kind: 'send'; readonly requestId: string; readonly intent: Intent }
  | { readonly kind: 'wait'; readonly requestId: string; readonly ms: number }
  | { readonly kind: 'misnamed'; readonly ours: OrderId; readonly theirs: OrderId }
  | AlarmEffect;

export const submissionId = 'new';

/** A ClOrdID(11) cannot start with this character. */
const reserved = '\u0001';
/** The ids that `transition.ts` and `pending.ts` give to requests that no client made. */
const ownRequest = /^(new|own-\d+|trim-\d+)$/;

/** The id of a client's request is its ClOrdID(11), which must not be confused with an id of the bridge's own. */
export function requestIdOf(clOrdId: string): string {
  return ownRequest.test(clOrdId) ? `${reserved}${clOrdId}` : clOrdId;
}

/** A request that waits until the venue can know its order. */
export function unsentRequest(requestId: string) {
  return { requestId, held: true, venueRef: null, refused: null };
}

export function clOrdIdOf(requestId: string): string {
  return requestId.startsWith(reserved) ? requestId.slice(reserved.length) : requestId;
}

export function createOrder(
  owner: Owner,
  clOrdId: string,
  instrument: Instrument,
  terms: Terms,
  nowMs: number,
): Order {
  return {
    owner,
    instrument,
    terms,
    clOrdId,
    phase: 'created',
    submission: 'open',
    orderId: null,
    parentOrderId: null,
    firedOrderId: null,
    venueRef: null,
    triggered: false,
    cumQty: 0n as Qty,
    leavesQty: terms.qty,
    notional: 0n,
    unseenQty: 0n as Qty,
    carriedQty: 0n as Qty,
    executions: [],
    pending: null,
    ownCancel: null,
    lastSeq: 0,
    modTimeMs: nowMs,
    ownReports: 0,
    ownRequests: 0,
  };
}

/** Why the bridge cancels an order whose end the venue does not keep. */
export const expiredText = 'it has expired';

export function hasEnded({ phase }: Order): boolean {
  return phase === 'filled' || phase === 'canceled' || phase === 'expired' || phase === 'rejected';
}

/** Whether anyone has requested a cancel or one is in flight; the order may still fill. */
export function isLeaving({ ownCancel, pending }: Order): boolean {
  return ownCancel !== null || pending?.kind === 'own_cancel' || pending?.kind === 'cancel';
}

/** Whether the venue stores it for its trigger, or will. */
export function isStored(order: Order): boolean {
  return order.terms.trigger !== null && !order.triggered && !hasEnded(order);
}

export function isOfOtherChannel({ owner }: Order): boolean {
  return owner.session === otherChannel;
}

/** AvgPx(6) of the trades that the bridge received, in atoms of `averageScale`. */
export function averageOf({ notional, cumQty, instrument, unseenQty }: Order): bigint {
  const { priceScale } = instrument.market;
  return averagePrice(notional, cumQty - unseenQty, averageScale(priceScale) - priceScale);
}

/** Pending Cancel > Pending Replace > Filled > Canceled > Partially filled > New > Pending New (FIX 4.4, D). */
export function statusOf(
  order: Order,
  { pendingStates }: Pick<OrderRules, 'pendingStates'>,
): OrdStatus {
  if (pendingStates && order.pending?.kind === 'cancel') return 'pending_cancel';
  if (pendingStates && order.pending?.kind === 'replace') return 'pending_replace';
  switch (order.phase) {
    case 'created':
    case 'pending_new':
      return 'pending_new';
    case 'live':
      return order.cumQty === 0n ? 'new' : 'partially_filled';
    default:
      return order.phase;
  }
}
