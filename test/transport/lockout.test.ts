import { expect, test } from 'vitest';
import { defaultLockoutLimits, Lockout } from '../../src/transport/lockout.ts';

test('three offences within a minute block the source for a minute', () => {
  const lockout = new Lockout();
  expect([0, 20_000, 59_999].map((atMs) => lockout.offence('a', atMs))).toEqual([
    false,
    false,
    true,
  ]);
  expect(lockout.isBlocked('a', 60_000)).toBe(true);
  expect(lockout.isBlocked('b', 60_000)).toBe(false);
  expect(lockout.isBlocked('a', 119_998)).toBe(true);
  expect(lockout.isBlocked('a', 119_999)).toBe(false);
});

test('offences that lie further apart do not block', () => {
  const lockout = new Lockout();
  expect([0, 40_000, 60_000, 100_000].map((atMs) => lockout.offence('a', atMs))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('after a block the count begins anew', () => {
  const lockout = new Lockout();
  for (const atMs of [0, 1, 2]) lockout.offence('a', atMs);
  expect(lockout.offence('a', 70_000)).toBe(false);
  expect(lockout.isBlocked('a', 70_000)).toBe(false);
});

test('no more sources are remembered than the limit says: the oldest is forgotten', () => {
  const lockout = new Lockout({ ...defaultLockoutLimits, offences: 1, remembered: 2 });
  for (const source of ['a', 'b', 'c']) lockout.offence(source, 0);
  expect(['a', 'b', 'c'].map((source) => lockout.isBlocked(source, 1))).toEqual([
    false,
    true,
    true,
  ]);
});

test('a name is blocked at the source where it failed, and another name there is not', () => {
  const lockout = new Lockout();
  for (const atMs of [0, 1, 2]) lockout.offence('a', atMs, 'ALPHA');
  expect(lockout.isBlocked('a', 3, 'ALPHA')).toBe(true);
  expect(lockout.isBlocked('a', 3, 'BRAVO')).toBe(false);
  expect(lockout.isBlocked('b', 3, 'ALPHA')).toBe(false);
});

test('a name without an end costs no more memory than a long one', () => {
  const lockout = new Lockout({ ...defaultLockoutLimits, offences: 1 });
  lockout.offence('a', 0, 'x'.repeat(8_000));
  expect(lockout.isBlocked('a', 1, 'x'.repeat(64))).toBe(true);
});

test('the addresses of one IPv6 network of 64 bits are one source, those of IPv4 are each their own', () => {
  const lockout = new Lockout();
  for (const end of ['1', '2:3', 'ffff:0:9']) lockout.offence(`2001:db8:0:7::${end}`, 0);
  expect(lockout.isBlocked('2001:0DB8::7:a:b:c:d', 1)).toBe(true);
  expect(lockout.isBlocked('2001:db8:0:8::1', 1)).toBe(false);
  for (const end of [1, 2, 3]) lockout.offence(`192.0.2.${end}`, 0);
  expect(lockout.isBlocked('192.0.2.1', 1)).toBe(false);
});
