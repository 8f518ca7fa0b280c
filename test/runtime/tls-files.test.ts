import { afterAll, expect, test } from 'vitest';
import { handshakeFault, usableContext, usableFiles } from '../../src/runtime/tls-files.ts';
import { Authority } from '../transport/authority.ts';

const authority = new Authority();
afterAll(() => authority.remove());
const { cert, key } = authority.issue('localhost');
const ca = Buffer.from(authority.cert);

test('a certificate with its key and an authority can be used, also without the authority', () => {
  expect(() => usableContext({ cert, key, ca })).not.toThrow();
  expect(() => usableContext({ cert, key })).not.toThrow();
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['text', Buffer.from('hello')],
  ['half written', ca.subarray(0, ca.length / 2)],
])('an authority that is %s is refused, because every peer would be', (_what, wrong) => {
  expect(() => usableContext({ cert, key, ca: wrong })).toThrow('not a PEM certificate');
});

test('what is wrong with a file is reported with the section of the configuration and its files', () => {
  const files = { certFile: 'a.crt', keyFile: 'a.key' };
  const read = () => usableContext({ cert, key, ca: Buffer.from('hello') });
  expect(() => usableFiles('fix.tls', files, read)).toThrow(
    'fix.tls (a.crt, a.key) cannot be used: the authority is not a PEM certificate',
  );
  expect(usableFiles('fix.tls', files, () => 7)).toBe(7);
});

test('a key of another certificate is refused, and so is an empty one', () => {
  expect(() => usableContext({ cert, key: '' })).toThrow('the private key is empty');
  expect(() => usableContext({ cert, key: authority.issue('localhost').key })).toThrow();
});

test('a failed handshake is described without the addresses and file names of OpenSSL', () => {
  const none = undefined as unknown as Error;
  const refused = 'CERT_HAS_EXPIRED' as unknown as Error;
  const error = Object.assign(new Error('4034:error:0A0000C7:SSL routines:../statem_srvr.c:3764'), {
    reason: 'peer did not return a certificate',
  });
  expect(handshakeFault(error, { authorizationError: none })).toBe(error.reason);
  expect(handshakeFault(new Error('read ECONNRESET'), { authorizationError: none })).toBe(
    'read ECONNRESET',
  );
  expect(handshakeFault(new Error('socket hang up'), { authorizationError: refused })).toBe(
    'the certificate is refused: cert has expired',
  );
});
