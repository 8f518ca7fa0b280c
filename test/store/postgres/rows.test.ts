/** What an owner of a shard knows, and the one statement that a group of its commits becomes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../src/store/postgres/connection.ts';
import { type Group, loadRows, Rows } from '../../../src/store/postgres/rows.ts';
import { CorruptRecord, PositionConflict } from '../../../src/store/store.ts';
import { append, messages, numbers } from '../contract.ts';
import { WriteMaker } from '../log/random-writes.ts';

interface Row {
  readonly [name: string]: string | number;
}

/** The rows of a group, with each content in place of where it is. */
function tables({ rows, contents }: Group): Record<string, Row[]> {
  const parsed = JSON.parse(rows) as Record<string, Row[]>;
  return Object.fromEntries(
    Object.entries(parsed).map(([table, list]) => [
      table,
      list.map(({ at, length, ...row }) => {
        if (at === undefined) return row;
        const from = Number(at) - 1;
        return { ...row, content: contents.subarray(from, from + Number(length)).toString() };
      }),
    ]),
  );
}

function closed(rows: Rows): Record<string, Row[]> {
  const group = rows.close();
  if (group === undefined) throw new Error('nothing changed');
  return tables(group);
}

describe('a group', () => {
  test('without a change is none', () => {
    const rows = new Rows();
    expect(rows.close()).toBeUndefined();
    rows.take([{ kind: 'cursor', name: 'venue', value: 1 }]);
    expect(rows.close()).toBeDefined();
    expect(rows.close()).toBeUndefined();
    expect(rows.groupBytes).toBe(0);
  });

  test('has each record at its position, and a row for a stream that is new', () => {
    const rows = new Rows();
    rows.take([append('a', 0, 'one'), append('b', 0, 'other')]);
    rows.take([append('a', 1, 'two')]);
    expect(closed(rows)).toEqual({
      streams: [
        { stream: 'a', forgotten_to: 0 },
        { stream: 'b', forgotten_to: 0 },
      ],
      records: [
        { stream: 'a', position: 1, content: 'one' },
        { stream: 'b', position: 1, content: 'other' },
        { stream: 'a', position: 2, content: 'two' },
      ],
    });
    expect([rows.end('a'), rows.end('b'), rows.end('c')]).toEqual([2, 1, 0]);
    rows.take([append('a', 2, 'three')]);
    expect(closed(rows)).toEqual({ records: [{ stream: 'a', position: 3, content: 'three' }] });
  });

  test('has only the last snapshot of a stream and the last value of a cursor', () => {
    const rows = new Rows();
    const snapshot = (position: number, text: string) =>
      ({ kind: 'snapshot', stream: 'a', position, payload: Buffer.from(text) }) as const;
    rows.take([snapshot(1, 'old'), { kind: 'cursor', name: 'venue', value: 1 }]);
    rows.take([snapshot(2, 'new'), { kind: 'cursor', name: 'venue', value: 5 }]);
    expect(closed(rows)).toEqual({
      streams: [{ stream: 'a', forgotten_to: 0 }],
      snapshots: [{ stream: 'a', position: 2, content: 'new' }],
      cursors: [{ cursor: 'venue', value: 5 }],
    });
  });

  test('forgets a stream only forward', () => {
    const rows = new Rows();
    rows.begin('a', 4);
    rows.take([{ kind: 'forget', stream: 'a', position: 9 }]);
    rows.take([{ kind: 'forget', stream: 'a', position: 7 }]);
    expect(closed(rows)).toEqual({ streams: [{ stream: 'a', forgotten_to: 9 }] });
  });

  test('has the messages of a session one by one, under the numbering that is in force', () => {
    const rows = new Rows();
    rows.take([messages('S', 1, 'one', 'two'), numbers('S', 1, 3)]);
    expect(closed(rows)).toEqual({
      messages: [
        { session: 'S', numbering: 1, seq: 1, content: 'one' },
        { session: 'S', numbering: 1, seq: 2, content: 'two' },
      ],
      sessions: [
        {
          session: 'S',
          numbering: 1,
          next_in: 1,
          next_out: 3,
          oldest_kept: 1,
          kept_bytes: 6,
          released_to: 0,
          held_to: 0,
          period_start_ms: 0,
        },
      ],
    });
    rows.take([{ kind: 'reset', session: 'S', nextIn: 1, nextOut: 1 }, messages('S', 1, 'again')]);
    expect(closed(rows)).toMatchObject({
      messages: [{ numbering: 2, seq: 1, content: 'again' }],
      sessions: [{ numbering: 2, kept_bytes: 5 }],
    });
  });

  test('has what a session holds, and up to where it was released', () => {
    const rows = new Rows();
    rows.take([
      { kind: 'hold', session: 'S', position: 4, bytes: Buffer.from('held') },
      { kind: 'mark', session: 'S', name: 'released', value: 3 },
      { kind: 'mark', session: 'S', name: 'period', value: 1000 },
    ]);
    expect(closed(rows)).toMatchObject({
      held: [{ session: 'S', position: 4, content: 'held' }],
      released: [{ session: 'S', position: 3 }],
      sessions: [{ held_to: 4, released_to: 3, period_start_ms: 1000 }],
    });
  });

  test('drops the oldest messages of a session that keeps too much', () => {
    const rows = new Rows();
    rows.take([messages('S', 1, 'one', 'two')]);
    rows.close();
    rows.trim('S', 2, 3);
    expect(closed(rows)).toMatchObject({ sessions: [{ oldest_kept: 2, kept_bytes: 3 }] });
  });

  test('restores a session of another store under its own numbering', () => {
    const rows = new Rows();
    rows.restore('S', {
      nextIn: 4,
      nextOut: 7,
      oldestKept: 2,
      keptBytes: 0,
      releasedTo: 5,
      heldTo: 5,
      periodStartMs: 9,
    });
    expect(closed(rows)).toMatchObject({
      sessions: [{ session: 'S', numbering: 1, next_in: 4, next_out: 7, released_to: 5 }],
    });
  });
});

