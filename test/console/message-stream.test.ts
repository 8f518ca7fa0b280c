import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageStream } from '../../src/console/message-stream.ts';
import { writeFramingHeader } from '../../src/fixp/framing.ts';

function message(body: string): string {
  return `8=FIX.4.4\x019=${body.length}\x01${body}10=123\x01`;
}
const text = (messages: readonly Uint8Array[]) =>
  messages.map((one) => Buffer.from(one).toString());

test('messages come out whole, however the bytes were cut', () => {
  const messages = ['35=0\x01', '35=D\x0111=x\x01', '35=8\x0158=8=FIX\x01'].map(message);
  const bytes = Buffer.from(messages.join(''));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }), (cuts) => {
      const push = messageStream();
      const found: string[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        found.push(...text(push(bytes.subarray(at, at + cut))));
        at += cut;
      }
      expect(found).toEqual(messages);
    }),
  );
});

test.each(['big', 'little'] as const)('frames of SBE come out whole (%s)', (order) => {
  const frame = Buffer.alloc(20, 7);
  writeFramingHeader(frame, 0, frame.length, order);
  const push = messageStream();
  expect(push(frame.subarray(0, 3))).toEqual([]);
  expect(push(Buffer.concat([frame.subarray(3), frame.subarray(0, 5)]))).toHaveLength(1);
  expect(push(frame.subarray(5))).toHaveLength(1);
});

test('garbage is kept up to where the next message may begin', () => {
  const push = messageStream();
  const found = text(push(Buffer.from(`GET / HTTP\x01${message('35=0\x01')}`)));
  expect(found).toEqual(['GET / HTTP\x01', message('35=0\x01')]);
});

test('a message that never ends fills no memory', () => {
  const push = messageStream();
  let pieces = 0;
  for (let round = 0; round < 40; round += 1) {
    pieces += push(Buffer.alloc(10_000, round === 0 ? '8=FIX.4.4\x019=999999\x01' : 'x')).length;
  }
  expect(pieces).toBeGreaterThan(0);
});

test('whatever comes, nothing is lost and nothing is thrown', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (chunks) => {
      const push = messageStream();
      const out = chunks.flatMap((chunk) => push(chunk));
      const sent = Buffer.concat(chunks);
      expect(sent.subarray(0, Buffer.concat(out).length)).toEqual(Buffer.concat(out));
    }),
  );
});
