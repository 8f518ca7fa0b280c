import { expect, test } from 'vitest';
import { AlarmList } from '../../src/console/alarm-list.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

const console = { event: 'console' } as const;
const venue = { event: 'venue' } as const;

test('notices push out no alarm, however many they are', () => {
  const list = new AlarmList(new ManualClock());
  list.add('alarm', 'the disk is full', venue);
  for (let i = 0; i < 5_000; i += 1) list.add('notice', `refused ${i}`, console);
  expect(list.list('alarm').map(({ text }) => text)).toEqual(['the disk is full']);
  expect(list.list('notice')).toHaveLength(1_000);
  expect(list.list()).toHaveLength(1_001);
  expect(list.list().at(-1)?.text).toBe('the disk is full');
});

test('what one source causes again and again is one row with its count, its first time and its last', () => {
  const clock = new ManualClock();
  const list = new AlarmList(clock);
  list.add('notice', 'read again', console);
  const { wallMs: firstMs } = clock.now();
  const about = 'refused 192.0.2.0/24';
  for (let i = 0; i < 5_000; i += 1) {
    list.add('notice', `refused 192.0.2.${i % 200}`, { ...console, about });
    clock.advance(1);
  }
  const rows = list.list();
  expect(rows.map(({ text }) => text)).toEqual(['refused 192.0.2.199', 'read again']);
  expect(rows[0]).toMatchObject({ number: 5_001, times: 5_000, firstMs, atMs: firstMs + 4_999 });
  expect([list.unacknowledged, list.alarms]).toEqual([0, 0]);
});

test('an alarm that repeats is one row, another alarm is another', () => {
  const list = new AlarmList(new ManualClock());
  for (const text of ['a', 'b', 'a']) list.add('alarm', text, venue);
  expect(list.list('alarm').map(({ text, times }) => [text, times])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect([list.unacknowledged, list.alarms]).toEqual([2, 3]);
});

test('an acknowledged alarm that is raised again needs a new acknowledgement and keeps its assignee', () => {
  let changes = 0;
  const list = new AlarmList(new ManualClock(), () => {
    changes += 1;
  });
  list.add('alarm', 'the disk is full', venue);
  const id = list.list('alarm')[0]?.id ?? 0;
  list.assign(id, 'bob');
  list.acknowledge(id, { who: 'ann', why: 'a larger disk is ordered' });
  expect(list.alarm(id)).toMatchObject({ assignee: 'bob', acknowledged: { who: 'ann' } });
  expect(list.unacknowledged).toBe(0);
  list.add('alarm', 'the disk is full', venue);
  expect(list.alarm(id)).toMatchObject({ assignee: 'bob', acknowledged: null, times: 2 });
  expect([list.unacknowledged, changes]).toEqual([1, 4]);
});

test('a full list drops an acknowledged alarm before one that nobody has seen', () => {
  const list = new AlarmList(new ManualClock());
  for (let i = 0; i < 1_000; i += 1) list.add('alarm', `alarm ${i}`, venue);
  list.acknowledge(501, { who: 'ann', why: 'seen' });
  list.add('alarm', 'one more', venue);
  const texts = list.list('alarm').map(({ text }) => text);
  expect(texts).toHaveLength(1_000);
  expect(texts).toContain('alarm 0');
  expect(texts).not.toContain('alarm 500');
});

test('alarms of the previous process come before those of this one, and the same alarm is one row', () => {
  const before = new AlarmList(new ManualClock());
  for (const text of ['a', 'b']) before.add('alarm', text, venue);
  before.acknowledge(1, { who: 'ann', why: 'seen' });
  before.assign(2, 'bob');
  const list = new AlarmList(new ManualClock());
  list.add('alarm', 'b', venue);
  list.restore(before.kept);
  expect(list.list('alarm')).toMatchObject([
    { text: 'b', times: 2, assignee: 'bob', acknowledged: null },
    { text: 'a', times: 1, acknowledged: { who: 'ann' } },
  ]);
  list.add('alarm', 'c', venue);
  const ids = list.list('alarm').map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});
