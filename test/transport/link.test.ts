import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { SocketLink } from '../../src/transport/link.ts';

test('a peer that ends its side is gone at once, and only once', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  const order: string[] = [];
  const link = new SocketLink(socket, { address: '127.0.0.1' }, systemClock);
  link.listen({ data: () => {}, drained: () => {}, closed: () => order.push('gone') });
  socket.on('end', () => order.push('end'));
  client.end();
  await once(socket, 'close');
  expect(order).toEqual(['gone', 'end']);
  server.close();
});
