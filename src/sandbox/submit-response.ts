/**
 * The answer to a submitted action (contract A.12, A.18.6, R35, R36, R41): eleven keys, always all of them, and the
 * rate headers.
 */
import { flat, json, type VenueResponse } from './http-message.ts';
import type { Allowance } from './rate-limit.ts';
import type { State } from './state.ts';
import type { NonceFacts, Outcome } from './submission.ts';

export interface SubmitResponse {
  readonly accepted: boolean;
  readonly ok: boolean;
  readonly seq: number | null;
  readonly derivedOrderId: string | null;
  readonly error: string | null;
  readonly code: string | null;
  readonly nonceConsumed: boolean | null;
  readonly nextUsableNonce: number | null;
  readonly nonceFloor: number | null;
  readonly nonceWindow: number | null;
  readonly nonceHoles: null;
}

export function refusedResponse(
  code: string,
  error: string,
  nonce: NonceFacts | null = null,
  nonceConsumed = false,
): SubmitResponse {
  return {
    accepted: false,
    ok: false,
    seq: null,
    derivedOrderId: null,
    error,
    code,
    nonceConsumed,
    nextUsableNonce: nonce?.nonceFloor ?? null,
    nonceFloor: nonce?.nonceFloor ?? null,
    nonceWindow: nonce?.nonceWindow ?? null,
    nonceHoles: null,
  };
}

/** `showsResult`: the caller asked for the engine's result and not only for the acknowledgement. */
export function submitResponse(
  state: State,
  outcome: Exclude<Outcome, { kind: 'not_allowed' }>,
  showsResult: boolean,
): SubmitResponse {
  if (outcome.kind === 'refused') return refusedResponse(outcome.code, outcome.text, outcome.nonce);
  const { legIds, orderId, payload, result } = outcome;
  const { refusal } = result;
  const consumed = result.nonceConsumed && state.profile.nonce.consumedByEngineReject;
  if (refusal !== null) return refusedResponse(refusal.code, refusal.text, null, consumed);
  return {
    accepted: true,
    ok: true,
    seq: state.feed.wireSeq(payload.account, result.seq),
    derivedOrderId: orderId ?? legIds.find((id) => id !== null) ?? null,
    error: null,
    code: null,
    nonceConsumed: showsResult ? true : null,
    nextUsableNonce: null,
    nonceFloor: null,
    nonceWindow: null,
    nonceHoles: null,
  };
}

export function statusOf(state: State, code: string): number {
  const { defaultStatus, httpStatus } = state.profile.submit;
  return Object.hasOwn(httpStatus, code) ? (httpStatus[code] ?? defaultStatus) : defaultStatus;
}

/** An answer to a submit, with the headers that every one of them carries. */
export function submitAnswer(
  state: State,
  allowance: Allowance,
  body: SubmitResponse,
): VenueResponse {
  const status = body.code === null ? 200 : statusOf(state, body.code);
  const headers = rateHeaders(allowance, status);
  headers['x-bsl-applied-ms'] = String(state.clock.now().wallMs);
  return json(status, body, headers);
}

export function outcomeAnswer(
  state: State,
  allowance: Allowance,
  outcome: Outcome,
  showsResult: boolean,
): VenueResponse {
  if (outcome.kind !== 'not_allowed') {
    return submitAnswer(state, allowance, submitResponse(state, outcome, showsResult));
  }
  const answer = flat(outcome.error);
  return { ...answer, headers: { ...answer.headers, ...rateHeaders(allowance, answer.status) } };
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
