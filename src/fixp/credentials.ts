/**
 * The Credentials of Negotiate and Establish contain the same data as a FIX Logon(A) (docs/venue/contract.md, C.14), as
 * `553=USER<SOH>554=PASSWORD<SOH>` or `553=USER<SOH>96=SIGNATURE<SOH>`. The signature is over the request's name, its
 * SessionId in 32 hex digits and its Timestamp in nanoseconds. A signed request is valid once: the session accepts only
 * a Timestamp after the last one.
 */
import type { Credentials } from '../transport/authentication.ts';

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
    const [tag = '', ...value] = part.split('=');
    const name = value.length === 0 ? undefined : fieldOf(tag);
    if (name === undefined || found[name] !== undefined) return undefined;
    found[name] = value.join('=');
  }
  const { username } = found;
  return username === undefined || username === '' ? undefined : { ...found, username };
}

function fieldOf(tag: string): (typeof fields)[keyof typeof fields] | undefined {
  return Object.hasOwn(fields, tag) ? fields[tag as keyof typeof fields] : undefined;
}
