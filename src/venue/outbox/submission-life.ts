/**
 * The life cycle of a submission (contract D.0, G31): each event produces the next steps. It keeps these rules:
 *
 * - The same bytes with the same key may be sent again. Other bytes are signed only after a decisive refusal of the
 *   only copy (R27, R28, R44).
 * - Once the outcome of a copy is unknown, only proof ends the submission (R46, decision 0255): its event or receipt, a
 *   refusal that consumed its nonce, or another action under its nonce. Neither elapsed time nor fruitless lookups
 *   are proof.
 * - An order that was stopped, or has waited too long, is not sent again. It is looked up, and its nonce is fenced.
 */
import { type Refusal, type RefusalSource, refusalNamed } from '../../domain/refusal.ts';
import type { Withdrawal } from '../../engine/venue-port.ts';
import { type BackoffRules, backoffMs } from '../../runtime/backoff.ts';
import type { ChildIds, NonceFacts } from '../answer.ts';
import type { Act, VenueRefusal } from '../refusals.ts';
import { nothingOfNonces, type Refusing, tookNonce, type Verdict } from '../verdict.ts';
import { isStopped, type Submission } from './submission.ts';

export interface SubmissionRules {
  readonly backoff: BackoffRules;
  /** How long an order may wait for a nonce, and how long its bytes may be sent again. */
  readonly patienceMs: number;
  /** After this time the venue refuses the bytes as expired (G12): a cancel is not resent, and an alarm is raised. */
  readonly staleAfterMs: number;
}

/** The result of a query for the venue's receipts. */
export type Found =
  | { readonly kind: 'applied'; readonly seq: number | null }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly text: string }
  | { readonly kind: 'nothing' }
  /** There is none, but one of another action with its nonce. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'unreadable'; readonly problem: string };

export type SubmissionEvent =
  | { readonly kind: 'answered'; readonly verdict: Verdict }
  | { readonly kind: 'found'; readonly found: Found }
  /** The execution stream contains this action. */
  | { readonly kind: 'observed'; readonly seq: number }
  /** The stream contains another action with its nonce. */
  | { readonly kind: 'superseded' }
  /** The fence failed, or its outcome is unknown. */
  | { readonly kind: 'not_fenced' }
  | { readonly kind: 'floor_moved' }
  | { readonly kind: 'resumed'; readonly wallMs: number }
  | { readonly kind: 'unsigned'; readonly mayBeSigned: boolean }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'time' };

export type Outcome =
  | {
      readonly kind: 'accepted';
      readonly orderIds: ChildIds;
      readonly nonce: NonceFacts;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      readonly text: string;
      readonly nonce: NonceFacts;
      /** None of its bytes has left the bridge, so the nonce is unchanged. */
      readonly neverSent: boolean;
      /** The last code from the venue, if the bridge itself refuses. */
      readonly venueCode?: string | null;
    };

export type Step =
  | { readonly kind: 'send' }
  | { readonly kind: 'wake'; readonly atMs: number }
  | { readonly kind: 'look' }
  | { readonly kind: 'fence' }
  /** Check on the stream whether a frame was lost. */
  | { readonly kind: 'probe' }
  /** Wait for a new nonce. The nonces first get the facts about the previous nonce from the refusal. */
  | { readonly kind: 'again'; readonly after: Refusing }
  | ActStep
  | { readonly kind: 'unknown' }
  | { readonly kind: 'overdue' }
  /** Reports to the order that the venue accepted it; the submission continues until its event. */
  | { readonly kind: 'accepted'; readonly orderIds: ChildIds; readonly nonce: NonceFacts }
  | { readonly kind: 'end'; readonly outcome: Outcome };

export interface ActStep {
  readonly kind: 'act';
  readonly act: (typeof actsOfOthers)[number];
  readonly refusal: VenueRefusal;
  readonly text: string;
}

type VenueCode = Pick<Extract<Outcome, { kind: 'refused' }>, 'venueCode'>;

