import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type LinkListener, SocketLink } from '../../src/transport/link.ts';

const server = createServer({ allowHalfOpen: true });
const sockets: Socket[] = [];
let port = 0;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function pair() {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const near = connect({ port, host: '127.0.0.1' });
  const [far] = await accepted;
  sockets.push(near, far);
  const clock = new ManualClock();
  const link = new SocketLink(near, { address: '127.0.0.1' }, clock);
  const heard: string[] = [];
  const closed = new Promise<void>((resolve) => {
    const listener: LinkListener = {
      data: (bytes) => void heard.push(Buffer.from(bytes).toString()),
      drained: () => void heard.push('drained'),
      closed: () => {
        heard.push('closed');
        resolve();
      },
    };
    link.listen(listener);
  });
  return { near, far, clock, link, heard, closed };
}

test('what is written comes out at the other end, what comes in is heard', async () => {
  const { far, link, heard } = await pair();
  link.write(Buffer.from('out'));
  expect(String((await once(far, 'data'))[0])).toBe('out');
  far.write('in');
  await expect.poll(() => heard).toEqual(['in']);
});

test('bytes that the other side does not take are counted, and their going is told', async () => {
  const { far, link, heard } = await pair();
  far.pause();
  while (link.bufferedBytes < 1_000_000) link.write(new Uint8Array(500_000));
  far.resume();
  await expect.poll(() => heard).toContain('drained');
  await expect.poll(() => link.bufferedBytes).toBe(0);
});

test('while paused nothing is heard', async () => {
  const { far, link, heard } = await pair();
  link.pause();
  await new Promise<void>((resolve) => far.write('later', () => resolve()));
  expect(heard).toEqual([]);
  link.resume();
  await expect.poll(() => heard).toEqual(['later']);
});

test('an end sends what was written before it', async () => {
  const { far, link, closed } = await pair();
  link.write(Buffer.from('last words'));
  link.end();
  let text = '';
  for await (const piece of far) text += piece;
  expect(text).toBe('last words');
  far.end();
  await closed;
});

test('an end that the other side does not answer is cut off after two seconds', async () => {
  const { far, clock, link, heard, closed } = await pair();
  far.pause();
  link.end();
  clock.advance(1_999);
  expect(heard).toEqual([]);
  clock.advance(1);
  await closed;
});

test('a connection that is reset is closed, and writing to it does no harm', async () => {
  const { far, link, heard, closed } = await pair();
  far.resetAndDestroy();
  await closed;
  link.write(Buffer.from('nobody there'));
  link.end();
  expect(heard).toEqual(['closed']);
});

test('who listens after the end hears of it', async () => {
  const { near, link, closed } = await pair();
  near.destroy();
  await closed;
  await new Promise<void>((resolve) => {
    link.listen({ data: () => {}, drained: () => {}, closed: resolve });
  });
});

test('a peer that ends its side is gone at once, and only once', async () => {
  const { near, far, heard } = await pair();
  near.on('end', () => heard.push('end'));
  far.end();
  await once(near, 'close');
  expect(heard).toEqual(['closed', 'end']);
});

test('a peer that ends its side and does not read what it was sent is cut off after two seconds', async () => {
  const { near, far, clock, link, closed } = await pair();
  far.pause();
  while (link.bufferedBytes < 4_000_000) link.write(new Uint8Array(500_000));
  far.end();
  await closed;
  clock.advance(1_999);
  expect(near.destroyed).toBe(false);
  clock.advance(1);
  expect(near.destroyed).toBe(true);
});

test('a peer that sends as fast as it can is read in turn with everybody else', async () => {
  const { far, link, near } = await pair();
  let bytes = 0;
  const heardByTurn: number[] = [];
  link.listen({
    data: (piece) => {
      if (bytes === 0) setImmediate(() => heardByTurn.push(bytes));
      bytes += piece.length;
    },
    drained: () => {},
    closed: () => {},
  });
  near.pause();
  far.write(new Uint8Array(1_000_000));
  await new Promise((resolve) => setTimeout(resolve, 50));
  near.resume();
  await expect.poll(() => bytes).toBe(1_000_000);
  expect(heardByTurn).toEqual([expect.any(Number)]);
  expect(heardByTurn[0]).toBeLessThanOrEqual(128 * 1024);
});

test('a link that is paused while it is not its turn stays paused', async () => {
  const { far, link } = await pair();
  let bytes = 0;
  link.listen({
    data: (piece) => {
      bytes += piece.length;
      link.pause();
    },
    drained: () => {},
    closed: () => {},
  });
  far.write(new Uint8Array(1_000_000));
  await expect.poll(() => bytes).toBeGreaterThan(0);
  const before = bytes;
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(bytes).toBe(before);
  link.resume();
  await expect.poll(() => bytes).toBeGreaterThan(before);
});
