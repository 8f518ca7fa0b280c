import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fateOf } from '../../../src/cli/import/setting-keys.ts';

test('a key is known in any case, with a number behind it, and by the beginning of its family', () => {
  expect(fateOf('SENDERCOMPID', true)?.[0]).toBe('taken');
  expect(fateOf('SocketConnectHost2', true)).toEqual(fateOf('SocketConnectHost', true));
  expect(fateOf('JdbcLogIncomingTable', true)?.[0]).toBe('always');
  expect(fateOf('AppDataDictionary.FIX.4.4', true)?.[0]).toBe('none');
});

test('what a gateway says of its own manners is not said for it by a client', () => {
  expect(fateOf('LogoutTimeout', true)?.[0]).toBe('taken');
  expect(fateOf('LogoutTimeout', false)?.[0]).toBe('none');
});

test.each(['Colour', 'constructor', '__proto__', '', '9'])('%j is no key', (key) => {
  expect(fateOf(key, true)).toBeUndefined();
});

/** Every key that the installed QuickFIX C++ reads. */
const header = '/usr/include/quickfix/SessionSettings.h';

test.runIf(existsSync(header))('every key of QuickFIX C++ has its fate', () => {
  const keys = [...readFileSync(header, 'utf8').matchAll(/^const char \w+\[\] = "(\w+)"/gm)];
  expect(keys.length).toBeGreaterThan(80);
  expect(keys.map(([, key = '']) => key).filter((key) => fateOf(key, true) === undefined)).toEqual(
    [],
  );
});
