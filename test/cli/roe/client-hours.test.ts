import { expect, test } from 'vitest';
import { hoursOf } from '../../../src/cli/roe/client-hours.ts';
import type { FixSessionConfig } from '../../../src/gateway/config.ts';
import { fixEngineKeys } from '../../../src/gateway/engine-config.ts';

const session = (engine: object, allowReset = false) =>
  ({ allowReset, engine: fixEngineKeys.parse(engine) }) as FixSessionConfig;
const never = ['ResetOnLogon=N', 'ResetOnLogout=N', 'ResetOnDisconnect=N'];

test('a session without hours never ends for the engines that can say so', () => {
  for (const engine of ['j', 'n'] as const) {
    // QuickFIX/n refuses NonStopSession beside StartTime.
    expect(hoursOf(session({}), engine)).toEqual(['NonStopSession=Y', ...never]);
  }
});

test('QuickFIX C++, which begins anew each day, says so where the session allows it', () => {
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
    ...times,
    'TimeZone=Europe/Zurich',
    'Weekdays=Mon,Fri',
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

test('a bridge that begins anew with every logon has a client that does', () => {
  expect(hoursOf(session({ resetsOnLogon: true }), 'j')).toEqual([
    'NonStopSession=Y',
    'ResetOnLogon=Y',
    'ResetOnLogout=N',
    'ResetOnDisconnect=N',
  ]);
});
