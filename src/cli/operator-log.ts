/** Writes events as JSON lines of the log: with the level of the event, and for what needs a person a link to the runbook. */
import type { Log } from '../runtime/log.ts';
import {
  type AlarmFacts,
  type LineFacts,
  lineEvents,
  runbookOf,
} from '../runtime/operator-line.ts';

/** `more` is an error behind the event, or similar. */
export function writeLine(log: Log, text: string, facts: LineFacts, more: object = {}): void {
  const { about: _, ...shown } = facts;
  const { level } = lineEvents[facts.event];
  const runbook = runbookOf(facts.event);
  const line = { ...shown, ...(runbook !== undefined && { runbook }), ...more };
  if (level === 'alarm') log.error({ alarm: true, ...line }, text);
  else if (level === 'fatal') log.fatal({ alarm: true, ...line }, text);
  else log[level](line, text);
}

export function writeAlarm(log: Log, text: string, facts: AlarmFacts): void {
  writeLine(log, text, facts);
}
