/**
 * One signed action on its way to the venue, as one record from the intent to the proof of its outcome
 * (docs/decisions/0247-the-account-engine.md). The transitions are in `submission-life.ts`.
 */
import type { Intent } from '../../domain/intent.ts';
import type { OrderId } from '../../domain/units.ts';
import type { Wanted, Withdrawal } from '../../engine/venue-port.ts';
import type { NewOrders } from '../../signer/digest.ts';
import type { MadeAction } from '../../signer/made-action.ts';
import type { Refusing } from '../verdict.ts';

export type Priority = 'place' | 'cancel';

/**
 * - `waiting`: waits for a nonce, and then for the gate
 * - `nesting`: waits for the signature of the order inside it
 * - `out`: being signed, queued, or at the venue; its answer is expected
 * - `resting`: the same bytes are sent again at `wakeMs`
 * - `beyond`: its nonce is beyond the venue's window until the floor moves
 * - `accepted`: the venue accepted it; its event is expected
 * - `pausing`: its receipt is looked up at `wakeMs`
 * - `looking`: the venue was queried for its receipt
 * - `fencing`: another action is sent to take its nonce
 */
export type SubmissionState =
  | 'waiting'
  | 'nesting'
  | 'out'
  | 'resting'
  | 'beyond'
  | 'accepted'
  | 'pausing'
  | 'looking'
  | 'fencing';

/** The bytes of an action before it is signed. */
export interface SignedBytes {
  readonly text: string;
  /** The hash of the action, in hex without 0x. */
  readonly hash: string;
  readonly madeMs: number;
  readonly placed: NewOrders;
  /** Not kept across a restart. */
  readonly made?: MadeAction | undefined;
}

/** A signature in the form of the journal. */
export interface SignatureText {
  readonly scheme: string;
  readonly hex: string;
}

/** The order inside a conditional order. */
export interface NestedOrder {
  readonly nonce: number;
  readonly bytes: SignedBytes;
  readonly signature: SignatureText | null;
}

/** `asked` is null for fillers and fences, for which no order waits. */
export interface Submission extends Wanted {
  readonly id: number;
  readonly priority: Priority;
  /** The submission whose nonce a fence takes; null for everything else. */
  readonly fencedId: number | null;
  /** A request that waits may change it, always to an action of the same priority. */
  intent: Intent;
  state: SubmissionState;
  /** The gate has accepted the submission, and it has not waited since. */
  isJudged: boolean;
  nonce: number | null;
  /** The nonce that it had before it was signed again. */
  formerNonce: number | null;
  nested: NestedOrder | null;
  bytes: SignedBytes | null;
  /** The time of the request, on the monotonic clock. */
  startedMs: number;
  /** The same on the wall clock, which continues over a restart; absent in a state of an earlier version. */
  wantedMs?: number;
  wakeMs: number;
  /** A copy may be at the venue, and its outcome is unknown. */
  isUnknown: boolean;
  /** The time since which the outcome is unknown. */
  unknownMs: number;
  isUnknownTold: boolean;
  isOverdueTold: boolean;
  /** A byte of these bytes may have left the bridge. */
  hasLeft: boolean;
  mayResend: boolean;
  failures: number;
  freshNonces: number;
  looks: number;
  /** The hashes of its latest fences, in hex: other agents may have actions with the same nonce (G21). */
  fences?: readonly string[];
  /** Another action used its nonce. */
  isSuperseded: boolean;
  /** The seq of the event that came before the answer. */
  seenSeq: number | null;
  /**
   * The refusal of the only copy, with a text that this very action may have caused (D.3, D.4). While it waits for
   * another nonce: that of its former one.
   */
  stated: Refusing | null;
  /** The venue's last refusal, while no copy is unknown; its statement about the nonce still holds. */
  refused: Refusing | null;
  withdrawn: Withdrawal | null;
}

export function newSubmission(
  id: number,
  wanted: Wanted & Pick<Submission, 'fencedId'>,
  nowMs: number,
): Submission {
  return {
    id,
    ...wanted,
    priority: priorityOf(wanted.intent),
    state: 'waiting',
    isJudged: false,
    nonce: null,
    formerNonce: null,
    nested: null,
    bytes: null,
    startedMs: nowMs,
    wakeMs: 0,
    isUnknown: false,
    unknownMs: 0,
    isUnknownTold: false,
    isOverdueTold: false,
    hasLeft: false,
    mayResend: true,
    failures: 0,
    freshNonces: 0,
    looks: 0,
    isSuperseded: false,
    seenSeq: null,
    stated: null,
    refused: null,
    withdrawn: null,
  };
}

/** Cancels and amends go before placements and may use the reserve of nonces. */
export function priorityOf({ kind }: Intent): Priority {
  return kind === 'cancel' || kind === 'amend' ? 'cancel' : 'place';
}

/** Whether it would place an order: a group of legs may only cancel. */
export function placesSomething({ intent, priority }: Submission): boolean {
  if (priority === 'cancel') return false;
  return intent.kind !== 'group' || intent.legs.some(({ qty }) => qty > 0n);
}

/** Whether it was stopped for good. A shutdown stops nothing that may have left the bridge. */
export function isStopped({ withdrawn }: Submission): boolean {
  return withdrawn !== null && withdrawn.refusal.name !== 'bridge.draining';
}

/** The id of the first order that it places, otherwise the key of the order that requested it. */
export function orderIdOf(own: Submission): string | undefined {
  return placedIds(own).find((id) => id !== null) ?? own.asked?.key;
}

/** The ids of the orders that it places, with one entry for each leg. */
export function placedIds({ bytes }: Submission): readonly (OrderId | null)[] {
  const placed = bytes?.placed ?? { kind: 'none' };
  if (placed.kind === 'none') return [];
  return placed.kind === 'legs' ? placed.legIds : [placed.orderId];
}
