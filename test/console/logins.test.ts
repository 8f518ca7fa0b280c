import { expect, test } from 'vitest';
import { isCsrf, Logins } from '../../src/console/logins.ts';
import { PasswordChecks } from '../../src/gateway/passwords/password-checks.ts';
import {
  hashSecret,
  lightCost,
  parseSecretHash,
  type SecretHash,
} from '../../src/gateway/passwords/secret-hash.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

const hash = parseSecretHash(hashSecret('token', lightCost)) as SecretHash;
const minute = 60_000;

function setup() {
  const clock = new ManualClock();
  const operators = new Map([
    ['ann', { hash, roles: ['operate'] as const }],
    ['eve', { hash, roles: [] }],
  ]);
  const alarm = () => {};
  const tokens = new PasswordChecks({ clock, alarm });
  const audited: string[] = [];
  const audit = {
    loggedIn: (who: string) => void audited.push(`${who} in`),
    failed: (who: string | undefined) => void audited.push(`${who} failed`),
  };
  const logins = new Logins(operators, tokens, audit, clock);
  const cookieOf = async (who: string) => {
    const result = await logins.login(who, 'token', '::1');
    if (typeof result === 'string') throw new Error(result);
    return result.cookie;
  };
  return { audited, clock, logins, cookieOf };
}

test('a login is known by its cookie, and what it may do comes with it', async () => {
  const { logins, cookieOf } = setup();
  expect(logins.of(await cookieOf('ann'))).toMatchObject({ who: 'ann', roles: ['operate'] });
  expect(logins.of(await cookieOf('eve'))).toMatchObject({ who: 'eve', roles: [] });
  expect(logins.of('another')).toBeUndefined();
  expect(logins.of(undefined)).toBeUndefined();
});

test('a session ends half an hour after its last use, and after a working day in any case', async () => {
  const { clock, logins, cookieOf } = setup();
  const idle = await cookieOf('ann');
  clock.advance(31 * minute);
  expect(logins.of(idle)).toBeUndefined();
  const busy = await cookieOf('ann');
  for (let passed = 0; passed < 12 * 60; passed += 20) {
    expect(logins.of(busy)?.who).toBe('ann');
    clock.advance(20 * minute);
  }
  clock.advance(minute);
  expect(logins.of(busy)).toBeUndefined();
});

test('the anti-forgery token is of one session alone', async () => {
  const { logins, cookieOf } = setup();
  const [one, other] = [logins.of(await cookieOf('ann')), logins.of(await cookieOf('ann'))];
  if (one === undefined || other === undefined) throw new Error('no login');
  expect(isCsrf(one, one.csrf)).toBe(true);
  expect(isCsrf(one, other.csrf)).toBe(false);
  expect(isCsrf(one, '')).toBe(false);
  expect(isCsrf(one, '\xe9'.repeat(one.csrf.length))).toBe(false);
});

test('sessions are bounded: the oldest gives way', async () => {
  const { logins, cookieOf } = setup();
  const first = await cookieOf('ann');
  for (let count = 0; count < 100; count += 1) await cookieOf('ann');
  expect(logins.of(first)).toBeUndefined();
}, 20_000);

test('guesses with one name lock nobody else out who shares the address, nor the way through the provider', async () => {
  const { clock, logins } = setup();
  for (const who of ['stranger', 'stranger', 'stranger', 'eve', 'eve', 'eve']) {
    expect(await logins.login(who, 'wrong', '10.0.0.7')).toBe('refused');
  }
  expect(await logins.login('eve', 'token', '10.0.0.7')).toBe('blocked');
  expect(logins.isBlocked('10.0.0.7')).toBe(false);
  for (let failure = 0; failure < 3; failure += 1) logins.refused('10.0.0.7');
  expect(logins.isBlocked('10.0.0.7')).toBe(true);
  expect(await logins.login('ann', 'token', '10.0.0.7')).toHaveProperty('cookie');
  clock.advance(minute);
  expect(await logins.login('eve', 'token', '10.0.0.7')).toHaveProperty('cookie');
});

test('failures block their name at their source for a minute, and nowhere else', async () => {
  const { clock, logins } = setup();
  for (let guess = 0; guess < 3; guess += 1) {
    expect(await logins.login('ann', 'wrong', '10.0.0.1')).toBe('refused');
  }
  expect(await logins.login('ann', 'token', '10.0.0.1')).toBe('blocked');
  expect(await logins.login('nobody', 'token', '10.0.0.2')).toBe('refused');
  expect(await logins.login('ann', 'token', '10.0.0.2')).toHaveProperty('cookie');
  clock.advance(minute);
  expect(await logins.login('ann', 'token', '10.0.0.1')).toHaveProperty('cookie');
});

test('of guesses that come at the same time no more are looked at than block their source', async () => {
  const { logins } = setup();
  const guesses = ['1', '2', '3', 'token', 'token'].map((guess) =>
    logins.login('ann', guess, '::2'),
  );
  const heard = ['refused', 'refused', 'refused', 'blocked', 'blocked'];
  expect(await Promise.all(guesses)).toEqual(heard);
});

test('what a source has sent before it was blocked does not let it in', async () => {
  const { logins } = setup();
  for (let guess = 0; guess < 2; guess += 1) await logins.login('ann', 'wrong', '::3');
  const atOnce = [logins.login('ann', 'wrong', '::3'), logins.login('ann', 'token', '::3')];
  expect(await Promise.all(atOnce)).toEqual(['refused', 'blocked']);
});

test('a login whose connection has gone is not looked at, and blocks nobody', async () => {
  const { logins } = setup();
  const busy = logins.login('eve', 'wrong', '10.0.0.4');
  const left = [1, 2, 3].map(() => logins.login('ann', 'wrong', '10.0.0.5', (giveUp) => giveUp()));
  expect(await Promise.all(left)).toEqual(['busy', 'busy', 'busy']);
  expect(await busy).toBe('refused');
  expect(await logins.login('ann', 'token', '10.0.0.5')).toHaveProperty('cookie');
});

test('each login that was looked at is told to the audit chain, and a name that nobody has is not named', async () => {
  const { audited, logins, cookieOf } = setup();
  await cookieOf('ann');
  for (const who of ['eve', 'secret-token', 'ann', 'ann', 'ann', 'ann'])
    await logins.login(who, 'x', '10.0.0.6');
  const failed = ['eve', 'undefined', 'ann', 'ann', 'ann'].map((who) => `${who} failed`);
  expect(audited).toEqual(['ann in', ...failed]);
});
