/**
 * Who may negotiate: the Credentials of Negotiate and Establish hold what a FIX Logon(A) would (docs/venue/contract.md,
 * C.14), as `553=USER<SOH>554=PASSWORD<SOH>` or `553=USER<SOH>96=SIGNATURE<SOH>`. The signature is an HMAC-SHA256 in
 * base64, keyed with the user's secret, over the request's name, its SessionId in 32 hex digits and its Timestamp in
 * nanoseconds, joined by SOH. A signed request serves once: the session takes no Timestamp that is not after the last.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../runtime/clock.ts';
import type { Inquiry } from '../transport/inquiry.ts';
import type { Peer } from '../transport/session.ts';
import type { SignedRequest } from './request.ts';

export interface Credentials {
  readonly username: string;
  readonly password?: string;
  readonly signature?: string;
}

export interface Attempt extends SignedRequest {
  readonly credentials: Credentials;
  readonly peer: Peer;
  readonly now: Instant;
}

/** Answers undefined, or why not, in words that may be told to the peer; or that it is to be asked again. */
export type FixpAuthenticator = (attempt: Attempt) => string | Inquiry | undefined;

export interface FixpUser {
  readonly username: string;
  readonly secret: string;
}

/** All that a stranger hears, whatever was wrong. */
export const wrongCredentials = 'wrong credentials';
const maxCredentialsBytes = 1024;
const fields = { '553': 'username', '554': 'password', '96': 'signature' } as const;

export function writeCredentials(credentials: Credentials): Uint8Array {
  const parts = Object.entries(fields).flatMap(([tag, name]) => {
    const value = credentials[name];
    return value === undefined ? [] : `${tag}=${value}\x01`;
  });
  return Buffer.from(parts.join(''));
}

/** Undefined for what is not of that form. */
export function readCredentials(bytes: Uint8Array): Credentials | undefined {
  if (bytes.length === 0 || bytes.length > maxCredentialsBytes) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const found: { username?: string; password?: string; signature?: string } = {};
  if (!text.endsWith('\x01')) return undefined;
  for (const part of text.slice(0, -1).split('\x01')) {
    const end = part.indexOf('=');
    const name = fieldOf(part.slice(0, end));
    if (name === undefined || found[name] !== undefined) return undefined;
    found[name] = part.slice(end + 1);
  }
  const { username } = found;
  return username === undefined || username === '' ? undefined : { ...found, username };
}

export const anyone: FixpAuthenticator = () => undefined;

export function fixpPasswords(users: readonly FixpUser[]): FixpAuthenticator {
  return ({ credentials }) => {
    const secret = secretOf(users, credentials);
    return isSame(credentials.password ?? '', secret) && secret !== ''
      ? undefined
      : wrongCredentials;
  };
}

export function fixpSignatures(users: readonly FixpUser[]): FixpAuthenticator {
  return (attempt) => {
    const secret = secretOf(users, attempt.credentials);
    const wanted = requestSignature(secret, attempt);
    return isSame(attempt.credentials.signature ?? '', wanted) && secret !== ''
      ? undefined
      : wrongCredentials;
  };
}

export function requestSignature(
  secret: string,
  { request, sessionId, timestampNs }: SignedRequest,
): string {
  const signed = [request, sessionId, String(timestampNs)].join('\x01');
  return createHmac('sha256', secret).update(signed).digest('base64');
}

function fieldOf(tag: string): (typeof fields)[keyof typeof fields] | undefined {
  return Object.hasOwn(fields, tag) ? fields[tag as keyof typeof fields] : undefined;
}

function secretOf(users: readonly FixpUser[], { username }: Credentials): string {
  return users.find((user) => user.username === username)?.secret ?? '';
}

/** In constant time, whatever the lengths. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}
