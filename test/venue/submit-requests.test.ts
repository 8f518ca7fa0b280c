/** The HTTP requests that carry signed actions, and their idempotency keys. */
import { expect, test } from 'vitest';
import { SubmitRequests } from '../../src/venue/submit-requests.ts';
import { sandbox, signed } from './samples.ts';

const requests = new SubmitRequests(sandbox);
const { idempotency, routes } = sandbox;
const [one, two] = [signed(1), signed(2)];
const keyOf = (...sends: (typeof one)[]) => {
  const { headers } = requests.of(sends);
  expect(headers?.[0]).toBe(idempotency.header);
  return headers?.[1] ?? '';
};

test('one action goes alone, under the beginning of its hash', () => {
  const request = requests.of([one]);
  expect([request.method, request.target]).toEqual(['POST', routes.actions]);
  expect(keyOf(one)).toBe(one.hash.slice(0, idempotency.keyHexChars));
  expect(JSON.parse(String(request.body))).toHaveProperty('payload');
});

test('several go as a batch, in order, under a key over all of them', () => {
  const request = requests.of([one, two]);
  expect(request.target).toBe(routes.orders);
  const keys = [keyOf(one, two), keyOf(two, one), keyOf(one, one), keyOf(one)];
  expect(new Set(keys).size).toBe(4);
  for (const key of keys) expect(key).toMatch(new RegExp(`^[0-9a-f]{${idempotency.keyHexChars}}$`));
});

test('the same actions always have the same key and the same bytes', () => {
  expect(requests.of([one, two])).toEqual(requests.of([signed(1), signed(2)]));
});

test('an action that another key signed has a key of its own, alone and in a batch', () => {
  const other = { ...one, otherKey: `0x${'cd'.repeat(20)}` } as typeof one;
  const third = { ...one, otherKey: `0x${'ef'.repeat(20)}` } as typeof one;
  expect(new Set([keyOf(one), keyOf(other), keyOf(third)]).size).toBe(3);
  expect(keyOf(one, two)).not.toBe(keyOf(other, two));
  expect(requests.of([other]).target).toBe(routes.actions);
});

test('every request asks for the form of answer that the profile names', () => {
  const { headers, resultMode } = sandbox;
  expect(requests.of([one]).headers?.slice(2)).toEqual([
    headers.resultMode,
    resultMode.mode,
    headers.responseMode,
    resultMode.response,
  ]);
});
