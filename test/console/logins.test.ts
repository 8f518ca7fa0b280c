import { expect, test } from 'vitest';
import { isCsrf, Logins } from '../../src/console/logins.ts';
import { hashSecret, parseSecretHash, type SecretHash } from '../../src/gateway/secret-hash.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

const hash = parseSecretHash(hashSecret('token')) as SecretHash;
const minute = 60_000;

function setup() {
  const clock = new ManualClock();
  const operators = new Map([
    ['ann', { hash, mayAct: true }],
    ['eve', { hash, mayAct: false }],
  ]);
  const logins = new Logins(operators, clock);
  const cookieOf = (who: string) => {
    const result = logins.login(who, 'token', '::1');
    if (typeof result === 'string') throw new Error(result);
    return result.cookie;
  };
  return { clock, logins, cookieOf };
}

test('a login is known by its cookie, and what it may do comes with it', () => {
  const { logins, cookieOf } = setup();
  expect(logins.of(cookieOf('ann'))).toMatchObject({ who: 'ann', mayAct: true });
  expect(logins.of(cookieOf('eve'))).toMatchObject({ who: 'eve', mayAct: false });
  expect(logins.of('another')).toBeUndefined();
  expect(logins.of(undefined)).toBeUndefined();
});

test('a session ends half an hour after its last use, and after a working day in any case', () => {
  const { clock, logins, cookieOf } = setup();
  const idle = cookieOf('ann');
  clock.advance(31 * minute);
  expect(logins.of(idle)).toBeUndefined();
  const busy = cookieOf('ann');
  for (let passed = 0; passed < 12 * 60; passed += 20) {
    expect(logins.of(busy)?.who).toBe('ann');
    clock.advance(20 * minute);
  }
  clock.advance(minute);
  expect(logins.of(busy)).toBeUndefined();
});

test('the anti-forgery token is of one session alone', () => {
  const { logins, cookieOf } = setup();
  const [one, other] = [logins.of(cookieOf('ann')), logins.of(cookieOf('ann'))];
  if (one === undefined || other === undefined) throw new Error('no login');
  expect(isCsrf(one, one.csrf)).toBe(true);
  expect(isCsrf(one, other.csrf)).toBe(false);
  expect(isCsrf(one, '')).toBe(false);
});

test('sessions are bounded: the oldest gives way', () => {
  const { logins, cookieOf } = setup();
  const first = cookieOf('ann');
  for (let count = 0; count < 100; count += 1) cookieOf('ann');
  expect(logins.of(first)).toBeUndefined();
}, 20_000);

test('failures block their source for a minute, and no other', () => {
  const { clock, logins } = setup();
  for (let guess = 0; guess < 3; guess += 1) {
    expect(logins.login('ann', 'wrong', '10.0.0.1')).toBe('refused');
  }
  expect(logins.login('ann', 'token', '10.0.0.1')).toBe('blocked');
  expect(logins.login('nobody', 'token', '10.0.0.2')).toBe('refused');
  expect(logins.login('ann', 'token', '10.0.0.2')).toHaveProperty('cookie');
  clock.advance(minute);
  expect(logins.login('ann', 'token', '10.0.0.1')).toHaveProperty('cookie');
});
