/** The names of sessions, under which the store keeps them, and their profiles. */
import { expect, test } from 'vitest';
import { identityOf, nameOf } from '../../../src/gateway/config/client-names.ts';
import {
  type Config,
  defaultProfile,
  profileOf,
  type SessionConfig,
} from '../../../src/gateway/config/config.ts';

const fix = { protocol: 'fix', senderCompId: 'ALPHA', targetCompId: 'BRIDGE' } as SessionConfig;

test('a session of FIX is named from our side, and one of FIXP by its client', () => {
  expect(nameOf(fix)).toBe('FIX.4.4:BRIDGE/->ALPHA/');
  expect(identityOf(fix as never)).toEqual({ senderCompId: 'BRIDGE', targetCompId: 'ALPHA' });
  expect(nameOf({ ...fix, protocol: 'fixp' } as SessionConfig)).toBe('FIXP:ALPHA');
});

test('a session has the profile that it names, and the default if it names none', () => {
  const own = { ...defaultProfile, maxOrderAgeMs: 1 };
  const config = { profiles: { own } } as unknown as Config;
  expect(profileOf({ ...fix, profile: 'own' } as SessionConfig, config)).toBe(own);
  expect(profileOf(fix, config)).toBe(defaultProfile);
});
