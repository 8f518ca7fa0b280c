/**
 * Translates the outcome of an action into the state of its nonce (docs/ARCHITECTURE.md; R26, R31, R33). The states
 * themselves are in `signer/nonce-window.ts`.
 */
import { invariant } from '../../runtime/invariant.ts';
import type { NoncePurpose, NonceRules, NonceSnapshot } from '../../signer/nonce-types.ts';
import { guessedFloor, NonceWindow } from '../../signer/nonce-window.ts';
import type { NonceFacts } from '../answer.ts';
import { refusalOf } from '../refusals.ts';
import type { Submission } from './submission.ts';

export interface NonceOptions {
  readonly rules: NonceRules;
  /** `holds_floor` refuses conditional orders, because their nested nonce would block all later nonces (G20). */
  readonly nestedTrigger: 'consumed_on_store' | 'holds_floor';
  /** `first_reject` starts without querying the venue and learns the floor from the first refusal (G19). */
  readonly discovery: 'hash_route' | 'first_reject';
}

/** The part of the venue's final answer to an action that concerns the nonce. */
export interface NonceAnswer {
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  /** The venue's code of a refusal. */
  readonly code: string | null;
  readonly nonce: NonceFacts;
}

/** What the rest of the bridge sees of them. */
export type NonceView = Pick<
  Nonces,
  'digests' | 'floor' | 'isLatched' | 'mayAsk' | 'state' | 'statedFloor'
>;

export class Nonces extends NonceWindow {
  readonly #nestedTrigger: NonceOptions['nestedTrigger'];
  /** Whether the venue can be queried for its floor. */
  readonly mayAsk: boolean;

  constructor({ discovery, nestedTrigger, rules }: NonceOptions, snapshot?: NonceSnapshot) {
    super(rules, snapshot);
    this.#nestedTrigger = nestedTrigger;
    this.mayAsk = discovery === 'hash_route';
    // The bridge never guesses nonce 0. A start without discovery begins at 1, and the hole at 0 shows up by itself
    // (R25).
    if (snapshot === undefined && discovery === 'first_reject') {
      this.assumed(guessedFloor);
    }
  }

  /** Whether a nonce is available for this purpose now (R29). */
  isFreeFor(purpose: NoncePurpose): boolean {
    return this.choose(purpose) !== undefined;
  }

  /** Whether `reservePair` can give a result now. */
  isPairDecided(): boolean {
    return this.#nestedTrigger === 'holds_floor' || this.choosePair() !== undefined;
  }

  /**
   * Returns undefined if no nonce is available. A cancel that is signed again keeps its previous nonce if that is free,
   * so that only one of the two can be applied.
   */
  reserve(purpose: NoncePurpose, before: number | null = null): number | undefined {
    const lowest = this.choose(purpose);
    const isFree =
      before !== null &&
      this.state(before) === 'free' &&
      (purpose !== 'place' || this.digestOf(before) === null);
    const nonce = lowest !== undefined && isFree ? before : lowest;
    if (nonce !== undefined) this.#take(nonce, purpose);
    return nonce;
  }

  reserveHole(nonce: number): void {
    this.#take(nonce, 'fill');
  }

  /** Two adjacent nonces for a conditional order, or `refused` if its nested order would hold the floor. */
  reservePair(): { readonly nested: number; readonly outer: number } | 'refused' | undefined {
    if (this.#nestedTrigger === 'holds_floor') return 'refused';
    const pair = this.choosePair();
    if (pair === undefined) return undefined;
    const { nested, outer } = pair;
    this.#take(nested, 'place');
    this.#take(outer, 'place', nested);
    return pair;
  }

  /** The digests, in hex, of the placing actions that may have been signed, by nonce. */
  digests(): ReadonlyMap<number, string> {
    const { slots } = this.snapshot();
    return new Map(
      slots.flatMap(([nonce, { digest }]) => (digest === null ? [] : [[nonce, digest]])),
    );
  }

  /** The stream contains an action with this nonce. What is nested in ours is stored only if ours was applied. */
  shown(nonce: number, isRejected: boolean, hash = this.digestOf(nonce)): void {
    this.streamed(nonce);
    if (this.isSettled(nonce)) return;
    if (isRejected || hash !== this.digestOf(nonce)) this.consumed(nonce);
    else this.applied(nonce);
  }

  answered(nonce: number, answer: NonceAnswer): void {
    this.#settle(nonce, answer);
    this.answeredFloor(answer);
  }

  /** What an answer says of the window; an action that is refused as beyond it keeps its nonce. */
  answeredFloor({ code, nonce: facts }: Pick<NonceAnswer, 'code' | 'nonce'>): void {
    const { nonceFloor: floor, nonceWindow: window } = facts;
    if (floor === null) {
      // A result of a batch has no floor, so the venue is asked before anything is placed (D.0, N2).
      if (this.mayAsk && refusalOf(code ?? '')?.acts.includes('N2')) this.unstated(true);
      return;
    }
    const from = code === 'nonce_outside_window' ? 'outside_window' : 'answer';
    const isToBeConfirmed = this.mayAsk;
    this.stated({ floor, window, from, isToBeConfirmed });
  }

  /** `asked` and `askedFrom` are the floors at the time of the query: the one that the venue had stated, and ours. */
  discovered(
    floor: number,
    asked: number | null,
    askedFrom: number | null = null,
    window: number | null = null,
  ): void {
    this.stated({ floor, window, from: 'discovery', asked, askedFrom });
  }

  /**
   * Called for each submission after a start, and after a floor went down: both make holes of nonces, but those of an
   * action that is under way are none.
   */
  stillOut({ fencedId, nested, nonce }: Pick<Submission, 'fencedId' | 'nested' | 'nonce'>): void {
    // If another channel has used the outer nonce, the nested one is free for other actions.
    if (nonce === null || fencedId !== null || this.isSettled(nonce)) return;
    for (const one of [nested?.nonce ?? nonce, nonce]) {
      if (this.state(one) !== 'free' && !this.isDead(one)) continue;
      this.reserved(one, 'place', one === nonce ? (nested?.nonce ?? null) : null);
      this.unknown(one);
    }
  }

  #take(nonce: number, purpose: NoncePurpose, nested?: number): void {
    const isFree = this.state(nonce) === 'free' || (purpose === 'fill' && this.isDead(nonce));
    invariant(isFree, 'one action, one nonce:', String(nonce));
    this.reserved(nonce, purpose, nested);
  }

  #settle(nonce: number, { code, nonce: facts, outcome }: NonceAnswer): void {
    const { nonceConsumed: isConsumed } = facts;
    if (outcome === 'accepted') {
      // Most answers arrive after the event that already reported the same.
      if (this.isSettled(nonce)) return;
      if (isConsumed === true) this.applied(nonce);
      else this.sent(nonce);
    } else if (isConsumed === true) this.consumed(nonce);
    else if (outcome === 'unknown') this.unknown(nonce);
    else if (code === 'nonce_replayed') this.foreign(nonce);
    else if (code === 'nonce_below_floor') this.passed(nonce);
    else if (isConsumed === false) this.released(nonce);
    else this.dead(nonce);
  }
}
