import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { createVenue } from '../../src/sandbox/embedded-venue.ts';
import { AgentError } from '../../src/sandbox/http-message.ts';
import type { Outcome } from '../../src/sandbox/submission.ts';
import {
  outcomeAnswer,
  rateHeaders,
  refusedAnswer,
  refusedResponse,
  statusOf,
} from '../../src/sandbox/submit-response.ts';
import { sandboxProfile as profile } from '../support/quick-files.ts';

const clock = new ManualClock();
const { accounts, state } = await createVenue({ seed: 1, clock, profile, accounts: 1 });
const { account } = accounts[0]!;
const allowance = { allowed: true, limit: 5, remaining: 4, resetMs: 0 };
const by = { state, allowance };

const keys = [
  'accepted',
  'code',
  'derivedOrderId',
  'error',
  'nonceConsumed',
  'nonceFloor',
  'nonceHoles',
  'nonceWindow',
  'nextUsableNonce',
  'ok',
  'seq',
];

type Applied = Extract<Outcome, { kind: 'applied' }>;

function applied(change: Partial<Applied> = {}): Applied {
  const progress = { filledQty: 0, leavesQty: 5, feeMicro: 0, fills: [], events: [] };
  const head = { status: 'resting', refusal: null, orderId: 'o1', nonceConsumed: true } as const;
  return {
    kind: 'applied',
    clientOrderId: null,
    account,
    isNonceConsumed: true,
    orderId: 'o1',
    legIds: [],
    result: { ...progress, ...head, seq: 3, engineTsMs: 1 },
    ...change,
  };
}

function answerTo(outcome: Outcome, showsResult = false) {
  const answer = outcomeAnswer(by, outcome, showsResult);
  return { ...answer, body: JSON.parse(answer.body) };
}

describe('R35: every answer to a submit has all eleven keys', () => {
  const refusal = { code: 'post_only_would_cross', text: 'crosses' } as const;
  const rejected = applied({ result: { ...applied().result, refusal } });
  const nonce = { nonceFloor: 3, nonceWindow: 256 };
  const refused = {
    kind: 'refused',
    code: 'nonce_below_floor',
    text: 'low',
    nonce,
    clientOrderId: null,
  } as const;

  test.each([
    ['accepted', applied(), { accepted: true, ok: true, seq: 3, derivedOrderId: 'o1', code: null }],
    [
      'refused by the engine',
      rejected,
      { accepted: false, ok: false, seq: null, derivedOrderId: null, code: refusal.code },
    ],
    ['refused before it', refused, { accepted: false, seq: null, nonceConsumed: false }],
  ] as const)('%s', (_, outcome, expected) => {
    const { body } = answerTo(outcome);
    expect(Object.keys(body).sort()).toEqual(keys.toSorted());
    expect(body).toMatchObject({ ...expected, nonceHoles: null });
  });

  test('R23: a nonce refusal tells floor and window, and that the floor is the next usable nonce', () => {
    const { body, status } = answerTo(refused);
    expect(status).toBe(400);
    expect(body).toMatchObject({ ...nonce, nextUsableNonce: 3, error: 'low' });
    expect(refusedResponse('expired', 'late')).toMatchObject({
      nonceFloor: null,
      nonceWindow: null,
      nextUsableNonce: null,
    });
  });

  test('R36: nonceConsumed is unknown on an acceptance, unless the result was asked for', () => {
    expect(answerTo(applied()).body.nonceConsumed).toBeNull();
    expect(answerTo(applied(), true).body.nonceConsumed).toBe(true);
    expect(answerTo(rejected).body.nonceConsumed).toBe(true);
    const free = { ...rejected, isNonceConsumed: false };
    expect(answerTo(free, true).body.nonceConsumed).toBe(false);
  });
});

test('the id of a group is that of its first leg that places', () => {
  const idOf = (legIds: readonly (string | null)[]) =>
    answerTo(applied({ orderId: null, legIds })).body.derivedOrderId;
  expect(idOf([null, 'l1', 'l2'])).toBe('l1');
  expect(idOf([null, null])).toBeNull();
  expect(idOf([])).toBeNull();
});

test('the number of an answer is that of the stream', () => {
  expect(answerTo(applied()).body.seq).toBe(3);
  const none = applied({ result: { ...applied().result, seq: null } });
  expect(answerTo(none).body.seq).toBeNull();
});

test('R59: an agent that is refused is told in the flat shape, with the rate headers', () => {
  const error = new AgentError('AGENT_POLICY_RATE_LIMITED', 'slower');
  const answer = answerTo({ kind: 'not_allowed', error, clientOrderId: null });
  expect(answer.body).toEqual({ ok: false, code: error.code, error: 'slower' });
  expect(answer.status).toBe(429);
  expect(answer.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-remaining': '4' });
});

test('the status of a code is that of the profile, or its default', () => {
  const status = (code: string) => statusOf(state, code);
  expect(['rate_limited', 'trading_halted', 'idempotency_key_conflict'].map(status)).toEqual([
    429, 503, 409,
  ]);
  expect(['post_only_would_cross', 'new_code', 'constructor'].map(status)).toEqual([400, 400, 400]);
});

test('R41: Retry-After is whole seconds, at least one, and only on 429 and 503', () => {
  const after = (status: number, resetMs: number) =>
    rateHeaders({ ...allowance, resetMs }, status)['retry-after'];
  expect([0, 1, 1000, 1001, 2500].map((resetMs) => after(429, resetMs))).toEqual([
    '1',
    '1',
    '1',
    '2',
    '3',
  ]);
  expect(after(503, 1500)).toBe('2');
  expect([200, 400, 409, 500].map((status) => after(status, 1500))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
  expect(rateHeaders({ ...allowance, resetMs: 1500 }, 200)).toEqual({
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '4',
    'x-ratelimit-reset-ms': '1500',
  });
});

test('an action that was not submitted changed nothing', () => {
  const answer = refusedAnswer(by, 'backpressure', 'full');
  expect([answer.status, answer.isWithoutEffect]).toEqual([503, true]);
  expect(answer.headers['x-bsl-applied-ms']).toBe(String(clock.now().wallMs));
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'backpressure', nonceConsumed: false });
});
