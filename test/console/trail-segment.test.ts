import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TrailRow, TrailSegment } from '../../src/console/trail-segment.ts';

let directory: string;
const opened: TrailSegment[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-segment-'));
});

afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  rmSync(directory, { recursive: true });
});

function segment(firstId = 1): TrailSegment {
  const made = new TrailSegment(join(directory, 'trail.db'), firstId);
  opened.push(made);
  return made;
}

type Content = Partial<Omit<TrailRow, 'id' | 'bytes'>> & { readonly text?: string };

function row({ text = '', ...rest }: Content = {}): Omit<TrailRow, 'id'> {
  const bytes = Buffer.from(text, 'latin1');
  return { kind: 'in', atUs: 100, name: 'A', type: 'D', seq: 1, bytes, ...rest };
}

const ids = (rows: readonly TrailRow[]) => rows.map(({ id }) => id);

test('each term of a search narrows it, with both ends of the time in it; the latest is first', () => {
  const own = segment();
  own.write(() => {
    own.add(row({ text: '\x0158=hello\x01' }), []);
    own.add(row({ kind: 'out', type: '8', atUs: 200 }), []);
    own.add(row({ name: 'B', atUs: 300, text: 'a\0\xffb' }), []);
    own.add(row({ kind: 'journal', text: 'hello' }), []);
    own.add(row({ kind: 'request' }), []);
    own.add(row({ kind: 'answer' }), []);
  });
  const found = (search: object) => ids(own.search({ limit: 10, ...search }));
  expect(found({})).toEqual([3, 2, 1]);
  expect(found({ session: 'A' })).toEqual([2, 1]);
  expect(found({ session: 'a' })).toEqual([]);
  expect(found({ direction: 'in' })).toEqual([3, 1]);
  expect(found({ direction: 'in', session: 'A' })).toEqual([1]);
  expect(found({ type: '8' })).toEqual([2]);
  expect(found({ contains: '\x0158=hel' })).toEqual([1]);
  expect(found({ contains: '' })).toEqual([3, 2, 1]);
  expect(found({ fromUs: 200 })).toEqual([3, 2]);
  expect(found({ fromUs: 201, toUs: 300 })).toEqual([3]);
  expect(found({ toUs: 200 })).toEqual([2, 1]);
  expect(found({ beforeId: 3 })).toEqual([2, 1]);
  expect(found({ limit: 2 })).toEqual([3, 2]);
});

test('a text is found as bytes, so that what follows a zero byte is found too', () => {
  const own = segment();
  own.add(row({ text: 'a\0é' }), []);
  own.add({ ...row(), bytes: Buffer.from('a\0é') }, []);
  expect(ids(own.search({ contains: 'é', limit: 10 }))).toEqual([2]);
});

test('a record is read back as it was added', () => {
  const own = segment(41);
  own.add(row({ kind: 'answer', atUs: 0.5, seq: null, text: 'x\0\xff' }), []);
  const { bytes, ...rest } = own.get(41) ?? row();
  expect(rest).toEqual({ id: 41, kind: 'answer', atUs: 0.5, name: 'A', type: 'D', seq: null });
  expect(Buffer.from(bytes)).toEqual(Buffer.from('x\0\xff', 'latin1'));
  expect([own.get(40), own.get(42)]).toEqual([undefined, undefined]);
});

test('the records with any of some links are listed once, oldest first, and of too many both ends', () => {
  const own = segment();
  for (const links of [['k a'], ['k a', 'k a', 'k b'], ['k b'], ['k c'], []]) own.add(row(), links);
  expect(ids(own.linked(['k a', 'k b', 'k x'], 10))).toEqual([1, 2, 3]);
  expect(ids(own.linked(['k a', 'k b', 'k c'], 1))).toEqual([1, 4]);
  expect(ids(own.linked(['k a', 'k b', 'k c'], 2))).toEqual([1, 2, 3, 4]);
  expect(ids(own.linked(['k'], 10))).toEqual([]);
});

test('the numbers go on after a new start, whatever first number is asked for', () => {
  const first = segment(7);
  expect([first.lastId, first.count]).toEqual([6, 0]);
  first.write(() => {
    first.add(row(), []);
    first.add(row(), []);
  });
  first.close();
  opened.pop();
  const again = segment(1);
  expect([again.lastId, again.count]).toEqual([8, 2]);
  again.add(row(), []);
  expect(ids(again.search({ limit: 10 }))).toEqual([9, 8, 7]);
});

test('of a group that fails nothing is kept or counted, and its numbers are given again', () => {
  const own = segment();
  own.write(() => own.add(row(), ['k a']));
  const failing = () =>
    own.write(() => {
      own.add(row(), ['k a']);
      throw new Error('the batch is damaged');
    });
  expect(failing).toThrow('the batch is damaged');
  expect([own.lastId, own.count, ids(own.linked(['k a'], 10))]).toEqual([1, 1, [1]]);
  own.write(() => own.add(row({ type: '8' }), []));
  expect(own.get(2)).toMatchObject({ type: '8' });
});
