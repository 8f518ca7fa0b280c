/**
 * Cancels that no order requested; they only consume a nonce (docs/decisions/0255-proof-before-a-rejection.md, contract
 * G22). A fence takes the nonce of an action whose outcome is unknown, and a filler that of a hole: a nonce has only
 * one action.
 */
import type { CancelIntent } from '../../domain/intent.ts';
import type { OrderId } from '../../domain/units.ts';
import type { OrdersView } from '../../engine/venue-port.ts';
import type { ActionMaker } from '../../signer/made-action.ts';
import type { Alarm } from './alarm.ts';
import type { SignedBytes } from './submission.ts';
import { isOfOrder, type Outcome } from './submission-life.ts';

/** An id that no order has. */
export const noOrder = `0x${'0'.repeat(64)}` as OrderId;

const unusableText =
  'the venue does not take the nonce of a refused cancel: lost orders stay pending and holes stay open until nonce.filler of the profile fits the venue and the bridge is restarted';

/** There are at most eight holes that are filled at a time, and each fence waits longer than the one before. */
const mostUnused = 256;

export interface OwnCancelsState {
  readonly isOfUse: boolean;
  /** Absent if there are none. */
  readonly unused?: readonly number[];
  readonly lastUnfillable: number;
}

export class OwnCancels {
  readonly #orders: OrdersView;
  readonly #derivation: ActionMaker['derivation'];
  readonly #alarm: Alarm;
  /** Whether a refused cancel is known to consume its nonce. */
  #isOfUse: boolean;
  /** The nonces that one of them has left unused, by an answer that may have been the one to another request. */
  #unused: readonly number[];
  #lastUnfillable: number;

  constructor(
    orders: OrdersView,
    { derivation }: ActionMaker,
    { isOfUse, lastUnfillable, unused = [] }: OwnCancelsState,
    alarm: Alarm,
  ) {
    this.#orders = orders;
    this.#derivation = derivation;
    this.#alarm = alarm;
    this.#isOfUse = isOfUse;
    this.#unused = unused;
    this.#lastUnfillable = lastUnfillable;
  }

  /**
   * A fence for an action. If no order has ended yet, the fence names the order that the fenced action would place: if
   * that order exists, its nonce is used, and the fence is refused for that reason. Undefined if a fence would do
   * nothing.
   */
  fence({ text }: SignedBytes): CancelIntent | undefined {
    if (!this.#isOfUse) return undefined;
    return cancelOf(this.#orders.endedOrderId ?? this.#derivation.orderId(Buffer.from(text)));
  }

  /** A no-op cancel that consumes the nonce of a hole. Undefined if it would not; the alarm is raised once. */
  filler(nonce: number): CancelIntent | undefined {
    if (this.#isOfUse) return cancelOf(this.#orders.endedOrderId ?? noOrder);
    if (nonce > this.#lastUnfillable) {
      this.#lastUnfillable = nonce;
      this.#alarm('hole_not_filled', `nonce ${nonce} holds the floor, nothing can fill it`);
    }
    return undefined;
  }

  /** Without this check, the bridge would keep trying at a venue that refuses such a cancel without using the nonce. */
  judge(outcome: Outcome, nonce: number | null): void {
    if (outcome.kind === 'accepted' || outcome.nonce.nonceConsumed !== false) return;
    if (!isOfOrder(outcome.refusal) || !this.#isOfUse || nonce === null) return;
    this.#isOfUse = !this.#unused.includes(nonce);
    this.#unused = [...this.#unused, nonce].slice(-mostUnused);
    if (!this.#isOfUse) this.#alarm('filler_refused', unusableText);
  }

  /** After a start the venue may be tried again. */
  reset(mayFill: boolean): void {
    this.#isOfUse = mayFill;
    this.#unused = [];
    this.#lastUnfillable = -1;
  }

  state(): OwnCancelsState {
    const unused = this.#unused.length > 0 ? { unused: this.#unused } : {};
    return { isOfUse: this.#isOfUse, lastUnfillable: this.#lastUnfillable, ...unused };
  }
}

function cancelOf(orderId: OrderId): CancelIntent {
  return { kind: 'cancel', target: 'order', orderId };
}
