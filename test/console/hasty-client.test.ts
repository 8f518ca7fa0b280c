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
