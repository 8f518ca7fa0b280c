/**
 * The configuration of a session's engine: how much a client may send, and for FIX sessions the clock, the hours and
 * the resends. Names and defaults are those of the engine (`fix/session-settings.ts`).
 */
import { z } from 'zod';
import type { Schedule } from '../../fix/session-schedule.ts';
import { defaultSessionSettings as standard } from '../../fix/session-settings.ts';
import { key } from '../../runtime/yaml-problem.ts';
import { count, integer, integerOr, isPossible, optionalList } from './config-keys.ts';

const seconds = integer(1, 3_600);
const waitMs = integer(100, 3_600_000);

/** The default exceeds what one process can handle; configure a lower rate to limit a client. */
const rate = z.strictObject({
  perSecond: key(
    integerOr(20_000, 1, 1_000_000),
    'How many messages the client may send in the long run.',
    200,
  ),
  burst: key(
    integerOr(20_000, 1, 1_000_000).meta({ unit: 'messages' }),
    'How many messages the client may send at once after a pause.',
    400,
  ),
});

export const messageRates = z
  .strictObject({
    orders: rate.prefault({}).describe('The rate of all messages except cancels.'),
    cancels: rate
      .prefault({})
      .describe(
        'The rate of cancels. It is separate, so that orders never use up room for cancels.',
      ),
    maxRefusals: key(
      count.default(standard.maxRateRefusals).meta({ unit: 'messages' }),
      'How many messages may be refused for their rate within ten seconds; more end the session.',
      20,
    ),
  })
  .describe('How many messages the client may send. Messages above the rate are refused unread.');

/** Days of the week as numbers, starting with Sunday. */
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3])(:[0-5]\d){1,2}$/, 'not a time of day: HH:MM or HH:MM:SS')
  .meta({ title: 'time of day, HH:MM or HH:MM:SS', unit: 'timeZone' })
  .transform((text) => {
    const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
    return (hours * 60 + minutes) * 60 + seconds;
  });

const weekday = z.enum(weekdays);

const schedule = z
  .strictObject({
    timeZone: key(
      z
        .string()
        .refine(isTimeZone, 'not a time zone such as Europe/Zurich')
        .default('UTC')
        .meta({ title: 'time zone' }),
      'The IANA time zone of the days and times.',
      'Europe/Zurich',
    ),
    days: key(
      optionalList(weekday),
      'The days on which the session starts. If absent, every day.',
      ['mon', 'tue', 'wed', 'thu', 'fri'],
    ),
    startDay: key(
      weekday.optional(),
      'For a session that opens once a week: its first day, with `endDay`.',
      'sun',
    ),
    endDay: key(
      weekday.optional(),
      'The last day of a weekly session. If it equals `startDay` and `end` is not after `start`, the session ends a week later.',
      'fri',
    ),
    start: key(
      timeOfDay,
      'Sequence numbers restart at 1 with the first logon after this time.',
      '06:00',
    ),
    end: key(
      timeOfDay,
      'The client is logged out at this time. If it equals `start`, the session is open all day.',
      '22:00',
    ),
  })
  .refine(({ startDay, endDay }) => (startDay === undefined) === (endDay === undefined), {
    path: ['startDay'],
    message: 'goes with endDay: either both or none',
  })
  .refine(({ days, startDay }) => days === undefined || startDay === undefined, {
    path: ['days'],
    message: 'is for a session that opens each day: remove it if startDay and endDay are set',
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
    heartBtIntS: key(
      seconds.default(standard.heartBtIntS),
      'HeartBtInt(108) that the gateway asks for if it connects out.',
      10,
    ),
    minHeartBtIntS: key(
      seconds.default(standard.minHeartBtIntS),
      'The smallest HeartBtInt(108) that a client may ask for.',
      10,
    ),
    maxHeartBtIntS: key(
      seconds.default(standard.maxHeartBtIntS),
      'The largest HeartBtInt(108) that a client may ask for.',
      120,
    ),
    resetsOnLogon: z
      .boolean()
      .default(standard.resetsOnLogon)
      .describe(
        'Sequence numbers restart at 1 with every logon, and earlier messages are not resent.',
      ),
    schedule: schedule
      .optional()
      .describe(
        'The hours of the session. If absent, it is always open and sequence numbers never restart.',
      ),
    sendingTimeToleranceMs: key(
      integerOr(standard.sendingTimeToleranceMs, 1_000, 86_400_000),
      'How far SendingTime(52) may differ from the clock of the gateway.',
      10_000,
    ),
    saysNextExpected: z
      .boolean()
      .default(standard.saysNextExpected)
      .describe(
        'Sends NextExpectedMsgSeqNum(789) on every Logon. Without it only in reply to a client that sends it.',
      ),
    saysLastProcessed: z
      .boolean()
      .default(standard.saysLastProcessed)
      .describe('Sends LastMsgSeqNumProcessed(369) on every message.'),
    maxMessageBytes: key(
      integerOr(standard.maxMessageBytes, 4_096, 65_536),
      'The largest BodyLength(9) of a message from the client; a longer message is rejected unread.',
      16_384,
    ),
    resendChunk: key(
      count.default(standard.resendChunk).meta({ unit: 'messages' }),
      'The most messages that one ResendRequest(2) of the gateway asks for.',
      500,
    ),
    maxSameResends: key(
      count.default(standard.maxSameResends).meta({ unit: 'requests' }),
      'How often the same ResendRequest(2) is answered; one more ends the session.',
      10,
    ),
    gapPatienceMs: key(
      waitMs.default(standard.gapPatienceMs),
      'How long the client has to fill a gap before the session ends.',
      30_000,
    ),
    logoutWaitMs: key(
      waitMs.default(standard.logoutWaitMs),
      'How long the gateway waits for the reply to its Logout(5).',
      2_000,
    ),
    maxMsgSeqNum: key(
      integerOr(standard.maxMsgSeqNum, 1_000, 1_000_000_000).meta({ unit: 'MsgSeqNum(34)' }),
      `The highest sequence number. A News(B) warns the client ${standard.seqNumWarning} numbers earlier.`,
      999_999_999,
    ),
  })
  .refine(({ minHeartBtIntS, maxHeartBtIntS }) => minHeartBtIntS <= maxHeartBtIntS, {
    path: ['minHeartBtIntS'],
    message: 'is above maxHeartBtIntS',
  })
  .describe('The FIX engine of the session.');

/** The rates of a session under the names that both engines use. */
export function throttleOf({ rates }: { readonly rates: z.output<typeof messageRates> }) {
  const { orders, cancels, maxRefusals } = rates;
  return { rate: orders, cancelRate: cancels, maxRateRefusals: maxRefusals };
}

export function isTimeZone(name: string): boolean {
  return isPossible(() => new Intl.DateTimeFormat('en-US', { timeZone: name }));
}
