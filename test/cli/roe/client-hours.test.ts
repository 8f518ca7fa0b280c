import { expect, test } from 'vitest';
import { hoursOf } from '../../../src/cli/roe/client-hours.ts';
import type { FixSessionConfig } from '../../../src/gateway/config/config.ts';
import { fixEngineKeys } from '../../../src/gateway/config/engine-config.ts';

const session = (engine: object, allowReset = false) =>
  ({ allowReset, engine: fixEngineKeys.parse(engine) }) as FixSessionConfig;
const never = ['ResetOnLogon=N', 'ResetOnLogout=N', 'ResetOnDisconnect=N'];

test('a session without hours never ends for the engines that can say so', () => {
  for (const engine of ['j', 'n'] as const) {
    // QuickFIX/n refuses NonStopSession beside StartTime.
    expect(hoursOf(session({}), engine)).toEqual(['NonStopSession=Y', ...never]);
  }
});

test('for QuickFIX C++, which resets each day, the settings say so where the session allows it', () => {
  const lines = hoursOf(session({}, true), 'cpp');
  expect(lines).toContain('StartTime=00:00:00');
  expect(lines).toContain('ResetOnLogout=Y');
  expect(hoursOf(session({}, false), 'cpp').join('\n')).toContain('ask the operator');
  expect(hoursOf(session({}, false), 'cpp')).toContain('ResetOnLogout=N');
});

test('hours are those of the session, so that both begin at 1 at the same moment', () => {
  const own = session({
    schedule: { timeZone: 'Europe/Zurich', days: ['mon', 'fri'], start: '08:00', end: '17:30' },
  });
  const times = ['StartTime=08:00:00', 'EndTime=17:30:00'];
  expect(hoursOf(own, 'j')).toEqual([
    'Weekdays=Mon,Fri',
    ...times,
    'TimeZone=Europe/Zurich',
    ...never,
  ]);
  expect(hoursOf(own, 'n')).toEqual([
    '# Days on which it opens: Mon,Fri',
    ...times,
    'TimeZone=Europe/Zurich',
    ...never,
  ]);
  expect(hoursOf(own, 'cpp')).toEqual([
    '# Days on which it opens: Mon,Fri',
    expect.stringContaining('Times of Europe/Zurich'),
    'UseLocalTime=Y',
    ...times,
    ...never,
  ]);
  const daily = session({ schedule: { start: '00:00', end: '00:00' } });
  expect(hoursOf(daily, 'cpp')).toEqual(['StartTime=00:00:00', 'EndTime=00:00:00', ...never]);
});

test('a week is one that every engine knows', () => {
  const own = session({
    schedule: { startDay: 'sun', start: '17:00', endDay: 'fri', end: '16:00' },
  });
  const week = ['StartDay=Sun', 'EndDay=Fri', 'StartTime=17:00:00', 'EndTime=16:00:00'];
  expect(hoursOf(own, 'cpp')).toEqual([...week, ...never]);
  for (const engine of ['j', 'n'] as const) {
    expect(hoursOf(own, engine)).toEqual([...week, 'TimeZone=UTC', ...never]);
  }
});

test('for QuickFIX C++ the text says where it splits a week in two', () => {
  const of = (startDay: string, endDay: string, start: string) =>
    hoursOf(session({ schedule: { startDay, endDay, start, end: start } }), 'cpp').join('\n');
  expect(of('fri', 'mon', '17:00')).toContain('on Sunday at 00:00');
  expect(of('sun', 'sun', '17:00')).toContain('on Sunday at 00:00');
  expect(of('sun', 'sun', '00:00')).not.toContain('00:00 of its clock');
  expect(of('sun', 'sat', '17:00')).not.toContain('00:00 of its clock');
});

test('for a bridge that resets with every logon, the client does too', () => {
  expect(hoursOf(session({ resetsOnLogon: true }), 'j')).toEqual([
    'NonStopSession=Y',
    'ResetOnLogon=Y',
    'ResetOnLogout=N',
    'ResetOnDisconnect=N',
  ]);
});