test('a commit that conflicts changes nothing, not even by its other writes', () => {
  const rows = new Rows();
  rows.take([append('a', 0, 'one')]);
  rows.close();
  const conflict = rows.take([append('b', 0, 'x'), numbers('S', 5, 5), append('a', 0, 'again')]);
  expect(conflict).toBeInstanceOf(PositionConflict);
  expect(rows.close()).toBeUndefined();
  expect([rows.end('a'), rows.end('b'), rows.session('S').nextIn]).toEqual([1, 0, 1]);
});

test('however writes are divided into groups, the contents of all groups are those of the writes', () => {
  const steps = fc.array(fc.tuple(fc.nat(11), fc.nat(200), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (list) => {
      const [apart, together] = [new Rows(), new Rows()];
      const [one, other] = [new WriteMaker(), new WriteMaker()];
      const groups: Record<string, Row[]>[] = [];
      const close = () => {
        const group = apart.close();
        if (group !== undefined) groups.push(tables(group));
      };
      for (const [choice, size, isLast] of list) {
        expect(apart.take([one.make(choice, size)])).toEqual(
          together.take([other.make(choice, size)]),
        );
        if (isLast) close();
      }
      close();
      const all = together.close();
      const whole = all === undefined ? {} : tables(all);
      for (const table of ['records', 'messages', 'held', 'released']) {
        expect(groups.flatMap((group) => group[table] ?? [])).toEqual(whole[table] ?? []);
      }
      for (const table of ['snapshots', 'sessions', 'cursors']) {
        const key = ({ stream, session, cursor }: Row) => `${stream ?? session ?? cursor}`;
        const last = new Map(
          groups.flatMap((group) => group[table] ?? []).map((row) => [key(row), row]),
        );
        expect(last).toEqual(new Map((whole[table] ?? []).map((row) => [key(row), row])));
      }
    }),
    { numRuns: 50 },
  );
});

describe('rows of the tables', () => {
  function tableOf(rows: Record<'streams' | 'sessions' | 'cursors', object[]>): Connection {
    const query = async ({ text }: { text: string }) =>
      Object.entries(rows).find(([table]) => text.includes(`from causeway.${table} `))?.[1];
    return { query } as never as Connection;
  }

  test('are loaded as they are', async () => {
    const numbered = { nextIn: 4, nextOut: 7, oldestKept: 2, keptBytes: 30 };
    const marked = { releasedTo: 5, heldTo: 6, periodStartMs: 9 };
    const rows = await loadRows(
      tableOf({
        streams: [{ stream: 'a', forgottenTo: 2, end: 2 }],
        sessions: [{ session: 'S', numbering: 3, ...numbered, ...marked }],
        cursors: [{ cursor: 'venue', value: 8 }],
      }),
      'shard',
    );
    expect([...rows.streams]).toEqual([['a', { end: 2, forgottenTo: 2 }]]);
    expect(rows.session('S')).toEqual({ numbering: 3, ...numbered, ...marked });
    expect([...rows.cursors]).toEqual([['venue', 8]]);
    expect(rows.close()).toBeUndefined();
  });

  test('of a stream that lacks the record after those that were forgotten are damaged', async () => {
    const streams = [{ stream: 'a', forgottenTo: 3, end: 2 }];
    const loading = loadRows(tableOf({ streams, sessions: [], cursors: [] }), 'shard');
    await expect(loading).rejects.toThrow(CorruptRecord);
    await expect(loading).rejects.toThrow(/record 4 of stream a.*missing in the database/);
  });
});
