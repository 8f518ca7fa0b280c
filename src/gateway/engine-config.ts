/**
 * What a configuration may say of the engine of a session: how much a client may send, and of FIX sessions the clock,
 * the hours and the resends. The names are those of the engine (`fix/session-settings.ts`), and so are the defaults.
 */
import { z } from 'zod';
import type { Schedule } from '../fix/session-schedule.ts';
import { defaultSessionSettings as standard } from '../fix/session-settings.ts';

const count = z.int().min(1).max(10_000_000);
const seconds = z.int().min(1).max(3_600);
const waitMs = z.int().min(100).max(3_600_000);

/** Above what one process can do: a client that is meant to be held to less is given less. */
const rate = z.strictObject({
  perSecond: z.int().min(1).max(1_000_000).default(20_000),
  burst: z.int().min(1).max(1_000_000).default(20_000),
});

export const messageRates = z
  .strictObject({
    orders: rate.prefault({}),
    cancels: rate.prefault({}).describe('a budget of their own, so that cancels always pass'),
    maxRefusals: count
      .default(standard.maxRateRefusals)
      .describe('within ten seconds; more end the session'),
  })
  .describe('messages that a client may send; above it they are refused, unread');

/** As numbers of days in the week, which begins with Sunday. */
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3])(:[0-5]\d){1,2}$/, 'not a time of day: HH:MM or HH:MM:SS')
  .transform((text) => {
    const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
    return (hours * 60 + minutes) * 60 + seconds;
  });

const weekday = z.enum(weekdays);

const schedule = z
  .strictObject({
    timeZone: z
      .string()
      .refine(isTimeZone, 'not a time zone such as Europe/Zurich')
      .default('UTC')
      .describe('of days and times'),
    days: z.array(weekday).min(1).optional().describe('on which it starts; absent: every day'),
    startDay: weekday.optional().describe('with endDay and without days: it opens once a week'),
    endDay: weekday.optional().describe('the same day: a week later, where end is not after start'),
    start: timeOfDay.describe('numbers begin at 1 with the first logon after it'),
    end: timeOfDay.describe('the client is logged out; equal to start it is open all day'),
  })
  .refine(({ startDay, endDay }) => (startDay === undefined) === (endDay === undefined), {
    path: ['startDay'],
    message: 'goes with endDay: either both or none',
  })
  .refine(({ days, startDay }) => days === undefined || startDay === undefined, {
    path: ['days'],
    message: 'is for a session that opens each day: leave it out beside startDay and endDay',
  })
  .transform(({ timeZone, days, startDay, endDay, start, end }): Schedule => {
    const times = { timeZone, startS: start, endS: end };
    if (startDay === undefined || endDay === undefined) {
      const starts = (days ?? weekdays).map((day) => weekdays.indexOf(day));
      return { ...times, days: starts, lengthDays: end > start ? 0 : 1 };
    }
    const [first, last] = [weekdays.indexOf(startDay), weekdays.indexOf(endDay)];
    const isWholeWeek = first === last && end <= start;
    return { ...times, days: [first], lengthDays: isWholeWeek ? 7 : (last - first + 7) % 7 };
  });

export const fixEngineKeys = z
  .strictObject({
    heartBtIntS: seconds.default(standard.heartBtIntS).describe('where the bridge connects out'),
    minHeartBtIntS: seconds.default(standard.minHeartBtIntS),
    maxHeartBtIntS: seconds.default(standard.maxHeartBtIntS),
    resetsOnLogon: z
      .boolean()
      .default(standard.resetsOnLogon)
      .describe('numbers begin at 1 with every logon, and nothing is resent from before'),
    schedule: schedule.optional().describe('absent: open at all hours, numbers go on for ever'),
    sendingTimeToleranceMs: z
      .int()
      .min(1_000)
      .max(86_400_000)
      .default(standard.sendingTimeToleranceMs),
    saysNextExpected: z
      .boolean()
      .default(standard.saysNextExpected)
      .describe('NextExpectedMsgSeqNum(789) on every Logon of ours; else to a client that says it'),
    saysLastProcessed: z
      .boolean()
      .default(standard.saysLastProcessed)
      .describe('LastMsgSeqNumProcessed(369) on every message of ours'),
    resendChunk: count.default(standard.resendChunk).describe('a larger gap is asked for in parts'),
    maxSameResends: count.default(standard.maxSameResends),
    gapPatienceMs: waitMs.default(standard.gapPatienceMs),
    logoutWaitMs: waitMs.default(standard.logoutWaitMs),
    maxMsgSeqNum: z.int().min(1_000).max(1_000_000_000).default(standard.maxMsgSeqNum),
  })
  .refine(({ minHeartBtIntS, maxHeartBtIntS }) => minHeartBtIntS <= maxHeartBtIntS, {
    path: ['minHeartBtIntS'],
    message: 'is above maxHeartBtIntS',
  });

/** The rates of a session in the words of both engines. */
export function throttleOf({ rates }: { readonly rates: z.output<typeof messageRates> }) {
  const { orders, cancels, maxRefusals } = rates;
  return { rate: orders, cancelRate: cancels, maxRateRefusals: maxRefusals };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
