import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TrailBatch, type TrailKind, trailKinds } from '../../src/console/trail-batch.ts';
import { TrailRing } from '../../src/console/trail-ring.ts';
import type { TrailRow } from '../../src/console/trail-segment.ts';
import { framed, toText } from '../support/fix-text.ts';

const account = `0x${'1'.repeat(40)}`;
let directory: string;
const opened: TrailRing[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-ring-'));
});

afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  rmSync(directory, { recursive: true });
});

function ring(maxRecords = 1_000): TrailRing {
  const made = new TrailRing({ directory, maxRecords });
  opened.push(made);
  return made;
}

function restarted(maxRecords: number): TrailRing {
  opened.pop()?.close();
  return ring(maxRecords);
}

type Entry = readonly [TrailKind, name: string, content: Uint8Array | string];

function batchOf(entries: readonly Entry[]): TrailBatch {
  const batch = new TrailBatch(10_000);
  for (const [kind, name, text] of entries) batch.add(kind, 1, name, text);
  return batch;
}

function take(own: TrailRing, ...entries: Entry[]): number {
  const { buffer, length } = batchOf(entries);
  return own.take(buffer, length);
}

const heartbeat = (seq: number) => ['in', 'A', framed(`35=0|34=${seq}|`)] as const;
const texts = (rows: readonly TrailRow[]) => rows.map(({ bytes }) => toText(bytes));
const ids = (rows: readonly TrailRow[]) => rows.map(({ id }) => id);
const databases = () => readdirSync(directory).filter((name) => name.endsWith('.db'));

test('the oldest file goes whole when a fifth would be needed, and numbers go on', () => {
  const own = ring(8);
  for (let seq = 1; seq <= 9; seq += 1) expect(take(own, heartbeat(seq))).toBe(seq === 9 ? 7 : seq);
  expect(databases().sort()).toEqual(['trail-3.db', 'trail-5.db', 'trail-7.db', 'trail-9.db']);
  expect(readdirSync(directory).some((name) => name.startsWith('trail-1.'))).toBe(false);
  expect(ids(own.search({ limit: 100 }))).toEqual([9, 8, 7, 6, 5, 4, 3]);
  expect([own.get(2), own.get(3)?.id, own.get(9)?.id, own.get(10)]).toEqual([
    undefined,
    3,
    9,
    undefined,
  ]);
});

test('a search takes the rest from the file before, and no more than its limit', () => {
  const own = ring(8);
  for (let seq = 1; seq <= 6; seq += 1) take(own, heartbeat(seq));
  expect(ids(own.search({ limit: 3 }))).toEqual([6, 5, 4]);
  expect(ids(own.search({ limit: 2 }))).toEqual([6, 5]);
  expect(ids(own.search({ limit: 3, beforeId: 4 }))).toEqual([3, 2, 1]);
});

test('a new start finds the files in the order of their numbers, and leaves other files alone', () => {
  const own = ring(8);
  for (let seq = 1; seq <= 13; seq += 1) take(own, heartbeat(seq));
  expect(databases()).toContain('trail-9.db');
  writeFileSync(join(directory, 'trail-x.db'), 'mine');
  const again = restarted(8);
  expect(ids(again.search({ limit: 100 }))).toEqual([13, 12, 11, 10, 9, 8, 7]);
  expect(again.count()).toBe(7);
  for (let seq = 14; seq <= 15; seq += 1) take(again, heartbeat(seq));
  expect(ids(again.search({ limit: 100 }))).toEqual([15, 14, 13, 12, 11, 10, 9]);
  expect(databases()).toContain('trail-x.db');
});

