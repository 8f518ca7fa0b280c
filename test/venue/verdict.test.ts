/** Accepted, refused or unknown: what each HTTP exchange says (contract G31, D.1, D.4b). */

import { describe, expect, test } from 'vitest';
import { refusals } from '../../src/venue/refusals.ts';
import { type Exchange, verdictOf, verdictsOf } from '../../src/venue/verdict.ts';
import { refusedResponse, sandbox, submitResponse } from './samples.ts';

const response = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Exchange => ({
  kind: 'response',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const judge = (exchange: Exchange) => verdictOf(exchange, sandbox);
const envelope = (code: string, cause?: string) => ({
  ok: false,
  error: {
    code,
    message: 'words',
    retriable: true,
    requestId: 'r',
    ...(cause ? { details: { cause } } : {}),
  },
});

test('only HTTP 200 with accepted true is an acceptance', () => {
  expect(judge(response(200, submitResponse({ seq: 9 })))).toMatchObject({
    kind: 'accepted',
    seq: 9,
  });
  expect(judge(response(202, submitResponse())).kind).toBe('unknown');
  expect(judge(response(503, submitResponse())).kind).toBe('unknown');
  expect(judge(response(200, {})).kind).toBe('unknown');
});

describe('R43, R116: a SubmitResponse with a listed code is decided by that code, whatever the status', () => {
  const codes = refusals.filter(({ source, decisive }) => source === 'submit' && decisive);
  test.each(codes.map(({ name }) => name))('%s', (code) => {
    for (const status of [400, 409, 429, 500, 503]) {
      expect(judge(response(status, refusedResponse(code)))).toMatchObject({
        kind: 'refused',
        refusal: { name: code, code },
        text: `about ${code}`,
      });
    }
  });

  test('an unlisted code keeps its name and follows the status', () => {
    expect(judge(response(400, refusedResponse('brand_new')))).toMatchObject({
      kind: 'refused',
      refusal: { code: 'brand_new' },
    });
    expect(judge(response(503, refusedResponse('brand_new'))).kind).toBe('unknown');
    expect(judge(response(400, refusedResponse(null)))).toMatchObject({
      kind: 'refused',
      refusal: { name: 'BAD_REQUEST' },
    });
  });
});

describe('R118: envelopes and statuses', () => {
  test.each([
    [400, 'BAD_REQUEST', 'refused'],
    [401, 'UNAUTHORIZED', 'refused'],
    [403, 'FORBIDDEN', 'refused'],
    [404, 'NOT_FOUND', 'refused'],
    [406, 'NOT_ACCEPTABLE', 'refused'],
    [409, 'CONFLICT', 'unknown'],
    [422, 'BAD_REQUEST', 'refused'],
    [429, 'RATE_LIMITED', 'refused'],
    [500, 'INTERNAL_ERROR', 'unknown'],
    [500, 'SERVER_ERROR', 'unknown'],
    [503, 'SERVICE_UNAVAILABLE', 'unknown'],
  ])('%d %s is %s', (status, code, kind) => {
    expect(judge(response(status, envelope(code)))).toMatchObject({ kind, refusal: { code } });
  });

  test('a 503 whose cause is an admission code was not taken', () => {
    expect(judge(response(503, envelope('SERVICE_UNAVAILABLE', 'backpressure')))).toMatchObject({
      kind: 'refused',
      refusal: { name: 'backpressure' },
    });
  });

  test('a decisive envelope keeps its own code, the cause goes before its words', () => {
    expect(judge(response(422, envelope('BAD_REQUEST', 'unknown_field')))).toMatchObject({
      kind: 'refused',
      refusal: { name: 'BAD_REQUEST' },
      text: 'unknown_field words',
    });
  });

  test.each([502, 504, 301, 418])('HTTP %d with a text body is unknown', (status) => {
    expect(judge(response(status, 'gateway')).kind).toBe('unknown');
  });

  test('a broken exchange is unknown, one that never left is not', () => {
    expect(judge({ kind: 'broken', problem: 'ECONNRESET' })).toMatchObject({
      kind: 'unknown',
      refusal: { code: 'bridge.unknown_outcome', number: 106 },
      text: 'ECONNRESET',
    });
    expect(judge({ kind: 'unsent', problem: 'ECONNREFUSED' })).toMatchObject({
      kind: 'unsent',
      refusal: { name: 'bridge.venue_unreachable' },
    });
  });

  test('a 401 to a timestamp that was corrected since is tried again, and blocks nothing', () => {
    const body = { ok: false, code: 'API_CREDENTIAL_INVALID', error: 'skew' };
    const corrected = { ...response(401, body), isClockCorrected: true } as Exchange;
    expect(judge(corrected)).toMatchObject({ kind: 'refused', refusal: { acts: ['BK'] } });
    expect(judge(response(401, body))).toMatchObject({ refusal: { acts: ['CR'] } });
  });

  test('R59: a flat body is decided by its code', () => {
    const body = { ok: false, code: 'AGENT_REVOKED', error: 'gone' };
    expect(judge(response(403, body))).toMatchObject({
      kind: 'refused',
      refusal: { name: 'AGENT_REVOKED', acts: ['CR'] },
    });
  });
});

describe('R37: the edge limiter answers in plain text', () => {
  const after = (value?: string) => {
    const headers = value === undefined ? {} : { 'x-ratelimit-after': value };
    return judge(response(429, 'Too many requests', headers));
  };
  test.each([
    ['3', 3000],
    ['0', 250],
    ['9999', 60_000],
    ['soon', 5000],
    [undefined, 5000],
    ['-1', 5000],
  ])('x-ratelimit-after %s waits %d ms', (value, retryAfterMs) => {
    expect(after(value)).toMatchObject({
      kind: 'refused',
      refusal: { name: 'edge_limit', number: 101 },
      retryAfterMs,
    });
  });

  test('the unit of the header is data of the profile', () => {
    const rules = { rateLimit: { ...sandbox.rateLimit, edgeAfterUnit: 'ms' as const } };
    const exchange = response(429, 'x', { 'x-ratelimit-after': '700' });
    expect(verdictOf(exchange, rules)).toMatchObject({ retryAfterMs: 700 });
  });

  test.each([
    ['2', 2_000],
    ['300', 300_000],
    ['999999999', 3_600_000],
    ['2.5', null],
    ['Sat, 21 Nov 2026 17:00:00 GMT', null],
  ])('R39: Retry-After %s, in whole seconds, waits %d ms', (value, retryAfterMs) => {
    const exchange = response(429, refusedResponse('rate_limited'), { 'retry-after': value });
    expect(judge(exchange)).toMatchObject({ retryAfterMs });
  });
});

describe('R48: a batch', () => {
  const results = [
    { seq: 5, status: 'resting', nonceConsumed: true },
    { seq: 6, status: 'rejected', rejectCode: 'ENGINE_REJECTED', rejectReason: 'fok_not_filled' },
    null,
  ];

  test('results that are there are used, the rest is unknown', () => {
    for (const status of [200, 409, 503]) {
      const exchange = response(status, { ok: false, actionResults: results });
      expect(verdictsOf(exchange, sandbox, 3)).toMatchObject([
        { kind: 'accepted', seq: 5 },
        { kind: 'refused', refusal: { name: 'fok_not_filled' } },
        { kind: 'unknown' },
      ]);
    }
  });

  test('results that are there are used beside the error of the rest, for which Retry-After holds (R39)', () => {
    for (const error of [
      envelope('SERVICE_UNAVAILABLE'),
      { ok: false, code: 'SERVICE_UNAVAILABLE', error: 'words' },
    ]) {
      const body = { ...error, actionResults: results };
      const verdicts = verdictsOf(response(503, body, { 'retry-after': '2' }), sandbox, 3);
      expect(verdicts).toMatchObject([
        { kind: 'accepted', seq: 5 },
        { kind: 'refused', refusal: { name: 'fok_not_filled' } },
        { kind: 'unknown', retryAfterMs: 2_000 },
      ]);
    }
    const whole = { ...envelope('BAD_REQUEST'), actionResults: [] };
    expect(verdictsOf(response(400, whole), sandbox, 2)).toMatchObject([
      { kind: 'refused' },
      { kind: 'refused' },
    ]);
  });

  test('a durable timeout without results leaves all unknown', () => {
    const kinds = verdictsOf(response(503, { ok: false, actionResults: null }), sandbox, 2);
    expect(kinds.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
  });

  test('in mode ack 200 without results is an admission, with ids by position', () => {
    const id = `0x${'cd'.repeat(32)}`;
    const body = { ok: true, derivedOrderIds: [id, [null, id]] };
    expect(verdictsOf(response(200, body), sandbox, 2)).toMatchObject([
      { kind: 'accepted', orderIds: [id] },
      { kind: 'accepted', orderIds: [null, id] },
    ]);
  });

  test('results of another number than the actions decide nothing, because they may be of any of them', () => {
    for (const actionResults of [results.slice(1), [...results, null]]) {
      const verdicts = verdictsOf(response(200, { ok: true, actionResults }), sandbox, 3);
      expect(verdicts.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
    }
  });

  test('ids that are flat across the legs of a group are given to no other action', () => {
    const [one, two, three] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`);
    const body = { ok: true, derivedOrderIds: [one, two, three] };
    expect(verdictsOf(response(200, body), sandbox, 2)).toMatchObject([
      { kind: 'accepted', orderIds: [] },
      { kind: 'accepted', orderIds: [] },
    ]);
  });

  test('a refusal of the whole request refuses each action', () => {
    const verdicts = verdictsOf(response(429, refusedResponse('rate_limited')), sandbox, 2);
    expect(verdicts.map((one) => one.kind)).toEqual(['refused', 'refused']);
  });

  test('R31: nonceConsumed that is missing is not known', () => {
    const [verdict] = verdictsOf(
      response(200, { ok: true, actionResults: [{ status: 'resting' }] }),
      sandbox,
      1,
    );
    expect(verdict).toMatchObject({ nonce: { nonceConsumed: null } });
  });
});
