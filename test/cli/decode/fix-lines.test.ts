import { expect, test } from 'vitest';
import { findMessage, Pieces } from '../../../src/cli/decode/fix-lines.ts';

const shown = (piece: string) => {
  const found = findMessage(piece);
  return found && [found.before, found.bytes.toString('latin1').replaceAll('\x01', '|')];
};

test.each(['\x01', '|', '^A', '<SOH>', '\\x01', '\\u0001', '\\001', ';', ' '])(
  'a message with %j between its fields is found',
  (mark) => {
    const text = `8=FIX.4.4|9=5|35=0|10=163|`.replaceAll('|', mark);
    expect(shown(`12:00 IN ${text}`)).toEqual(['12:00 IN', '8=FIX.4.4|9=5|35=0|10=163|']);
  },
);

test('text after the message on its line is left out', () => {
  const text = '{"raw":"8=FIX.4.4|9=5|35=0|10=163|","ok":1}';
  expect(shown(text)?.[1]).toBe('8=FIX.4.4|9=5|35=0|10=163|');
});

test('a message that is cut off is found all the same', () => {
  expect(shown('8=FIX.4.4|9=500|35=D|11=x')?.[1]).toBe('8=FIX.4.4|9=500|35=D|11=x|');
});

test('other text is none', () => {
  expect([findMessage('hello'), findMessage('8=FIX'), findMessage('')]).toEqual(
    Array(3).fill(undefined),
  );
});

test('a stream without line ends is cut behind each CheckSum(10), in any chunks', () => {
  const one = '8=FIX.4.4\x019=5\x0135=0\x0110=163\x01';
  const pieces = new Pieces();
  const found = [...`${one}${one}`].flatMap((byte) => pieces.push(byte));
  expect([...found, ...pieces.end()]).toEqual([one, one]);
});

test.each([1, 2, 7, 8, 9, 100])('a line in chunks of %i is one piece, with all of it', (size) => {
  const text = `${'x'.repeat(30)}\x0110=12\x01 10=123\x01y\nz\x0110=123\x01w`;
  const pieces = new Pieces();
  const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
  expect([...chunks.flatMap((chunk) => pieces.push(chunk)), ...pieces.end()]).toEqual([
    `${'x'.repeat(30)}\x0110=12\x01 10=123\x01y`,
    'z\x0110=123\x01',
    'w',
  ]);
});

test('bytes that never end a piece are dropped at the limit, and counted', () => {
  const pieces = new Pieces();
  for (let chunk = 0; chunk < 20; chunk += 1) pieces.push('x'.repeat(65_536));
  expect(pieces.dropped).toBeGreaterThan(1024 * 1024);
  expect(pieces.push('y\n')).toHaveLength(1);
});