test('a message that arrives in pieces is one record; each direction of each session has its own pieces', () => {
  const own = ring();
  const whole = framed('35=D|34=7|11=one|');
  const [head, tail] = [whole.subarray(0, 20), whole.subarray(20)];
  take(own, ['in', 'A', head]);
  take(own, ['out', 'A', framed('35=0|34=1|')], ['in', 'B', framed('35=0|34=2|')]);
  expect(own.count()).toBe(2);
  take(own, ['in', 'A', Buffer.concat([tail, whole])]);
  expect(texts(own.search({ session: 'A', direction: 'in', limit: 10 }))).toEqual([
    toText(whole),
    toText(whole),
  ]);
  expect(own.search({ session: 'A', type: 'D', limit: 1 })).toMatchObject([{ seq: 7, kind: 'in' }]);
  expect(ids(own.linked(['c A one']))).toEqual([3, 4]);
  expect(own.linked(['c B one'])).toEqual([]);
});

test('a secret is a star for each byte', () => {
  const own = ring();
  const logon = framed('35=A|34=1|553=me|554=canary|');
  take(own, ['in', 'A', logon]);
  expect(texts(own.search({ limit: 1 }))).toEqual([toText(logon).replace('canary', '******')]);
});

test('an answer has the links of its own request, once', () => {
  const own = ring();
  const request = (key: string, nonce: number) =>
    [
      'request',
      account,
      `{"target":"/a","key":"${key}"}{"payload":{"account":"${account}","nonce":${nonce}}}`,
    ] as const;
  const answer = (key: string) =>
    ['answer', account, `{"key":"${key}","kind":"response"}`] as const;
  take(own, request('aa', 7), request('bb', 8), answer('bb'), answer('aa'));
  take(own, answer('aa'), answer('cc'));
  expect(ids(own.linked([`n ${account} 7`]))).toEqual([1, 4]);
  expect(ids(own.linked([`n ${account} 8`]))).toEqual([2, 3]);
  expect(own.count()).toBe(6);
});

test('a record of an account has the links of its orders, and linked records are oldest first over all files', () => {
  const own = ring(4);
  const record = (key: string) => ['journal', account, `{"inputs":[{"key":"${key}"}]}`] as const;
  for (const key of ['a', 'b', 'a', 'b']) take(own, record(key));
  expect(ids(own.linked(['k a']))).toEqual([1, 3]);
  expect(own.linked(['k b', 'k a']).map(({ id, type }) => [id, type])).toEqual(
    [1, 2, 3, 4].map((id) => [id, 'journal']),
  );
  expect(own.linked([])).toEqual([]);
  // Records are not messages, so the search of messages does not list them.
  expect(own.search({ limit: 10 })).toEqual([]);
});

test('a damaged batch leaves nothing of itself', () => {
  const own = ring();
  take(own, heartbeat(1));
  const { buffer, length } = batchOf([heartbeat(2), heartbeat(3)]);
  new Uint8Array(buffer)[length / 2] = trailKinds.length;
  expect(() => own.take(buffer, length)).toThrow('unknown kind');
  expect(own.count()).toBe(1);
  expect(take(own, heartbeat(4))).toBe(2);
  expect(own.search({ limit: 10 }).map(({ id, seq }) => [id, seq])).toEqual([
    [2, 4],
    [1, 1],
  ]);
});

test('of very many records with one of very many links, those of both ends are found over all files', () => {
  const own = ring(2_000);
  for (let part = 0; part < 3; part += 1) {
    const entries = Array.from({ length: 600 }, (_, at): Entry => {
      const text = `{"inputs":[{"key":"x${part * 600 + at}"}]}`;
      return ['journal', account, text];
    });
    const batch = new TrailBatch(200_000);
    for (const [kind, name, text] of entries) batch.add(kind, 1, name, text);
    own.take(batch.buffer, batch.length);
  }
  const links = Array.from({ length: 1_800 }, (_, at) => `k x${at}`);
  const found = ids(own.linked(links));
  expect(found).toHaveLength(1_200);
  expect([found[0], found[599], found[600], found.at(-1)]).toEqual([1, 600, 1_201, 1_800]);
  expect(ids(own.linked([...links, ...links].slice(-1_900)))).toEqual(found);
  expect(databases().length).toBeGreaterThan(2);
});
