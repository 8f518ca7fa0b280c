/** The engine of a session as a configuration sets it. */
import { describe, expect, test } from 'vitest';
import { defaultSessionSettings } from '../../../src/fix/session-settings.ts';
import {
  fixEngineKeys,
  messageRates,
  throttleOf,
} from '../../../src/gateway/config/engine-config.ts';

function faultOf(engine: unknown): string {
  const { error } = fixEngineKeys.safeParse(engine);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`).join();
}

test('what is left out is as the engine has it by itself', () => {
  const engine = fixEngineKeys.parse({});
  expect(engine).not.toHaveProperty('schedule');
  expect(defaultSessionSettings).toMatchObject(engine);
});

test('hours are described in words and times of their zone', () => {
  const { schedule } = fixEngineKeys.parse({
    schedule: {
      timeZone: 'America/New_York',
      days: ['mon', 'fri'],
      start: '08:05',
      end: '17:00:30',
    },
  });
  const [startS, endS] = [(8 * 60 + 5) * 60, 17 * 3600 + 30];
  expect(schedule).toEqual({
    timeZone: 'America/New_York',
    days: [1, 5],
    startS,
    endS,
    lengthDays: 0,
  });
});

test.each([
  ['sun', '17:00', 'fri', '16:00', 5],
  ['fri', '22:00', 'sun', '22:00', 2],
  ['sun', '17:00', 'sun', '17:00', 7],
  ['sun', '17:00', 'sun', '16:00', 7],
  ['sun', '08:00', 'sun', '17:00', 0],
])(
  'a week from %s %s to %s %s ends %d days after the day of its start',
  (startDay, start, endDay, end, lengthDays) => {
    const { schedule } = fixEngineKeys.parse({ schedule: { startDay, start, endDay, end } });
    expect(schedule).toMatchObject({ days: [startDay === 'sun' ? 0 : 5], lengthDays });
  },
);

test('hours that name no days and no zone are those of every day in UTC', () => {
  const { schedule } = fixEngineKeys.parse({ schedule: { start: '22:00', end: '22:00' } });
  expect(schedule).toMatchObject({ timeZone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6] });
});

test.each([
  [{ schedule: { start: '8:00', end: '17:00' } }, 'schedule.start: not a time of day'],
  [{ schedule: { start: '08:00', end: '24:00' } }, 'schedule.end: not a time of day'],
  [{ schedule: { start: '08:00', end: '17:00', timeZone: 'Mars' } }, 'schedule.timeZone: not a'],
  [{ schedule: { start: '08:00', end: '17:00', days: [] } }, 'schedule.days: '],
  [{ schedule: { start: '08:00' } }, 'schedule.end: '],
  [{ schedule: { start: '08:00', end: '17:00', startDay: 'sun' } }, 'schedule.startDay: goes with'],
  [
    { schedule: { start: '08:00', end: '17:00', startDay: 'sun', endDay: 'fri', days: ['mon'] } },
    'schedule.days: is for a session that opens each day',
  ],
  [{ minHeartBtIntS: 40, maxHeartBtIntS: 30 }, 'minHeartBtIntS: is above maxHeartBtIntS'],
  [{ sendingTimeToleranceMs: 0 }, 'sendingTimeToleranceMs: '],
  [{ maxMsgSeqNum: 2_000_000_000 }, 'maxMsgSeqNum: '],
  [{ heartbeat: 30 }, 'Unrecognized key: "heartbeat"'],
])('%j is refused with %s', (engine, fault) => {
  expect(faultOf(engine)).toContain(fault);
});

describe('rates', () => {
  test('are finite where the configuration does not set them', () => {
    const { rate, cancelRate, maxRateRefusals } = throttleOf({ rates: messageRates.parse({}) });
    for (const { perSecond, burst } of [rate, cancelRate]) {
      expect(Number.isFinite(perSecond) && Number.isFinite(burst)).toBe(true);
    }
    expect(Number.isFinite(maxRateRefusals)).toBe(true);
  });

  test('of orders leave those of cancels alone', () => {
    const rates = messageRates.parse({ orders: { perSecond: 50, burst: 60 }, maxRefusals: 7 });
    expect(throttleOf({ rates })).toEqual({
      rate: { perSecond: 50, burst: 60 },
      cancelRate: messageRates.parse({}).cancels,
      maxRateRefusals: 7,
    });
  });
});
