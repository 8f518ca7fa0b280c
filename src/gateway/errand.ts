/** One thing that the desk wants done at the venue, on its way: the same until its outcome, however often signed. */
import { type Denial, deny } from '../domain/denial.ts';
import type { Account, OrderId } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Action, ActionEnvelope } from '../signer/action.ts';
import type { NewOrders } from '../signer/digest.ts';
import type { ActionMaker, MadeAction } from '../signer/made-action.ts';
import type { NonceAllocator, Reservation } from '../signer/nonce-allocator.ts';
import type { Scheme } from '../signer/scheme.ts';
import type { Signer } from '../signer/signer.ts';
import type { Turns } from '../store/turns.ts';
import type { SignedSend } from '../venue/action-json.ts';
import type { Submitter } from '../venue/submitter.ts';
import type { DeskInput } from './desk.ts';
import type { Hops, Passage } from './hops.ts';
import type { Observer } from './observer.ts';

export interface Errand {
  /** The order that waits for the outcome; null is the bridge's own, such as the filler of a nonce hole. */
  readonly key: string | null;
  readonly requestId: string;
  readonly action: Action;
  readonly priority: 'place' | 'cancel';
  readonly clientOrderId: string | undefined;
}

/** A request of an order. */
export interface Asked {
  readonly key: string;
  readonly requestId: string;
}

/** A request that has no nonce yet, and what it will be called at the venue. */
export type Named = Asked & Pick<Errand, 'clientOrderId'>;

/** Recorded in the turn under way; signed once that is written, and sent once it is durable. */
export interface ReadyErrand {
  readonly errand: Errand;
  readonly reservation: Reservation;
  readonly made: MadeAction;
  /** The ids that we derive for what it places. */
  readonly placed: NewOrders;
  readonly passage: Passage;
  /** Begins when the record is written; the signature leaves the bridge when it is durable, too. */
  signing: Promise<SignedSend | Denial> | undefined;
  /** Why it is not wanted any more, wherever it is: it is not sent, or not sent again. */
  withdrawn: Denial | undefined;
}

/** What errands are run with. */
export interface ErrandParts {
  readonly account: Account;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly nonces: NonceAllocator;
  readonly signer: Signer;
  readonly scheme: Scheme;
  readonly maker: ActionMaker;
  readonly submitter: Submitter;
  readonly alarm: (text: string) => void;
  readonly hops: Hops;
  readonly observer: Observer;
  /** How long an order may wait for a nonce before it is refused (contract D.6). */
  readonly patienceMs: number;
  /** Asks the stream whether a frame was lost. */
  readonly probe: () => void;
  /** Whether the venue's rule for holes is known: a refused cancel takes the nonce (G22). */
  readonly mayFill: boolean;
}

/** The line that the errands are run for; inside a turn. */
export interface ErrandOwner {
  apply(input: DeskInput): void;
  /** The turn changes what is recorded at its end. */
  join(): void;
  /** The order is told when no outcome has come in `unknownAfterMs`. */
  expectOutcome(asked: Asked): void;
  /** Whether the desk knows already that the venue took the request. */
  isAccepted(key: string, requestId: string): boolean;
  /** Whether the desk still waits for what becomes of the request. */
  isAwaited(key: string, requestId: string): boolean;
  /** Whether all that goes out under this key is to be canceled anyway. */
  isGivenUp(key: string): boolean;
  /** An order of the venue that has ended, for a cancel that must do nothing. */
  readonly endedOrderId: OrderId | null;
}

/** What was canceled before it left the bridge. */
export const canceledUnsent = deny('bridge.canceled_unsent', 'canceled before it was sent');

export function envelopeOf(
  { account, clock }: Pick<ErrandParts, 'account' | 'clock'>,
  action: Action,
  nonce: number,
  clientOrderId: string | undefined,
): ActionEnvelope {
  const ts = clock.now().wallMs;
  const unnamed = { account, nonce: BigInt(nonce), nonce_reservation_id: null, ts, action };
  return clientOrderId === undefined ? unnamed : { ...unnamed, client_order_id: clientOrderId };
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
