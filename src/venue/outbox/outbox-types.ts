/** The inputs, effects and stored state of the outbox. */
import type { AlarmEffect } from '../../domain/alarm.ts';
import type { Intent } from '../../domain/intent.ts';
import type { RequestRef } from '../../engine/venue-port.ts';
import type { NonceSnapshot } from '../../signer/nonce-types.ts';
import type { SignRefusal } from '../../signer/signer.ts';
import type { Verdict } from '../verdict.ts';
import type { OutboxAlarm } from './alarm.ts';
import type { OwnCancelsState } from './own-cancels.ts';
import type { Priority, SignatureText, SignedBytes } from './submission.ts';
import type { IndexState } from './submission-index.ts';
import type { ActStep, Found } from './submission-life.ts';

/** Each input is the result of an effect that the runner carried out. */
export type OutboxInput =
  | { readonly kind: 'answered'; readonly id: number; readonly verdict: Verdict }
  | { readonly kind: 'found'; readonly id: number; readonly found: Found }
  /** The order inside a conditional order has been signed. */
  | { readonly kind: 'signed'; readonly id: number; readonly signature: SignatureText }
  | ({ readonly kind: 'unsigned'; readonly id: number } & Unsigned)
  | { readonly kind: 'time'; readonly id: number }
  /** The bridge queries the venue for its nonce floor. */
  | { readonly kind: 'discover' }
  /** An operator has checked a floor that went backward. */
  | { readonly kind: 'unlatch' }
  | ({ readonly kind: 'floor' } & NonceRange & AskedFloors);

export interface NonceRange {
  /** The venue's nonce floor; null if the venue did not answer. */
  readonly floor: number | null;
  /** The window, if the venue's limits state another one than before (R83). */
  readonly window?: number | null | undefined;
}

/** The floors at the time of the query for the nonce floor. */
export interface AskedFloors {
  /** The highest floor that the venue had stated by then. */
  readonly asked: number | null;
  /** Our own floor; absent in records of earlier versions. */
  readonly askedFrom?: number | null | undefined;
}

/** Effects for the runner. All except `judge`, `act`, `alarm` and `wake` are carried out once the input is recorded. */
export type OutboxEffect =
  /** Ask the gate whether the submission may still be placed. The answer comes in the same transaction. */
  | { readonly kind: 'judge'; readonly id: number; readonly asked: RequestRef | null }
  /** Sign the action and send it. */
  | {
      readonly kind: 'submit';
      readonly id: number;
      readonly asked: RequestRef | null;
      readonly nonce: number;
      readonly priority: Priority;
      readonly bytes: SignedBytes;
    }
  /** Withdraw the request if no byte of it has been sent. */
  | { readonly kind: 'withdraw'; readonly id: number }
  /** Sign the order inside a conditional one. */
  | {
      readonly kind: 'sign';
      readonly id: number;
      readonly nonce: number;
      readonly bytes: SignedBytes;
    }
  /** Look for the receipt of the action. */
  | { readonly kind: 'look'; readonly id: number; readonly hash: string }
  | { readonly kind: 'wake'; readonly id: number; readonly atMs: number }
  /** Check on the stream whether a frame was lost. */
  | { readonly kind: 'probe' }
  /** Query the venue for its nonce floor. */
  | ({ readonly kind: 'discover'; readonly envelope: string } & AskedFloors)
  | (ActStep & { readonly bytes: SignedBytes })
  | AlarmEffect<OutboxAlarm>;

/** Why the signer did not sign. */
export interface Unsigned {
  readonly code: SignRefusal;
  readonly text: string;
}

/** Some members are absent in a state that was built from records of an earlier version. */
export interface OutboxState extends IndexState {
  readonly lastId: number;
  readonly nonces: NonceSnapshot;
  readonly ownCancels?: OwnCancelsState;
  readonly stoppedKinds?: readonly Intent['kind'][];
  readonly isHeld?: boolean;
  readonly isDiscovering?: boolean;
  readonly floorSeen?: number | null;
  readonly quietUntilMs?: number;
}
