/**
 * One action on its way to the venue (docs/ARCHITECTURE.md, "Submitting has three outcomes"; contract D.0, G31), as a
 * state machine without I/O: what happened goes in, what to do next comes out. The rules that it keeps:
 *
 * - The same bytes with the same key may be sent again; other bytes only after a refusal of a first send, which is
 *   decisive (R27, R28, R44).
 * - Once a send has been lost, `clouded` says so for good: no refusal of a later send is believed before
 *   reconciliation has found nothing of the action, repeatedly, and then nothing is signed anew (R46).
 * - An order whose time is over is not sent again; it is looked for, and its nonce fenced off (decision 0196).
 * - What became of a lost send is asked at once, and the bytes go out again at once; only what is lost twice waits.
 */
import { type Act, type Refusal, refusalNamed } from '../domain/refusal.ts';
import type { ChildIds, NonceFacts } from './answer.ts';
import { type BackoffRules, backoffMs, type Random } from './backoff.ts';
import { nothingOfNonces, type Refusing, type Verdict } from './verdict.ts';

export interface SubmissionRules {
  readonly backoff: BackoffRules;
  /** From the first send, how long the client's order may wait for room at the venue. */
  readonly maxAgeMs: number;
  /** How long a nonce beyond the window waits for the floor. */
  readonly floorWaitMs: number;
  /** After this the venue refuses the bytes as expired, so what is not found by then is dead (G12). */
  readonly deadAfterMs: number;
}

/** What reconciliation with stream and receipts found of an action. */
export type Found =
  | { readonly kind: 'applied'; readonly seq: number | null }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly text: string }
  | { readonly kind: 'nothing' }
  /** The venue took another action under its nonce: it was not applied and never will be. */
  | { readonly kind: 'fenced' }
  | { readonly kind: 'unreadable'; readonly problem: string };

export type SubmissionInput =
  | { readonly kind: 'start' }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | { readonly kind: 'found'; readonly found: Found }
  /** New bytes with a fresh nonce are recorded and ready. */
  | { readonly kind: 'resigned' }
  | { readonly kind: 'resign_failed'; readonly refusal: Refusal; readonly text: string }
  | { readonly kind: 'floor_moved' }
  /** It is not wanted any more, and no byte of it is on the wire. */
  | { readonly kind: 'withdrawn'; readonly refusal: Refusal; readonly text: string }
  /** The execution stream shows the action: it was applied or refused by the engine, and the stream tells which. */
  | { readonly kind: 'observed'; readonly seq: number }
  | { readonly kind: 'time' };

export type Outcome =
  | {
      readonly kind: 'accepted';
      readonly seq: number | null;
      readonly orderIds: ChildIds;
      readonly nonce: NonceFacts;
      /** Found at the venue and not told by an answer of its own. */
      readonly adopted: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      readonly text: string;
      readonly nonce: NonceFacts;
      /** Not one byte of any send left, so the nonce is as it was. */
      readonly neverSent: boolean;
      /** What the venue said last, where the refusal is the bridge's own. */
      readonly venueCode?: string | null;
    };

export type Step =
  /** The same bytes, the same key. */
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'reconcile' }
  /** Have another action take the nonce, so that this one cannot be applied any more. */
  | { readonly kind: 'fence' }
  /** Take a fresh nonce and sign again; first the allocator hears what the refusal says of the last one. */
  | { readonly kind: 'resign'; readonly after: Refusing }
  | { readonly kind: 'act'; readonly act: Act; readonly refusal: Refusal; readonly text: string }
  /** Tell the order that its outcome is open; said once. */
  | { readonly kind: 'unknown'; readonly refusal: Refusal; readonly text: string }
  | { readonly kind: 'end'; readonly outcome: Outcome };

export interface Origin {
  readonly isCancel: boolean;
  /** Set for what a process before this one recorded and may have sent: the first send is a resend. */
  readonly resumedAgeMs: number | null;
  /** The signer will not sign it any more: it is only looked for. */
  readonly isUnsigned?: boolean;
}

const newAction: Origin = { isCancel: false, resumedAgeMs: null };

type State =
  | 'idle'
  | 'sending'
  | 'before_send'
  | 'before_reconcile'
  | 'reconciling'
  | 'fencing'
  | 'resigning'
  | 'holding'
  | 'ended';

const mostFreshNonces = 3;
/** So many times in a row must reconciliation find nothing before a refusal of a resend is believed. */
const nothingFoundEnough = 3;
/** Acts that others carry out: gate, credential, alarm, markets, pace. */
const actsOfOthers: readonly Act[] = ['GG', 'GM', 'GR', 'CR', 'IN', 'MD', 'SF'];
/** Refusals at the venue's door: they say nothing of what became of an earlier send. */
const actsAtTheDoor: readonly Act[] = ['BK', 'GG', 'GM', 'GR', 'CR'];

