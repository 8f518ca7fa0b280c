/** The types of the nonce window: its inputs, its demands, and its stored state. */
export type NoncePurpose = 'place' | 'cancel' | 'fill';
export type NonceState = 'free' | 'reserved' | 'sent' | 'unknown' | 'used' | 'expired';

type FloorSource = 'answer' | 'discovery' | 'outside_window';

/** The floor that the venue stated; the answer may have been overtaken by another. */
export interface StatedFloor {
  readonly floor: number;
  readonly window: number | null;
  readonly from: FloorSource;
  /** The venue can be queried, so an implausible response only causes a query. */
  readonly isToBeConfirmed?: boolean | undefined;
  /** With discovery: the highest floor that the venue had stated when it was asked. */
  readonly asked?: number | null | undefined;
  /** With discovery: our own floor when the venue was asked. */
  readonly askedFrom?: number | null | undefined;
}

export interface NonceRules {
  /** Used until the venue states another size; at most `largestWindow` is believed. */
  readonly window: number;
  /** Nonces of the window that only cancels and fillers may take. */
  readonly cancelReserve: number;
  /** Holes are filled once this many nonces lie between the floor and the next. */
  readonly fillAbove: number;
  /** Several writers of one account take every `step`-th nonce, each from its own `offset` (G21). */
  readonly stride: { readonly offset: number; readonly step: number };
  /** Whose nonces these are (G21): all writers of the account share them, or each agent has its own. */
  readonly scope?: 'account' | 'agent';
}

/** Keeps an eighth of a window, or of 256 nonces, for cancels; holes are filled once three quarters are used. */
export function nonceRulesOf(nonce: Omit<NonceRules, 'cancelReserve' | 'fillAbove'>): NonceRules {
  const window = Math.min(nonce.window, 256);
  const fillAbove = Math.floor((3 * window) / 4);
  return { ...nonce, cancelReserve: Math.floor(window / 8), fillAbove };
}

export type NonceAlarm =
  | 'foreign_writer'
  | 'floor_backward'
  /** Another writer of a stride does not use its nonce (R30). */
  | 'other_holds_floor'
  | 'hole_holds_floor'
  | 'unknown_holds_floor';

/** A demand of the window to its owner. */
export type NonceDemand =
  | { readonly kind: 'alarm'; readonly alarm: NonceAlarm; readonly nonce: number }
  /** Send a cancel of an ended order with this nonce (G22); reserve it first. */
  | { readonly kind: 'fill'; readonly nonce: number }
  /** Ask the venue for the floor (hash route, G19). */
  | { readonly kind: 'discover' };

/** The state of one nonce. */
export interface Slot {
  state: NonceState;
  purpose: NoncePurpose;
  /** The digest (hex) of the placing action that may be signed with this nonce; it can place nothing else (0285). */
  digest: string | null;
  isDead: boolean;
  nested: number | null;
  /** The stream has shown its use. */
  isShown: boolean;
}

/** Whether the nonce is to be used by a filler, or by an action that may take it. */
export function isHole({ isDead, state }: Slot): boolean {
  return state === 'free' || (state === 'unknown' && isDead);
}

/** What is known of the window as a whole. */
export interface WindowFacts {
  /** The lowest nonce that may still be acceptable; null until it is known. */
  floor: number | null;
  /** The highest floor that the venue itself has stated. */
  stated: number | null;
  /** The highest floor that the venue has stated when it was asked for it. */
  confirmed: number;
  /** How often in a row the venue has stated the same floor when asked, or refused nonces as beyond its window. */
  unmoved: number;
  /** The floor for which the last alarm was raised. */
  alarmed: number | null;
  /** An answer contradicts what we know: nothing is placed until the venue has confirmed its floor. */
  isDoubtful: boolean;
  /** A refusal for a nonce stated no floor: nothing is placed until the venue was asked. */
  isUnstated: boolean;
  window: number;
  next: number;
  /** Set when the venue refused a nonce as beyond its window: no nonce from it on is given until the floor moves. */
  ceiling: number | null;
  latched: boolean;
}

export const nothingKnown: Omit<WindowFacts, 'window'> = {
  floor: null,
  stated: null,
  confirmed: 0,
  unmoved: 0,
  alarmed: null,
  isDoubtful: false,
  isUnstated: false,
  next: 0,
  ceiling: null,
  latched: false,
};

/** The members that snapshots of earlier versions lack. */
type Later = 'alarmed' | 'confirmed' | 'isDoubtful' | 'isUnstated' | 'unmoved';

export interface NonceSnapshot
  extends Readonly<Omit<WindowFacts, Later>>,
    Readonly<Partial<Pick<WindowFacts, Later>>> {
  /** Absent in snapshots of earlier versions. */
  readonly passed?: readonly (readonly [nonce: number, digest: string | null, isShown: boolean])[];
  readonly slots: readonly (readonly [number, Readonly<Slot>])[];
}
