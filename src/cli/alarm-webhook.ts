/** Sends alarms to the configured webhook, with the redacted fields of the log line. */
import type { LoadedConfig } from '../gateway/config-file.ts';
import type { Clock } from '../runtime/clock.ts';
import { type AlarmFacts, runbookOf, type WriteNotice } from '../runtime/operator-line.ts';
import { Webhook } from '../runtime/webhook.ts';

export interface AlarmSender {
  send(text: string, facts: AlarmFacts): void;
  stop(): void;
}

/** Undefined without a configured webhook. */
export function alarmSender(
  { alarmWebhook, config }: LoadedConfig,
  clock: Clock,
  notice: WriteNotice,
): AlarmSender | undefined {
  if (alarmWebhook === undefined) return undefined;
  const webhook = new Webhook({
    target: alarmWebhook,
    clock,
    problem: (text) => notice(text, { event: 'webhook_failed' }),
  });
  return {
    send(text, { about: _, ...facts }) {
      const time = new Date(clock.now().wallMs).toISOString();
      const runbook = runbookOf(facts.event);
      webhook.send({ time, environment: config.environment, ...facts, text, runbook });
    },
    stop: () => webhook.stop(),
  };
}
