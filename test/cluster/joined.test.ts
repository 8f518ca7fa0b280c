/** A client's connection and the one that leads on: what one side sent arrives although it ended, and neither stays alone. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { joined } from '../../src/cluster/joined.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { SocketLink } from '../../src/transport/link.ts';
import { until } from '../support/waits.ts';

let server: Server;
let clock: ManualClock;
const sockets: Socket[] = [];

beforeEach(async () => {
  clock = new ManualClock();
  server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** A connection: the end of somebody outside, and the node's. */
async function pair(): Promise<readonly [outside: Socket, inside: Socket]> {
  const { port } = server.address() as AddressInfo;
  const outside = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  const [inside] = (await once(server, 'connection')) as [Socket];
  for (const socket of [outside, inside]) socket.on('error', () => {});
  sockets.push(outside, inside);
  return [outside, inside];
}

async function line() {
  const [client, clientInside] = await pair();
  const [worker, workerInside] = await pair();
  joined(new SocketLink(clientInside, { address: '192.0.2.7' }, clock), workerInside, clock);
  const heard = { client: '', worker: '' };
  client.on('data', (piece) => {
    heard.client += piece.toString();
  });
  worker.on('data', (piece) => {
    heard.worker += piece.toString();
  });
  return { client, clientInside, heard, worker, workerInside };
}

test('bytes go both ways', async () => {
  const { client, heard, worker } = await line();
  client.write('order');
  worker.write('report');
  await until(() => heard.worker === 'order' && heard.client === 'report');
});

test.each(['client', 'worker'] as const)(
  'what was sent before the %s ended its side arrives, and so does the answer to it',
  async (which) => {
    const { client, heard, worker } = await line();
    const [first, other] = which === 'client' ? [client, worker] : [worker, client];
    const otherName = which === 'client' ? 'worker' : 'client';
    other.once('end', () => other.end('answer'));
    first.end('last words');
    await until(() => heard[otherName] === 'last words' && heard[which] === 'answer');
    await until(() => first.destroyed && other.destroyed);
  },
);

test.each(['client', 'worker'] as const)('a reset of the %s ends the other side', async (which) => {
  const { client, worker } = await line();
  const [first, other] = which === 'client' ? [client, worker] : [worker, client];
  let isEnded = false;
  other.once('end', () => {
    isEnded = true;
  });
  first.resetAndDestroy();
  await until(() => isEnded);
});

test('a side that does not end after the other one has ended is cut off after two seconds', async () => {
  const { client, clientInside, heard, worker, workerInside } = await line();
  client.end('bye');
  await until(() => heard.worker === 'bye');
  clock.advance(1_999);
  worker.write('late');
  await until(() => heard.client === 'late');
  expect([clientInside.destroyed, workerInside.destroyed]).toEqual([false, false]);
  clock.advance(1);
  await until(() => clientInside.destroyed && workerInside.destroyed);
});
