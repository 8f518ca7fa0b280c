/**
 * The nonces of one account as the bridge knows them (docs/ARCHITECTURE.md, "Nonces"; contract A.11, G18-G22): a
 * state machine without I/O. Events go in and change it, so a replay of the journal gives the same state again.
 *
 *     free → reserved → sent → used                 a free nonce was never given out, or provably not consumed
 *                     ↘ unknown → used | expired    an unknown one holds the floor until the venue tells
 *
 * Nonces are safe integers, because the venue's JSON lanes carry no other.
 */
import { PassingMap } from '../runtime/passing-map.ts';

export type NoncePurpose = 'place' | 'cancel' | 'fill';
export type NonceState = 'free' | 'reserved' | 'sent' | 'unknown' | 'used' | 'expired';

/** Why a nonce that was signed for one action may be signed for another. */
export type Proof = 'never_sent' | 'not_consumed' | 'refused';

/** Why the signer may: a proof, or that the other action is a cancel that only takes the nonce away (decision 0196). */
export type Warrant = Proof | 'fence';

export type FloorSource = 'answer' | 'discovery' | 'outside_window';

export type NonceEvent =
  | {
      readonly kind: 'reserved';
      readonly nonce: number;
      readonly purpose: NoncePurpose;
      /** The nonce of a trigger order inside the action: it shares the fate of this one (G20). */
      readonly nested?: number | undefined;
    }
  | { readonly kind: 'signed'; readonly nonce: number; readonly digest: string }
  | { readonly kind: 'sent'; readonly nonce: number }
  /** It never reached HTTP, or the venue said that it was not consumed. */
  | { readonly kind: 'released'; readonly nonce: number; readonly proof: Proof }
  /** The outcome is open: the action may be applied, now or later. */
  | { readonly kind: 'unknown'; readonly nonce: number }
  /** The action will never be applied, but nobody said what became of the nonce (R31). */
  | { readonly kind: 'dead'; readonly nonce: number }
  /** The engine has seen the action and refused it. */
  | { readonly kind: 'consumed'; readonly nonce: number }
  /** The engine has applied the action; a trigger order inside is stored, and its nonce spent, too. */
  | { readonly kind: 'applied'; readonly nonce: number }
  /** Another writer of the account used it (R33). */
  | { readonly kind: 'foreign'; readonly nonce: number }
  /** The venue's word; it may have been overtaken by another on its way. */
  | {
      readonly kind: 'floor';
      readonly floor: number;
      readonly window: number | null;
      readonly from: FloorSource;
      /** With discovery: the highest floor that had been stated when the question was asked. */
      readonly asked?: number | null | undefined;
    }
  /** Nobody has said where the floor is; to be corrected by the first answer. */
  | { readonly kind: 'assumed'; readonly floor: number }
  /** Whatever was under way before may have reached the venue. */
  | { readonly kind: 'restarted' }
  /** A person has looked at the floor that went backward. */
  | { readonly kind: 'unlatched' };

export interface NonceRules {
  /** Until the venue states another; at most `largestWindow` is believed. */
  readonly window: number;
  /** Nonces of the window that only cancels and fillers may take. */
  readonly cancelReserve: number;
  /** Holes are filled once this many nonces lie between the floor and the next. */
  readonly fillAbove: number;
  /** Several writers of one account take every `step`-th nonce, each from its own `offset` (G21). */
  readonly stride: { readonly offset: number; readonly step: number };
}

export const defaultNonceRules: NonceRules = {
  window: 256,
  cancelReserve: 32,
  fillAbove: 192,
  stride: { offset: 0, step: 1 },
};
const largestWindow = 65_536;
const mostFillers = 8;

export type NonceAlarm =
  | 'foreign_writer'
  | 'floor_backward'
  | 'hole_holds_floor'
  | 'unknown_holds_floor';

/** What the window asks of its owner. */
export type NonceDemand =
  | { readonly kind: 'alarm'; readonly alarm: NonceAlarm; readonly nonce: number }
  /** Send a cancel of a terminal order with this nonce (G22); reserve it first. */
  | { readonly kind: 'fill'; readonly nonce: number }
  /** Find out what became of the action with this nonce. */
  | { readonly kind: 'reconcile'; readonly nonce: number }
  /** Ask the venue for the floor (hash route, G19). */
  | { readonly kind: 'discover' };

interface Slot {
  state: NonceState;
  purpose: NoncePurpose;
  /** The last digest signed with this nonce, hex. */
  digest: string | null;
  proof: Proof;
  isDead: boolean;
  nested: number | null;
}

