import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { AuthorizedCall } from '../../src/sandbox/call.ts';
import { createVenue } from '../../src/sandbox/embedded-venue.ts';
import { json } from '../../src/sandbox/http-message.ts';
import { checkedKey, headerKey, once } from '../../src/sandbox/once.ts';
import { sandboxProfile as profile } from '../support/quick-files.ts';

const clock = new ManualClock();
const { accounts, state } = await createVenue({ seed: 1, clock, profile, accounts: 2 });
state.setLimits({ actionsPerSecond: 0 });

function callOf(body: string, of = 0, headers: Record<string, string> = {}): AuthorizedCall {
  const request = {
    method: 'POST',
    target: '/',
    headers,
    body: Buffer.from(body),
    remoteAddress: '::1',
  };
  const credential = state.identities.credentials.get(accounts[of]!.apiKey)!;
  return { state, request, credential, query: new URLSearchParams(), params: {} };
}

let runs = 0;
/** Answers how often something was run. */
function send(body: string, key: string | null, { of = 0, count = 1, isSequenced = true } = {}) {
  const answer = once(callOf(body, of), key, count, () => {
    runs += 1;
    return { response: json(200, { run: runs }), isSequenced };
  });
  return { ...answer, body: JSON.parse(answer.body) };
}

test('R45: the same key and bytes are run once, and their first answer is given again as a replay', () => {
  const first = send('a', 'r45');
  const again = send('a', 'r45');
  expect(again.body).toEqual(first.body);
  expect([first, again].map(({ headers }) => headers['idempotent-replay'])).toEqual([
    undefined,
    'true',
  ]);
  expect([first, again].map(({ isWithoutEffect }) => isWithoutEffect)).toEqual([undefined, true]);
  expect(again.headers['x-ratelimit-limit']).toBeDefined();
});

test('R45: a key with other bytes is a conflict, and with another account a key of its own', () => {
  const { body } = send('a', 'other');
  const conflict = send('b', 'other');
  expect([conflict.status, conflict.body.code]).toEqual([409, 'idempotency_key_conflict']);
  expect(conflict.isWithoutEffect).toBe(true);
  expect(send('b', 'other', { of: 1 }).body.run).toBe(body.run + 1);
});

test('R45: a key is free again after its lifetime and not before', () => {
  const { body } = send('a', 'day');
  clock.advance(profile.idempotency.lifetimeMs - 1);
  expect(send('a', 'day').body).toEqual(body);
  clock.advance(1);
  expect(send('b', 'day').body.run).toBe(body.run + 1);
});

test('without a key every request is run', () => {
  const { body } = send('a', null);
  expect(send('a', null).body.run).toBe(body.run + 1);
});

test('what did not reach the sequencer changed nothing, and does not stand in the way of its key', () => {
  const refused = send('a', 'later', { isSequenced: false });
  expect(refused.isWithoutEffect).toBe(true);
  const taken = send('a', 'later');
  expect(taken.body.run).toBe(refused.body.run + 1);
  expect(taken.isWithoutEffect).toBeUndefined();
});

test('R41: each action of a request takes from the budget, and neither a replay nor a conflict does', () => {
  state.setLimits({ actionsPerSecond: 1, burst: 5 });
  clock.advance(60_000);
  const before = runs;
  const left = (answer: ReturnType<typeof send>) => answer.headers['x-ratelimit-remaining'];
  send('a', 'budget', { count: 3 });
  expect(left(send('a', 'budget', { count: 3 }))).toBe('2');
  expect(left(send('b', 'budget', { count: 3 }))).toBe('2');
  const limited = send('a', null, { count: 3 });
  expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
  expect(limited.body.error).toBe('more than 5 actions at once');
  expect([limited.headers['retry-after'], limited.isWithoutEffect]).toEqual(['1', true]);
  send('a', null, { count: 2 });
  expect(send('a', 'budget').headers['idempotent-replay']).toBe('true');
  expect(runs).toBe(before + 2);
  state.setLimits({ actionsPerSecond: 0 });
});

test('a key is 1 to 128 printable characters, without spaces', () => {
  for (const key of ['k', '!~', 'k'.repeat(128)]) expect(checkedKey(key)).toBe(key);
  expect(checkedKey(null)).toBeNull();
  for (const key of ['', ' ', 'a b', 'k'.repeat(129), 'ä', 'a\n', '\x7f']) {
    expect(() => checkedKey(key), JSON.stringify(key)).toThrow('1 to 128 printable characters');
  }
  const withHeader = (headers: Record<string, string>) => headerKey(callOf('', 0, headers));
  expect(withHeader({ 'idempotency-key': 'k' })).toBe('k');
  expect(withHeader({})).toBeNull();
  expect(() => withHeader({ 'idempotency-key': '' })).toThrow('1 to 128 printable characters');
});
