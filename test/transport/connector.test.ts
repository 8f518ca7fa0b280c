import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Connector, type ConnectorNotice } from '../../src/transport/connector.ts';
import type { Link } from '../../src/transport/link.ts';
import { Authority } from './authority.ts';

const servers: Server[] = [];
const connectors: Connector[] = [];
const links: Link[] = [];

afterEach(() => {
  for (const connector of connectors.splice(0)) connector.stop();
  for (const link of links.splice(0)) link.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server, port = 0): Promise<number> {
  servers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function connector(port: number, more: object = {}) {
  const clock = new ManualClock();
  const notices: ConnectorNotice[] = [];
  let wake = () => {};
  const made = new Connector({
    host: '127.0.0.1',
    port,
    clock,
    attach: (link) => {
      links.push(link);
      return true;
    },
    notice: (notice) => {
      notices.push(notice);
      wake();
    },
    ...more,
  });
  connectors.push(made);
  const next = async (): Promise<ConnectorNotice> => {
    while (notices.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return notices.shift()!;
  };
  return { connector: made, clock, next, notices };
}

test('a connection is handed over with its peer', async () => {
  const server = createServer();
  const port = await listening(server);
  const { connector: made, next } = connector(port);
  made.start();
  made.start();
  expect(await next()).toEqual({ kind: 'connected' });
  expect(links[0]?.peer.address).toBe('127.0.0.1');
});

test('while nobody answers the waits grow to their limit, and a good connection makes them short again', async () => {
  const port = await listening(createServer());
  servers.pop()?.close();
  const { connector: made, clock, next } = connector(port);
  made.start();
  const waits: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    const notice = await next();
    if (notice.kind !== 'disconnected') throw new Error('connected to nobody');
    expect(notice.reason).toContain('ECONNREFUSED');
    waits.push(notice.retryMs);
    clock.advance(notice.retryMs);
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  const server = createServer();
  await listening(server, port);
  /** The next wait, after a connection of this duration. */
  const lasting = async (ms: number) => {
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    while ((await next()).kind === 'disconnected') clock.advance(30_000);
    clock.advance(ms);
    (await accepted).destroy();
    const notice = await next();
    return notice.kind === 'disconnected' && notice.retryMs;
  };
  // As long as a session waits for a peer that answers nothing.
  expect(await lasting(10_000)).toBe(30_000);
  clock.advance(30_000);
  expect(await lasting(20_000)).toBe(500);
});

test('a session that wants no connection gets none', async () => {
  const port = await listening(createServer());
  const { connector: made, next } = connector(port, { attach: () => false });
  made.start();
  expect(await next()).toEqual({ kind: 'connected' });
  expect(await next()).toMatchObject({ reason: 'the session does not accept a connection' });
});

test('a stopped connector tries no more', async () => {
  const port = await listening(createServer());
  servers.pop()?.close();
  const { connector: made, clock, next, notices } = connector(port);
  made.start();
  await next();
  made.stop();
  clock.advance(60_000);
  expect(notices).toEqual([]);
});

test('an attempt without an answer is given up', async () => {
  // A listener that is not read from answers TCP but never TLS.
  const port = await listening(createServer());
  const { connector: made, clock, next } = connector(port, { tls: {} });
  made.start();
  clock.advance(5_000);
  expect(await next()).toMatchObject({ kind: 'disconnected', reason: 'no answer in time' });
});

test('a stopped connector also ends an attempt whose TLS handshake is not over', async () => {
  // It would stay open for as long as the peer likes, and keep the process alive.
  const server = createServer();
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const port = await listening(server);
  const { connector: made, notices } = connector(port, { tls: {} });
  made.start();
  const socket = await accepted;
  await once(socket, 'data');
  socket.on('error', () => {});
  made.stop();
  await once(socket, 'close');
  expect(notices).toEqual([]);
});

test('a stopped connector leaves an established connection to its session', async () => {
  const port = await listening(createServer());
  const { connector: made, next } = connector(port);
  made.start();
  await next();
  made.stop();
  expect(links[0]).toMatchObject({ socket: { destroyed: false } });
});

test('over TLS the server must prove itself', async () => {
  const authority = new Authority();
  const port = await listening(createTlsServer(authority.issue('localhost')));
  const trusting = connector(port, { tls: { ca: authority.cert, servername: 'localhost' } });
  trusting.connector.start();
  expect(await trusting.next()).toEqual({ kind: 'connected' });
  const strict = connector(port, { tls: { servername: 'localhost' } });
  strict.connector.start();
  expect(await strict.next()).toMatchObject({ kind: 'disconnected' });
  authority.remove();
});

test('certificates are read for each connection, and while they cannot be used the next try waits', async () => {
  const authority = new Authority();
  const port = await listening(createTlsServer(authority.issue('localhost')));
  let pem = 'half a certifi';
  const tls = () => ({ ca: authority.cert, cert: pem, servername: 'localhost' });
  const { connector: made, clock, next } = connector(port, { tls });
  made.start();
  expect(await next()).toMatchObject({ reason: expect.stringMatching(/no start line/) });
  clock.advance(500);
  expect(await next()).toMatchObject({ kind: 'disconnected', retryMs: 1_000 });
  pem = authority.cert;
  clock.advance(1_000);
  expect(await next()).toEqual({ kind: 'connected' });
  authority.remove();
});

test('where there is a backup the two addresses are tried in turn', async () => {
  const nobody = await listening(createServer());
  servers.pop()?.close();
  const backup = createServer();
  const accepted = new Promise<Socket>((resolve) => backup.once('connection', resolve));
  const port = await listening(backup);
  const {
    connector: made,
    clock,
    next,
  } = connector(nobody, { backup: { host: '127.0.0.1', port } });
  made.start();
  const refused = await next();
  if (refused.kind !== 'disconnected') throw new Error('connected to nobody');
  clock.advance(refused.retryMs);
  expect(await next()).toEqual({ kind: 'connected' });
  clock.advance(20_000);
  (await accepted).destroy();
  expect(await next()).toMatchObject({ kind: 'disconnected' });
  clock.advance(500);
  expect(await next()).toMatchObject({ reason: expect.stringContaining(String(nobody)) });
});
