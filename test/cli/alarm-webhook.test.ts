/** What a webhook receives of an alarm, and that a bridge without one sends nothing. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { alarmSender } from '../../src/cli/alarm-webhook.ts';
import type { LoadedConfig } from '../../src/gateway/config-file.ts';
import { systemClock } from '../../src/runtime/clock.ts';

const loaded = { config: { environment: 'local' } } as LoadedConfig;

test('without a webhook in the configuration there is none', () => {
  expect(alarmSender(loaded, systemClock, () => {})).toBeUndefined();
});

test('an alarm has the facts of its line, its text and its section of the runbook', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const target = { ...loaded, alarmWebhook: { url, token: null } };
  const sender = alarmSender(target, systemClock, () => {});
  const facts = { event: 'session_alarm', session: 'ALPHA', code: 'rate', about: 'x' } as const;
  sender?.send('ALPHA: too fast', facts);
  const [request, response] = await once(server, 'request');
  expect(JSON.parse(await text(request))).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    environment: 'local',
    event: 'session_alarm',
    session: 'ALPHA',
    code: 'rate',
    text: 'ALPHA: too fast',
    runbook: 'docs/OPERATING.md#an-alarm-in-the-log',
  });
  response.end();
  sender?.stop();
  server.closeAllConnections();
  server.close();
});
