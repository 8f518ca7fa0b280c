import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { operatorLines, readAgain, writeLine } from '../../src/cli/operator-log.ts';
import type { LoadedConfig } from '../../src/gateway/config/config-file.ts';
import { createLog } from '../../src/runtime/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }));
  return lines.map((line) => JSON.parse(line));
}

test('a line has its event, its facts and the level of its event, and no key for folding', () => {
  const facts = {
    event: 'connection_refused',
    address: '10.0.0.7',
    tls: true,
    about: 'x',
  } as const;
  const [line] = logged((log) => writeLine(log, 'refused: wrong password', facts));
  expect(line).toEqual({
    runbook: 'docs/OPERATING.md#a-client-cannot-log-on',
    level: 'warn',
    time: expect.any(String),
    event: 'connection_refused',
    address: '10.0.0.7',
    tls: true,
    msg: 'refused: wrong password',
  });
});

test('an alarm is an error with a link to the runbook', () => {
  const [line] = logged((log) =>
    writeLine(log, 'the stream is latched', { event: 'stream_latched', account: 'desk' }),
  );
  expect(line).toMatchObject({
    level: 'error',
    alarm: true,
    event: 'stream_latched',
    runbook: 'docs/OPERATING.md#reports-are-late',
    account: 'desk',
  });
});

test('a secret in the text is masked', () => {
  const [line] = logged((log) => writeLine(log, 'got 554=hunter2\u0001', { event: 'logged_on' }));
  expect(JSON.stringify(line)).not.toContain('hunter2');
});

test('a configuration that is read again is noted, and a wrong one is an alarm and changes nothing', async () => {
  const lines = { notice: vi.fn(), alarm: vi.fn() };
  expect(await readAgain('a.yaml', async () => 'new', lines)).toBe('new');
  expect(lines.notice).toHaveBeenCalledWith('a.yaml was read again', { event: 'config_read' });
  const wrong = () => {
    throw new Error('markets: missing');
  };
  expect(await readAgain('a.yaml', wrong, lines)).toBeUndefined();
  expect(lines.alarm).toHaveBeenCalledWith('the configuration stays as it was: markets: missing', {
    event: 'config_refused',
  });
});

const loaded = { config: { environment: 'local' } } as LoadedConfig;

test('without a webhook in the configuration an alarm is only logged', () => {
  const lines = logged((log) => operatorLines(log, loaded).alarm('too old', { event: 'trail' }));
  expect(lines).toHaveLength(1);
});

test('a webhook gets the facts of an alarm, its text and its section of the runbook', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const target = { ...loaded, alarmWebhook: { url, token: null } };
  const log = createLog({ level: 'info', destination: { write: () => {} } });
  const lines = operatorLines(log, target);
  const facts = { event: 'session_alarm', session: 'ALPHA', code: 'rate', about: 'x' } as const;
  lines.alarm('ALPHA: too fast', facts);
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
  lines.stop();
  server.closeAllConnections();
  server.close();
});
