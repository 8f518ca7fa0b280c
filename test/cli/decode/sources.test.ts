import { expect, test } from 'vitest';
import { messagesIn } from '../../../src/cli/decode/sources.ts';
import { fromText, message, toText } from '../../support/fix-text.ts';

const beat = Buffer.from(message('0', '')).toString('latin1');
const order = Buffer.from(message('D', '11=a|')).toString('latin1');
async function read(input: Buffer | string, chunkBytes = 1 << 20) {
  const bytes = Buffer.from(input as string, 'latin1');
  const missed = { otherLines: 0, droppedBytes: 0 };
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      yield bytes.subarray(at, at + chunkBytes);
    }
  }
  const found: string[] = [];
  const protocols: string[] = [];
  for await (const { bytes: one, protocol } of messagesIn(chunks(), missed)) {
    found.push(toText(one));
    protocols.push(protocol);
  }
  return { found, missed, protocols };
}

const both = [toText(Buffer.from(beat, 'latin1')), toText(Buffer.from(order, 'latin1'))];

const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');

test('lines of hex are two directions, the second of them set off with a tab', async () => {
  const follow = [
    'Follow: tcp,raw',
    hex(order.slice(0, 20)),
    `\t${hex(beat)}`,
    hex(order.slice(20)),
  ].join('\n');
  expect((await read(follow)).found).toEqual(both);
});

test.each(['d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', 'a1b23c4d', '0a0d0d0a'])(
  'a packet capture (%s) is refused with the command that reassembles it',
  async (magic) => {
    const capture = Buffer.concat([Buffer.from(magic, 'hex'), Buffer.alloc(20)]);
    await expect(read(capture)).rejects.toThrow('this is a packet capture');
  },
);

test('a log in chunks of any size gives the same messages, and counts other lines', async () => {
  const log = `start\n12:00 ${both[0]}\nnoise\n12:01 ${both[1]}\n`;
  for (const chunkBytes of [1, 7, 64, 4096]) {
    const { found, missed } = await read(log, chunkBytes);
    expect([found, missed.otherLines]).toEqual([both, 2]);
  }
});

const sequence = Buffer.from('00000016eb5008000800bc0a01000700000000000000', 'hex');

test.each([
  ['octets', sequence],
  [
    'octets in the other byte order of the frame',
    Buffer.concat([Buffer.from('1600000050eb', 'hex'), sequence.subarray(6)]),
  ],
  ['hex', sequence.toString('hex')],
])('SBE in frames is found in %s', async (_, input) => {
  const { found, protocols } = await read(input);
  expect(protocols).toEqual(['sbe']);
  expect(Buffer.from(fromText(found[0] ?? '')).equals(sequence.subarray(6))).toBe(true);
});

test('a direction that stops to be frames is given up, and its bytes are counted', async () => {
  const { found, missed } = await read(Buffer.concat([sequence, Buffer.alloc(50)]));
  expect([found.length, missed.droppedBytes]).toEqual([1, 50]);
});

test('nothing in, nothing out', async () => {
  expect((await read('')).found).toEqual([]);
});
