/** Who may log on to a session and from where. */
import { expect, test } from 'vitest';
import { clientAdmission } from '../../../src/gateway/clients/client-admission.ts';
import type { SessionConfig } from '../../../src/gateway/config/config.ts';
import type { LoadedConfig, UserSecrets } from '../../../src/gateway/config/config-file.ts';
import type { PasswordChecks } from '../../../src/gateway/passwords/password-checks.ts';
import { type Attempt, signatureOf } from '../../../src/transport/authentication.ts';

const noPasswords = { verdict: () => false } as unknown as PasswordChecks;
const signed = ['20260105', 'A'];
const now = { wallMs: 1_000_000, monoMs: 0 };
const users = new Map<string, UserSecrets>(
  ['ann', 'bob'].map((username) => [username, { username, hash: null, hmacSecret: username }]),
);
const loaded = { users } as unknown as LoadedConfig;
const session = (more: Partial<SessionConfig> = {}) =>
  ({ users: ['ann'], ...more }) as SessionConfig;

function attempt(username: string, address = '192.0.2.1', more: Partial<Attempt> = {}): Attempt {
  const credentials = { username, signature: signatureOf(username, signed) };
  return { credentials, signed, signedMs: now.wallMs, peer: { address }, now, ...more };
}
function admission(...sessions: SessionConfig[]): ReturnType<typeof clientAdmission> {
  const made = clientAdmission('S', noPasswords);
  for (const one of sessions) made.change(one, loaded);
  return made;
}
const wrong = 'wrong credentials';
const fromElsewhere = { peerText: wrong, reason: 'it may not come from this address' };

test('nobody may log on before the session is configured', () => {
  expect(admission().authenticate(attempt('ann'))).toBe('nobody may log on');
});

test('only users of the session may log on', () => {
  expect(admission(session()).authenticate(attempt('ann'))).toBeUndefined();
  expect(admission(session()).authenticate(attempt('bob'))).toBe(wrong);
});

test('from a wrong address nobody may, and the peer learns no more than that of wrong credentials', () => {
  const allowFrom = ['192.0.2.0/24'];
  const made = admission(session({ allowFrom }));
  expect(made.authenticate(attempt('ann', '198.51.100.1'))).toEqual(fromElsewhere);
  expect(made.authenticate(attempt('bob', '198.51.100.1'))).toEqual(fromElsewhere);
  expect(made.authenticate(attempt('ann'))).toBeUndefined();
});

test('a right address does not make up for a wrong certificate', () => {
  const made = admission(session({ allowFrom: ['192.0.2.0/24'] }));
  expect(made.authenticate(attempt('ann', '192.0.2.1', { standing: 'stranger' }))).toBe(wrong);
});

test('a signature that was used stays used over a change of the file that is about something else', () => {
  const made = admission(session());
  expect(made.authenticate(attempt('ann'))).toBeUndefined();
  made.change(session(), loaded);
  expect(made.authenticate(attempt('ann'))).toBe('this signature was used before');
});

test('a change of users or addresses applies to the next logon', () => {
  const made = admission(session());
  made.change(session({ users: ['bob'] }), loaded);
  expect(made.authenticate(attempt('ann'))).toBe(wrong);
  made.change(session({ allowFrom: ['198.51.100.0/24'] }), loaded);
  expect(made.authenticate(attempt('ann'))).toEqual(fromElsewhere);
});
