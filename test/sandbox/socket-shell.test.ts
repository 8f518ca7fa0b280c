import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { open, Stream } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
const port = Number(new URL(venue.info.baseUrl).port);

/** The first line that answers an upgrade. */
async function upgrade(path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
  socket.write([`GET ${path} HTTP/1.1`, 'Host: x', ...head, key, '', ''].join('\r\n'));
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (text.includes('\r\n')) break;
  }
  socket.destroy();
  return text.split('\r\n')[0]!;
}

test('only the path of the private stream is upgraded', async () => {
  expect(await upgrade('/api/v1/ws/private?x=1')).toBe('HTTP/1.1 101 Switching Protocols');
  expect(await upgrade('/api/v1/ws/other')).toBe('HTTP/1.1 404 Not Found');
});

test('sockets are bounded in number, and one that goes makes room', async () => {
  const streams: Stream[] = [];
  while (streams.length < 1000) {
    const some = Array.from({ length: 100 }, () => Stream.open(venue.info.wsUrl));
    streams.push(...(await Promise.all(some)));
  }
  expect(await upgrade('/api/v1/ws/private')).toBe('HTTP/1.1 503 Service Unavailable');
  for (const stream of streams) stream.close();
  while ((await upgrade('/api/v1/ws/private')).includes('503'));
});

test('a refused upgrade whose client does not close its side keeps no connection', async () => {
  const other = await open();
  const socket = connect({
    port: Number(new URL(other.info.baseUrl).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  socket.on('error', () => undefined);
  socket.write('GET /x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  for await (const _ of socket);
  // The venue can only stop once no connection is left.
  await other.stop();
  socket.destroy();
});
