import { expect, test } from 'vitest';
import type { SessionConfig } from '../../../src/gateway/config/config.ts';
import { SessionHours } from '../../../src/gateway/config/session-hours.ts';

const schedule = { timeZone: 'UTC', days: [1], startS: 6 * 3_600, endS: 18 * 3_600, lengthDays: 0 };
const session = { protocol: 'fix', engine: { schedule } } as unknown as SessionConfig;
/** A Monday. */
const at = (hour: number) => Date.UTC(2026, 0, 5, hour);

test('a session says when it closes, and when it opens next, also after the clock was set back', () => {
  const hours = new SessionHours();
  expect(hours.of(session, at(5))).toEqual({ isOpen: false, changesMs: at(6) });
  expect(hours.of(session, at(6))).toEqual({ isOpen: true, changesMs: at(18) });
  expect(hours.of(session, at(12))).toEqual({ isOpen: true, changesMs: at(18) });
  expect(hours.of(session, at(19))).toEqual({ isOpen: false, changesMs: at(6) + 7 * 86_400_000 });
  expect(hours.of(session, at(7))).toEqual({ isOpen: true, changesMs: at(18) });
});

test('a session without hours is always open', () => {
  const hours = new SessionHours();
  for (const protocol of ['fix', 'fixp']) {
    const always = { protocol, engine: {} } as unknown as SessionConfig;
    expect(hours.of(always, at(0))).toEqual({ isOpen: true, changesMs: null });
  }
});
