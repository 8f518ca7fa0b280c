import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Live, maxPages } from '../../src/console/live.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function setup() {
  const clock = new ManualClock();
  const state = { mark: 1, isAllowed: true };
  const live = new Live(clock, () => ({ orders: state.mark }));
  const added: boolean[] = [];
  const server = createServer((_, response) => {
    added.push(live.add(response, () => state.isAllowed));
    if (added.at(-1) === false) response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const page = () => {
    const heard = { text: '', isOver: false };
    const request = get({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.on('data', (piece) => {
        heard.text += piece;
      });
      response.on('error', () => {});
      response.on('close', () => {
        heard.isOver = true;
      });
    });
    request.on('error', () => {});
    return heard;
  };
  return { added, clock, live, page, state };
}

test('a page hears what stands, then each change once', async () => {
  const { added, clock, page, state } = await setup();
  const heard = page();
  await expect.poll(() => added.length).toBe(1);
  clock.advance(500);
  await expect.poll(() => heard.text).toBe('data: {"orders":1}\n\n');
  clock.advance(2_000);
  state.mark = 2;
  clock.advance(500);
  await expect.poll(() => heard.text).toBe('data: {"orders":1}\n\ndata: {"orders":2}\n\n');
});

test('a page whose login has ended is cut off', async () => {
  const { added, clock, live, page, state } = await setup();
  const heard = page();
  await expect.poll(() => added.length).toBe(1);
  state.isAllowed = false;
  clock.advance(500);
  await expect.poll(() => heard.isOver).toBe(true);
  await expect.poll(() => live.pages).toBe(0);
});

test('pages are bounded', async () => {
  const { added, page } = await setup();
  for (let count = 0; count <= maxPages; count += 1) page();
  await expect.poll(() => added.length).toBe(maxPages + 1);
  expect(added.filter((isAdded) => !isAdded)).toHaveLength(1);
});
