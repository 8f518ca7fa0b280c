/** How connections reach the bridge in a worker, and whom it believes about a client's address and certificate. */
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Offence } from '../../src/cluster/node-questions.ts';
import { WorkerPorts } from '../../src/cluster/worker-ports.ts';
import type { ClientPortsParts } from '../../src/gateway/clients/client-port.ts';
import { ConfigError, type LoadedConfig } from '../../src/gateway/config/config-file.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Link } from '../../src/transport/link.ts';
import { writeProxyHeader } from '../../src/transport/proxy-header.ts';
import type { Admission, Peer } from '../../src/transport/session.ts';
import { until } from '../support/waits.ts';

let folder: string;
let ports: WorkerPorts;
let offences: Offence[];
let notices: string[];
/** Who was let in, on which lane, and what it had sent by then. */
let admitted: { readonly lane: string; readonly peer: Peer; readonly first: string }[];
const sockets = new Set<Socket>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'worker-ports-'));
  [offences, notices, admitted] = [[], [], []];
  ports = new WorkerPorts((offence) => void offences.push(offence));
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await ports.close();
  rmSync(folder, { recursive: true });
});

const port = { listen: { host: '127.0.0.1', port: 0 }, maxConnections: 9 };

function loaded(dataDir: string, lanes: readonly string[] = ['fix', 'fixp']): LoadedConfig {
  const config = {
    dataDir,
    fix: port,
    ...(lanes.includes('fixp') && { fixp: { ...port, byteOrder: 'big' } }),
  };
  return { config, path: (file: string) => join(folder, file) } as unknown as LoadedConfig;
}

const plan = { connections: { fix: 3, fixp: 2, console: 0 }, shortage: undefined };

/** A directory that lets in who says "yes", and takes "guess" for a failed logon of the name "somebody". */
function directory(lane: string): ClientPortsParts['directory'] {
  const peers = new Map<object, Peer>();
  return {
    nameIn: () => 'somebody',
    admit: (bytes: Uint8Array, peer: Peer): Admission => {
      const text = Buffer.from(bytes).toString();
      if (text.startsWith('guess')) return { kind: 'refuse', reason: 'no', isOffence: true };
      if (!text.startsWith('yes')) return { kind: 'more' };
      const session = {} as Extract<Admission, { kind: 'admit' }>['session'];
      peers.set(session, peer);
      return { kind: 'admit', session };
    },
    attach: (session: object, link: Link, first: Uint8Array) => {
      const peer = peers.get(session) ?? { address: '' };
      admitted.push({ lane, peer, first: Buffer.from(first).toString() });
      link.write(Buffer.from(`${lane} hello`));
      return true;
    },
  } as unknown as ClientPortsParts['directory'];
}

function open(dataDir = 'data', lanes?: readonly string[]): Promise<void> {
  // The worker has made it, and locked it.
  mkdirSync(join(folder, dataDir), { recursive: true });
  return ports.open(loaded(dataDir, lanes), plan, {
    ...{ directory: directory('fix'), fixpDirectory: directory('fixp'), clock: new ManualClock() },
    notice: (text) => void notices.push(text),
  });
}

function through(path: string, ...pieces: readonly (string | Uint8Array)[]): Socket {
  const socket = connect(path);
  sockets.add(socket);
  socket.on('error', () => {}).resume();
  for (const piece of pieces) socket.write(piece);
  return socket;
}

/** A connection as the node hands it over: both of its ends. */
async function pair(): Promise<{ readonly client: Socket; readonly handed: Socket }> {
  const path = join(folder, 'front');
  const server: Server = createServer().listen(path);
  await once(server, 'listening');
  const client = through(path);
  const [handed] = (await once(server, 'connection')) as [Socket];
  sockets.add(handed);
  handed.on('error', () => {});
  server.close();
  return { client, handed };
}

test('its sockets are in a directory that only this user can enter, and are new at each start', async () => {
  mkdirSync(join(folder, 'data/doors'), { recursive: true });
  writeFileSync(join(folder, 'data/doors/fix'), 'left over from a process that was killed');
  await open();
  expect(ports.doors).toEqual({
    fix: join(folder, 'data/doors/fix'),
    fixp: join(folder, 'data/doors/fixp'),
  });
  expect(statSync(join(folder, 'data/doors')).mode & 0o777).toBe(0o700);
  expect([ports.fix, ports.fixp]).toEqual([0, 0]);
});

test('a bridge without FIXP has no socket for it, and what comes for it is closed', async () => {
  await open('data', ['fix']);
  expect(ports.doors.fixp).toBe('');
  expect(existsSync(join(folder, 'data/doors/fixp'))).toBe(false);
  const { handed } = await pair();
  ports.take('fixp', handed, '192.0.2.7', Buffer.from('yes'));
  expect(handed.destroyed).toBe(true);
});

test.each(['fix', 'fixp'] as const)(
  'a connection through the socket for %s has the address and certificate that the node names',
  async (lane) => {
    await open();
    const certificate = { fingerprint256: 'ab'.repeat(32), commonName: 'client' };
    const header = writeProxyHeader({ address: '192.0.2.7', isTls: true, certificate });
    through(ports.doors[lane], header, 'yes');
    await until(() => admitted.length === 1);
    expect(admitted).toEqual([
      { lane, first: 'yes', peer: { address: '192.0.2.7', isTls: true, certificate } },
    ]);
  },
);

test('a connection through the socket that does not say whose it is is refused', async () => {
  await open();
  const socket = through(ports.doors.fix, 'yes, and enough bytes to see that this is no header');
  await once(socket, 'close');
  expect(admitted).toEqual([]);
  expect(notices).toEqual([expect.stringContaining('was refused')]);
});

test('a socket that is handed over goes on with the bytes that the node has read', async () => {
  await open();
  const { client, handed } = await pair();
  let text = '';
  client.on('data', (piece) => {
    text += piece.toString();
  });
  ports.take('fix', handed, '192.0.2.9', Buffer.from('yes'));
  await until(() => text === 'fix hello');
  expect(admitted).toEqual([{ lane: 'fix', first: 'yes', peer: { address: '192.0.2.9' } }]);
});

test('a failed logon is reported to the node with protocol, address and name', async () => {
  await open();
  through(ports.doors.fixp, writeProxyHeader({ address: '192.0.2.7' }), 'guess');
  await until(() => offences.length === 1);
  expect(offences).toEqual([{ lane: 'fixp', address: '192.0.2.7', name: 'somebody' }]);
});

test('no more connections are taken than there are descriptors for, whatever the port allows', async () => {
  await open();
  const taken: Socket[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { handed } = await pair();
    ports.take('fix', handed, `192.0.2.${count}`, Buffer.from('yes'));
    taken.push(handed);
  }
  expect(taken.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true]);
  expect(notices).toEqual([expect.stringContaining('too many connections')]);
});

test('a path that is too long for a socket is refused with the key and the directory', async () => {
  const error = await open('d'.repeat(100)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toHaveProperty('message', expect.stringMatching(/^dataDir: the path of .*d{100}/));
});

test('closing does not wait for clients, and takes nobody after that', async () => {
  await open();
  const { handed } = await pair();
  ports.take('fix', handed, '192.0.2.7', Buffer.from('yes'));
  await ports.close();
  expect(handed.destroyed).toBe(false);
  expect(existsSync(ports.doors.fix)).toBe(false);
  const second = await pair();
  ports.take('fix', second.handed, '192.0.2.7', Buffer.from('yes'));
  expect(second.handed.destroyed).toBe(true);
});
