/**
 * The answer to a submitted action (contract A.12, A.18.6, R35, R36, R41): always all eleven keys, and the rate
 * headers.
 */
import type { NonceFacts } from './action-input.ts';
import { flat, json, type VenueResponse, withoutEffect } from './http-message.ts';
import type { Allowance } from './rate-limit.ts';
import type { State } from './state.ts';
import type { Outcome } from './submission.ts';

const accepted = {
  accepted: true,
  ok: true,
  seq: null as number | null,
  derivedOrderId: null as string | null,
  error: null as string | null,
  code: null as string | null,
  nonceConsumed: null as boolean | null,
  nextUsableNonce: null as number | null,
  nonceFloor: null as number | null,
  nonceWindow: null as number | null,
  nonceHoles: null,
};
export type SubmitResponse = Readonly<typeof accepted>;

export function refusedResponse(
  code: string,
  error: string,
  nonce: NonceFacts | null = null,
  nonceConsumed = false,
): SubmitResponse {
  const { nonceFloor = null, nonceWindow = null } = nonce ?? {};
  const facts = { nonceConsumed, nextUsableNonce: nonceFloor, nonceFloor, nonceWindow };
  return { ...accepted, accepted: false, ok: false, error, code, ...facts };
}

/** `showsResult`: the caller requested the engine's result in addition to the acknowledgement. */
export function submitResponse(
  state: State,
  outcome: Exclude<Outcome, { kind: 'not_allowed' }>,
  showsResult: boolean,
): SubmitResponse {
  if (outcome.kind === 'refused') return refusedResponse(outcome.code, outcome.text, outcome.nonce);
  const { account, isNonceConsumed, legIds, orderId, result } = outcome;
  const { refusal } = result;
  if (refusal !== null) return refusedResponse(refusal.code, refusal.text, null, isNonceConsumed);
  return {
    ...accepted,
    seq: state.feed.wireSeq(account, result.seq),
    derivedOrderId: orderId ?? legIds.find((id) => id !== null) ?? null,
    nonceConsumed: showsResult ? true : null,
  };
}

export function statusOf(state: State, code: string): number {
  const { defaultStatus, httpStatus } = state.profile.submit;
  return Object.hasOwn(httpStatus, code) ? (httpStatus[code] ?? defaultStatus) : defaultStatus;
}

/** The venue that answers, and what its account may still send. */
export interface Answering {
  readonly state: State;
  readonly allowance: Allowance;
}

/** An answer to a submit, with the headers that each of them has. */
function submitAnswer({ state, allowance }: Answering, body: SubmitResponse): VenueResponse {
  const status = body.code === null ? 200 : statusOf(state, body.code);
  const headers = rateHeaders(allowance, status);
  headers['x-bsl-applied-ms'] = String(state.clock.now().wallMs);
  return json(status, body, headers);
}

/** The answer to an action that is refused before it is submitted. */
export function refusedAnswer(by: Answering, code: string, text: string): VenueResponse {
  return withoutEffect(submitAnswer(by, refusedResponse(code, text)));
}

export function outcomeAnswer(
  by: Answering,
  outcome: Outcome,
  showsResult: boolean,
): VenueResponse {
  if (outcome.kind !== 'not_allowed') {
    return submitAnswer(by, submitResponse(by.state, outcome, showsResult));
  }
  const answer = flat(outcome.error);
  return { ...answer, headers: { ...answer.headers, ...rateHeaders(by.allowance, answer.status) } };
}

export function rateHeaders(allowance: Allowance, status: number): Record<string, string> {
  const headers: Record<string, string> = {
    'x-ratelimit-limit': String(allowance.limit),
    'x-ratelimit-remaining': String(allowance.remaining),
    'x-ratelimit-reset-ms': String(allowance.resetMs),
  };
  if (status === 429 || status === 503) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(allowance.resetMs / 1000)));
  }
  return headers;
}
