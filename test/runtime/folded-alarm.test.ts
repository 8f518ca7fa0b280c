import { expect, test } from 'vitest';
import { FoldedAlarm, FoldedAlarms } from '../../src/runtime/folded-alarm.ts';

test('what happens with every message raises one alarm a minute, and is counted each time', () => {
  const rejects = new FoldedAlarm();
  const alarms = [0, 1, 59_999, 60_000, 60_001].map((ms) => rejects.add(`no ${ms}`, ms));
  const second = 'no 60000; 2 more since the last one';
  expect(alarms).toEqual(['no 0', undefined, undefined, second, undefined]);
  expect(rejects.count).toBe(5);
});

test('alarms are folded for each key by itself', () => {
  const folded = new FoldedAlarms<string>();
  expect([
    folded.add('a', 'first', 0),
    folded.add('b', 'other', 1),
    folded.add('a', 'more', 2),
  ]).toEqual(['first', 'other', undefined]);
  expect(folded.add('a', 'again', 60_000)).toBe('again; 1 more since the last one');
});
