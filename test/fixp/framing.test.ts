import { expect, test } from 'vitest';
import { Deframer, FrameWriter, framed, orderOf } from '../../src/fixp/framing.ts';

const message = Buffer.from('0000 0a00 bc0a 0000'.replaceAll(' ', ''), 'hex');

function messagesOf(deframer: Deframer, pieces: readonly Uint8Array[]): string[] {
  const found: string[] = [];
  for (const piece of pieces) {
    deframer.push(piece);
    for (let step = deframer.next(); step !== 'more'; step = deframer.next()) {
      if (step === 'bad') return [...found, deframer.reason];
      found.push(Buffer.from(deframer.message).toString('hex'));
    }
  }
  return found;
}

test('the length counts the header, in either byte order', () => {
  expect(framed(message, 'big').toString('hex')).toBe('0000000eeb5000000a00bc0a0000');
  expect(framed(message, 'little').toString('hex')).toBe('0e00000050eb00000a00bc0a0000');
});

test('frames are written one after the other, however many there are', () => {
  const frames = new FrameWriter('little');
  const longer = Buffer.concat([message, Buffer.alloc(5_000, 7)]);
  for (const one of [message, longer, message]) frames.put(one);
  const whole = Buffer.concat([message, longer, message].map((one) => framed(one, 'little')));
  expect(Buffer.from(frames.bytes)).toEqual(whole);
  frames.clear();
  expect(frames.length).toBe(0);
});

test.each(['big', 'little'] as const)('messages are found in any pieces (%s)', (order) => {
  const longer = Buffer.concat([message, Buffer.alloc(300, 7)]);
  const bytes = Buffer.concat([message, longer, message].map((one) => framed(one, order)));
  const wanted = [message, longer, message].map((one) => one.toString('hex'));
  for (const size of [1, 2, 5, 6, 7, 13, 14, 100, bytes.length]) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    expect(messagesOf(new Deframer(order, 1_000), pieces)).toEqual(wanted);
  }
});

test('what is read later is kept, because the piece is only lent', () => {
  const deframer = new Deframer('big', 1_000);
  const whole = framed(message, 'big');
  const piece = Buffer.concat([whole, whole, whole.subarray(0, 9)]);
  deframer.push(piece);
  expect(deframer.next()).toBe('message');
  deframer.hold();
  piece.fill(0xff);
  expect(deframer.next()).toBe('message');
  expect(Buffer.from(deframer.message)).toEqual(message);
  expect(deframer.next()).toBe('more');
  expect(messagesOf(deframer, [whole.subarray(9)])).toEqual([message.toString('hex')]);
});

test.each([
  ['0000000d eb50', 'a frame of 13 bytes holds no message'],
  ['00000000 eb50', 'a frame of 0 bytes holds no message'],
  ['0000006b eb50', 'a frame of 107 bytes is longer than 100 and its header'],
  ['ffffffff eb50', 'a frame of 4294967295 bytes is longer than 100 and its header'],
  ['0000000e 5be0', 'encoding type 0x5be0 is not SBE little-endian 0xeb50'],
  ['0000000e 50eb', 'encoding type 0x50eb is not SBE little-endian 0xeb50'],
])('the header %s is refused before anything is kept, for good', (hex, reason) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  expect(messagesOf(new Deframer('big', 100), [bytes])).toEqual([reason]);
  const inPieces = new Deframer('big', 100);
  expect(
    messagesOf(
      inPieces,
      [...bytes].map((byte) => Buffer.of(byte)),
    ),
  ).toEqual([reason]);
  expect(messagesOf(inPieces, [framed(message, 'big')])).toEqual([reason]);
});

test('a frame of the greatest length is taken', () => {
  const longest = Buffer.concat([message, Buffer.alloc(92)]);
  expect(messagesOf(new Deframer('big', 100), [framed(longest, 'big')])).toEqual([
    longest.toString('hex'),
  ]);
});

test('the first six bytes of a connection determine its byte order', () => {
  expect(orderOf(framed(message, 'big').subarray(0, 5))).toBeUndefined();
  expect(orderOf(framed(message, 'big'))).toBe('big');
  expect(orderOf(framed(message, 'little'))).toBe('little');
});
