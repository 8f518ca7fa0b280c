/**
 * Request authentication by HMAC-SHA256 or Ed25519 (contract A.16, G37, R57, R63). Header names, the signing string and
 * the encoding come from the profile. It admits a request but moves no funds.
 */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import type { Profile } from '../venue/profile.ts';
import { AgentError, EnvelopeError, type VenueRequest } from './http-message.ts';
import type { Credential, Identities } from './identity.ts';

export type RequestAuthRules = Profile['auth']['http'];

export function authenticate(
  request: VenueRequest,
  rules: RequestAuthRules,
  identities: Identities,
  wallMs: number,
): Credential {
  const given = (header: string) => request.headers[header.toLowerCase()];
  const apiKey = given(rules.headers.key);
  if (apiKey === undefined || apiKey === '') {
    throw new AgentError('API_CREDENTIAL_REQUIRED', `the header ${rules.headers.key} is missing`);
  }
  const credential = identities.credentials.get(apiKey);
  const passphrase = given(rules.headers.passphrase) ?? '';
  if (credential === undefined || !sameText(passphrase, credential.passphrase)) {
    throw new AgentError('API_CREDENTIAL_INVALID', 'the key or the passphrase is wrong');
  }
  const timestamp = given(rules.headers.timestamp) ?? '';
  checkTimestamp(timestamp, rules, wallMs);
  const message = signingString(request, rules.template, timestamp);
  const signature = Buffer.from(given(rules.headers.signature) ?? '', rules.encoding);
  const type = given(rules.headers.signatureType) ?? 'hmac-sha256';
  if (!isSigned(message, signature, type, credential)) {
    throw new AgentError('API_CREDENTIAL_INVALID', 'the signature of the request is wrong');
  }
  if (credential.revokedFromMs !== null && wallMs >= credential.revokedFromMs) {
    throw new AgentError('API_CREDENTIAL_REVOKED', 'the credential is revoked');
  }
  return credential;
}

/** The bytes that a client signs; exported so that a client and this venue are tested with one definition. */
export function signingString(
  request: Pick<VenueRequest, 'method' | 'target' | 'body'>,
  template: string,
  timestamp: string,
): Buffer {
  const { body, method, target } = request;
  const values: Readonly<Record<string, string | undefined>> = {
    timestamp,
    METHOD: method,
    method: method.toLowerCase(),
    pathWithQuery: target,
    path: target.split('?', 1)[0],
  };
  const fill = (text: string) =>
    Buffer.from(text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole));
  // The body need not be text.
  const [first = '', ...others] = template.split('{body}');
  return Buffer.concat([fill(first), ...others.flatMap((text) => [body, fill(text)])]);
}

function checkTimestamp(timestamp: string, rules: RequestAuthRules, wallMs: number): void {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new EnvelopeError(401, `the header ${rules.headers.timestamp} is not Unix time`);
  }
  const sentMs = Number(timestamp) * (rules.timestampUnit === 's' ? 1000 : 1);
  if (Math.abs(wallMs - sentMs) > rules.maxSkewMs) {
    throw new EnvelopeError(
      401,
      `the header ${rules.headers.timestamp} is more than ${rules.maxSkewMs} ms off`,
      'timestamp_skew',
    );
  }
}

function isSigned(
  message: Buffer,
  signature: Buffer,
  type: string,
  credential: Credential,
): boolean {
  if (type === 'hmac-sha256') {
    const expected = createHmac('sha256', credential.secret).update(message).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  }
  if (type !== 'ed25519' || credential.ed25519PublicKey === null) return false;
  const x = Buffer.from(credential.ed25519PublicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}

function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
