import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { refusal, type SignRequest, type SignResult } from '../../src/signer/signer.ts';
import {
  FrameError,
  FrameSplitter,
  helloAnswer,
  helloFrame,
  maxFrameBytes,
  readAnswer,
  readRequest,
  recallFrame,
  signedFrame,
  signFrame,
} from '../../src/signer/signer-frame.ts';

const name = () => 'EcdsaSecp256k1';
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anchor = { id: '12'.repeat(16), count: 2 ** 40 + 7, chain: '34'.repeat(16) };
const chain = '56'.repeat(16);
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((each) => each.some((byte) => byte !== 0))
  .map((each) => `0x${Buffer.from(each).toString('hex')}` as Account);
const requests: fc.Arbitrary<SignRequest[]> = fc.array(
  fc.record({
    canonical: fc.uint8Array({ maxLength: 500 }),
    scheme: fc.constantFrom('ecdsa' as const, 'eip191' as const),
    refusedKey: fc.option(address, { nil: undefined }),
  }),
  { minLength: 1, maxLength: 128 },
);
const results: fc.Arbitrary<SignResult[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('signed' as const),
      digest: bytes(32),
      signature: fc.record({ scheme: fc.constant(name()), bytes: bytes(65) }),
      key: address,
    }),
    fc.string({ maxLength: 100 }).map((text) => refusal('policy', text)),
  ),
  { minLength: 1, maxLength: 128 },
);

test('requests and answers are read as they were written, in any chunks', () => {
  fc.assert(
    fc.property(requests, results, fc.integer({ min: 1, max: 97 }), (asked, given, step) => {
      const stream = Buffer.concat([
        signFrame(7, asked),
        helloFrame(8, anchor),
        signFrame(9, asked),
      ]);
      const seen: unknown[] = [];
      const splitter = new FrameSplitter();
      for (let at = 0; at < stream.length; at += step) {
        splitter.push(stream.subarray(at, at + step), (body) => seen.push(readRequest(body)));
      }
      expect(seen).toEqual([
        { kind: 'sign', id: 7, requests: asked },
        { kind: 'hello', id: 8, anchor },
        { kind: 'sign', id: 9, requests: asked },
      ]);
      const answer = signedFrame(7, anchor, given).subarray(4);
      expect(readAnswer(answer, name)).toEqual({ kind: 'signed', id: 7, anchor, results: given });
    }),
    { numRuns: 100 },
  );
});

test('the hello tells the keys', () => {
  const keys = new Map([[`0x${'12'.repeat(20)}` as Account, `0x${'34'.repeat(20)}` as Account]]);
  const answer = readAnswer(helloAnswer(3, { anchor, chain, keys }).subarray(4), name);
  expect(answer).toEqual({ kind: 'hello', id: 3, anchor, chain, keys });
});

test('any bytes are a frame or a FrameError, whole or changed', () => {
  const onlyFrameErrors = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(FrameError);
    }
  };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), requests, fc.nat(), fc.nat(255), (...given) => {
      const [noise, asked, at, byte] = given;
      onlyFrameErrors(() => readRequest(noise));
      onlyFrameErrors(() => readAnswer(noise, name));
      onlyFrameErrors(() => new FrameSplitter().push(noise, () => {}));
      const changed = signFrame(1, asked).subarray(4);
      changed[at % changed.length] = byte;
      onlyFrameErrors(() => readRequest(changed));
      onlyFrameErrors(() => readRequest(changed.subarray(0, at % changed.length)));
    }),
    { numRuns: 1000 },
  );
});

test('a frame beyond the limit is refused by its length, before its bytes come', () => {
  const splitter = new FrameSplitter();
  const length = Buffer.alloc(4);
  length.writeUInt32LE(maxFrameBytes + 1);
  expect(() => splitter.push(length, () => {})).toThrow(FrameError);
  length.writeUInt32LE(4);
  expect(() => new FrameSplitter().push(length, () => {})).toThrow(FrameError);
});

test('more requests than a frame may hold are refused', () => {
  const asked: SignRequest = { canonical: new Uint8Array(1), scheme: 'ecdsa' };
  const frame = signFrame(
    1,
    Array.from({ length: 129 }, () => asked),
  );
  expect(() => readRequest(frame.subarray(4))).toThrow('129 requests');
});

test('what the journal recalls is read as it was written', () => {
  const account = `0x${'12'.repeat(20)}` as Account;
  const digests = new Map([
    [5, 'ab'.repeat(32)],
    [Number.MAX_SAFE_INTEGER, 'cd'.repeat(32)],
  ]);
  const frame = readRequest(recallFrame(account, 2 ** 50, digests).subarray(4));
  expect(frame).toEqual({ kind: 'recall', id: 0, account, floor: 2 ** 50, digests });
});

test('of more digests than the signer keeps, the newest are recalled', () => {
  const account = `0x${'12'.repeat(20)}` as Account;
  const held = Array.from({ length: 30_000 }, (_, i) => [30_000 - i, 'ab'.repeat(32)] as const);
  const frame = recallFrame(account, 1, new Map(held));
  expect(frame.length).toBeLessThan(maxFrameBytes);
  const { digests } = readRequest(frame.subarray(4)) as { digests: ReadonlyMap<number, string> };
  expect([digests.size, Math.min(...digests.keys())]).toEqual([4096, 30_000 - 4095]);
});

test('a number that is no safe integer, or more digests than there are bytes, is a FrameError', () => {
  const account = `0x${'12'.repeat(20)}` as Account;
  const frame = recallFrame(account, 1, new Map()).subarray(4);
  const huge = Buffer.from(frame).fill(0xff, 25, 33);
  expect(() => readRequest(huge)).toThrow('is over 2^53-1');
  const many = Buffer.from(frame).fill(0xff, 33, 37);
  expect(() => readRequest(many)).toThrow('ends too early');
});
