/** The sum by which a copy of a store is compared with it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byName, type StoreContents, sumOf } from '../../src/store/contents.ts';
import { newSession, type SessionRow } from '../../src/store/session-row.ts';
import type { Write } from '../../src/store/store.ts';

interface Parts {
  readonly begins: readonly (readonly [string, number])[];
  readonly sessions: readonly (readonly [string, SessionRow])[];
  readonly cursors: readonly (readonly [string, number])[];
  readonly writes: readonly Write[];
}

const bytes = (text: string) => Buffer.from(text);
const parts: Parts = {
  begins: [
    ['b', 2],
    ['a', 1],
  ],
  sessions: [
    ['S', { ...newSession, nextIn: 4 }],
    ['R', { ...newSession, nextOut: 7 }],
  ],
  cursors: [
    ['venue', 9],
    ['copies', 3],
  ],
  writes: [
    { kind: 'append', stream: 'a', expected: 1, payload: bytes('one') },
    { kind: 'snapshot', stream: 'a', position: 1, payload: bytes('state') },
    { kind: 'messages', session: 'S', firstSeq: 1, bytes: bytes('8=FIX'), ends: [5] },
    { kind: 'hold', session: 'S', position: 2, bytes: bytes('held') },
  ],
};

function contents(change: Partial<Parts> = {}): StoreContents {
  const { begins, sessions, cursors, writes } = { ...parts, ...change };
  return {
    begins: () => begins,
    sessions: () => sessions,
    cursors: () => cursors,
    writes: () => writes,
  };
}

const sum = async (change: Partial<Parts> = {}) => (await sumOf(contents(change))).sum;

test('the same contents have the same sum, in whatever order their names come', async () => {
  expect(await sumOf(contents())).toEqual({ sum: await sum(), writes: 4 });
  const turned = {
    begins: parts.begins.toReversed(),
    sessions: parts.sessions.toReversed(),
    cursors: parts.cursors.toReversed(),
  };
  expect(await sum(turned)).toBe(await sum());
});

test('a stream of which nothing was forgotten is not part of the sum, and how much a session keeps is not either', async () => {
  expect(await sum({ begins: [...parts.begins, ['c', 0]] })).toBe(await sum());
  const sessions = parts.sessions.map(([name, row]) => [name, { ...row, keptBytes: 17 }] as const);
  expect(await sum({ sessions })).toBe(await sum());
});

const numbers = [
  'nextIn',
  'nextOut',
  'oldestKept',
  'releasedTo',
  'heldTo',
  'periodStartMs',
] as const;

test.each(numbers)('another %s of a session is another sum', async (name) => {
  const sessions = parts.sessions.map(
    ([session, row]) => [session, { ...row, [name]: 99 }] as const,
  );
  expect(await sum({ sessions })).not.toBe(await sum());
});

test('one byte, one number, one name or another order of the writes is another sum', async () => {
  const [first, ...others] = parts.writes as [Write, ...Write[]];
  const changed: Partial<Parts>[] = [
    { begins: [['a', 1]] },
    { cursors: [['venue', 9]] },
    {
      cursors: [
        ['venue', 9],
        ['copies', 4],
      ],
    },
    { sessions: parts.sessions.slice(1) },
    { writes: others },
    { writes: [...others, first] },
    { writes: [{ ...first, payload: bytes('onE') } as Write, ...others] },
    { writes: [{ ...first, expected: 2 } as Write, ...others] },
    { writes: [{ ...first, stream: 'b' } as Write, ...others] },
  ];
  const sums = await Promise.all([{}, ...changed].map((change) => sum(change)));
  expect(new Set(sums).size).toBe(changed.length + 1);
});

test('where a content ends is part of the sum, also if the text after it looks like that end', async () => {
  const record = (expected: number, text: string): Write => ({
    kind: 'append',
    stream: 'a',
    expected,
    payload: bytes(text),
  });
  const frame = '{"kind":"append","stream":"a","expected":1}\n';
  const one = { writes: [record(0, `x${frame}y`)] };
  const two = { writes: [record(0, 'x'), record(1, 'y')] };
  expect(await sum(one)).not.toBe(await sum(two));
});

test('writes that come in time have the same sum', async () => {
  const late = {
    ...contents(),
    async *writes() {
      yield* parts.writes;
    },
  };
  expect((await sumOf(late)).sum).toBe(await sum());
});

test('names are sorted by their code units, which no locale changes', () => {
  const names = fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 4 }), { maxLength: 10 });
  fc.assert(
    fc.property(names, (list) => {
      const sorted = list.map((name) => [name, 0] as const).sort(byName);
      expect(sorted.map(([name]) => name)).toEqual(list.toSorted());
    }),
    { numRuns: 30 },
  );
});
