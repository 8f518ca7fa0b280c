/** The table of events itself is compared with the documents in test/docs/events.test.ts. */
import { expect, test } from 'vitest';
import {
  type LineEvent,
  type LineFacts,
  lineEvents,
  runbookOf,
  withFacts,
} from '../../src/runtime/operator-line.ts';

const events = Object.keys(lineEvents) as LineEvent[];

test('an event links to its section of the runbook, and an alarm without one of its own to the general one', () => {
  expect(runbookOf('kill_switch')).toBe('docs/OPERATING.md#a-kill-switch-is-on');
  expect(runbookOf('expiry')).toBe('docs/OPERATING.md#rotating-keys-credentials-and-certificates');
  expect(runbookOf('data_lost')).toBe('docs/OPERATING.md#standby');
  expect(runbookOf('address_blocked')).toBe('docs/OPERATING.md#a-client-cannot-log-on');
  for (const event of ['drop_copy', 'account'] as const) {
    expect(runbookOf(event)).toBe('docs/OPERATING.md#an-alarm-in-the-log');
  }
});

test('an event that needs nobody has no section, a warning may have one', () => {
  expect(runbookOf('logged_on')).toBeUndefined();
  expect(runbookOf('venue_problem')).toBeUndefined();
  const isLinked = (level: string) =>
    new Set(
      events
        .filter((event) => lineEvents[event].level === level)
        .map((event) => runbookOf(event) !== undefined),
    );
  expect(isLinked('info')).toEqual(new Set([false]));
  expect(isLinked('warn')).toEqual(new Set([true, false]));
});

test('whoever has only a text writes it with the facts that were given for it', () => {
  const lines: [string, LineFacts][] = [];
  const write = withFacts((text, facts: LineFacts) => lines.push([text, facts]), {
    event: 'drop_copy',
    account: 'desk',
  });
  write('one');
  write('two');
  const facts = { event: 'drop_copy', account: 'desk' };
  expect(lines).toEqual([
    ['one', facts],
    ['two', facts],
  ]);
});
