/** Request authentication by template (contract G37). */
import { createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { RequestAuth } from '../../src/venue/request-auth.ts';
import { sandbox } from './samples.ts';

const rules = sandbox.auth.http;
const credential = { key: 'spk_k', secret: 'sps_s', passphrase: 'spp_p' };
const asObject = (flat: readonly string[]) =>
  Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]]] : [])));

test('HMAC-SHA256 over timestamp, method, path with query and body', () => {
  const headers = asObject(
    new RequestAuth(rules, credential).headers('POST', '/a?b=c', '{"d":"é"}', 1_700_000_000_123),
  );
  const expected = createHmac('sha256', 'sps_s')
    .update('1700000000123POST/a?b=c{"d":"é"}')
    .digest('base64');
  expect(headers).toEqual({
    'X-API-Key': 'spk_k',
    'X-API-Passphrase': 'spp_p',
    'X-API-Timestamp': '1700000000123',
    'X-API-Signature': expected,
  });
});

test('R63: another template, other headers, encoding and unit need no code', () => {
  const other = {
    ...rules,
    headers: { ...rules.headers, signature: 'Sign' },
    template: '{method}|{path}|{body}|{timestamp}',
    encoding: 'hex' as const,
    timestampUnit: 's' as const,
  };
  const headers = asObject(
    new RequestAuth(other, credential).headers('GET', '/a?b=c', '', 1_700_000_000_999),
  );
  expect(headers).toMatchObject({
    Sign: createHmac('sha256', 'sps_s').update('get|/a||1700000000').digest('hex'),
  });
});

test('Ed25519 signs the same string and names its algorithm', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const auth = new RequestAuth({ ...rules, digest: 'ed25519' }, { ...credential, secret });
  const headers = asObject(auth.headers('GET', '/x', '', 5));
  expect(headers['X-API-Signature-Type']).toBe('ed25519');
  const signature = Buffer.from(headers['X-API-Signature'] ?? '', 'base64');
  expect(verify(null, Buffer.from('5GET/x'), publicKey, signature)).toBe(true);
});

test('signing follows a corrected clock', () => {
  const auth = new RequestAuth(rules, credential);
  auth.correctClock(-40_000);
  expect(asObject(auth.headers('GET', '/', '', 100_000))['X-API-Timestamp']).toBe('60000');
});
