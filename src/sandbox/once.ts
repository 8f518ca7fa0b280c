/** Runs a write at most once for its Idempotency-Key, within the budget of its account (contract G29, R41, R45). */
import { createHash } from 'node:crypto';
import type { AuthorizedCall } from './call.ts';
import { EnvelopeError, type VenueResponse, withoutEffect } from './http-message.ts';
import type { Allowance } from './rate-limit.ts';
import { rateHeaders, refusedAnswer } from './submit-response.ts';

export function headerKey({ request, state }: AuthorizedCall): string | null {
  return checkedKey(request.headers[state.profile.idempotency.header.toLowerCase()] ?? null);
}

export function checkedKey(key: string | null): string | null {
  if (key === null || /^[!-~]{1,128}$/.test(key)) return key;
  throw new EnvelopeError(400, 'an idempotency key is 1 to 128 printable characters');
}

/**
 * Runs a write at most once for its key. Only results that reached the sequencer are stored: otherwise an answer that
 * consumed nothing would block the same action when it is sent again.
 */
export function once(
  call: AuthorizedCall,
  key: string | null,
  count: number,
  run: (allowance: Allowance) => { response: VenueResponse; isSequenced: boolean },
): VenueResponse {
  const { credential, request, state } = call;
  const { monoMs, wallMs } = state.clock.now();
  const { account } = credential;
  const fingerprint = key === null ? '' : fingerprintOf(request.body);
  if (key !== null) {
    const found = state.idempotency.look(account, key, fingerprint, wallMs);
    const allowance = state.accountLimiter.take(account, 0, monoMs);
    if (found.kind === 'conflict') {
      const text = 'the idempotency key was used with other bytes';
      return refusedAnswer({ state, allowance }, 'idempotency_key_conflict', text);
    }
    if (found.kind === 'replay') {
      const headers = {
        ...found.response.headers,
        ...rateHeaders(allowance, found.response.status),
        [state.profile.idempotency.replayHeader.toLowerCase()]: 'true',
      };
      return withoutEffect({ ...found.response, headers });
    }
  }
  const allowance = state.accountLimiter.take(account, count, monoMs);
  if (!allowance.allowed) {
    const text = `more than ${allowance.limit} actions at once`;
    return refusedAnswer({ state, allowance }, 'rate_limited', text);
  }
  const { isSequenced, response } = run(allowance);
  if (!isSequenced) return withoutEffect(response);
  if (key !== null) state.idempotency.keep(account, key, fingerprint, response, wallMs);
  return response;
}

function fingerprintOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64');
}
