/** One thing that the desk wants done at the venue, on its way: the same until its outcome, however often signed. */
import type { Denial } from '../domain/denial.ts';
import type { Intent } from '../domain/intent.ts';
import type { OrderId } from '../domain/units.ts';
import type { Action } from '../signer/action.ts';
import type { NewOrders } from '../signer/digest.ts';
import type { Reservation } from '../signer/nonce-allocator.ts';
import type { SignedSend } from '../venue/action-json.ts';
import type { Passage } from './hops.ts';

export interface Errand {
  /** The order that waits for the outcome; null is the bridge's own, such as the filler of a nonce hole. */
  readonly key: string | null;
  readonly requestId: string;
  readonly action: Action;
  readonly priority: 'place' | 'cancel';
  readonly clientOrderId: string | undefined;
}

/** Wanted, but no nonce is free. */
export interface WaitingErrand {
  readonly key: string;
  readonly requestId: string;
  readonly intent: Intent;
  readonly untilMs: number;
  readonly clientOrderId: string | undefined;
}

/** Recorded in the turn under way; signed once that is written, and sent once it is durable. */
export interface ReadyErrand {
  readonly errand: Errand;
  readonly reservation: Reservation;
  readonly canonical: Uint8Array;
  /** The ids that we derive for what it places. */
  readonly placed: NewOrders;
  /** The action hash, 64 hex digits. */
  readonly hash: string;
  readonly passage: Passage;
  /** Begins when the record is written; the signature leaves the bridge when it is durable, too. */
  signing: Promise<SignedSend | Denial> | undefined;
}

/** The ids under which the desk will find the orders that an action places. */
export function derivedIds(placed: NewOrders): {
  readonly orderId: OrderId | null;
  readonly firedOrderId: OrderId | null;
  readonly legIds?: readonly (OrderId | null)[];
} {
  switch (placed.kind) {
    case 'none':
      return { orderId: null, firedOrderId: null };
    case 'order':
      return { orderId: placed.orderId, firedOrderId: null };
    case 'legs':
      return {
        orderId: placed.legIds[0] ?? null,
        firedOrderId: null,
        legIds: placed.legIds,
      };
    case 'conditional':
      return { orderId: placed.orderId, firedOrderId: placed.triggeredId };
  }
}
