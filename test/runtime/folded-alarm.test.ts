import { expect, test } from 'vitest';
import { FoldedAlarm } from '../../src/runtime/folded-alarm.ts';

test('what happens with every message raises one alarm a minute, and is counted each time', () => {
  const rejects = new FoldedAlarm();
  const alarms = [0, 1, 59_999, 60_000, 60_001].map((ms) => rejects.add(`no ${ms}`, ms));
  const second = 'no 60000; 2 more since the last one';
  expect(alarms).toEqual(['no 0', undefined, undefined, second, undefined]);
  expect(rejects.count).toBe(5);
});
