import { expect, test } from 'vitest';
import {
  beforeMessages,
  changeSession,
  newSession,
  recordOverhead,
  type SessionRow,
  sizeOf,
} from '../../src/store/session-row.ts';
import type { Write } from '../../src/store/store.ts';

const session = 'S';
const row: SessionRow = {
  nextIn: 5,
  nextOut: 9,
  oldestKept: 3,
  keptBytes: 100,
  releasedTo: 40,
  heldTo: 44,
  periodStartMs: 1000,
};
const bytes = Buffer.from('ten bytes.');

test('a new session begins with the number 1 in both directions, and nothing kept', () => {
  expect(newSession).toEqual({
    nextIn: 1,
    nextOut: 1,
    oldestKept: 1,
    keptBytes: 0,
    releasedTo: 0,
    heldTo: 0,
    periodStartMs: 0,
  });
});

const changes: [string, Write, Partial<SessionRow>][] = [
  [
    'a reset drops the messages, and keeps what was released and held',
    { kind: 'reset', session, nextIn: 1, nextOut: 2 },
    { nextIn: 1, nextOut: 2, oldestKept: 2, keptBytes: 0 },
  ],
  [
    'messages count with their bytes, and their numbers are written separately',
    { kind: 'messages', session, firstSeq: 9, bytes, ends: [4, 10] },
    { keptBytes: 110 },
  ],
  [
    'numbers replace both',
    { kind: 'numbers', session, nextIn: 6, nextOut: 8 },
    { nextIn: 6, nextOut: 8 },
  ],
  [
    'a held message is the last one',
    { kind: 'hold', session, position: 45, bytes },
    { heldTo: 45 },
  ],
  [
    'a release is noted',
    { kind: 'mark', session, name: 'released', value: 44 },
    { releasedTo: 44 },
  ],
  [
    'the start of a period is noted',
    { kind: 'mark', session, name: 'period', value: 2000 },
    { periodStartMs: 2000 },
  ],
  ['a record changes no session', { kind: 'append', stream: 'a', expected: 0, payload: bytes }, {}],
  ['a cursor changes no session', { kind: 'cursor', name: 'a', value: 1 }, {}],
];

test.each(changes)('%s', (_, write, expected) => {
  const changed = { ...row };
  changeSession(changed, write);
  expect(changed).toEqual({ ...row, ...expected });
});

test('a copy counts its messages as they are written, and what it holds follows what was released', () => {
  expect(beforeMessages(row)).toEqual({ ...row, keptBytes: 0, heldTo: 40 });
  expect(beforeMessages({ ...row, heldTo: 39 })).toEqual({ ...row, keptBytes: 0, heldTo: 39 });
  expect(row.keptBytes).toBe(100);
});

test('a write has the size of its content and of its frame', () => {
  expect(recordOverhead).toBeGreaterThan(0);
  const sized = new Set(['messages', 'hold', 'append']);
  const content = changes
    .filter(([, { kind }]) => sized.has(kind))
    .map(([, write]) => sizeOf(write));
  expect(content).toEqual([recordOverhead + 10, recordOverhead + 10, recordOverhead + 10]);
  expect(sizeOf({ kind: 'snapshot', stream: 'a', position: 1, payload: bytes })).toBe(
    recordOverhead + 10,
  );
  expect(sizeOf({ kind: 'numbers', session, nextIn: 1, nextOut: 1 })).toBe(recordOverhead);
});
