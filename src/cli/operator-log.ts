/** Lines for the operator as JSON lines of the log: the level is that of the event, and an alarm's is always error. */
import type { Log } from '../runtime/log.ts';
import { type LineFacts, lineEvents } from '../runtime/operator-line.ts';

export function writeLine(log: Log, text: string, facts: LineFacts): void {
  const { about: _, ...shown } = facts;
  log[lineEvents[facts.event][0]](shown, text);
}

export function writeAlarm(log: Log, text: string, facts: LineFacts): void {
  const { about: _, ...shown } = facts;
  log.error({ alarm: true, ...shown }, text);
}
