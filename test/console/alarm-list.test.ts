import { expect, test } from 'vitest';
import { AlarmList } from '../../src/console/alarm-list.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

test('notices push out no alarm, however many they are', () => {
  const list = new AlarmList(new ManualClock());
  list.tell('alarm', 'the disk is full');
  for (let i = 0; i < 5_000; i += 1) list.tell('notice', `refused ${i}`);
  expect(list.list('alarm').map(({ text }) => text)).toEqual(['the disk is full']);
  expect(list.list('notice')).toHaveLength(1_000);
  expect(list.list()).toHaveLength(1_001);
  expect(list.list().at(-1)?.text).toBe('the disk is full');
});

test('what one source causes again and again is one row with its count, its first time and its last', () => {
  const clock = new ManualClock();
  const list = new AlarmList(clock);
  list.tell('notice', 'read again');
  const { wallMs: firstMs } = clock.now();
  for (let i = 0; i < 5_000; i += 1) {
    list.tell('notice', `refused 192.0.2.${i % 200}`, 'refused 192.0.2.0/24');
    clock.advance(1);
  }
  const rows = list.list();
  expect(rows.map(({ text }) => text)).toEqual(['refused 192.0.2.199', 'read again']);
  expect(rows[0]).toMatchObject({ number: 5_001, times: 5_000, firstMs, atMs: firstMs + 4_999 });
  expect([list.count, list.alarms]).toEqual([5_001, 0]);
});

test('an alarm that repeats is one row, another alarm is another', () => {
  const list = new AlarmList(new ManualClock());
  for (const text of ['a', 'b', 'a']) list.tell('alarm', text);
  expect(list.list('alarm').map(({ text, times }) => [text, times])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(list.alarms).toBe(3);
});