/** A clock that is corrected gradually may be this far behind. */
const clockSlackMs = 1_000;
const maxFreshNonces = 3;
const firstProbeMs = 250;
const slowestProbeMs = 10_000;
/** The longest pause between two lookups when neither the action nor its fence gets through. */
const slowestLookMs = 60_000;
/** A refusal by the venue itself is reported after this many lookups without a receipt. */
const looksEnough = 3;
const worded: ReadonlySet<RefusalSource> = new Set(['submit', 'agent']);
/** Acts that other parts carry out: gate, credential, alarm, markets, pace. */
const actsOfOthers = ['GG', 'GM', 'GR', 'CR', 'IN', 'MD', 'SF'] as const;
/** Acts for refusals that occur before the venue's engine; they prove nothing about an earlier copy. */
const actsAtTheDoor: readonly Act[] = ['BK', 'GG', 'GM', 'GR', 'CR'];

export function actsOf({ refusal, text }: Pick<ActStep, 'refusal' | 'text'>): readonly ActStep[] {
  const acts = refusal.acts.flatMap((act) => actsOfOthers.filter((one) => one === act));
  return acts.map((act) => ({ kind: 'act', act, refusal, text }));
}

export function advance(
  own: Submission,
  event: SubmissionEvent,
  nowMs: number,
  rules: SubmissionRules,
): Step[] {
  const steps = new Life(own, nowMs, rules).next(event);
  if (own.withdrawn === null || own.isUnknown) return steps;
  // The action is no longer wanted, and it is now known that the venue does not have it.
  const again = steps.find((step) => step.kind === 'again');
  const isAtRest = own.state === 'resting' || own.state === 'beyond';
  if (again === undefined && (!isAtRest || steps.some(({ kind }) => kind === 'end'))) return steps;
  const acts = steps.filter(({ kind }) => kind === 'act');
  const last = again?.after ?? own.refused;
  return [...acts, ...new Life(own, nowMs, rules).withdraw(own.withdrawn, last)];
}

/**
 * Whether a placement of this age, which another process has recorded, is too old to be sent. If the clock is behind
 * that of the other process, its age is unknown, and it could be hours old.
 */
export function isLateAfter(
  ageMs: number,
  { patienceMs }: Pick<SubmissionRules, 'patienceMs'>,
): boolean {
  return ageMs > patienceMs || ageMs < -clockSlackMs;
}

/** Proved by the receipt of the action, also if its event is lost for good, or by another action that has the nonce. */
const consumed: NonceFacts = { ...nothingOfNonces, nonceConsumed: true };

class Life {
  readonly #own: Submission;
  readonly #nowMs: number;
  readonly #rules: SubmissionRules;

  constructor(own: Submission, nowMs: number, rules: SubmissionRules) {
    this.#own = own;
    this.#nowMs = nowMs;
    this.#rules = rules;
  }

  next(event: SubmissionEvent): Step[] {
    const { state } = this.#own;
    switch (event.kind) {
      case 'answered':
        return state === 'out' ? this.#answered(event.verdict) : [];
      case 'found':
        return state === 'looking' ? this.#found(event.found) : [];
      case 'observed':
        return this.#observed(event.seq);
      case 'superseded':
        this.#own.isSuperseded = true;
        return this.#own.isUnknown ? this.#refuseSuperseded() : [];
      case 'not_fenced':
        return state === 'fencing' ? this.#stillOpen() : [];
      case 'floor_moved':
        return state === 'beyond' && this.#nowMs < this.#own.wakeMs ? this.#send() : [];
      case 'resumed':
        return this.#resumed(event.wallMs);
      case 'unsigned':
        return this.#unsigned(event.mayBeSigned);
      case 'withdrawn':
        return [];
      case 'time':
        return this.#time();
    }
  }

  /** `last` is the venue's answer to the only copy. */
  withdraw({ refusal, text }: Withdrawal, last: Refusing | null): Step[] {
    const { nonce = nothingOfNonces, refusal: stated } = last ?? {};
    return this.#refuse(refusal, text, nonce, stated && { venueCode: stated.code });
  }

