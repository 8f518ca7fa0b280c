import { expect, test } from 'vitest';
import { AddressList, plainAddress } from '../../src/transport/address.ts';

test('an IPv4 address that came through an IPv6 socket has one spelling', () => {
  expect(plainAddress('::ffff:10.1.2.3')).toBe('10.1.2.3');
  expect(plainAddress('10.1.2.3')).toBe('10.1.2.3');
  expect(plainAddress('2001:db8::1')).toBe('2001:db8::1');
  expect(plainAddress('::ffff:not')).toBe('::ffff:not');
});

test.each([
  ['10.0.0.7', true],
  ['10.0.0.8', false],
  ['192.168.255.1', true],
  ['192.169.0.1', false],
  ['2001:db8::ffff', true],
  ['2001:db9::1', false],
  ['', false],
])('%s is listed: %s', (address, isListed) => {
  const list = new AddressList(['10.0.0.7', '192.168.0.0/16', '2001:db8::/32']);
  expect(list.has(address)).toBe(isListed);
});

test.each([
  '10.0.0',
  'example.org',
  '10.0.0.0/33',
  '10.0.0.0/x',
  '10.0.0.0/',
  '::1/129',
  '::1/-1',
  '1.2.3.4/8/8',
])('%s is no address and the error says so', (entry) => {
  expect(() => new AddressList([entry])).toThrow(`"${entry}"`);
});
