/**
 * The verdict on an action from its HTTP exchange: accepted, refused, unknown, or never sent (docs/ARCHITECTURE.md,
 * "Submitting has three outcomes"; contract G31, D.1-D.4b). It is pure; the submission's state machine acts on it.
 */
import type { Refusal } from '../domain/refusal.ts';
import {
  type ActionResult,
  type Answer,
  type ChildIds,
  type NonceFacts,
  readAnswer,
} from './answer.ts';
import { longestWaitMs, wholeNumber } from './pacer.ts';
import type { Profile } from './profile.ts';
import {
  decidesNothing,
  finerRefusal,
  refusalOf,
  refusalOfStatus,
  type VenueRefusal,
  venueRefusal,
} from './refusals.ts';

/** The result of an HTTP exchange. `unsent`: no byte of the request was handed to a connection. */
export type Exchange =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** A 401 for a timestamp that has been corrected since, so a retry makes sense (D.1). */
      readonly isClockCorrected?: true;
    }
  | { readonly kind: 'unsent'; readonly problem: string }
  | { readonly kind: 'broken'; readonly problem: string };

/** The venue's refusal with all its details. */
export interface Refusing {
  readonly refusal: VenueRefusal;
  readonly text: string;
  readonly nonce: NonceFacts;
  readonly retryAfterMs: number | null;
}

export type Verdict =
  | {
      readonly kind: 'accepted';
      readonly seq: number | null;
      readonly orderIds: ChildIds;
      readonly nonce: NonceFacts;
    }
  | ({ readonly kind: 'refused' } & Refusing)
  | ({ readonly kind: 'unknown' } & Refusing)
  /** The request was not sent, so the nonce is unchanged. */
  | { readonly kind: 'unsent'; readonly refusal: Refusal; readonly text: string };

type Rules = Pick<Profile, 'rateLimit'>;

export const nothingOfNonces: NonceFacts = {
  nonceConsumed: null,
  nextUsableNonce: null,
  nonceFloor: null,
  nonceWindow: null,
};

/** Drops the other parts of the answer, because a verdict is kept in the journal. */
function factsOf(answer: NonceFacts): NonceFacts {
  const { nonceConsumed, nextUsableNonce, nonceFloor, nonceWindow } = answer;
  return { nonceConsumed, nextUsableNonce, nonceFloor, nonceWindow };
}

/**
 * Whether the venue consumed this action's nonce and then refused the action, so that no other copy can follow. A
 * refusal of the nonce itself does not prove that: an earlier copy may have used the nonce and been applied.
 */
export function tookNonce({ nonce, refusal }: Pick<Refusing, 'nonce' | 'refusal'>): boolean {
  return nonce.nonceConsumed === true && !decidesNothing(refusal);
}

export function verdictOf(exchange: Exchange, rules: Rules): Verdict {
  if (exchange.kind === 'unsent') {
    const unreachable = venueRefusal('bridge.venue_unreachable');
    return { kind: 'unsent', refusal: unreachable, text: exchange.problem };
  }
  if (exchange.kind === 'broken') return noAnswer(exchange.problem);
  const answer = readAnswer(exchange.body);
  const retryAfterMs = retryAfter(exchange, answer, rules);
  const { status } = exchange;
  if (answer.kind === 'submit' && answer.accepted) {
    if (status !== 200) return noAnswer(`HTTP ${status} with accepted true`);
    return {
      kind: 'accepted',
      seq: answer.seq,
      orderIds: answer.derivedOrderId === null ? [] : [answer.derivedOrderId],
      nonce: factsOf(answer),
    };
  }
  const verdict = refusal(answer, status, retryAfterMs);
  if (exchange.isClockCorrected !== true || verdict.kind !== 'refused') return verdict;
  return { ...verdict, refusal: { ...verdict.refusal, acts: ['BK'] } };
}

/** Returns one verdict for each of the `count` actions of a batch, in order (R48, R49). */
export function verdictsOf(exchange: Exchange, rules: Rules, count: number): readonly Verdict[] {
  const answer = exchange.kind === 'response' ? readAnswer(exchange.body) : null;
  if (exchange.kind !== 'response' || answer?.kind !== 'batch') {
    return new Array<Verdict>(count).fill(verdictOf(exchange, rules));
  }
  const retryAfterMs = retryAfter(exchange, answer, rules);
  // A list of another length than the batch does not show which action an entry belongs to.
  const perAction = <T>(list: readonly T[] | null) => (list?.length === count ? list : []);
  const [results, derivedOrderIds] = [perAction(answer.results), perAction(answer.derivedOrderIds)];
  const isAdmission = exchange.status === 200 && answer.ok && answer.results === null;
  return Array.from({ length: count }, (_, index): Verdict => {
    const ids = derivedOrderIds[index] ?? [];
    const result = results[index] ?? null;
    if (result !== null) return resultVerdict(result, ids, retryAfterMs);
    if (!isAdmission)
      return noAnswer(`HTTP ${exchange.status} without a result for action ${index}`, retryAfterMs);
    return { kind: 'accepted', seq: null, orderIds: ids, nonce: nothingOfNonces };
  });
}