export class Submission {
  readonly #rules: SubmissionRules;
  readonly #random: Random;
  readonly #origin: Origin;
  #state: State = 'idle';
  #clouded = false;
  #toldUnknown = false;
  #everLeft = false;
  #failures = 0;
  #freshNonces = 0;
  #nothingFound = 0;
  #mayResend: boolean;
  #startedMs = 0;
  #wakeMs = 0;
  #holdUntilMs = 0;
  /** The refusal that waits for reconciliation to confirm it. */
  #pending: Refusing | null = null;
  /** What the venue refused last, while no send is lost: what it said of the nonce still holds. */
  #refused: Refusing | null = null;

  constructor(rules: SubmissionRules, random: Random, origin: Origin = newAction) {
    this.#rules = rules;
    this.#random = random;
    this.#origin = origin;
    this.#clouded = origin.resumedAgeMs !== null;
    this.#everLeft = this.#clouded;
    this.#mayResend = origin.isUnsigned !== true;
  }

  get isEnded(): boolean {
    return this.#state === 'ended';
  }

  /** No send of it is lost and none is refused for good: unless it is on the wire now, the venue does not have it. */
  get isOurs(): boolean {
    return !this.#clouded && ['sending', 'before_send', 'holding'].includes(this.#state);
  }

  /** Its nonce lies beyond the window until the floor moves. */
  get isHolding(): boolean {
    return this.#state === 'holding';
  }

  next(input: SubmissionInput, nowMs: number): Step[] {
    if (this.#state === 'ended') return [];
    switch (input.kind) {
      case 'start':
        this.#startedMs = nowMs - (this.#origin.resumedAgeMs ?? 0);
        return this.#maySend(nowMs) ? this.#send() : this.#sleep('before_reconcile', nowMs);
      case 'verdict':
        return this.#state === 'sending' ? this.#judge(input.verdict, nowMs) : [];
      case 'found':
        return this.#found(input.found, nowMs);
      case 'resigned':
        return this.#state === 'resigning' ? this.#send() : [];
      case 'resign_failed':
        return this.#refuse(input.refusal, input.text, nothingOfNonces);
      case 'floor_moved':
        return this.#state === 'holding' ? this.#send() : [];
      case 'withdrawn':
        return this.isOurs ? this.#withdraw(input.refusal, input.text) : [];
      case 'observed':
        return this.#accept(input.seq, [], nothingOfNonces, true);
      case 'time':
        return this.#timePassed(nowMs);
    }
  }

  #send(): Step[] {
    this.#state = 'sending';
    this.#pending = null;
    return [{ kind: 'send' }];
  }

