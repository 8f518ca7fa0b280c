import { expect, test } from 'vitest';
import {
  anyone,
  fixpPasswords,
  fixpSignatures,
  readCredentials,
  requestSignature,
  writeCredentials,
} from '../../src/fixp/credentials.ts';

const user = { username: 'alice', secret: 'right' };
const signed = { request: 'Negotiate', sessionId: 'ab'.repeat(16), timestampNs: 5n } as const;
const attempt = (credentials: { password?: string; signature?: string }, username = 'alice') => ({
  ...signed,
  credentials: { username, ...credentials },
  peer: { address: '192.0.2.1' },
  now: { wallMs: 0, monoMs: 0 },
});

test('credentials are the fields of a FIX Logon', () => {
  const bytes = writeCredentials({ username: 'alice', password: 'a=b' });
  expect(Buffer.from(bytes).toString()).toBe('553=alice\x01554=a=b\x01');
  expect(readCredentials(bytes)).toEqual({ username: 'alice', password: 'a=b' });
});

test.each(['', '553=alice', '553=\x01', '554=x\x01', '553=a\x01553=b\x01', '35=A\x01', 'x\x01'])(
  'credentials of another form are none: %j',
  (text) => {
    expect(readCredentials(Buffer.from(text))).toBeUndefined();
  },
);

test('credentials are not longer than a kilobyte', () => {
  expect(readCredentials(Buffer.from(`553=${'a'.repeat(1019)}\x01`))).toBeDefined();
  expect(readCredentials(Buffer.from(`553=${'a'.repeat(1020)}\x01`))).toBeUndefined();
});

test('a password is right or wrong, whatever else is said', () => {
  const authenticate = fixpPasswords([user, { username: 'empty', secret: '' }]);
  expect(authenticate(attempt({ password: 'right' }))).toBeUndefined();
  expect(authenticate(attempt({ password: 'wrong' }))).toBe('wrong credentials');
  expect(authenticate(attempt({}))).toBe('wrong credentials');
  expect(authenticate(attempt({ password: 'right' }, 'bob'))).toBe('wrong credentials');
  expect(authenticate(attempt({ password: '' }, 'empty'))).toBe('wrong credentials');
  expect(anyone(attempt({}))).toBeUndefined();
});

test('a signature is for one request, one session id and one time', () => {
  const authenticate = fixpSignatures([user]);
  const signature = requestSignature(user.secret, signed);
  // Made with `openssl dgst -sha256 -hmac right -binary | base64`.
  expect(signature).toBe('k/wV7jHTdGYOXec3wuZsKwgE4jFFo4rYEjm1bHV94mY=');
  expect(authenticate(attempt({ signature }))).toBeUndefined();
  for (const other of [
    { request: 'Establish' },
    { sessionId: 'ac'.repeat(16) },
    { timestampNs: 6n },
  ] as const) {
    expect(authenticate({ ...attempt({ signature }), ...other })).toBe('wrong credentials');
  }
});
