import { expect, test } from 'vitest';
import { readCredentials, writeCredentials } from '../../src/fixp/credentials.ts';

test('credentials are the fields of a FIX Logon', () => {
  const bytes = writeCredentials({ username: 'alice', password: 'a=b' });
  expect(Buffer.from(bytes).toString()).toBe('553=alice\x01554=a=b\x01');
  expect(readCredentials(bytes)).toEqual({ username: 'alice', password: 'a=b' });
});

test.each([
  '',
  '553=alice',
  '553=\x01',
  '554=x\x01',
  '553=a\x01553=b\x01',
  '35=A\x01',
  'x\x01',
  '5534\x01',
])('credentials of another form are none: %j', (text) => {
  expect(readCredentials(Buffer.from(text))).toBeUndefined();
});

test('credentials are not longer than a kilobyte', () => {
  expect(readCredentials(Buffer.from(`553=${'a'.repeat(1019)}\x01`))).toBeDefined();
  expect(readCredentials(Buffer.from(`553=${'a'.repeat(1020)}\x01`))).toBeUndefined();
});
