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

export interface NonceSnapshot {
  readonly floor: number | null;
  readonly stated: number | null;
  /** Absent in snapshots of earlier versions, like `alarmed`, `unmoved`, `isDoubtful`, `isUnstated` and `passed`. */
  readonly confirmed?: number;
  /** The floor for which the last alarm was raised. */
  readonly alarmed?: number | null;
  readonly unmoved?: number;
  readonly isDoubtful?: boolean;
  readonly isUnstated?: boolean;
  readonly passed?: readonly (readonly [nonce: number, digest: string | null, isShown: boolean])[];
  readonly window: number;
  readonly next: number;
  readonly ceiling: number | null;
  readonly latched: boolean;
  readonly slots: readonly (readonly [number, Readonly<Slot>])[];
}
