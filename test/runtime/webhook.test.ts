/** Messages to a URL, received by a real HTTP server; the clock is moved by hand. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { defaultWebhookLimits, Webhook, type WebhookLimits } from '../../src/runtime/webhook.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

let server: Server;
let received: Received[];
let problems: string[];
let answer: (response: ServerResponse) => void;
let clock: ManualClock;
let webhook: Webhook | undefined;

beforeEach(async () => {
  received = [];
  problems = [];
  answer = (response) => response.writeHead(200).end();
  clock = new ManualClock();
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: JSON.parse(await text(request)) });
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  webhook?.stop();
  server.closeAllConnections();
  server.close();
});

function open(limits: Partial<WebhookLimits> = {}, token: string | null = null): Webhook {
  const { port } = server.address() as AddressInfo;
  webhook = new Webhook({
    target: { url: new URL(`http://127.0.0.1:${port}/hook?key=in-the-url`), token },
    clock,
    limits: { ...defaultWebhookLimits, ...limits },
    problem: (problem) => void problems.push(problem),
  });
  return webhook;
}

/** Moves the clock in small steps until it is so; each look lets real requests proceed. */
async function until(isSo: () => boolean, stepMs = 0): Promise<void> {
  await expect
    .poll(
      () => {
        if (!isSo()) clock.advance(stepMs);
        return isSo();
      },
      { interval: 2, timeout: 10_000 },
    )
    .toBe(true);
}

test('messages arrive in order, with the token, and secrets are masked', async () => {
  const hook = open({}, 'hunter2');
  hook.send({ text: 'first', password: 'secret' });
  hook.send({ text: 'second 554=pw' });
  expect(received).toEqual([]);
  await until(() => hook.queued === 0);
  expect(received.map(({ body }) => body)).toEqual([
    { text: 'first', password: '***' },
    { text: 'second 554=***' },
  ]);
  expect(received[0]?.headers.authorization).toBe('Bearer hunter2');
  expect(problems).toEqual([]);
});

test('a failure of the receiver is tried again, later each time, until it is delivered', async () => {
  answer = (response) => response.writeHead(received.length < 4 ? 503 : 200).end();
  const hook = open();
  hook.send({ text: 'once' });
  const started = clock.now().monoMs;
  await until(() => hook.queued === 0, 100);
  expect(received).toHaveLength(4);
  expect(clock.now().monoMs - started).toBeGreaterThan(5_000);
  expect(problems).toEqual([]);
});

test('a message that the receiver refuses is given up, and the next one counts it', async () => {
  answer = (response) => response.writeHead(received.length === 1 ? 400 : 200).end();
  const hook = open();
  hook.send({ text: 'refused' });
  hook.send({ text: 'next' });
  await until(() => hook.queued === 0);
  expect(received[1]?.body).toEqual({ text: 'next', dropped: 1 });
  expect(problems).toEqual([expect.stringContaining('HTTP 400')]);
});

test('a receiver that never answers costs one request at a time and a bounded queue', async () => {
  answer = () => {};
  const hook = open({ queued: 3, attempts: 2 });
  for (let index = 0; index < 1_000; index += 1) hook.send({ index });
  expect(hook.queued).toBe(3);
  await until(() => received.length === 1);
  hook.send({ index: 'last' });
  expect(hook.queued).toBe(3);
  answer = (response) => response.writeHead(200).end();
  await until(() => hook.queued === 0, 1_000);
  expect(received.at(-1)?.body).toMatchObject({ index: 'last' });
  const dropped = received.reduce(
    (sum, { body }) => Math.max(sum, Number(body['dropped'] ?? 0)),
    0,
  );
  expect(dropped).toBe(998);
});

test('a redirect is not followed, so the token goes nowhere else', async () => {
  answer = (response) => response.writeHead(307, { location: '/elsewhere' }).end();
  const hook = open({ attempts: 1 }, 'hunter2');
  hook.send({ text: 'x' });
  await until(() => hook.queued === 0);
  expect(received).toHaveLength(1);
  expect(problems).toHaveLength(1);
});

test('a problem names neither the URL nor the token', async () => {
  const hook = open({ attempts: 1 }, 'hunter2');
  server.close();
  server.closeAllConnections();
  hook.send({ text: 'x' });
  await until(() => hook.queued === 0);
  expect(problems.join()).toContain('ECONNREFUSED');
  expect(problems.join()).not.toMatch(/in-the-url|hunter2|127\.0\.0\.1/);
});

test('an answer without end does not keep a message from being delivered', async () => {
  answer = (response) => void response.writeHead(200).write('x'.repeat(100_000));
  const hook = open();
  hook.send({ text: 'x' });
  await until(() => hook.queued === 0);
  expect(problems).toEqual([]);
});

test('after a stop nothing is sent', async () => {
  const hook = open();
  hook.send({ text: 'x' });
  hook.stop();
  hook.send({ text: 'y' });
  clock.advance(100_000);
  expect(hook.queued).toBe(0);
  expect(received).toEqual([]);
});
