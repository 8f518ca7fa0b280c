/** The log for people, made from real lines of the log. */
import { expect, test } from 'vitest';
import { writeLine } from '../../src/cli/operator-log.ts';
import { prettyLine } from '../../src/cli/pretty-line.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { LineFacts } from '../../src/runtime/operator-line.ts';

function pretty(text: string, facts: LineFacts, more: object = {}): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(prettyLine(line)) };
  writeLine(createLog({ level: 'info', destination }), text, facts, more);
  return lines.join('\n').replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME');
}

test('a fact that the text does not contain is added to it', () => {
  const facts = { event: 'logged_on', session: 'ALPHA', address: '10.0.0.7', tls: true } as const;
  expect(pretty('ALPHA: logged on', facts)).toBe(
    'TIME info  logged_on: ALPHA: logged on (address=10.0.0.7, TLS)',
  );
});

test('an alarm is highlighted and names the section of the runbook', () => {
  const text = 'desk: stream latched';
  expect(pretty(text, { event: 'stream_latched', account: 'desk' })).toBe(
    `TIME ALARM stream_latched: ${text}\n  what to do: docs/OPERATING.md#reports-are-late`,
  );
});

test('the error that ended the process is shown', () => {
  const shown = pretty('exits', { event: 'cannot_go_on' }, { err: new Error('disk is gone') });
  expect(shown).toContain('disk is gone');
});

test('a peer can forge neither a line nor the colors of a terminal', () => {
  const reason = 'x\n12:00:00 info took_over\u001b[31m';
  const shown = pretty('closed', { event: 'disconnected', session: 'A', reason });
  expect(shown.split('\n')).toHaveLength(1);
  expect(shown).not.toContain('\u001b');
});
