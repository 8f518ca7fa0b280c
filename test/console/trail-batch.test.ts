import {
  array,
  assert,
  constantFrom,
  double,
  oneof,
  property,
  string,
  uint8Array,
} from 'fast-check';
import { expect, test } from 'vitest';
import {
  entryBytes,
  readBatch,
  TrailBatch,
  type TrailKind,
  trailKinds,
} from '../../src/console/trail-batch.ts';

type Entry = readonly [TrailKind, number, string, Uint8Array | string];

const entries = (batch: TrailBatch) =>
  [...readBatch(batch.buffer, batch.length)].map(({ kind, atUs, name, bytes }) => [
    kind,
    atUs,
    name,
    Buffer.from(bytes),
  ]);
const utf8 = (text: Uint8Array | string) => Buffer.from(text as string);

test('what was added is read back in order, from a batch with exactly enough room and in one with more', () => {
  const unit = constantFrom('a', 'é', '😀', '\0', '"');
  const entry = array(
    constantFrom(...trailKinds).chain((kind) =>
      double({ noNaN: true }).chain((atUs) =>
        string({ unit, maxLength: 20 }).chain((name) =>
          oneof(string({ unit }), uint8Array({ maxLength: 300 })).map(
            (content): Entry => [kind, atUs, name, content],
          ),
        ),
      ),
    ),
    { maxLength: 8 },
  );
  assert(
    property(entry, constantFrom(0, 1, 500), (list, spare) => {
      const size = list.reduce((sum, [, , name, content]) => sum + entryBytes(name, content), 0);
      const batch = new TrailBatch(size + spare);
      for (const one of list) expect(batch.add(...one)).toBe(true);
      expect(batch.length).toBe(size);
      expect(entries(batch)).toEqual(
        list.map(([kind, atUs, name, content]) => [kind, atUs, name, utf8(content)]),
      );
    }),
  );
});

test('an entry for which one byte is missing is refused whole, and a smaller one still fits', () => {
  const batch = new TrailBatch(entryBytes('A', 'hello'));
  expect(batch.add('in', 1, 'A', 'hello!')).toBe(false);
  expect([batch.length, entries(batch)]).toEqual([0, []]);
  expect(batch.add('in', 1, 'A', 'hello')).toBe(true);
  expect(batch.add('in', 1, '', '')).toBe(false);
  expect(entries(batch)).toEqual([['in', 1, 'A', utf8('hello')]]);
});

test('a name has up to 255 bytes; an entry with a longer one is left out, so that nothing waits for room', () => {
  const batch = new TrailBatch(10_000);
  const longest = 'é'.repeat(127);
  expect(batch.add('out', 1, `${longest}x`, 'a')).toBe(true);
  expect(batch.add('out', 2, `${longest}é`, 'b')).toBe(true);
  expect(batch.add('out', 3, 'A', 'c')).toBe(true);
  expect(entries(batch).map(([, atUs]) => atUs)).toEqual([1, 3]);
});

test('a batch with an unknown kind is not read on', () => {
  const batch = new TrailBatch(100);
  batch.add('in', 1, 'A', 'x');
  const { length } = batch;
  batch.add('in', 2, 'A', 'y');
  new Uint8Array(batch.buffer)[length] = trailKinds.length;
  const read = readBatch(batch.buffer, batch.length);
  expect(read.next().value).toMatchObject({ atUs: 1 });
  expect(() => read.next()).toThrow('a batch holds an unknown kind');
});
