import { expect, test } from 'vitest';
import { HexDump } from '../../../src/cli/decode/hex-dump.ts';

function read(text: string) {
  const dump = new HexDump();
  const whole = text.split('\n').flatMap((line) => dump.line(line).whole);
  return [...whole, ...dump.end()].map((bytes) => bytes.toString('hex'));
}

test.each([
  ['tcpdump -x', '\t0x0000:  4500 0034 1c46\n\t0x0006:  40', ['450000341c4640']],
  ['tcpdump -X', '\t0x0000:  4500 3820 4142  E.8.AB', ['450038204142']],
  ['tshark -x', '0000  45 00 00 34   E..4\n0004  1c                 .', ['450000341c']],
  ['xxd', '00000000: 383d 4649 582e  8=FIX.', ['383d4649582e']],
  ['bare hex', '383d4649582e342e34', ['383d4649582e342e34']],
  ['bare hex with colons', '38:3d:46:49:58:2e:34:2e', ['383d4649582e342e']],
  ['two packets', '0000  45 00\n0000  46 00', ['4500', '4600']],
  ['text between', '0000  45 00\nFrame 2\n0000  46 00', ['4500', '4600']],
  [
    'what tshark repeats',
    'Frame (2 bytes):\n0000  45 00\nReassembled TCP (2 bytes):\n0000  46 00',
    ['4500'],
  ],
])('%s', (_, text, packets) => {
  expect(read(text)).toEqual(packets);
});

test('a line that is no dump says so', () => {
  expect(new HexDump().line('12:00 8=FIX.4.4|9=5|').isHex).toBe(false);
});

test('a dump without end is bounded', () => {
  const dump = new HexDump();
  const line = `0010  ${'ff '.repeat(16)}`;
  for (let count = 0; count < 20_000; count += 1) dump.line(line);
  expect(dump.end()[0]?.length).toBe(256 * 1024);
});
