/** Connections on their way to a worker: no byte is lost, no descriptor is left, and a worker that hangs is alone with it. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { WorkerDoor } from '../../src/cluster/worker-door.ts';
import { WorkerProcess } from '../../src/cluster/worker-process.ts';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import { SocketLink } from '../../src/transport/link.ts';
import { readProxyHeader } from '../../src/transport/proxy-header.ts';
import { until } from '../support/waits.ts';
import { Authority } from '../transport/authority.ts';

const authority = new Authority();
const identity = authority.issue('localhost');
const program = { arguments: [join(import.meta.dirname, 'echo-worker.ts')] } as const;
const noDoors = { fix: '', fixp: '' };
let folder: string;
let server: Server;
let workers: WorkerProcess[];
let inners: Server[];
const clients = new Set<Socket>();
/** That the door was given. */
let arrived: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'door-'));
  workers = [];
  inners = [];
  arrived = 0;
});

afterAll(() => authority.remove());

afterEach(async () => {
  for (const client of clients) client.destroy();
  clients.clear();
  for (const worker of workers) {
    worker.kill();
    await worker.ended;
  }
  for (const one of [server, ...inners]) one.close();
  rmSync(folder, { recursive: true });
});

/** A port whose connections go to the door once they have sent something. */
async function listen(
  door: WorkerDoor,
  tls?: { readonly clientIsTls: boolean },
  clock = systemClock,
): Promise<number> {
  const onSocket = (socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', (first: Buffer) => {
      const peer = { address: '192.0.2.7', ...(tls?.clientIsTls && { isTls: true }) };
      door.take('fix', new SocketLink(socket, peer, clock), first);
      arrived += 1;
    });
  };
  server = tls === undefined ? createServer(onSocket) : createTlsServer(identity, onSocket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function worker(door: WorkerDoor): WorkerProcess {
  const started = new WorkerProcess(program);
  workers.push(started);
  started.onMessage((message) => message.kind === 'taken' && door.taken());
  void started.ended.then(() => door.gone());
  return started;
}

const serving = (of: WorkerProcess) => ({
  doors: noDoors,
  send: (...sent: Parameters<WorkerProcess['send']>) => of.send(...sent),
});

function client(port: number, isTls = false): Socket {
  const where = { port, host: '127.0.0.1', noDelay: true };
  const ca = { ca: authority.cert, servername: 'localhost' };
  const socket = isTls ? connectTls({ ...where, ...ca }) : connect(where);
  socket.on('error', () => {});
  clients.add(socket);
  return socket;
}

/** Sends the bytes in pieces, without a pause, and resolves with what comes back. */
async function echoed(port: number, bytes: Buffer): Promise<Buffer> {
  const socket = client(port);
  const heard: Buffer[] = [];
  socket.on('data', (piece: Buffer) => heard.push(piece));
  for (let at = 0; at < bytes.length; at += 997) {
    socket.write(bytes.subarray(at, at + 997));
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.end();
  await once(socket, 'close');
  return Buffer.concat(heard);
}

const descriptors = () => readdirSync('/proc/self/fd').length;

test('a client that sends without a pause while its socket is handed over loses no byte and no order of bytes', async () => {
  const door = new WorkerDoor(systemClock);
  const port = await listen(door);
  const sent = Array.from({ length: 30 }, () => randomBytes(100_000));
  // Some are here before the worker is, and wait.
  const answers = sent.map((bytes) => echoed(port, bytes));
  await until(() => door.unanswered === sent.length);
  door.open(serving(worker(door)));
  const heard = await Promise.all(answers);
  expect(heard.map((bytes, at) => bytes.equals(sent[at]!))).toEqual(sent.map(() => true));
  expect(door).toMatchObject({ handed: sent.length, unanswered: 0 });
});

test('no descriptor and no place at the port is left behind, whether clients stay, leave or the worker dies', async () => {
  const door = new WorkerDoor(systemClock);
  const port = await listen(door);
  const first = worker(door);
  door.open(serving(first));
  await echoed(port, Buffer.from('warm'));
  const before = descriptors();
  const stay = Array.from({ length: 20 }, () => client(port));
  for (const socket of stay) socket.write('stays');
  await Promise.all(stay.map((socket) => once(socket, 'data')));
  // The clients' ends are in this process, and nothing else.
  await until(() => descriptors() === before + stay.length);
  const connections = await new Promise((resolve) => server.getConnections((_, n) => resolve(n)));
  expect(connections).toBe(0);
  first.kill();
  await Promise.all(stay.map((socket) => once(socket, 'close')));
  await first.ended;
  expect(descriptors()).toBeLessThanOrEqual(before);
  expect(door.isOpen).toBe(false);
});

test('connections that wait for a worker that died go to the next one', async () => {
  const door = new WorkerDoor(systemClock);
  const port = await listen(door);
  const [first, second] = [worker(door), worker(door)];
  door.open(serving(first));
  await echoed(port, Buffer.from('warm'));
  await stopped(first);
  const waiting = Array.from({ length: 5 }, () => client(port));
  for (const [at, socket] of waiting.entries()) socket.write(`order ${at}`);
  // The one that is under way dies with the worker, which has not taken it.
  await until(() => door.unanswered === 5, 5_000);
  first.kill();
  await first.ended;
  door.open(serving(second));
  const heard = await Promise.all(
    waiting.map(
      (socket, at) =>
        new Promise((resolve) => {
          socket.once('data', (bytes) => resolve(String(bytes) === `order ${at}`));
          socket.once('close', () => resolve('closed'));
        }),
    ),
  );
  expect(heard.toSorted()).toEqual(['closed', true, true, true, true]);
});

test('a worker that hangs holds few connections, and those not for long', async () => {
  const clock = new ManualClock();
  const door = new WorkerDoor(clock);
  const port = await listen(door, undefined, clock);
  const hung = worker(door);
  door.open(serving(hung));
  await echoed(port, Buffer.from('warm'));
  await stopped(hung);
  const flood = Array.from({ length: 300 }, () => client(port));
  for (const socket of flood) socket.resume().write('logon');
  await until(() => arrived === flood.length + 1, 5_000);
  expect(door.unanswered).toBe(256);
  clock.advance(12_000);
  await until(() => flood.filter((socket) => socket.closed).length >= flood.length - 1, 5_000);
  expect(door.unanswered).toBe(0);
});

test.each([true, false])(
  'a relayed client arrives with its address, and one that reads nothing stops the worker from sending (its own TLS: %s)',
  async (clientIsTls) => {
    const door = new WorkerDoor(systemClock);
    const path = join(folder, 'fix');
    let isPaused = false;
    const inner = createServer((socket) => {
      socket.once('data', (bytes: Buffer) => {
        const header = readProxyHeader(bytes);
        expect(header).toMatchObject({ kind: 'header', address: '192.0.2.7' });
        expect('tls' in header).toBe(clientIsTls);
        while (socket.write(Buffer.alloc(65_536)));
        isPaused = true;
      });
      socket.on('error', () => {});
    });
    inners.push(inner);
    inner.listen(path);
    await once(inner, 'listening');
    door.open({ doors: { fix: path, fixp: '' }, send: () => {} });
    const socket = client(await listen(door, { clientIsTls }), true);
    socket.pause();
    socket.write('logon');
    await until(() => isPaused);
    expect(door).toMatchObject({ relayed: 1, handed: 0 });
    await until(() => door.unanswered === 0);
  },
);

test('clients that no worker took are disconnected once nobody will take them here', async () => {
  const door = new WorkerDoor(new ManualClock());
  const port = await listen(door);
  const waiting = [client(port), client(port)];
  for (const socket of waiting) socket.write('A');
  await until(() => arrived === 2);
  door.letGo();
  await Promise.all(waiting.map((socket) => once(socket, 'close')));
  await until(() => door.unanswered === 0);
});

test('a relayed client that leaves is gone for the worker, and the other way round', async () => {
  const door = new WorkerDoor(systemClock);
  const path = join(folder, 'fix');
  const inside: Socket[] = [];
  const inner = createServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
    inside.push(socket);
  });
  inners.push(inner);
  inner.listen(path);
  await once(inner, 'listening');
  door.open({ doors: { fix: path, fixp: '' }, send: () => {} });
  const port = await listen(door, { clientIsTls: true });
  const [leaves, stays] = [client(port, true), client(port, true)];
  for (const socket of [leaves, stays]) socket.write('logon');
  await until(() => inside.length === 2);
  leaves.destroy();
  await until(() => inside.filter((socket) => socket.closed).length === 1);
  for (const socket of inside) socket.destroy();
  await until(() => stays.closed && door.unanswered === 0);
});

async function stopped(one: WorkerProcess): Promise<void> {
  process.kill(one.pid, 'SIGSTOP');
  await until(() => / T /.test(readFileSync(`/proc/${one.pid}/stat`, 'utf8')));
}
