import { expect, test } from 'vitest';
import { isPacketFile, packetsOf } from '../../../src/cli/decode/packet-file.ts';
import { pcap, pcapng } from './capture.ts';

const frames = [Buffer.from('first'), Buffer.from('the second')];
const start = 1_795_000_000_000_000n;

test.each([
  ['pcap', pcap(frames)],
  ['pcapng with nanoseconds', pcapng(frames)],
])('%s gives its packets with their times', (_, file) => {
  expect(isPacketFile(file)).toBe(true);
  expect([...packetsOf(file)]).toEqual(
    frames.map((bytes, index) => ({ linkType: 1, bytes, timeUs: start + BigInt(index) })),
  );
});

test.each([pcap(frames), pcapng(frames)])(
  'a capture that ends anywhere gives what is whole before it, or says that it is damaged',
  (file) => {
    for (let length = 24; length < file.length; length += 1) {
      const all = () => [...packetsOf(file.subarray(0, length))].length;
      try {
        expect(all()).toBeLessThan(frames.length + 1);
      } catch (error) {
        expect(String(error)).toContain('the capture is damaged at byte');
      }
    }
  },
);

test('an impossible size is damage and no allocation', () => {
  const file = pcap(frames);
  file.writeUInt32LE(0xffffffff, 24 + 8);
  expect(() => [...packetsOf(file)]).toThrow('damaged at byte 24');
});

test('text is no packet file', () => {
  expect(isPacketFile(Buffer.from('8=FIX.4.4|'))).toBe(false);
});
