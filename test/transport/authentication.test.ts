import { expect, test } from 'vitest';
import {
  type Attempt,
  type Authenticator,
  objectionToClient,
  signatureAuthenticator,
  signatureOf,
} from '../../src/transport/authentication.ts';
import { PendingVerdict } from '../../src/transport/pending-verdict.ts';

const signed = ['20260105-12:00:00.000', 'A', '1', 'C', 'B'];
const users = [
  { username: 'alice', secret: 'key' },
  { username: 'nobody', secret: '' },
];

function attempt(credentials: Partial<Attempt['credentials']>, more: Partial<Attempt> = {}) {
  return {
    credentials: { username: 'alice', ...credentials },
    signed,
    peer: { address: '192.0.2.1' },
    now: { wallMs: 0, monoMs: 0 },
    ...more,
  };
}

test('a signature is base64 of HMAC-SHA256 over the signed values with SOH between', () => {
  // printf '20260105-12:00:00.000\001A\0011\001C\001B' | openssl dgst -sha256 -hmac key -binary | base64
  expect(signatureOf('key', signed)).toBe('1t686Aq4n+1isqICiow7ENXGbPqbJVXX4n8fE+orY4I=');
});

test('a signature lets in its own user with its own values, and all other refusals are the same', () => {
  const authenticate = signatureAuthenticator(users);
  const signature = signatureOf('key', signed);
  expect(authenticate(attempt({ signature }))).toBeUndefined();
  const others = [
    attempt({ signature: signatureOf('other', signed) }),
    attempt({ signature, password: 'x' }),
    attempt({ signature, username: 'bob' }),
    attempt({ signature: signatureOf('', signed), username: 'nobody' }),
    attempt({ signature }, { signed: [...signed, ''] }),
    attempt({}),
  ];
  expect(new Set(others.map(authenticate))).toEqual(new Set(['wrong credentials']));
});

/** A logon that was signed at one time and arrives at another. */
function logon(authenticate: Authenticator, signedMs: number, wallMs: number) {
  const values = [String(signedMs)];
  const signature = signatureOf('key', values);
  const now = { wallMs, monoMs: 0 };
  return authenticate(attempt({ signature }, { signed: values, signedMs, now }));
}

test('a message that the session would take twice is taken once, within its window', () => {
  const authenticate = signatureAuthenticator(users);
  expect(logon(authenticate, 0, 30_001)).toContain('too far off');
  expect(logon(authenticate, Number.NEGATIVE_INFINITY, 0)).toContain('too far off');
  expect(logon(authenticate, 0, 30_000)).toBeUndefined();
  expect(logon(authenticate, 0, 0)).toContain('used before');
  expect(logon(authenticate, 1, 1)).toBeUndefined();
});

test('what was used is forgotten after the window, and what is remembered is bounded', () => {
  const authenticate = signatureAuthenticator(users, { windowMs: 10, maxRemembered: 2 });
  const at = (ms: number) => logon(authenticate, ms, ms);
  expect([at(0), at(1)]).toEqual([undefined, undefined]);
  expect(at(2)).toContain('too many');
  expect(at(100)).toBeUndefined();
});

const known = 'ab'.repeat(32);
const certified = (fingerprint256: string) => ({
  peer: { address: '192.0.2.1', certificate: { fingerprint256, commonName: 'C' } },
});

test('a client with a certificate of somebody else is asked for its credentials all the same', () => {
  const asked: unknown[] = [];
  const authenticate: Authenticator = ({ standing }) => {
    asked.push(standing);
    return undefined;
  };
  const objection = (fingerprint: string, certificates?: ReadonlySet<string>) =>
    objectionToClient(attempt({}, certified(fingerprint)), certificates, authenticate);
  expect(objection(known, new Set([known]))).toBeUndefined();
  expect(objection('other')).toBeUndefined();
  expect(objection('other', new Set([known]))).toEqual({
    peerText: 'wrong credentials',
    reason: 'the certificate is not that of this session',
  });
  expect(asked).toEqual(['expected', undefined, 'stranger']);
});

test('what the authenticator answers is passed on', () => {
  const pendingVerdict = new PendingVerdict(Promise.resolve('right'), () => {});
  const objection = { peerText: 'no', reason: 'not from there' };
  const ask = (authenticate: Authenticator) =>
    objectionToClient(attempt({}), undefined, authenticate);
  expect(ask(() => pendingVerdict)).toBe(pendingVerdict);
  expect(ask(() => objection)).toBe(objection);
  expect(ask(() => 'no')).toEqual({ peerText: 'no', reason: 'no' });
});
