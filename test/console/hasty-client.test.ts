import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleDesk, startConsoleDesk } from '../support/console-desk.ts';

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await startConsoleDesk();
});

afterAll(async () => {
  await desk.stop();
});

test('a stranger who sends requests ahead of the responses is cut off', async () => {
  const { host, port } = new URL(desk.url);
  const hasty = connect(Number(port), '127.0.0.1').on('error', () => {});
  hasty.write(`GET /style.css HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(1_000));
  let read = '';
  hasty.on('data', (piece) => {
    read += String(piece);
  });
  await once(hasty, 'close');
  expect(read.split('HTTP/1.1 200').length).toBeLessThan(3);
});

test('a stranger who leaves within a body is no internal error that an operator has to look at', async () => {
  const { host, port } = new URL(desk.url);
  const gone = connect(Number(port), '127.0.0.1').on('error', () => {});
  const headers = `Host: ${host}\r\nOrigin: ${desk.url}\r\nContent-Type: application/json`;
  gone.end(`POST /api/login HTTP/1.1\r\n${headers}\r\nContent-Length: 9\r\n\r\n{`);
  await once(gone.resume(), 'close');
  const visitor = await desk.login();
  const rows = (await visitor.get('/api/alarms')) as { text: string }[];
  expect(rows.filter(({ text }) => text.startsWith('console:'))).toEqual([]);
});
