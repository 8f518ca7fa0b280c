import { beforeEach, expect, test } from 'vitest';
import { Credentials } from '../../src/venue/credentials.ts';
import type { Credential } from '../../src/venue/request-auth.ts';
import { sandboxProfile } from '../support/quick-files.ts';

const { http } = sandboxProfile.auth;
const credential = (key: string, older?: Credential): Credential => ({
  ...{ key, secret: `secret of ${key}`, passphrase: 'p', older },
});
const two = credential('new', credential('old'));
const answer = (status: number, code = 'API_CREDENTIAL_INVALID') => ({
  kind: 'response' as const,
  status,
  headers: {},
  body: JSON.stringify({ ok: false, code, error: 'no' }),
});
let alarms: string[];
let both: Credentials;

beforeEach(() => {
  alarms = [];
  both = new Credentials(http, two, (text) => alarms.push(text));
});

test('a request that the newer credential was refused for is repeated with the older one, and told once', () => {
  const newer = both.current(0);
  expect(newer.key).toBe('new');
  expect([both.isToRepeat(newer, answer(401), 0), both.isToRepeat(newer, answer(401), 0)]).toEqual([
    true,
    true,
  ]);
  expect(both.current(0).key).toBe('old');
  expect(both.current(100_000).key).toBe('new');
  expect(alarms).toEqual([
    'the venue refuses the newer credential, so the older one is used: API_CREDENTIAL_INVALID',
  ]);
});

test('a refusal is forgotten, and told again, once the venue has accepted the credential', () => {
  const newer = both.current(0);
  for (const count of [1, 2]) {
    both.isToRepeat(newer, answer(401), 0);
    // A public read that was under way succeeds whatever credential it carries.
    both.isToRepeat(newer, answer(200), 0);
    expect([both.current(0).key, alarms.length]).toEqual(['old', count]);
    both.accept(newer);
    expect(both.current(0).key).toBe('new');
  }
});

test('one that was revoked is never used again by itself, and if both are refused nothing is repeated', () => {
  const newer = both.current(0);
  expect(both.isToRepeat(newer, answer(403, 'API_CREDENTIAL_REVOKED'), 0)).toBe(true);
  const older = both.current(1e15);
  expect(older.key).toBe('old');
  expect(both.isToRepeat(older, answer(401), 1e15)).toBe(false);
  expect(both.current(1e15).key).toBe('new');
});

test('what is refused for another reason, and what is not refused, is not repeated', () => {
  const newer = both.current(0);
  for (const one of [answer(403, 'INVALID_SCOPE'), answer(429), answer(200), answer(500)]) {
    expect(both.isToRepeat(newer, one, 0)).toBe(false);
  }
  expect(both.isToRepeat(newer, { ...answer(401), body: 'no JSON' }, 0)).toBe(false);
  expect(both.current(0)).toBe(newer);
  const alone = new Credentials(http, credential('only'), (text) => alarms.push(text));
  expect(alone.isToRepeat(alone.current(0), answer(401), 0)).toBe(false);
  expect(alone.current(0).key).toBe('only');
  expect(alarms).toEqual([]);
});

test('a request under way with a credential that has gone is repeated with the one in its place', () => {
  const gone = both.current(0);
  both.correctClock(5000);
  both.change(credential('next'));
  expect(both.current(0).headers('GET', '/', '', 1000)).toContain('6000');
  expect(both.isToRepeat(gone, answer(403, 'API_CREDENTIAL_REVOKED'), 0)).toBe(true);
  expect([both.current(0).key, both.refused.size, alarms]).toEqual(['next', 0, []]);
});

test('a secret that was replaced under the same API key, and one of another account, leave requests to the older one', () => {
  const same = new Credentials(http, credential('same', credential('same')), () => {});
  const newer = same.current(0);
  expect(same.isToRepeat(newer, answer(401), 0)).toBe(true);
  expect(same.current(0)).not.toBe(newer);
  expect(both.isToRepeat(both.current(0), answer(403, 'ACCOUNT_MISMATCH'), 0)).toBe(true);
  expect(both.current(0).key).toBe('old');
});