const fresh = { digest: null, proof: 'never_sent', isDead: false, nested: null } as const;

export interface NonceSnapshot {
  readonly floor: number | null;
  readonly stated: number | null;
  readonly window: number;
  readonly next: number;
  readonly ceiling: number | null;
  readonly latched: boolean;
  readonly slots: readonly (readonly [number, Readonly<Slot>])[];
}

export class NonceWindow {
  readonly #rules: NonceRules;
  readonly #slots = new PassingMap<number, Slot>();
  #demands: NonceDemand[] = [];
  /** The lowest nonce that may still be acceptable; null until anyone has said. */
  #floor: number | null = null;
  /** The highest floor that the venue itself has stated. */
  #stated: number | null = null;
  #window: number;
  #next = 0;
  /** Set when the venue refused a nonce as beyond its window: nothing from here on until the floor moves. */
  #ceiling: number | null = null;
  #latched = false;
  #alarmedFloor: number | null = null;
  #free = new Set<number>();

  constructor(rules: NonceRules, snapshot?: NonceSnapshot) {
    this.#rules = rules;
    this.#window = rules.window;
    if (snapshot === undefined) return;
    this.#floor = snapshot.floor;
    this.#stated = snapshot.stated;
    this.#window = snapshot.window;
    this.#next = snapshot.next;
    this.#ceiling = snapshot.ceiling;
    this.#latched = snapshot.latched;
    for (const [nonce, slot] of snapshot.slots) {
      this.#slots.set(nonce, { ...slot });
      if (slot.state === 'free') this.#free.add(nonce);
    }
  }

  get floor(): number | null {
    return this.#floor;
  }

  /** The highest floor that the venue itself has stated. */
  get statedFloor(): number | null {
    return this.#stated;
  }

  get isLatched(): boolean {
    return this.#latched;
  }

  state(nonce: number): NonceState {
    const slot = this.#slots.get(nonce);
    if (slot !== undefined) return slot.state;
    return this.#floor !== null && nonce < this.#floor ? 'expired' : 'free';
  }

  /** Its action will never be applied, and nobody said what became of the nonce. */
  isDead(nonce: number): boolean {
    return this.#slots.get(nonce)?.isDead ?? false;
  }

  /** No word about its action changes anything any more: it is used, or none of ours. */
  isSettled(nonce: number): boolean {
    const slot = this.#slots.get(nonce);
    return slot === undefined || slot.state === 'used';
  }

