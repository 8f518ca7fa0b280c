import { expect, test } from 'vitest';
import { messagesIn } from '../../../src/cli/decode/sources.ts';
import { fromText, message, toText } from '../../support/fix-text.ts';
import { ethernetFrame, pcap, pcapng } from './capture.ts';

const beat = Buffer.from(message('0', '')).toString('latin1');
const order = Buffer.from(message('D', '11=a|')).toString('latin1');
const frames = [
  ethernetFrame({ fromClient: true, seq: 1, text: order.slice(0, 20) }),
  ethernetFrame({ fromClient: false, seq: 1, text: beat }),
  ethernetFrame({ fromClient: true, seq: 21, text: order.slice(20) }),
];

async function read(input: Buffer | string, chunkBytes = 1 << 20) {
  const bytes = Buffer.from(input as string, 'latin1');
  const missed = { holes: 0, otherLines: 0, droppedBytes: 0 };
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

/** As tcpdump -x prints them: from the IP header on. */
function dump(packet: Buffer): string {
  const lines = ['12:00:00.000001 IP 127.0.0.1.50000 > 127.0.0.2.9880: Flags [P.], length 1'];
  for (let at = 0; at < packet.length; at += 16) {
    const hex = packet
      .subarray(at, at + 16)
      .toString('hex')
      .replace(/(.{4})/g, '$1 ');
    lines.push(`\t0x${at.toString(16).padStart(4, '0')}:  ${hex}`.trimEnd());
  }
  return lines.join('\n');
}

test.each([
  ['a pcap file', pcap(frames)],
  ['a pcapng file', pcapng(frames)],
  ['tcpdump -x', frames.map((frame) => dump(frame.subarray(14))).join('\n')],
  ['tcpdump -xx', frames.map((frame) => dump(frame)).join('\n')],
  [
    'bare payloads in hex',
    both.map((text) => Buffer.from(fromText(text)).toString('hex')).join('\n'),
  ],
])('%s gives the messages of both directions, joined over segments', async (_, input) => {
  expect((await read(input)).found).toEqual(both);
});

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
  [
    'a pcap file',
    pcap([
      ethernetFrame({ fromClient: true, seq: 1, text: sequence.subarray(0, 9) }),
      ethernetFrame({ fromClient: true, seq: 10, text: sequence.subarray(9) }),
    ]),
  ],
])('SBE in frames is found in %s', async (_, input) => {
  const { found, protocols } = await read(input);
  expect(protocols).toEqual(['sbe']);
  expect(Buffer.from(fromText(found[0] ?? '')).equals(sequence.subarray(6))).toBe(true);
});

test('a direction that stops to be frames is given up, and its bytes are counted', async () => {
  const { found, missed } = await read(Buffer.concat([sequence, Buffer.alloc(50)]));
  expect([found.length, missed.droppedBytes > 0]).toEqual([1, true]);
});

test('a packet of an impossible time is shown all the same', async () => {
  const file = pcapng(frames);
  // The resolution of the clock: one tick a second instead of a nanosecond.
  file[file.indexOf(Buffer.from([9, 0, 1, 0, 9])) + 4] = 0x80;
  expect((await read(file)).found).toEqual(both);
});

test('nothing in, nothing out', async () => {
  expect((await read('')).found).toEqual([]);
});
