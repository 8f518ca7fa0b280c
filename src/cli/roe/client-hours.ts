/**
 * When a QuickFIX client restarts its sequence numbers, which must coincide with the bridge's restart: a client that
 * sends 1 where the bridge expects 500 is refused.
 */
import type { FixSessionConfig } from '../../gateway/config/config.ts';

export type Engine = 'cpp' | 'j' | 'n';

type Hours = NonNullable<FixSessionConfig['engine']['schedule']>;

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function hoursOf(session: FixSessionConfig, engine: Engine): string[] {
  const { schedule, resetsOnLogon } = session.engine;
  const resets = (key: 'ResetOnLogout' | 'ResetOnLogon' | '') =>
    ['ResetOnLogon', 'ResetOnLogout', 'ResetOnDisconnect'].map(
      (one) => `${one}=${one === key ? 'Y' : 'N'}`,
    );
  if (resetsOnLogon) return [...endless(engine), ...resets('ResetOnLogon')];
  if (schedule !== undefined) return [...within(schedule, engine), ...resets('')];
  if (engine !== 'cpp') return [...endless(engine), ...resets('')];
  return session.allowReset
    ? [
        '# QuickFIX C++ begins at 1 each day at StartTime, in UTC. With ResetOnLogout=Y it sends 141=Y; the',
        '# numbers continue after a connection that breaks.',
        ...endless(engine),
        ...resets('ResetOnLogout'),
      ]
    : [
        '# QuickFIX C++ begins at 1 each day at StartTime, in UTC, and this session takes no reset: ask the operator',
        '# of the bridge for engine.schedule from 00:00 to 00:00, or for allowReset.',
        ...endless(engine),
        ...resets(''),
      ];
}

function endless(engine: Engine): string[] {
  return engine === 'cpp' ? ['StartTime=00:00:00', 'EndTime=00:00:00'] : ['NonStopSession=Y'];
}

function within(schedule: Hours, engine: Engine): string[] {
  const { endS, startS, timeZone } = schedule;
  const times = [`StartTime=${timeOfDay(startS)}`, `EndTime=${timeOfDay(endS)}`];
  const days = daysOf(schedule, engine);
  if (engine !== 'cpp') return [...days, ...times, `TimeZone=${timeZone}`];
  if (timeZone === 'UTC') return [...days, ...times];
  return [
    ...days,
    `# Times of ${timeZone}: QuickFIX C++ supports UTC, or with this key its machine's local time.`,
    'UseLocalTime=Y',
    ...times,
  ];
}

/** This follows from QuickFIX's isInSameRange, regardless of StartDay. */
const cutWeek = [
  '# QuickFIX C++ begins at 1 on Sunday at 00:00 of its clock as well, in the middle of this week, and is then',
  '# refused: ask the operator of the bridge for a week that begins there (startDay: sun, start: 00:00).',
];

/** Only QuickFIX/J supports a list of opening days; all support one opening day and one closing day. */
function daysOf({ days, lengthDays, startS }: Hours, engine: Engine): string[] {
  if (days.length === dayNames.length) return [];
  const [first] = days;
  if (days.length === 1 && first !== undefined && lengthDays > 0) {
    const week = [`StartDay=${dayNames[first]}`, `EndDay=${dayNames[(first + lengthDays) % 7]}`];
    const isCut = engine === 'cpp' && first + lengthDays >= 7 && first + startS > 0;
    return isCut ? [...cutWeek, ...week] : week;
  }
  const names = days.map((day) => dayNames[day]).join(',');
  return [engine === 'j' ? `Weekdays=${names}` : `# Days on which it opens: ${names}`];
}

/** `08:05:00` */
export function timeOfDay(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
