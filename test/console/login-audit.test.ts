import { expect, test } from 'vitest';
import { LoginAudit } from '../../src/console/login-audit.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

function setup() {
  const clock = new ManualClock();
  const records: unknown[] = [];
  const operator = {
    recordExternalAct: (
      { who }: { who: string },
      what: string,
      subject: string,
      after: unknown,
    ) => {
      records.push({ who, what, subject, after });
    },
  };
  return { clock, records, audit: new LoginAudit(clock, () => operator) };
}

test('a login is a record with who and from where', () => {
  const { audit, records } = setup();
  audit.loggedIn('ann', '10.0.0.1', 'the token was right');
  const after = { address: '10.0.0.1' };
  expect(records).toEqual([{ who: 'ann', what: 'login', subject: 'console', after }]);
});

test('strangers who try for an hour leave one record a minute, with how often and some of their addresses', () => {
  const { audit, clock, records } = setup();
  for (let second = 0; second < 3_600; second += 1) {
    for (let i = 0; i < 20; i += 1) {
      audit.failed(i % 4 === 0 ? 'ann' : undefined, `10.1.${second % 200}.${i}`);
    }
    clock.advance(1_000);
  }
  expect(records).toHaveLength(61);
  expect(records[0]).toMatchObject({
    what: 'login_failed',
    after: { attempts: 1, known: { ann: 1 }, unknown: 0, addresses: ['10.1.0.0'] },
  });
  const { after } = records[1] as { after: { attempts: number; addresses: string[] } };
  expect(after.attempts).toBeGreaterThan(1_000);
  expect(after.addresses).toHaveLength(8);
  expect(JSON.stringify(records[1]).length).toBeLessThan(500);
});

test('a quiet minute leaves no record, and what comes after it is recorded at once', () => {
  const { audit, clock, records } = setup();
  audit.failed('ann', '10.0.0.1');
  clock.advance(200_000);
  expect(records).toHaveLength(1);
  audit.failed('ann', '10.0.0.1');
  expect(records).toHaveLength(2);
});

test('what was gathered is recorded when the console closes', () => {
  const { audit, records } = setup();
  for (let i = 0; i < 3; i += 1) audit.failed(undefined, '10.0.0.1');
  audit.close();
  expect(records).toHaveLength(2);
  expect(records[1]).toMatchObject({ after: { attempts: 2, known: {}, unknown: 2 } });
});
