import { expect, test } from 'vitest';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { logonText } from '../../src/cli/demo-logon.ts';
import { Decoder } from '../../src/fix/decoder.ts';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { Validator } from '../../src/fix/validator.ts';

test('the Logon that the demo shows is whole: its length, time and checksum are right', () => {
  const [session] = demoSessions(1);
  const nowMs = Date.UTC(2026, 0, 5, 12);
  const decoder = new Decoder(causeway44());
  decoder.push(Buffer.from(logonText(session!, nowMs).replaceAll('|', '\x01')));
  expect(decoder.next()).toBe('message');
  expect(new Validator(causeway44()).validate(decoder.message)).toBeUndefined();
  expect(decoder.message.utcMs(52)).toBe(nowMs);
  expect(decoder.message.text(554)).toBe(session!.password);
});
