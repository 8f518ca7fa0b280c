/** Records of a front file: what was written comes back, what is damaged does not, and a gap is told. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  committed,
  decodeRecord,
  encodeRecord,
  inOrder,
  markBytes,
  recordsIn,
} from '../../src/store/record.ts';
import { CorruptRecord, type Write } from '../../src/store/store.ts';
import { append, messages, numbers } from './contract.ts';

const mark = Buffer.alloc(markBytes, 'mark of this run');
const record = (sequence: number, ...writes: Write[]) => encodeRecord(mark, sequence, writes);
const sequences = (bytes: Buffer) => [...recordsIn(bytes, mark)].map(({ sequence }) => sequence);

const bytes = fc.uint8Array({ maxLength: 300 });
const seq = fc.nat(2 ** 31);
const writes = fc.array(
  fc.oneof<fc.Arbitrary<Write>[]>(
    fc.record({ kind: fc.constant('append'), stream: fc.string(), expected: seq, payload: bytes }),
    fc.record({
      kind: fc.constant('snapshot'),
      stream: fc.string(),
      position: seq,
      payload: bytes,
    }),
    fc.record({ kind: fc.constant('forget'), stream: fc.string(), position: seq }),
    fc.record({
      kind: fc.constant('messages'),
      session: fc.string(),
      firstSeq: seq,
      bytes,
      ends: fc.array(seq),
    }),
    fc.record({ kind: fc.constant('numbers'), session: fc.string(), nextIn: seq, nextOut: seq }),
    fc.record({ kind: fc.constant('reset'), session: fc.string(), nextIn: seq, nextOut: seq }),
    fc.record({ kind: fc.constant('hold'), session: fc.string(), position: seq, bytes }),
    fc.record({
      kind: fc.constant('mark'),
      session: fc.string(),
      name: fc.constantFrom('released', 'period'),
      value: seq,
    }),
    fc.record({ kind: fc.constant('cursor'), name: fc.string(), value: fc.maxSafeInteger() }),
  ),
  { maxLength: 8 },
);

test('any writes come back as they were', () => {
  fc.assert(
    fc.property(writes, fc.nat(), (written, sequence) => {
      const [found] = recordsIn(record(sequence, ...written), mark);
      expect(found?.sequence).toBe(sequence);
      const plain = (write: Write) => ({
        ...write,
        ...('payload' in write && { payload: [...write.payload] }),
        ...('bytes' in write && { bytes: [...write.bytes] }),
      });
      expect(committed(decodeRecord(found!)).map(plain)).toEqual(written.map(plain));
    }),
    { numRuns: 200 },
  );
});

test('records are found behind one another and behind anything else', () => {
  const file = Buffer.concat([
    Buffer.from('left over'),
    record(7, append('a', 0, 'one')),
    record(8, messages('A', 1, 'm'), numbers('A', 1, 2)),
    mark,
    Buffer.alloc(100),
    record(3),
    Buffer.alloc(10),
  ]);
  expect(sequences(file)).toEqual([7, 8, 3]);
});

test('a record that is cut or has a bit changed anywhere is none', () => {
  const whole = record(1, append('a', 0, 'one'));
  for (let at = 0; at < whole.length; at += 1) {
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 4;
    expect(sequences(flipped), `byte ${at}`).toEqual([]);
    expect(sequences(whole.subarray(0, at)), `cut at ${at}`).toEqual([]);
  }
});

test('what is inside of a record is not taken for one, and what has another mark is none', () => {
  const inner = encodeRecord(Buffer.alloc(markBytes, 'guessed'), 2, [append('a', 0, 'x')]);
  const outer = record(1, { kind: 'append', stream: 'a', expected: 0, payload: inner });
  expect(sequences(Buffer.concat([outer, inner]))).toEqual([1]);
});

test('records come in order, without those that are carried over, and without a gap', () => {
  const file = Buffer.concat([5, 6, 2, 3, 4].map((sequence) => record(sequence)));
  const next = (carried: number) =>
    inOrder(recordsIn(file, mark), carried, 'x').map(({ sequence }) => sequence);
  expect(next(3)).toEqual([4, 5, 6]);
  expect(next(6)).toEqual([]);
  expect(() => next(0)).toThrow(CorruptRecord);
  expect(() => next(0)).toThrow('x, record 1: it is damaged and durable records follow it');
});

test('a number that the tables would refuse is refused before it is written', () => {
  for (const value of [Number.NaN, 0.5, 2 ** 53]) {
    expect(() => record(1, { kind: 'cursor', name: 'c', value })).toThrow(
      `value of a write of kind cursor is ${value}`,
    );
  }
});
