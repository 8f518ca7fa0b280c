/**
 * The checks of every request to the console: its Host, and for a change its Origin. Also the headers of every
 * response, with which a browser runs only our own files (docs/SECURITY.md, "Console").
 */
import type { IncomingHttpHeaders } from 'node:http';

export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The host names of the console; a request with another one comes from a page whose name was pointed here. */
export function guardOf(names: readonly string[], scheme: 'http' | 'https') {
  const hosts = new Set(names.map((name) => name.toLowerCase()));
  return {
    isHost: ({ host }: IncomingHttpHeaders): boolean =>
      host !== undefined && hosts.has(host.toLowerCase()),
    /** Whether a change comes from our own pages. */
    isOurs({ host, origin, ...headers }: IncomingHttpHeaders): boolean {
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin') return false;
      return origin?.toLowerCase() === `${scheme}://${host?.toLowerCase()}`;
    },
  };
}

const cookieName = 'causeway';
/** The cookie of a login through the OpenID provider; the browser must send it when the provider redirects it back. */
export const flowCookieName = 'causeway-login';

export function cookieOf({ cookie }: IncomingHttpHeaders, wanted = cookieName): string | undefined {
  const cookies = (cookie ?? '').split(';').map((part) => part.trim().split('='));
  return cookies.find(([name]) => name === wanted)?.[1];
}

export function cookieHeader(value: string, isSecure: boolean): string {
  const life = value === '' ? '; Max-Age=0' : '';
  return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${life}`;
}

/** Lax, because the redirect comes from the provider's page. */
export function flowCookieHeader(value: string, isSecure: boolean): string {
  const life = value === '' ? 0 : 600;
  return `${flowCookieName}=${value}; Path=/login; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}; Max-Age=${life}`;
}
