import { expect, test } from 'vitest';
import { FoldedAlarm, peerRejectText } from '../../src/transport/folded-alarm.ts';

test('what happens with every message raises one alarm a minute, and is counted each time', () => {
  const rejects = new FoldedAlarm();
  const alarms = [0, 1, 59_999, 60_000, 60_001].map((ms) => rejects.add(`no ${ms}`, ms));
  const second = 'no 60000; 2 more since the last alarm';
  expect(alarms).toEqual(['no 0', undefined, undefined, second, undefined]);
  expect(rejects.count).toBe(5);
});

test('the words of a peer are cut, and cannot break a line', () => {
  const text = (said: string) => peerRejectText({ ours: 'message 1', text: said });
  expect(text('a\n"b"\u001b[2J')).toContain('"a\\n\\"b\\"\\u001b[2J"');
  expect(text('x'.repeat(1000))).toHaveLength(text('').length + 200);
});
