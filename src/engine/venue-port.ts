/**
 * The interface between the orders of an account and a venue (docs/decisions/0247-the-account-engine.md). The venue
 * carries out intents. It reports when each one leaves the bridge, and finally its outcome. Another venue is another
 * implementation of this port.
 */
import type { StreamEvent } from '../domain/event.ts';
import type { Intent } from '../domain/intent.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Outcome } from '../domain/transition.ts';
import type { OrderId } from '../domain/units.ts';

/** The time at which an input arrived. */
export interface Moment {
  readonly wallMs: number;
  readonly monoMs: number;
}

/** Names a request by its order or group of quotes, and which one of theirs it is. */
export interface RequestRef {
  readonly key: string;
  readonly requestId: string;
}

/** An intent, and the client_order_id that is sent to the venue. */
export interface Wanted {
  /** Null if no order waits for the outcome. */
  readonly asked: RequestRef | null;
  readonly intent: Intent;
  readonly clientOrderId: string | null;
}

/** Why a request is withdrawn. */
export interface Withdrawal {
  readonly refusal: Refusal;
  readonly text: string;
}

/** An effect of the venue for the orders. */
export type VenueUpdate =
  /** The action may leave the bridge once this is recorded. It contains the action's ids at the venue. */
  | {
      readonly kind: 'sent';
      readonly asked: RequestRef;
      readonly venueRef: string;
      readonly orderId: OrderId | null;
      readonly firedOrderId: OrderId | null;
      readonly legIds?: readonly (OrderId | null)[];
      readonly atMs: number;
    }
  /** No part of the request can be sent yet. */
  | { readonly kind: 'waits'; readonly asked: RequestRef }
  /** The request has waited and is not carried out, because the orders have another intent for it now, or none. */
  | { readonly kind: 'outdated'; readonly asked: RequestRef }
  | { readonly kind: 'outcome'; readonly asked: RequestRef; readonly outcome: Outcome };

/** What a venue may ask about the orders. */
export interface OrdersView {
  /** Whether a venue id belongs to an order that was sent under another key. */
  isOfAnother(key: string, orderId: OrderId): boolean;
  /** Whether an order still waits for the outcome of a request. */
  awaits(asked: RequestRef): boolean;
  /** The intent of a request that has waited: undefined if it is the same, null if the request is outdated. */
  intentNow(asked: RequestRef): Intent | null | undefined;
  /** The id of an order that has ended, for a cancel that must do nothing at the venue. */
  readonly endedOrderId: OrderId | null;
}

/**
 * `Input` and `Effect` pass between the venue and its runner; the engine only forwards them. `Event` is what the venue
 * reports, including the fields that only the venue itself reads.
 */
export interface VenuePort<Input, Effect, Event extends StreamEvent = StreamEvent> {
  /** `isJudged` is set when the gate has just accepted the request. */
  want(wanted: Wanted, isJudged: boolean, now: Moment): void;
  /** Returns a function that checks whether a request has a submission, for many checks. */
  carried(): (asked: RequestRef) => boolean;
  /** The gate's verdict on a request that waited. */
  judged(id: number, denial: Withdrawal | null, now: Moment): void;
  /** The first is called before the orders receive an event, the second after. */
  beforeEvent(event: Event): void;
  afterEvent(event: Event, now: Moment): void;
  /** The stream names an order otherwise than we have derived: no more orders of this kind are placed. */
  misnamed(kind: Intent['kind'], ours: OrderId, theirs: OrderId): void;
  /** Withdraws matching placements, unless the venue may already have them. */
  withdraw(matches: (asked: RequestRef) => boolean, why: Withdrawal, now: Moment): void;
  /** Withdraws matching requests that have not been prepared for sending. */
  withdrawWaiting(matches: (asked: RequestRef) => boolean, why: Withdrawal, now: Moment): void;
  /** The previous process has ended; nothing is sent before `resume`. */
  started(): void;
  /** The stream has caught up, or the wait for that is over. */
  resume(now: Moment): void;
  /** The venue's status is known, or the wait for that is over. */
  open(now: Moment): void;
  step(input: Input, now: Moment): void;
  /** Called at the end of every input. */
  settle(now: Moment): void;
  /** Returns the effects of the preceding calls, in order. */
  takeEffects(): readonly (VenueUpdate | Effect)[];
}

export function isVenueUpdate<Effect extends { readonly kind: string }>(
  effect: VenueUpdate | Effect,
): effect is VenueUpdate {
  const { kind } = effect;
  return kind === 'sent' || kind === 'waits' || kind === 'outdated' || kind === 'outcome';
}
