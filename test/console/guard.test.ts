import { expect, test } from 'vitest';
import { cookieHeader, cookieOf, guardOf } from '../../src/console/guard.ts';

const guard = guardOf(['desk.example:443'], 'https');
const host = 'Desk.Example:443';

test('only its own names are answered, in any case', () => {
  expect(guard.isHost({ host })).toBe(true);
  for (const other of ['desk.example', 'desk.example:444', 'evil.example:443', '']) {
    expect(guard.isHost({ host: other })).toBe(false);
  }
  expect(guard.isHost({})).toBe(false);
});

test('a change comes from the same scheme, name and port, or not at all', () => {
  expect(guard.isOurs({ host, origin: 'https://desk.example:443' })).toBe(true);
  for (const origin of ['http://desk.example:443', 'https://desk.example', 'null', undefined]) {
    expect(guard.isOurs({ host, ...(origin !== undefined && { origin }) })).toBe(false);
  }
  const origin = 'https://desk.example:443';
  expect(guard.isOurs({ host, origin, 'sec-fetch-site': 'same-site' })).toBe(false);
});

test('the cookie is found among others, and is secure where the line is', () => {
  expect(cookieOf({ cookie: 'a=b; causeway=x; c' })).toBe('x');
  expect(cookieOf({ cookie: 'xcauseway=x' })).toBeUndefined();
  expect(cookieHeader('x', true)).toContain('; Secure');
  expect(cookieHeader('x', false)).not.toContain('Secure');
  expect(cookieHeader('', true)).toContain('Max-Age=0');
});
