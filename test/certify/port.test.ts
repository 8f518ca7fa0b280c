/** Where a desk is found, over real sockets. */
import { once } from 'node:events';
import { connect, createServer as createPlainServer, type Socket } from 'node:net';
import { connect as connectTls, createServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { calling, dial, listen, type TestPort } from '../../src/certify/port.ts';
import { freePort } from '../../src/runtime/free-port.ts';
import { Authority } from '../transport/authority.ts';

const host = '127.0.0.1';
const signal = new AbortController().signal;
const sockets: Socket[] = [];
let desk: TestPort | undefined;
let authority: Authority;
let stranger: Authority;

beforeAll(() => {
  authority = new Authority();
  stranger = new Authority();
});
afterAll(() => {
  authority.remove();
  stranger.remove();
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  desk?.close();
});

/** Whether somebody answers there. */
function answers(port: number): Promise<boolean> {
  const socket = connect({ host, port });
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket.write('8=FIX')));
    socket.once('error', () => resolve(false));
  });
}

test('a desk that gave its address up is found at its backup site until it comes back', async () => {
  const backup = await freePort({ host, port: 0 });
  desk = await listen(host, 0, undefined, { host, port: backup });
  const { port } = desk;
  expect([await answers(port), await answers(backup)]).toEqual([true, false]);
  await desk.leave?.();
  expect([await answers(port), await answers(backup)]).toEqual([false, true]);
  expect((await desk.next(2_000, signal))?.localPort).toBe(backup);
  await desk.comeBack?.();
  await desk.comeBack?.();
  expect([await answers(port), await answers(backup)]).toEqual([true, false]);
  expect((await desk.next(2_000, signal))?.localPort).toBe(port);
});

test('a desk with one address cannot leave it', async () => {
  desk = await listen(host, 0);
  expect(desk.leave).toBeUndefined();
});

test('over TLS a desk that knows who signs takes a client of that authority, and no other', async () => {
  const ca = Buffer.from(authority.cert);
  desk = await listen(host, 0, { own: pairOf(authority.issue('localhost')), ca, untrusted: {} });
  const { port } = desk;
  const arrived = async (shown: object) => {
    const client = connectTls({ host, port, servername: 'localhost', ca, ...shown });
    sockets.push(client);
    const refused = new Promise<string>((resolve) => {
      client.on('error', () => {}).once('close', () => resolve('refused'));
      client.resume().write('8=FIX');
    });
    const taken = desk?.next(5_000, signal).then((socket) => (socket ? 'taken' : 'absent'));
    return Promise.race([refused, taken]);
  };
  expect(await arrived(pairOf(stranger.issue('client')))).toBe('refused');
  expect(await arrived({})).toBe('refused');
  expect(await arrived(pairOf(authority.issue('client')))).toBe('taken');
});

test('over TLS a desk calls nobody whose certificate is of another authority', async () => {
  const callTo = async (shown: object) => {
    const server = createServer(shown, (socket) => socket.on('error', () => {}));
    await once(server.listen(0, host), 'listening');
    const { port } = server.address() as { port: number };
    const tls = { ca: Buffer.from(authority.cert), serverName: 'localhost', untrusted: {} };
    const socket = await dial({ host, port }, tls);
    socket?.destroy();
    server.close();
    return socket !== undefined;
  };
  expect(await callTo(pairOf(stranger.issue('localhost')))).toBe(false);
  expect(await callTo(pairOf(authority.issue('localhost')))).toBe(true);
});

/** Over TLS, with an own certificate and one that must be refused; clients can verify only the first. */
async function deskWithStrange(): Promise<
  TestPort & { readonly call: (verifies: boolean) => Promise<void> }
> {
  const own = pairOf(authority.issue('localhost'));
  const untrusted = { wrong: pairOf(stranger.issue('localhost')) };
  desk = await listen(host, 0, { own, untrusted });
  const { port } = desk;
  const call = async (rejectUnauthorized: boolean) => {
    const ca = Buffer.from(authority.cert);
    const shown = { rejectUnauthorized, ca, servername: 'localhost' };
    const client = connectTls({ host, port, ...shown }, () => client.write('8=FIX'));
    sockets.push(client);
    await new Promise((resolve) => client.on('error', resolve).once('secureConnect', resolve));
  };
  return Object.assign(desk, { call });
}

/** Connects without TLS, sends this and leaves. */
async function probe(port: number, bytes: string): Promise<void> {
  const socket = connect({ host, port })
    .on('error', () => {})
    .resume();
  socket.end(bytes);
  await once(socket, 'close');
}

test.each([
  [true, 'refuses'],
  [false, 'takes'],
])(
  'a connection that was shown no certificate refuses none, where the client then does: %s',
  async (verifies) => {
    const { call, isRefused, port } = await deskWithStrange();
    const judged = isRefused?.call(desk, 'wrong', 10_000, signal);
    for (const bytes of ['', 'GET / HTTP/1.0\r\n\r\n', '8=FIX.4.4']) await probe(port, bytes);
    await call(verifies);
    expect(await judged).toBe(verifies);
  },
);

test('a server that is away, or that closes all connections, refuses no certificate', async () => {
  const tls = {
    ca: Buffer.from(authority.cert),
    serverName: 'localhost',
    untrusted: { wrong: pairOf(stranger.issue('client')) },
  };
  const away = calling({ host, port: await freePort({ host, port: 0 }), tls });
  expect(await away.isRefused?.('wrong', 10_000, signal)).toBeUndefined();
  const server = createServer(pairOf(authority.issue('localhost')), (socket) => socket.end());
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as { port: number };
  expect(await calling({ host, port, tls }).isRefused?.('wrong', 10_000, signal)).toBeUndefined();
  server.close();
});

function pairOf({ cert, key }: { cert: string | Buffer; key: string | Buffer }) {
  return { cert: Buffer.from(cert), key: Buffer.from(key) };
}

test.each(['is called in vain', 'is called until the run is stopped'])(
  'a server that takes a connection and never answers its TLS %s',
  async (what) => {
    const silent = createPlainServer((socket) => sockets.push(socket.on('error', () => {})));
    silent.listen(0, host);
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const stop = new AbortController();
    const tls = { ca: Buffer.from(authority.cert), untrusted: {} };
    desk = calling({ host, port, tls });
    const isStopped = what.includes('stopped');
    const found = desk.next(isStopped ? 60_000 : 50, stop.signal);
    if (isStopped) stop.abort();
    expect(await found).toBeUndefined();
    silent.close();
  },
);