  #send(): Step[] {
    this.#own.state = 'out';
    return [{ kind: 'send' }];
  }

  /** While an answer is expected, the event waits for it, because only the answer has order ids to compare. */
  #observed(seq: number): Step[] {
    if (this.#own.state !== 'out') return this.#decided();
    this.#own.seenSeq = seq;
    return [];
  }

  #time(): Step[] {
    const own = this.#own;
    if (this.#nowMs < own.wakeMs) return [];
    switch (own.state) {
      case 'resting':
        return this.#isWanted ? this.#send() : this.#look();
      case 'pausing':
        return this.#look();
      case 'beyond':
        return own.refused ? this.#refuseAs(own.refused) : [];
      case 'accepted':
        return this.#notShown();
      default:
        return [];
    }
  }

  /** Accepted actions appear on the stream at once. One that does not is looked up eventually. */
  #notShown(): Step[] {
    const own = this.#own;
    own.looks += 1;
    const pauseMs = firstProbeMs * 2 ** own.looks;
    if (pauseMs <= slowestProbeMs) {
      own.wakeMs = this.#nowMs + pauseMs;
      return [{ kind: 'probe' }, { kind: 'wake', atMs: own.wakeMs }];
    }
    own.looks = 0;
    own.isUnknown = true;
    own.unknownMs = this.#nowMs;
    return [{ kind: 'probe' }, ...this.#look()];
  }

  #answered(verdict: Verdict): Step[] {
    const own = this.#own;
    if (own.asked === null && mayHaveNonce(verdict) && own.seenSeq === null)
      return this.#lookForOwn();
    if (verdict.kind === 'accepted') {
      own.hasLeft = true;
      return this.#accepted(verdict.orderIds, verdict.nonce);
    }
    if (own.seenSeq !== null) return this.#decided();
    if (verdict.kind === 'unsent') return this.#notSent(verdict.refusal, verdict.text);
    own.hasLeft = true;
    if (verdict.kind === 'unknown') {
      const isStated = !own.isUnknown && worded.has(verdict.refusal.source);
      return isStated ? this.#lookFirst(verdict) : this.#lost(verdict);
    }
    return [...actsOf(verdict), ...this.#refusedBy(verdict)];
  }

  /** A fence or filler may have its nonce. The answer may belong to another request, so the receipt is read. */
  #lookForOwn(): Step[] {
    const own = this.#own;
    const waitMs = own.isUnknown ? this.#backoff(null) : 0;
    own.hasLeft = true;
    own.isUnknown = true;
    return this.#pause('pausing', this.#nowMs + waitMs);
  }

  #look(): Step[] {
    this.#own.state = 'looking';
    return [{ kind: 'look' }];
  }

  #accepted(orderIds: ChildIds, nonce: NonceFacts): Step[] {
    const own = this.#own;
    if (own.seenSeq !== null) {
      return [{ kind: 'end', outcome: { kind: 'accepted', orderIds, nonce } }];
    }
    own.state = 'accepted';
    own.looks = 0;
    own.wakeMs = this.#nowMs + firstProbeMs;
    return [
      { kind: 'accepted', orderIds, nonce },
      { kind: 'wake', atMs: own.wakeMs },
    ];
  }

  #notSent(refusal: Refusal, text: string): Step[] {
    const own = this.#own;
    const waitMs = this.#backoff(null);
    if (this.#nowMs + waitMs <= own.startedMs + this.#rules.patienceMs) {
      return this.#pause('resting', this.#nowMs + waitMs);
    }
    if (own.isUnknown) return this.#pause('pausing', this.#nowMs + waitMs);
    return this.withdraw({ refusal, text }, own.refused);
  }

  #lookFirst(stated: Refusing): Step[] {
    this.#own.stated = stated;
    return this.#pause('pausing', this.#nowMs + this.#backoff(null));
  }

  /**
   * The outcome is looked up at once, because until then the nonce blocks all others. The lookup comes a little later
   * if a copy was lost before or the venue is busy. The pacer handles Retry-After for sending.
   */
  #lost({ refusal, text, retryAfterMs }: Refusing): Step[] {
    const own = this.#own;
    const mayHurry = !own.isUnknown && retryAfterMs === null;
    if (refusal.number === 105) own.mayResend = false;
    if (!own.isUnknown) own.unknownMs = this.#nowMs;
    own.isUnknown = true;
    const reports: Step[] = own.isUnknownTold ? [] : [{ kind: 'unknown' }];
    own.isUnknownTold = true;
    if (own.isSuperseded) return [...reports, ...this.#refuseSuperseded()];
    const gate: Step[] = refusal.acts.includes('GG')
      ? [{ kind: 'act', act: 'GG', refusal, text }]
      : [];
    const waitMs = mayHurry && gate.length === 0 ? 0 : this.#backoff(null);
    return [...reports, ...gate, ...this.#pause('pausing', this.#nowMs + waitMs)];
  }

  #refusedBy(verdict: Refusing): Step[] {
    const own = this.#own;
    const { refusal, retryAfterMs } = verdict;
    const { acts } = refusal;
    if (tookNonce(verdict)) return this.#refuseAs(verdict);
    if (!own.isUnknown) own.refused = verdict;
    if (acts.includes('BK')) {
      const atMs = this.#nowMs + this.#backoff(retryAfterMs);
      if (atMs <= own.startedMs + this.#rules.patienceMs) return this.#pause('resting', atMs);
    }
    if (own.isUnknown) {
      // This refuses one copy, but an earlier copy may still be in progress. Sending more copies does not help.
      if (!acts.some((act) => actsAtTheDoor.includes(act))) own.mayResend = false;
      return this.#pause('pausing', this.#nowMs + this.#backoff(null));
    }
    const isFiller = own.asked === null && own.fencedId === null;
    if (acts.includes('N3') || (isFiller && !decidesFiller(refusal))) {
      return this.#pause('beyond', own.startedMs + this.#rules.patienceMs);
    }
    if (takesFreshNonce(refusal) && this.#mayHaveFreshNonce) {
      // The answer may belong to another request, and with another nonce the action could be applied twice.
      if (own.isSuperseded) return this.#again(verdict);
      own.stated = verdict;
      own.looks = looksEnough - 1;
      return this.#look();
    }
    // A cancel gets new bytes for the same nonce. A placement cannot (0285), and with another nonce it could be applied
    // twice. A fence is built anew after the next lookup: until then its nonce belongs to the action that it fences.
    const isOwnCancel = own.priority === 'cancel' && own.fencedId === null;
    const isStale = refusal.name === 'expired' && own.freshNonces === 0 && isOwnCancel;
    return isStale ? this.#again(verdict) : this.#refuseAs(verdict);
  }

  #found(found: Found): Step[] {
    switch (found.kind) {
      case 'applied':
        return this.#decided(consumed);
      case 'refused':
        // A fence is expected to be refused because of the order that it names, so the venue has consumed its nonce.
        if (this.#own.fencedId !== null) return this.#decided(consumed);
        return this.#refuse(found.refusal, found.text, consumed);
      case 'unreadable':
        return this.#pause('pausing', this.#nowMs + this.#backoff(null));
      case 'nothing':
        return this.#foundNothing();
      case 'superseded':
        return this.#refuseSuperseded();
    }
  }

  #foundNothing(): Step[] {
    const own = this.#own;
    if (own.isUnknown && own.isSuperseded) return this.#refuseSuperseded();
    if (own.stated !== null) {
      own.looks += 1;
      if (own.looks < looksEnough) return this.#lookFirst(own.stated);
      const mayTryAgain = takesFreshNonce(own.stated.refusal) && this.#mayHaveFreshNonce;
      return mayTryAgain ? this.#again(own.stated) : this.#refuseAs(own.stated);
    }
    if (own.fencedId !== null) {
      const text = 'the venue has no receipt of this fence';
      return this.#refuse(refusalNamed('bridge.unknown_outcome'), text, nothingOfNonces);
    }
    if (this.#maySend) return this.#send();
    own.state = 'fencing';
    return [{ kind: 'fence' }];
  }

  /** The venue shows no sign of the action and did not accept the fence, so only the venue can end it. */
  #stillOpen(): Step[] {
    const own = this.#own;
    const isTime = !own.isOverdueTold && this.#nowMs - own.unknownMs >= this.#rules.staleAfterMs;
    if (isTime) own.isOverdueTold = true;
    const reports: Step[] = isTime ? [{ kind: 'overdue' }] : [];
    const waitMs = this.#backoff(null, slowestLookMs);
    return [...reports, ...this.#pause('pausing', this.#nowMs + waitMs)];
  }

  /** The previous process recorded the action and may have sent it. */
  #resumed(wallMs: number): Step[] {
    const own = this.#own;
    const ageMs = wallMs - (own.bytes?.madeMs ?? wallMs);
    const isLate = own.priority === 'place' && isLateAfter(ageMs, this.#rules);
    own.startedMs = this.#nowMs - (isLate ? this.#rules.patienceMs + 1 : Math.max(0, ageMs));
    own.unknownMs = this.#nowMs;
    own.isUnknown = true;
    own.isOverdueTold = false;
    own.hasLeft = true;
    own.stated = null;
    own.failures = 0;
    return this.#maySend ? this.#send() : this.#pause('pausing', this.#nowMs);
  }

  /** The signer refused bytes that the venue may already have. */
  #unsigned(mayBeSigned: boolean): Step[] {
    if (mayBeSigned) return this.#pause('resting', this.#nowMs + this.#backoff(null));
    this.#own.mayResend = false;
    return this.#pause('pausing', this.#nowMs);
  }

  #again(after: Refusing): Step[] {
    const own = this.#own;
    own.freshNonces += 1;
    own.refused = null;
    own.isSuperseded = false;
    own.stated = after;
    own.looks = 0;
    return [{ kind: 'again', after }];
  }

  /** An event or a receipt has decided, even if it refuses: the orders have the result from the event. */
  #decided(nonce = nothingOfNonces): Step[] {
    return [{ kind: 'end', outcome: { kind: 'accepted', orderIds: [], nonce } }];
  }

  #refuseSuperseded(): Step[] {
    const text = 'the venue never applied it: its nonce went to another action';
    return this.#refuse(refusalNamed('bridge.not_applied'), text, consumed);
  }

  /** With the venue's own words. */
  #refuseAs({ nonce, refusal, text }: Refusing): Step[] {
    return this.#refuse(refusal, text, nonce);
  }

  #refuse(refusal: Refusal, text: string, nonce: NonceFacts, code?: VenueCode): Step[] {
    const neverSent = !this.#own.hasLeft;
    const outcome = { kind: 'refused', refusal, text, nonce, neverSent, ...code } as const;
    return [{ kind: 'end', outcome }];
  }

  get #mayHaveFreshNonce(): boolean {
    return this.#own.asked !== null && this.#own.freshNonces < maxFreshNonces;
  }

  /** Nobody wants another copy of a stopped order. A bridge that shuts down still wants its orders in progress. */
  get #isWanted(): boolean {
    return this.#own.mayResend && !isStopped(this.#own);
  }

  /** A late cancel is still wanted for as long as the venue can accept its bytes. */
  get #maySend(): boolean {
    const { intent, startedMs } = this.#own;
    const { patienceMs, staleAfterMs } = this.#rules;
    const limitMs = intent.kind === 'cancel' ? staleAfterMs : patienceMs;
    return this.#isWanted && this.#nowMs - startedMs <= limitMs;
  }

  #pause(state: 'resting' | 'pausing' | 'beyond', untilMs: number): Step[] {
    this.#own.state = state;
    this.#own.wakeMs = untilMs;
    return [{ kind: 'wake', atMs: untilMs }];
  }

  #backoff(retryAfterMs: number | null, maxMs = this.#rules.backoff.maxMs): number {
    const own = this.#own;
    own.failures += 1;
    const spread = jitterOf(own.id, own.failures);
    const ownMs = backoffMs({ ...this.#rules.backoff, maxMs }, own.failures, () => spread);
    return retryAfterMs === null ? ownMs : Math.max(ownMs, retryAfterMs);
  }
}

function takesFreshNonce({ acts }: VenueRefusal): boolean {
  return acts.includes('N1') || acts.includes('N2');
}

/** Whether a cancel was refused because of the order that it names. */
export function isOfOrder({ cancel }: Refusal): boolean {
  return cancel === 0 || cancel === 1;
}

/** Whether a fence or filler may have its nonce: if it is refused for its order, unless the answer says otherwise. */
function mayHaveNonce(verdict: Verdict): boolean {
  if (verdict.kind !== 'refused') return verdict.kind === 'accepted';
  return tookNonce(verdict) || (verdict.nonce.nonceConsumed === null && isOfOrder(verdict.refusal));
}

/** Any other refusal of a filler leaves the hole as it is, and the next filler would be refused at once as well. */
function decidesFiller(refusal: VenueRefusal): boolean {
  return isOfOrder(refusal) || ['nonce_below_floor', 'nonce_replayed'].includes(refusal.name);
}

/** A number from 0 to below 1 that is the same in a replay. */
function jitterOf(id: number, failures: number): number {
  return (Math.imul(id * 31 + failures, 2_654_435_761) >>> 0) / 2 ** 32;
}
