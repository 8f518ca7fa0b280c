/** Writes events as JSON lines with their level, and with a link to the runbook if an operator has to act. */
import type { LoadedConfig } from '../gateway/config/config-file.ts';
import type { DataLock } from '../gateway/data/data-lock.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import {
  type LineFacts,
  lineEvents,
  type OperatorLines,
  type RaiseAlarm,
  runbookOf,
  type WriteNotice,
  withFacts,
} from '../runtime/operator-line.ts';
import { Webhook } from '../runtime/webhook.ts';

/** `more` contains additional data, such as the error behind the event. */
export function writeLine(log: Log, text: string, facts: LineFacts, more: object = {}): void {
  const { about: _, ...shown } = facts;
  const { level } = lineEvents[facts.event];
  const runbook = runbookOf(facts.event);
  const line = { ...shown, ...(runbook !== undefined && { runbook }), ...more };
  if (level === 'alarm') log.error({ alarm: true, ...line }, text);
  else if (level === 'fatal') log.fatal({ alarm: true, ...line }, text);
  else log[level](line, text);
}

/** Exits once another process has taken the lock of the data. */
export function exitWhenLost(lock: DataLock, log: Log, exitCode: number): void {
  lock.whenLost(systemClock, () => {
    const text = 'another process has taken over the data, so this one exits';
    writeLine(log, text, { event: 'data_lost' });
    process.exit(exitCode);
  });
}

export function writeListening(log: Log, text: string, tls: object | undefined): void {
  writeLine(log, text, { event: 'started_listening', tls: tls !== undefined });
}

/** Both write to the log; an alarm is also sent to the configured webhook, with the fields of its line. */
export function operatorLines(log: Log, { alarmWebhook: target, config }: LoadedConfig) {
  const notice: WriteNotice = (text, facts) => writeLine(log, text, facts);
  const problem = withFacts(notice, { event: 'webhook_failed' });
  const webhook = target && new Webhook({ target, clock: systemClock, problem });
  const alarm: RaiseAlarm = (text, facts) => {
    writeLine(log, text, facts);
    const { about: _, ...shown } = facts;
    const time = new Date(systemClock.now().wallMs).toISOString();
    const runbook = runbookOf(facts.event);
    webhook?.send({ time, environment: config.environment, ...shown, text, runbook });
  };
  return { notice, alarm, stop: () => webhook?.stop() };
}

/** Reloads a configuration. An invalid one changes nothing, and the result is undefined. */
export async function readAgain<T>(
  what: string,
  read: () => T | Promise<T>,
  { alarm, notice }: OperatorLines,
): Promise<T | undefined> {
  try {
    const found = await read();
    notice(`${what} was read again`, { event: 'config_read' });
    return found;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const text = `the configuration stays as it was: ${error.message}`;
    alarm(text, { event: 'config_refused' });
    return undefined;
  }
}
