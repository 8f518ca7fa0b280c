import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { identitiesOf, noIdentities } from '../../src/sandbox/identity.ts';
import {
  authenticate,
  type RequestAuthRules,
  signingString,
} from '../../src/sandbox/request-auth.ts';
import { loadProfile } from '../../src/venue/profile.ts';

const rules: RequestAuthRules = loadProfile('dictionaries/venue.sandbox.yaml').auth.http;
const identities = identitiesOf(noIdentities());
identities.credentials.set('spk_1', {
  apiKey: 'spk_1',
  secret: 'sps_1',
  passphrase: 'spp_1',
  ed25519PublicKey: null,
  account: '0xa',
  agentType: 'institutional_agent',
  scopes: [],
  laneKey: false,
  revokedFromMs: 100_000,
});
const body = Buffer.from('{"x":"é"}');

function request(over: Record<string, string | undefined> = {}, sentMs = 50_000) {
  const signature = createHmac('sha256', 'sps_1')
    .update(`${sentMs}POST/p?q=1${body}`)
    .digest('base64');
  const headers = {
    'x-api-key': 'spk_1',
    'x-api-passphrase': 'spp_1',
    'x-api-timestamp': String(sentMs),
    'x-api-signature': signature,
    ...over,
  };
  return { method: 'POST', target: '/p?q=1', headers, body, remoteAddress: '' };
}

test('a request signed over time, method, path with query and raw body is accepted', () => {
  expect(authenticate(request(), rules, identities, 50_000).account).toBe('0xa');
});

test.each([
  [{ 'x-api-key': undefined }, 'API_CREDENTIAL_REQUIRED'],
  [{ 'x-api-key': 'spk_2' }, 'API_CREDENTIAL_INVALID'],
  [{ 'x-api-passphrase': 'spp_2' }, 'API_CREDENTIAL_INVALID'],
  [{ 'x-api-passphrase': undefined }, 'API_CREDENTIAL_INVALID'],
  [{ 'x-api-signature': undefined }, 'API_CREDENTIAL_INVALID'],
  [{ 'x-api-signature': 'AAAA' }, 'API_CREDENTIAL_INVALID'],
  [{ 'x-api-signature-type': 'ed25519' }, 'API_CREDENTIAL_INVALID'],
  [{ 'x-api-signature-type': 'md5' }, 'API_CREDENTIAL_INVALID'],
])('with %j it gets %s', (over, code) => {
  expect(() => authenticate(request(over), rules, identities, 50_000)).toThrow(
    expect.objectContaining({ code }),
  );
});

test('one changed byte of method, path or body breaks the signature', () => {
  const good = request();
  for (const bad of [
    { ...good, method: 'PUT' },
    { ...good, target: '/p?q=2' },
    { ...good, body: Buffer.from('{"x":"e"}') },
  ]) {
    expect(() => authenticate(bad, rules, identities, 50_000)).toThrow('signature');
  }
});

test('the clock may be off by the skew and not by more', () => {
  expect(() => authenticate(request({}, 20_000), rules, identities, 50_000)).not.toThrow();
  expect(() => authenticate(request({}, 19_999), rules, identities, 50_000)).toThrow(
    '30000 ms off',
  );
  expect(() => authenticate(request({ 'x-api-timestamp': 'now' }), rules, identities, 0)).toThrow(
    'not Unix time',
  );
});

test('a credential is revoked from its moment on, which may be the end of an overlap', () => {
  expect(() => authenticate(request({}, 99_999), rules, identities, 99_999)).not.toThrow();
  expect(() => authenticate(request({}, 100_000), rules, identities, 100_000)).toThrow('revoked');
});

test('R63: every placeholder of a template is replaced by its part', () => {
  const template = '<{method}.{METHOD}.{path}.{pathWithQuery}.{body}.{timestamp}.{other}>';
  const text = signingString({ method: 'GET', target: '/a?b', body }, template, '7').toString();
  expect(text).toBe('<get.GET./a./a?b.{"x":"é"}.7.{other}>');
});