function resultVerdict(result: ActionResult, orderIds: ChildIds, waitMs: number | null): Verdict {
  const nonce = { ...nothingOfNonces, nonceConsumed: result.nonceConsumed };
  if (result.status !== 'rejected') {
    return { kind: 'accepted', seq: result.seq, orderIds, nonce };
  }
  const label = result.rejectCode ?? 'no_reason';
  const known = finerRefusal(label, result.rejectReason) ?? refusalOfStatus(400, label);
  return refused(known, result.rejectReason ?? '', nonce, waitMs);
}

function refusal(answer: Answer, status: number, retryAfterMs: number | null): Verdict {
  switch (answer.kind) {
    case 'submit': {
      const known = answer.code === null ? undefined : refusalOf(answer.code);
      const row = known ?? refusalOfStatus(status, answer.code);
      return refused(row, answer.error ?? '', factsOf(answer), retryAfterMs);
    }
    case 'envelope':
      return refused(
        envelopeRefusal(answer.code, answer.cause, status),
        [answer.cause, answer.message].filter((part) => part !== null && part !== '').join(' '),
        nothingOfNonces,
        retryAfterMs,
      );
    case 'flat': {
      const row = refusalOf(answer.code) ?? refusalOfStatus(status, answer.code);
      return refused(row, answer.error, nothingOfNonces, retryAfterMs);
    }
    case 'text':
      if (status !== 429) return noAnswer(`HTTP ${status}: ${answer.text}`, retryAfterMs);
      return refused(venueRefusal('edge_limit'), answer.text, nothingOfNonces, retryAfterMs);
    case 'unreadable':
      return noAnswer(`HTTP ${status}: ${answer.problem}`, retryAfterMs);
    case 'batch':
    case 'record':
      return noAnswer(`HTTP ${status} with a body of no known shape`, retryAfterMs);
  }
}

/** If the status leaves the outcome open, a submit code as the cause decides (D.1, row 503). */
function envelopeRefusal(code: string, cause: string | null, status: number): VenueRefusal {
  const byCode = refusalOf(code);
  const row = byCode?.source === 'envelope' ? byCode : refusalOfStatus(status, code);
  const finer = cause === null ? undefined : refusalOf(cause);
  return !row.decisive && finer?.source === 'submit' ? finer : row;
}

function refused(
  row: VenueRefusal,
  text: string,
  nonce: NonceFacts,
  retryAfterMs: number | null,
): Verdict {
  const kind = row.decisive ? 'refused' : 'unknown';
  return { kind, refusal: row, text, nonce, retryAfterMs };
}

export function noAnswer(problem: string, retryAfterMs: number | null = null): Verdict {
  return {
    kind: 'unknown',
    refusal: venueRefusal('no_answer'),
    text: problem,
    nonce: nothingOfNonces,
    retryAfterMs,
  };
}

type Response = Extract<Exchange, { kind: 'response' }>;

/** The venue does not accept batches from us, and applied no action of this one. */
export function isRouteClosed(verdict: Verdict | undefined): boolean {
  return verdict?.kind === 'refused' && ['NOT_FOUND', 'FORBIDDEN'].includes(verdict.refusal.name);
}

/** `Retry-After` in whole seconds; the edge limiter has another header (G32). */
function retryAfter(
  { status, headers }: Response,
  answer: Answer,
  { rateLimit }: Rules,
): number | null {
  const seconds = wholeNumber(headers['retry-after']);
  if (seconds !== null) return Math.min(seconds * 1000, longestWaitMs);
  if (status !== 429 || answer.kind !== 'text') return null;
  const after = wholeNumber(headers[rateLimit.edgeAfterHeader.toLowerCase()]);
  if (after === null) return rateLimit.edgeUnreadableMs;
  const afterMs = rateLimit.edgeAfterUnit === 's' ? after * 1000 : after;
  return Math.min(Math.max(afterMs, rateLimit.edgeMinMs), rateLimit.edgeMaxMs);
}