  /** The lowest nonce that an action of this purpose may take now; undefined means wait (R29). */
  choose(purpose: NoncePurpose): number | undefined {
    const open = this.#openNonces();
    const kept = purpose === 'place' ? this.#rules.cancelReserve : 0;
    if (open <= kept) return undefined;
    let lowest: number | undefined;
    for (const nonce of this.#free) if (lowest === undefined || nonce < lowest) lowest = nonce;
    return lowest !== undefined && lowest < this.#limit() ? lowest : this.#own(this.#next);
  }

  /** Two neighbours for a conditional order: the nested action takes the lower (G20). */
  choosePair(): { readonly nested: number; readonly outer: number } | undefined {
    if (this.#openNonces() <= this.#rules.cancelReserve + 1) return undefined;
    const nested = this.#own(this.#next);
    const outer = nested + this.#rules.stride.step;
    return outer < this.#limit() ? { nested, outer } : undefined;
  }

  /** Nonces whose action's outcome is open. */
  open(): number[] {
    return [...this.#slots]
      .filter(([, { state, isDead }]) => state === 'unknown' && !isDead)
      .map(([nonce]) => nonce);
  }

  /** The nonce of the trigger order inside the action with this nonce. */
  nestedOf(nonce: number): number | null {
    return this.#slots.get(nonce)?.nested ?? null;
  }

  /** The digest that a new signature with this nonce would supersede, and why that one is dead. */
  superseded(nonce: number): { readonly digest: string; readonly proof: Proof } | undefined {
    const slot = this.#slots.get(nonce);
    if (slot === undefined || slot.digest === null) return undefined;
    return { digest: slot.digest, proof: slot.proof };
  }

  apply(event: NonceEvent): void {
    switch (event.kind) {
      case 'reserved':
        this.#reserve(event.nonce, event.purpose, event.nested ?? null);
        break;
      case 'signed':
        this.#change(event.nonce, (slot) => {
          slot.digest = event.digest;
        });
        break;
      case 'sent':
      case 'unknown':
        this.#to(event.nonce, event.kind);
        break;
      case 'released':
        this.#release(event.nonce, event.proof);
        break;
      case 'dead':
        this.#die(event.nonce);
        break;
      case 'foreign':
        this.#foreign(event.nonce);
        break;
      case 'consumed':
        this.#withNested(event.nonce, (nested) => this.#release(nested, 'not_consumed'));
        this.#to(event.nonce, 'used');
        break;
      case 'applied':
        this.#withNested(event.nonce, (nested) => this.#to(nested, 'used'));
        this.#to(event.nonce, 'used');
        break;
      case 'floor':
        this.#statedFloor(event);
        break;
      case 'assumed':
        this.#floor = event.floor;
        this.#next = event.floor;
        break;
      case 'restarted':
        for (const slot of this.#slots.values()) {
          if (slot.state === 'reserved' || slot.state === 'sent') slot.state = 'unknown';
        }
        break;
      case 'unlatched':
        this.#latched = false;
    }
    this.#raiseFloor();
  }

  /** What is to be done now. An alarm is said once for each floor, the rest until it is done. */
  demands(): readonly NonceDemand[] {
    const demands = this.#demands;
    this.#demands = [];
    if (this.#floor === null || this.#ceiling !== null) demands.push({ kind: 'discover' });
    if (this.#floor === null || this.#next - this.#floor <= this.#rules.fillAbove) return demands;
    if (this.#rules.stride.step > 1) demands.push({ kind: 'discover' });
    for (const nonce of this.#fillable()) demands.push({ kind: 'fill', nonce });
    for (const [nonce, slot] of this.#slots) {
      if (slot.state === 'unknown' && !slot.isDead) demands.push({ kind: 'reconcile', nonce });
    }
    const holder = this.#slots.get(this.#floor);
    if (holder === undefined || this.#alarmedFloor === this.#floor) return demands;
    if (holder.state !== 'unknown' && holder.state !== 'free') return demands;
    this.#alarmedFloor = this.#floor;
    const alarm = holder.state === 'free' || holder.isDead ? 'hole' : 'unknown';
    demands.push({ kind: 'alarm', alarm: `${alarm}_holds_floor`, nonce: this.#floor });
    return demands;
  }

  snapshot(): NonceSnapshot {
    return {
      floor: this.#floor,
      stated: this.#stated,
      window: this.#window,
      next: this.#next,
      ceiling: this.#ceiling,
      latched: this.#latched,
      slots: [...this.#slots].map(([nonce, slot]) => [nonce, { ...slot }]),
    };
  }

  #fillable(): number[] {
    const underWay = [...this.#slots.values()].filter(
      ({ state, purpose }) => purpose === 'fill' && (state === 'reserved' || state === 'sent'),
    ).length;
    return [...this.#slots]
      .filter(([, slot]) => slot.state === 'free' || (slot.state === 'unknown' && slot.isDead))
      .map(([nonce]) => nonce)
      .sort((left, right) => left - right)
      .slice(0, Math.max(0, mostFillers - underWay));
  }

  #reserve(nonce: number, purpose: NoncePurpose, nested: number | null): void {
    this.#free.delete(nonce);
    const { digest, proof } = this.#slots.get(nonce) ?? fresh;
    this.#slots.set(nonce, { state: 'reserved', purpose, digest, proof, isDead: false, nested });
    if (nonce < this.#next) return;
    // What was passed over, by a pair for one, stays free.
    for (let passed = this.#own(this.#next); passed < nonce; passed += this.#rules.stride.step) {
      this.#setFree(passed);
    }
    this.#next = nonce + 1;
  }

  #release(nonce: number, proof: Proof): void {
    this.#withNested(nonce, (nested) => this.#release(nested, proof));
    this.#change(nonce, (slot) => {
      // Nobody knows of a dead one whether it was consumed; that its last action was not sent does not tell.
      if (slot.isDead) return;
      slot.state = 'free';
      slot.proof = proof;
      this.#free.add(nonce);
    });
  }

  #die(nonce: number): void {
    this.#withNested(nonce, (nested) => this.#die(nested));
    this.#change(nonce, (slot) => {
      slot.state = 'unknown';
      slot.isDead = true;
      slot.proof = 'refused';
      this.#free.delete(nonce);
    });
  }

  #foreign(nonce: number): void {
    this.#withNested(nonce, (nested) => this.#die(nested));
    // A filler that finds its nonce used has only learnt that the action before it was consumed.
    if (this.#slots.get(nonce)?.purpose !== 'fill') this.#alarm('foreign_writer', nonce);
    this.#to(nonce, 'used');
  }

  #withNested(nonce: number, settle: (nested: number) => void): void {
    const nested = this.#slots.get(nonce)?.nested ?? null;
    if (nested !== null) settle(nested);
  }

  #change(nonce: number, change: (slot: Slot) => void): void {
    const slot = this.#slots.get(nonce);
    // What is used stays used; what lies below the floor is settled.
    if (slot !== undefined && slot.state !== 'used') change(slot);
  }

  #to(nonce: number, state: NonceState): void {
    this.#change(nonce, (slot) => {
      slot.state = state;
      this.#free.delete(nonce);
    });
  }

  #setFree(nonce: number): void {
    this.#slots.set(nonce, { state: 'free', purpose: 'place', ...fresh });
    this.#free.add(nonce);
  }

  #statedFloor({ floor, window, from, asked }: Extract<NonceEvent, { kind: 'floor' }>): void {
    if (window !== null && window >= 1) this.#window = Math.min(window, largestWindow);
    if (this.#stated !== null && floor < this.#stated) {
      // An older word is nothing new; but below what was stated before we asked, the venue has lost what it had.
      const before = asked === undefined ? this.#stated : asked;
      if (from !== 'discovery' || before === null || floor >= before) return;
      this.#latched = true;
      this.#alarm('floor_backward', floor);
      this.#lowerFloor(floor);
      return;
    }
    const isFirst = this.#stated === null;
    this.#stated = floor;
    // Where the venue's floor lags behind what we know to be consumed, its own window counts.
    const lags = this.#floor !== null && floor < this.#floor;
    if (from === 'outside_window' || this.#ceiling !== null) {
      this.#ceiling = from === 'outside_window' || lags ? floor + this.#window : null;
    }
    if (this.#floor === null || (isFirst && floor < this.#floor)) {
      this.#floor = floor;
      this.#next = Math.max(this.#next, floor);
      this.#findHoles();
    } else if (floor > this.#floor) {
      this.#passFloor(floor, this.#rules.stride.step === 1 && !isFirst);
    }
  }

  /** The venue has settled all below `floor`; what we did not use there, another writer did. */
  #passFloor(floor: number, tellsOfOthers: boolean): void {
    for (const [nonce, { state }] of this.#slots) {
      if (nonce >= floor) continue;
      if (state === 'unknown' || state === 'sent') this.#demands.push({ kind: 'reconcile', nonce });
      if (state === 'free' && tellsOfOthers) this.#alarm('foreign_writer', nonce);
      this.#drop(nonce);
    }
    if (floor > this.#next) {
      if (tellsOfOthers) this.#alarm('foreign_writer', this.#next);
      this.#next = floor;
    }
    this.#floor = floor;
  }

  #lowerFloor(floor: number): void {
    this.#floor = floor;
    this.#stated = floor;
    this.#findHoles();
  }

  /** What lies between floor and next without a slot was never given out by us. */
  #findHoles(): void {
    const from = this.#own(this.#floor ?? 0);
    const end = Math.min(this.#next, from + this.#window);
    for (let nonce = from; nonce < end; nonce += this.#rules.stride.step) {
      if (!this.#slots.has(nonce)) this.#setFree(nonce);
    }
  }

  /** The venue's own rule, followed as far as we know: the floor passes consumed nonces without a gap. */
  #raiseFloor(): void {
    if (this.#floor === null || this.#rules.stride.step > 1) return;
    while (this.#slots.get(this.#floor)?.state === 'used') {
      this.#drop(this.#floor);
      this.#floor += 1;
    }
  }

  #drop(nonce: number): void {
    this.#slots.delete(nonce);
    this.#free.delete(nonce);
  }

  #alarm(alarm: NonceAlarm, nonce: number): void {
    this.#demands.push({ kind: 'alarm', alarm, nonce });
  }

  #limit(): number {
    const end = (this.#floor ?? 0) + this.#window;
    return this.#ceiling === null ? end : Math.min(end, this.#ceiling);
  }

  /** How many nonces of ours could be given out now. */
  #openNonces(): number {
    if (this.#floor === null || this.#latched) return 0;
    const limit = this.#limit();
    const fresh = Math.max(0, Math.ceil((limit - this.#own(this.#next)) / this.#rules.stride.step));
    let freed = 0;
    for (const nonce of this.#free) if (nonce < limit) freed += 1;
    return fresh + freed;
  }

  /** The lowest nonce of our stride that is not below `nonce`. */
  #own(nonce: number): number {
    const { offset, step } = this.#rules.stride;
    return nonce + ((((offset - nonce) % step) + step) % step);
  }
}