  #timePassed(nowMs: number): Step[] {
    if (nowMs < this.#wakeMs) return [];
    if (this.#state === 'before_send') return this.#send();
    if (this.#state === 'before_reconcile') {
      this.#state = 'reconciling';
      return [{ kind: 'reconcile' }];
    }
    if (this.#state === 'holding' && this.#pending !== null) {
      const { refusal, text, nonce } = this.#pending;
      return this.#refuse(refusal, text, nonce);
    }
    return [];
  }

  #judge(verdict: Verdict, nowMs: number): Step[] {
    if (verdict.kind === 'unsent') return this.#neverLeft(verdict.refusal, verdict.text, nowMs);
    this.#everLeft = true;
    if (verdict.kind === 'accepted') {
      return this.#accept(verdict.seq, verdict.orderIds, verdict.nonce, this.#clouded);
    }
    if (verdict.kind === 'unknown') return this.#lost(verdict, nowMs);
    const { refusal, text } = verdict;
    const steps = refusal.acts
      .filter((act) => actsOfOthers.includes(act))
      .map((act): Step => ({ kind: 'act', act, refusal, text }));
    return [...steps, ...this.#refusedBy(verdict, nowMs)];
  }

  #neverLeft(refusal: Refusal, text: string, nowMs: number): Step[] {
    const wait = this.#backoff(null);
    if (nowMs + wait <= this.#startedMs + this.#rules.maxAgeMs) {
      return this.#sleep('before_send', nowMs + wait);
    }
    if (this.#clouded) return this.#sleep('before_reconcile', nowMs + wait);
    return this.#refuse(refusal, text, nothingOfNonces);
  }

  /**
   * What became of it is looked up at once, for until that is known its nonce holds up all others; a little later where
   * it was lost before or the venue has much to do. What Retry-After says of sending is kept by the pace.
   */
  #lost({ refusal, text, retryAfterMs }: Refusing, nowMs: number): Step[] {
    const mayHurry = !this.#clouded && retryAfterMs === null;
    this.#clouded = true;
    const told: Step[] = this.#toldUnknown ? [] : [{ kind: 'unknown', refusal, text }];
    this.#toldUnknown = true;
    const gate: Step[] = refusal.acts.includes('GG')
      ? [{ kind: 'act', act: 'GG', refusal, text }]
      : [];
    const waitMs = mayHurry && gate.length === 0 ? 0 : this.#backoff(null);
    return [...told, ...gate, ...this.#sleep('before_reconcile', nowMs + waitMs)];
  }

  #refusedBy(verdict: Refusing, nowMs: number): Step[] {
    const { refusal, text, nonce, retryAfterMs } = verdict;
    const { acts } = refusal;
    if (refusal.number === 105) this.#mayResend = false;
    if (!this.#clouded) this.#refused = verdict;
    if (acts.includes('BK')) {
      const wait = this.#backoff(retryAfterMs);
      if (nowMs + wait <= this.#startedMs + this.#rules.maxAgeMs) {
        return this.#sleep('before_send', nowMs + wait);
      }
    }
    if (this.#clouded || !refusal.decisive) {
      if (!refusal.decisive && refusal.source === 'number') this.#clouded = true;
      else if (!acts.some((act) => actsAtTheDoor.includes(act))) this.#pending = verdict;
      return this.#sleep('before_reconcile', nowMs + this.#backoff(null));
    }
    if (acts.includes('N3')) {
      this.#pending = verdict;
      if (this.#holdUntilMs === 0) this.#holdUntilMs = nowMs + this.#rules.floorWaitMs;
      return this.#sleep('holding', this.#holdUntilMs);
    }
    const isStale = refusal.name === 'expired' && this.#freshNonces === 0;
    if (acts.includes('N1') || acts.includes('N2') || isStale) {
      if (this.#freshNonces < mostFreshNonces) {
        return this.#resign(verdict);
      }
    }
    return this.#refuse(refusal, text, nonce);
  }

  #found(found: Found, nowMs: number): Step[] {
    const isFence = this.#state === 'fencing';
    if (this.#state !== 'reconciling' && !isFence) return [];
    switch (found.kind) {
      case 'applied':
        return this.#accept(found.seq, [], nothingOfNonces, true);
      case 'refused':
        return this.#refuse(found.refusal, found.text, nothingOfNonces);
      case 'unreadable':
        return this.#sleep('before_reconcile', nowMs + this.#backoff(null));
      case 'fenced':
        return this.#expire();
      case 'nothing':
        if (isFence) return this.#sleep('before_reconcile', nowMs + this.#backoff(null));
        this.#nothingFound += 1;
        return this.#foundNothing(nowMs);
    }
  }

  #foundNothing(nowMs: number): Step[] {
    const pending = this.#pending;
    const again = () => this.#sleep('before_reconcile', nowMs + this.#backoff(null));
    if (pending !== null) {
      if (this.#nothingFound < nothingFoundEnough) return again();
      if (!this.#clouded && pending.refusal.acts.includes('N1')) return this.#resign(pending);
      return this.#refuse(pending.refusal, pending.text, pending.nonce);
    }
    if (this.#maySend(nowMs)) return this.#send();
    const isDead = nowMs - this.#startedMs > this.#rules.deadAfterMs;
    if (isDead) return this.#nothingFound < nothingFoundEnough ? again() : this.#expire();
    this.#state = 'fencing';
    return [{ kind: 'fence' }];
  }

  #expire(): Step[] {
    const text = 'the venue never took it, and its time is over';
    return this.#refuse(refusalNamed('expired'), text, nothingOfNonces);
  }

  /** A cancel is wanted late, too, as long as the venue can still take its bytes. */
  #maySend(nowMs: number): boolean {
    const { deadAfterMs, maxAgeMs } = this.#rules;
    const ageMs = nowMs - this.#startedMs;
    return this.#mayResend && ageMs <= (this.#origin.isCancel ? deadAfterMs : maxAgeMs);
  }

  #resign(after: Refusing): Step[] {
    this.#freshNonces += 1;
    this.#refused = null;
    this.#state = 'resigning';
    this.#pending = null;
    this.#nothingFound = 0;
    this.#holdUntilMs = 0;
    return [{ kind: 'resign', after }];
  }

  #accept(seq: number | null, orderIds: ChildIds, nonce: NonceFacts, adopted: boolean): Step[] {
    this.#state = 'ended';
    return [{ kind: 'end', outcome: { kind: 'accepted', seq, orderIds, nonce, adopted } }];
  }

  #withdraw(refusal: Refusal, text: string): Step[] {
    const { nonce = nothingOfNonces, refusal: last } = this.#refused ?? {};
    return this.#refuse(refusal, text, nonce, last && { venueCode: last.code });
  }

  #refuse(
    refusal: Refusal,
    text: string,
    nonce: NonceFacts,
    more: { readonly venueCode?: string | null } = {},
  ): Step[] {
    this.#state = 'ended';
    const neverSent = !this.#everLeft;
    return [
      { kind: 'end', outcome: { kind: 'refused', refusal, text, nonce, neverSent, ...more } },
    ];
  }

  #sleep(state: State, untilMs: number): Step[] {
    this.#state = state;
    this.#wakeMs = untilMs;
    return [{ kind: 'wait', untilMs }];
  }

  #backoff(retryAfterMs: number | null): number {
    this.#failures += 1;
    const own = backoffMs(this.#rules.backoff, this.#failures, this.#random);
    return retryAfterMs === null ? own : Math.max(own, retryAfterMs);
  }
}
