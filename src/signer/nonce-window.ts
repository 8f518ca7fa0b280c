/**
 * The nonces of one account as the bridge knows them (docs/ARCHITECTURE.md, "Nonces"; contract A.11, G18-G22): a
 * state machine without I/O. Only what the journal has changes it, so a replay of the journal produces the same state.
 *
 *     free → reserved → sent → used                 a free nonce was never assigned, or was not consumed
 *                     ↘ unknown → used | expired    an unknown nonce holds the floor until the venue answers
 *
 * The signer never signs two placing actions for one nonce (docs/decisions/0285-ledger-of-the-signer.md). A free nonce
 * that a placing action was signed for is *spent*: only a cancel or a filler can still take it.
 *
 * Nonces are safe integers, because the venue's JSON lanes carry no other.
 */
import { ShortLivedMap } from '../runtime/short-lived-map.ts';
import {
  isHole,
  type NonceAlarm,
  type NonceDemand,
  type NoncePurpose,
  type NonceRules,
  type NonceSnapshot,
  type NonceState,
  nothingKnown,
  type Slot,
  type StatedFloor,
  type WindowFacts,
} from './nonce-types.ts';

const largestWindow = 65_536;
const mostFillers = 8;
/** What a start without discovery assumes; nothing below it is assigned before the venue states its floor (R25). */
export const guessedFloor = 1;
/** The bridge asks for a floor that does not move four times a second. So many answers in a row are not all old. */
const enoughToWaitFor = 12;

const fresh = { digest: null, isDead: false, nested: null, isShown: false } as const;
const used = { ...fresh, state: 'used', purpose: 'place' } as const;

export class NonceWindow {
  readonly #rules: NonceRules;
  readonly #slots = new ShortLivedMap<number, Slot>();
  /** The slots of the nonces below our floor, as far back as one window. */
  readonly #passed = new ShortLivedMap<number, Pick<Slot, 'digest' | 'isShown'>>();
  readonly #free = new Set<number>();
  readonly #known: WindowFacts;
  #demands: NonceDemand[] = [];

  constructor(
    rules: NonceRules,
    { passed = [], slots = [], ...known }: Partial<NonceSnapshot> = {},
  ) {
    this.#rules = rules;
    this.#known = { ...nothingKnown, window: rules.window, ...known };
    for (const [nonce, digest, isShown] of passed) this.#passed.set(nonce, { digest, isShown });
    for (const [nonce, slot] of slots) {
      this.#slots.set(nonce, { ...slot });
      if (slot.state === 'free') this.#free.add(nonce);
    }
  }

  get floor(): number | null {
    return this.#known.floor;
  }

  /** The highest floor that the venue itself has stated. */
  get statedFloor(): number | null {
    return this.#known.stated;
  }

  get isLatched(): boolean {
    return this.#known.latched;
  }

  state(nonce: number): NonceState {
    const slot = this.#slots.get(nonce);
    if (slot !== undefined) return slot.state;
    return this.#known.floor !== null && nonce < this.#known.floor ? 'expired' : 'free';
  }

  /** The action will never be applied, and it is not known whether it consumed the nonce. */
  isDead(nonce: number): boolean {
    return this.#slots.get(nonce)?.isDead ?? false;
  }

  /** Whether the nonce is final: it is used, or it is not ours. No later answer about its action changes that. */
  isSettled(nonce: number): boolean {
    return (this.#slots.get(nonce)?.state ?? 'used') === 'used';
  }

  get #isDoubted(): boolean {
    return this.#known.isDoubtful || this.#known.isUnstated;
  }

  /** The lowest nonce that an action of this purpose may take now; undefined means wait (R29). */
  choose(purpose: NoncePurpose): number | undefined {
    const isPlacing = purpose === 'place';
    if (this.#isDoubted && isPlacing) return undefined;
    const free = this.#freeFor(isPlacing);
    if (this.#openNonces(isPlacing, free) <= 0) return undefined;
    return free.reduce((lowest, nonce) => Math.min(lowest, nonce), this.#own(this.#known.next));
  }

  /** Two neighbours for a conditional order: the nested action takes the lower (G20). */
  choosePair(): { readonly nested: number; readonly outer: number } | undefined {
    if (this.#isDoubted) return undefined;
    if (this.#openNonces(true) <= 1) return undefined;
    const nested = this.#own(this.#known.next);
    const outer = nested + this.#rules.stride.step;
    return outer < this.#limit() ? { nested, outer } : undefined;
  }

  /** The placing action that may have been signed with this nonce; null if there is none. */
  digestOf(nonce: number): string | null {
    return this.#slots.get(nonce)?.digest ?? null;
  }

  /** `nested` is the nonce of a trigger order inside the action; it has the same outcome as this one (G20). */
  reserved(nonce: number, purpose: NoncePurpose, nested: number | null = null): void {
    this.#free.delete(nonce);
    // If the nonce was nested in an earlier action, the outcome of that one no longer concerns it.
    const outer = this.#slots.get(nonce + this.#rules.stride.step);
    if (outer?.nested === nonce) outer.nested = null;
    const { digest } = this.#slots.get(nonce) ?? fresh;
    this.#slots.set(nonce, { ...fresh, state: 'reserved', purpose, digest, nested });
    this.#skipTo(nonce);
  }

  /** The bridge requests a signature for this placement digest. */
  signed(nonce: number, digest: string): void {
    this.#change(nonce, (slot) => Object.assign(slot, { digest }));
  }

  /** The signer has not recorded this digest, so the nonce can still be used for a placement. */
  unsigned(nonce: number, digest: string): void {
    this.#change(nonce, (slot) => {
      if (slot.digest === digest) slot.digest = null;
    });
  }

  /** The action is being handed to the signer and to HTTP. */
  sent(nonce: number): void {
    this.#to(nonce, 'sent');
  }

  /** It never reached HTTP, or the venue stated that it was not consumed. */
  released(nonce: number): void {
    this.#withNested(nonce, (nested) => this.released(nested));
    this.#change(nonce, (slot) => {
      // Whether a dead nonce was consumed is unknown; that its last action or filler was not sent proves nothing.
      if (slot.isDead) return;
      if (slot.purpose === 'fill') return this.dead(nonce);
      slot.state = 'free';
      this.#free.add(nonce);
    });
  }

  /** The outcome is open: the action may be applied, now or later. */
  unknown(nonce: number): void {
    this.#to(nonce, 'unknown');
  }

  /** The action will never be applied, but it is not known whether the nonce was consumed (R31). */
  dead(nonce: number): void {
    this.#withNested(nonce, (nested) => this.dead(nested));
    this.#change(nonce, (slot) => {
      doubt(slot);
      this.#free.delete(nonce);
    });
  }

  /** The venue's engine has processed the action and refused it. */
  consumed(nonce: number): void {
    this.#withNested(nonce, (nested) => this.released(nested));
    this.#to(nonce, 'used');
  }

  /** The venue's engine has applied the action; a trigger order inside is stored, and its nonce is used, too. */
  applied(nonce: number): void {
    this.#withNested(nonce, (nested) => this.#to(nested, 'used'));
    this.#to(nonce, 'used');
  }

  /** The venue states that the nonce is used, not by this action: probably by another writer of the account (R33). */
  foreign(nonce: number): void {
    // Whose action the stream has shown with it is known, and may be ours from before a filler.
    const { isShown } = this.#slots.get(nonce) ?? this.#passed.get(nonce) ?? fresh;
    if (this.#slots.get(nonce)?.purpose !== 'fill' && !isShown) this.suspect(nonce);
    this.passed(nonce);
  }

  /** Another writer of the account uses the same nonces. */
  suspect(nonce: number): void {
    this.#alarm('foreign_writer', nonce);
  }

  /**
   * The venue states that it takes no action with this nonce any more. Such an answer may belong to another request
   * (decision 0255), so the floor waits for a second one, which answers a filler.
   */
  passed(nonce: number): void {
    if (this.#slots.get(nonce)?.purpose === 'fill') this.#to(nonce, 'used');
    else this.dead(nonce);
  }

  /** The execution stream shows an action with it, so no answer to another request can be the cause. */
  streamed(nonce: number): void {
    const known = this.#slots.get(nonce) ?? this.#passed.get(nonce);
    if (known !== undefined) known.isShown = true;
    else if (this.#isStillToCome(nonce)) {
      if (this.#own(nonce) === nonce) {
        this.#alarm('foreign_writer', nonce);
        this.#slots.set(nonce, { ...used, isShown: true });
      }
      // Where another stride is ahead, our nonces that it has passed are holes, which would stop it in the end.
      this.#skipTo(nonce);
      this.#raiseFloor();
    }
  }

  stated(stated: StatedFloor): void {
    this.#floorStated(stated);
    this.#raiseFloor();
  }

  /** A refusal for a nonce states no floor: nothing is placed until the venue was asked, whether or not it answers. */
  unstated(isUnstated: boolean): void {
    this.#known.isUnstated = isUnstated;
  }

  /** A first guess of the floor; the first answer corrects it. */
  assumed(floor: number): void {
    Object.assign(this.#known, { floor, next: floor });
  }

  /** After a restart, everything that was in flight may have reached the venue, and will get no more answers. */
  restarted(): void {
    for (const slot of this.#slots.values()) {
      if (slot.state !== 'free' && slot.state !== 'used') doubt(slot);
    }
    // The operator of this process has not seen the alarm yet.
    this.#known.alarmed = null;
  }

  /** An operator has checked the floor that went backward. */
  unlatched(): void {
    this.#known.latched = false;
  }

  /** The current demands. An alarm is raised once for each floor, the other demands until they are met. */
  demands(): readonly NonceDemand[] {
    const demands = this.#demands;
    this.#demands = [];
    const { alarmed, ceiling, floor, latched, next } = this.#known;
    if (floor === null || ceiling !== null || this.#isDoubted) demands.push({ kind: 'discover' });
    const fillAbove = this.#scaled(this.#rules.fillAbove);
    if (floor === null || latched || this.#own(next) - floor <= fillAbove) return demands;
    if (this.#rules.stride.step > 1) demands.push({ kind: 'discover' });
    for (const nonce of this.#fillable()) demands.push({ kind: 'fill', nonce });
    const alarm = this.#holderOf(floor);
    if (alarm === undefined || alarmed === floor) return demands;
    this.#known.alarmed = floor;
    demands.push({ kind: 'alarm', alarm, nonce: floor });
    return demands;
  }

  /** What keeps the floor where it is; undefined if that is an action of ours that will soon have its result. */
  #holderOf(floor: number): NonceAlarm | undefined {
    if (this.#own(floor) !== floor) {
      return this.#known.unmoved >= enoughToWaitFor ? 'other_holds_floor' : undefined;
    }
    const slot = this.#slots.get(floor) ?? used;
    if (isHole(slot)) return 'hole_holds_floor';
    return slot.state === 'unknown' ? 'unknown_holds_floor' : undefined;
  }

  snapshot(): NonceSnapshot {
    return {
      ...this.#known,
      passed: [...this.#passed].map(([nonce, { digest, isShown }]) => [nonce, digest, isShown]),
      slots: [...this.#slots].map(([nonce, slot]) => [nonce, { ...slot }]),
    };
  }

  #fillable(): number[] {
    const underWay = [...this.#slots.values()].filter(
      ({ state, purpose }) => purpose === 'fill' && (state === 'reserved' || state === 'sent'),
    ).length;
    return [...this.#slots]
      .filter(([, slot]) => isHole(slot))
      .map(([nonce]) => nonce)
      .sort((left, right) => left - right)
      .slice(0, Math.max(0, mostFillers - underWay));
  }

  /** The next fresh nonce is behind this one; the nonces that a pair or another writer has skipped stay free. */
  #skipTo(nonce: number): void {
    const { next } = this.#known;
    if (nonce < next) return;
    this.#known.next = nonce + 1;
    this.#openHoles(next, Number.POSITIVE_INFINITY);
  }

  /** Whether this nonce of the account is still to be used. Other agents may have nonces of their own. */
  #isStillToCome(nonce: number): boolean {
    if (this.#rules.scope === 'agent') return false;
    const floor = this.#known.floor ?? Number.POSITIVE_INFINITY;
    return nonce >= floor && nonce < floor + this.#known.window;
  }

  #withNested(nonce: number, settle: (nested: number) => void): void {
    const slot = this.#slots.get(nonce);
    // Once the outer nonce is used, another action may have the nested one.
    if (slot?.nested != null && slot.state !== 'used') settle(slot.nested);
  }

  #change(nonce: number, change: (slot: Slot) => void): void {
    const slot = this.#slots.get(nonce);
    // A used nonce stays used; a nonce below the floor is settled.
    if (slot !== undefined && slot.state !== 'used') change(slot);
  }

  #to(nonce: number, state: NonceState): void {
    this.#change(nonce, (slot) => {
      slot.state = state;
      this.#free.delete(nonce);
    });
    if (state === 'used') this.#raiseFloor();
  }

  #floorStated(event: StatedFloor): void {
    const { floor, window, from } = event;
    if (window !== null && window >= 1) this.#known.window = Math.min(window, largestWindow);
    if (from === 'discovery') {
      const isUnmoved = floor === this.#known.floor || floor === this.#known.stated;
      this.#known.unmoved = isUnmoved ? this.#known.unmoved + 1 : 0;
      // With a stride our floor passes no used nonce by itself. One that the venue goes on to wait for was not used.
      const slot = this.#known.unmoved < enoughToWaitFor ? undefined : this.#slots.get(floor);
      if (slot?.state === 'used' && !slot.isShown) doubt(slot);
      Object.assign(this.#known, { isDoubtful: false, isUnstated: false });
      if (this.#isWaitedFor(event)) return;
      this.#known.confirmed = Math.max(this.#known.confirmed, floor);
    }
    if (this.#known.stated !== null) {
      const isOlder = floor < this.#known.stated;
      // With a stride the other writers may be far ahead of us.
      const isAhead = floor > this.#known.next && this.#rules.stride.step === 1;
      const isOdd = isOlder ? from === 'outside_window' : isAhead;
      if (event.isToBeConfirmed === true && isOdd) this.#known.isDoubtful = true;
      if (isOlder || this.#known.isDoubtful) return;
    }
    this.#acceptFloor(event);
  }

  /**
   * Whether the venue, when it was asked, still waited for a nonce that we held for used. If the stream has shown that
   * nonce, the venue has lost data, and an operator must check. Otherwise the earlier answer was not for it.
   */
  #isWaitedFor(event: StatedFloor): boolean {
    const { floor, asked = this.#known.stated, askedFrom = null } = event;
    const own = this.#known.floor;
    if (own === null || floor >= own) return false;
    const isKnownUsed =
      floor < this.#known.confirmed ||
      this.#passed.get(floor)?.isShown === true ||
      (own - floor > this.#known.window && this.#known.unmoved < enoughToWaitFor);
    if (isKnownUsed && asked !== null && floor < asked) {
      this.#known.latched = true;
      this.#alarm('floor_backward', floor);
      this.#reopen(floor);
      for (const slot of this.#slots.values()) if (slot.state === 'used') doubt(slot);
      return true;
    }
    if (isKnownUsed || askedFrom === null || floor >= askedFrom) return false;
    this.#reopen(floor);
    return true;
  }

  #acceptFloor({ floor, from, isToBeConfirmed }: StatedFloor): void {
    const { floor: own, stated, unmoved } = this.#known;
    const isFirst = stated === null;
    this.#known.stated = floor;
    // If the venue's floor is behind what we know to be consumed, the venue's own window applies. Where it cannot be
    // asked for a later one, that answer may be an old one, and our next nonces are tried. If they are all refused for
    // the same floor, what told us that its nonce was consumed was not the answer to that action.
    const isBehind = own !== null && floor < own;
    const isOver = isBehind ? isToBeConfirmed === false : from !== 'outside_window';
    if (isBehind && isOver && from === 'outside_window') {
      this.#known.unmoved = floor === stated ? unmoved + 1 : 0;
      if (this.#known.unmoved >= enoughToWaitFor) this.#reopen(floor);
    }
    if (from === 'outside_window' || this.#known.ceiling !== null) {
      this.#known.ceiling = isOver ? null : floor + this.#known.window;
    }
    // A venue that has taken our nonces is at most a window behind them. An older answer says nothing new.
    const behind = (this.#known.floor ?? floor) - floor;
    if (this.#known.floor === null || (isFirst && behind > 0 && behind <= this.#known.window)) {
      this.#known.floor = floor;
      this.#known.next = Math.max(this.#known.next, floor);
      this.#findHoles(false, own === null ? Number.POSITIVE_INFINITY : guessedFloor);
    } else if (floor > this.#known.floor) {
      this.#passFloor(floor, this.#rules.stride.step === 1 && !isFirst);
    }
  }

  /** The venue has settled all nonces below `floor`. Those that we did not use were used by another writer. */
  #passFloor(floor: number, revealsOthers: boolean): void {
    for (const [nonce, { state }] of this.#slots) {
      if (nonce >= floor) continue;
      if (state === 'free' && revealsOthers) this.#alarm('foreign_writer', nonce);
      this.#drop(nonce);
    }
    if (floor > this.#known.next) {
      if (revealsOthers) this.#alarm('foreign_writer', this.#known.next);
      this.#known.next = floor;
    }
    this.#moveFloor(floor);
  }

  #moveFloor(floor: number): void {
    const { floor: before, window } = this.#known;
    const from = (before ?? floor) - window;
    // Everything that was passed lies within two windows, however far the floor moves.
    const end = Math.min(floor - window, from + 2 * window);
    for (let nonce = from; nonce < end; nonce += 1) this.#passed.delete(nonce);
    Object.assign(this.#known, { floor, unmoved: 0 });
    this.#openHoles(Math.max(floor, from + 2 * window), 0);
  }

  /** The venue waits for nonces that were used before. Those seen on the stream stay used. */
  #reopen(floor: number): void {
    Object.assign(this.#known, { floor, stated: floor, unmoved: 0, ceiling: null });
    this.#findHoles(true);
  }

  /** Nonces from `assignedFrom` on may have been ours; those that we remember are used, unless that is in doubt. */
  #findHoles(isInDoubt: boolean, assignedFrom = 0): void {
    const from = this.#known.floor ?? 0;
    for (const [nonce, passed] of this.#passed) {
      if (nonce < from) continue;
      this.#passed.delete(nonce);
      const slot: Slot = { ...used, ...passed };
      if (isInDoubt && !slot.isShown) doubt(slot);
      this.#slots.set(nonce, slot);
    }
    this.#openHoles(from, assignedFrom);
  }

  /**
   * Nonces of the window before the next one that have no slot are holes. We never assigned them; or we did, and do not
   * know any more for what: then only fillers may take them, because a placement may be signed for them.
   */
  #openHoles(from: number, assignedFrom: number): void {
    const end = Math.min(this.#known.next, (this.#known.floor ?? 0) + this.#known.window);
    for (let nonce = this.#own(from); nonce < end; nonce += this.#rules.stride.step) {
      if (this.#slots.has(nonce)) continue;
      const slot: Slot = { ...used, state: 'free' };
      this.#slots.set(nonce, slot);
      if (nonce >= assignedFrom) doubt(slot);
      else this.#free.add(nonce);
    }
  }

  /** Applies the venue's own rule as far as we know: the floor passes consumed nonces without a gap. */
  #raiseFloor(): void {
    if (this.#known.floor === null || this.#rules.stride.step > 1) return;
    while (this.#slots.get(this.#known.floor)?.state === 'used') {
      this.#drop(this.#known.floor);
      this.#moveFloor(this.#known.floor + 1);
      this.#known.ceiling = null;
    }
  }

  #drop(nonce: number): void {
    const { digest = null, isShown = false } = this.#slots.get(nonce) ?? {};
    this.#passed.set(nonce, { digest: isShown ? null : digest, isShown });
    this.#slots.delete(nonce);
    this.#free.delete(nonce);
  }

  #alarm(alarm: NonceAlarm, nonce: number): void {
    this.#demands.push({ kind: 'alarm', alarm, nonce });
  }

  #limit(): number {
    const { ceiling, floor, window } = this.#known;
    return Math.min((floor ?? 0) + window, ceiling ?? Infinity, Number.MAX_SAFE_INTEGER);
  }

  /** A smaller window of the venue gets a proportional reserve, because it must still trade and fill its holes. */
  #scaled(nonces: number): number {
    return Math.floor(nonces * Math.min(1, this.#known.window / this.#rules.window));
  }

  /** How many of our nonces could be assigned now. Placements leave some of them, however few a stride gives us. */
  #openNonces(isPlacing: boolean, free = this.#freeFor(isPlacing)): number {
    if (this.#known.floor === null || this.#known.latched) return 0;
    const ahead = (this.#limit() - this.#own(this.#known.next)) / this.#rules.stride.step;
    const kept = isPlacing ? this.#scaled(this.#rules.cancelReserve) / this.#rules.stride.step : 0;
    return Math.max(0, Math.ceil(ahead)) + free.length - Math.floor(kept);
  }

  /** Those that such an action may take. A nonce with which a placement may be signed takes no other one (0285). */
  #freeFor(isPlacing: boolean): number[] {
    const limit = this.#limit();
    const mayTake = (nonce: number) => !isPlacing || this.digestOf(nonce) === null;
    return [...this.#free].filter((nonce) => nonce < limit && mayTake(nonce));
  }

  /** The lowest nonce of our stride that is not below `nonce`. */
  #own(nonce: number): number {
    const { offset, step } = this.#rules.stride;
    return nonce + ((((offset - nonce) % step) + step) % step);
  }
}

/** Whether the nonce is used is not known (any more), and its action will not be applied: a filler finds out. */
function doubt(slot: Slot): void {
  Object.assign(slot, { state: 'unknown', isDead: true, isShown: false });
}
