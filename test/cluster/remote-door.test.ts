/** Clients of one node whose shard another node has, over real TLS connections between the two. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { afterAll, afterEach, expect, test } from 'vitest';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { framed } from '../../src/fixp/framing.ts';
import { FlowType } from '../../src/fixp/generated/codes.ts';
import { writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { until } from '../support/waits.ts';
import { Authority } from '../transport/authority.ts';
import { FrontNode, type FrontNodeOptions, Rows } from './front-node.ts';

const authority = new Authority();
const clients: Socket[] = [];
const nodes: FrontNode[] = [];
const others: Server[] = [];
let rows = new Rows();

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of others.splice(0)) server.close();
  await Promise.all(nodes.splice(0).map((node) => node.close()));
  rows = new Rows();
});

afterAll(() => authority.remove());

async function node(name: string, more: Partial<FrontNodeOptions> = {}): Promise<FrontNode> {
  const opened = await FrontNode.open({ name, authority, rows, ...more });
  nodes.push(opened);
  return opened;
}

const logon = (name: string) =>
  clientBytes('A|34=1|98=0|108=30|553=x|554=y', { client: name, server: 'CAUSEWAY' }, 0);

function negotiate(username: string): Buffer {
  const message = writeSessionMessage({
    name: 'Negotiate',
    sessionId: '00'.repeat(16),
    timestamp: 1n,
    clientFlow: FlowType.Idempotent,
    credentials: writeCredentials({ username, password: 'x' }),
  });
  return Buffer.from(framed(message, 'big'));
}

class Client {
  readonly socket: Socket;
  heard = Buffer.alloc(0);
  isClosed = false;

  constructor(port: number, tls?: ConnectionOptions) {
    const where = { host: '127.0.0.1', port, noDelay: true };
    this.socket = tls === undefined ? connect(where) : connectTls({ ...where, ...tls });
    clients.push(this.socket);
    this.socket.on('error', () => {});
    this.socket.on('data', (piece: Buffer) => {
      this.heard = Buffer.concat([this.heard, piece]);
    });
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  say(bytes: Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** All bytes that it sent have come back. */
  echoed(bytes: Uint8Array): Promise<void> {
    return until(() => this.heard.equals(bytes));
  }

  get text(): string {
    return this.heard.toString('latin1').replaceAll('\x01', '|');
  }
}

/** Two nodes, of which the second has both shards. */
async function pair(more: Partial<FrontNodeOptions> = {}, ofSecond = more) {
  const [one, two] = [await node('n1', more), await node('n2', ofSecond)];
  for (const shard of ['a', 'b']) {
    rows.own(shard, 'n2', 1);
    two.serve(shard);
  }
  return [one, two] as const;
}

test('a client of each protocol reaches the worker at the other node, with its own address and not the node', async () => {
  const [one, two] = await pair();
  const hello = [logon('ALPHA'), negotiate('echo')] as const;
  const fix = new Client(one.ports.fix).say(hello[0]);
  const fixp = new Client(one.ports.fixp).say(hello[1]);
  await Promise.all([fix.echoed(hello[0]), fixp.echoed(hello[1])]);
  for (const header of two.headers) {
    expect(header).toMatchObject({ address: '127.0.0.1' });
    expect(header).not.toHaveProperty('tls');
  }
  expect([one.headers.length, two.headers.length]).toEqual([0, 2]);
  fix.socket.end();
  await until(() => one.acceptors.fix.connections === 0 && two.sockets.size === 1);
});

test('the certificate of a client, which the first node has verified, reaches the worker', async () => {
  const { cert, key } = authority.issue('localhost');
  const own = authority.issue('client');
  const [one, two] = await pair({ clientTls: { cert, key, clientCa: authority.cert } });
  const hello = logon('ALPHA');
  const tls = { ...own, ca: authority.cert, servername: 'localhost' };
  await new Client(one.ports.fix, tls).say(hello).echoed(hello);
  expect(two.headers).toMatchObject([
    { address: '127.0.0.1', tls: { isTls: true, certificate: { commonName: 'client' } } },
  ]);
});

test('no byte is lost or moved, however much is sent before the other node has taken the client', async () => {
  const [one] = await pair();
  const rest = randomBytes(3_000_000);
  const client = new Client(one.ports.fix).say(logon('ALPHA')).say(rest);
  await client.echoed(Buffer.concat([logon('ALPHA'), rest]));
  client.socket.end();
  await until(() => client.isClosed);
});

test('a client that ends its side still gets what the worker says, and then the end', async () => {
  const [one] = await pair({
    onClient: (socket) => {
      socket.write('hello, ');
      socket.resume().once('end', () => socket.end('last words'));
    },
  });
  const client = new Client(one.ports.fix).say(logon('ALPHA'));
  client.socket.allowHalfOpen = true;
  await until(() => client.text === 'hello, ');
  client.socket.end();
  await until(() => client.isClosed);
  expect(client.text).toBe('hello, last words');
});

test('a worker that dies, and a client that resets its connection, end the other side at once', async () => {
  const [one, two] = await pair();
  const hello = logon('ALPHA');
  const [dies, resets] = [
    new Client(one.ports.fix).say(hello),
    new Client(one.ports.fix).say(hello),
  ];
  await Promise.all([dies.echoed(hello), resets.echoed(hello)]);
  resets.socket.resetAndDestroy();
  await until(() => two.sockets.size === 1);
  two.dropClients();
  await until(() => dies.isClosed && one.acceptors.fix.connections === 0);
});

test('a client waits for a shard that nobody has, and goes to whoever takes it', async () => {
  const [one, two] = [await node('n1'), await node('n2')];
  const hello = logon('ALPHA');
  const client = new Client(one.ports.fix).say(hello);
  await until(() => rows.watched === 2 * 3 + 1);
  two.serve('a');
  rows.own('a', 'n2', 1);
  await client.echoed(hello);
  expect(rows.watched).toBe(2 * 3);
});

test('an owner that does not answer is given up for the next one', async () => {
  const [one, two] = [await node('n1'), await node('n2')];
  const silent = createServer((socket) => void socket.on('error', () => {}));
  others.push(silent);
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  rows.announce({ node: 'n3', relay: `127.0.0.1:${port}` });
  rows.own('a', 'n3', 1);
  const hello = logon('ALPHA');
  const client = new Client(one.ports.fix).say(hello);
  await once(silent, 'connection');
  two.serve('a');
  rows.own('a', 'n2', 2);
  await client.echoed(hello);
});

test('an owner that is away for a moment is tried again', async () => {
  const [one, two] = await pair();
  rows.announce({ node: 'n2', relay: '127.0.0.1:1' });
  const hello = logon('ALPHA');
  const client = new Client(one.ports.fix).say(hello);
  await until(() => rows.watched > 2 * 3);
  rows.announce({ node: 'n2', relay: `127.0.0.1:${two.ports.relay}` });
  await client.echoed(hello);
});

test('two nodes that each believe the other has the shard do not pass a client around', async () => {
  const clock = new ManualClock();
  const [one, two] = [new Rows(), new Rows()];
  const [a, b] = [await node('n1', { rows: one, clock }), await node('n2', { rows: two, clock })];
  for (const each of [one, two]) {
    each.announce({ node: 'n1', relay: `127.0.0.1:${a.ports.relay}` });
    each.announce({ node: 'n2', relay: `127.0.0.1:${b.ports.relay}`, fix: '10.0.0.12:9876' });
  }
  one.own('a', 'n2', 1);
  two.own('a', 'n1', 1);
  const client = new Client(a.ports.fix).say(logon('ALPHA'));
  await until(() => b.relay.connections === 1);
  expect(a.relay.connections).toBe(0);
  clock.advance(5_000);
  await until(() => client.isClosed);
  expect(client.text).toMatch(
    /58=The session is served at 10\.0\.0\.12:9876; please connect there/,
  );
  await until(() => b.relay.connections === 0);
});

test('a client that leaves while it waits leaves nothing behind at either node', async () => {
  const [one, two] = [await node('n1'), await node('n2')];
  rows.own('a', 'n2', 1);
  const client = new Client(one.ports.fix).say(logon('ALPHA'));
  await until(() => two.relay.connections === 1);
  client.socket.destroy();
  await until(() => two.relay.connections === 0 && one.acceptors.fix.connections === 0);
  expect(rows.watched).toBe(2 * 3);
});

test('when the shard has gone to a node with a higher epoch, the relays to the one before end', async () => {
  const [one] = await pair();
  const hello = logon('ALPHA');
  const [client, other] = [new Client(one.ports.fix).say(hello), new Client(one.ports.fix)];
  other.say(logon('BRAVO'));
  await Promise.all([client.echoed(hello), other.echoed(logon('BRAVO'))]);
  rows.own('a', undefined, 1);
  expect(client.isClosed).toBe(false);
  rows.own('a', 'n1', 2);
  await until(() => client.isClosed);
  expect(other.isClosed).toBe(false);
});

test('a node that stops ends the connections that it relays', async () => {
  const [one, two] = await pair();
  const hello = logon('ALPHA');
  const client = new Client(one.ports.fix).say(hello);
  await client.echoed(hello);
  one.remote('a').close();
  await until(() => client.isClosed && two.sockets.size === 0);
});

test('a worker that this node gets itself takes those who wait for the other', async () => {
  const [one] = [await node('n1'), await node('n2')];
  rows.own('a', 'n2', 1);
  const { cert, key } = authority.issue('localhost');
  const tls = await node('n3', { clientTls: { cert, key } });
  const hello = logon('ALPHA');
  const client = new Client(tls.ports.fix, { ca: authority.cert, servername: 'localhost' });
  client.say(hello);
  await until(() => nodes[1]?.relay.connections === 1);
  tls.serve('a');
  await client.echoed(hello);
  await until(() => nodes[1]?.relay.connections === 0);
  expect([tls.headers.length, one.headers.length]).toEqual([1, 0]);
});

test('10 MB before the logon are refused, and reach neither worker nor other node', async () => {
  const [one, two] = await pair();
  const client = new Client(one.ports.fix);
  client.say(
    Buffer.concat([Buffer.from('8=FIX.4.4\x019=9999999\x01'), Buffer.alloc(10_000_000, 'x')]),
  );
  await until(() => client.isClosed);
  expect([two.relay.connections, two.headers.length]).toEqual([0, 0]);
});

test('a client that reads nothing stops the worker from sending, and no node keeps what it cannot pass on', async () => {
  let sent = 0;
  let isBlocked = false;
  const [one] = await pair({
    onClient: (socket) => {
      const piece = Buffer.alloc(65_536);
      const more = () => {
        while (socket.write(piece)) sent += piece.length;
        isBlocked = true;
      };
      socket.on('drain', more);
      more();
    },
  });
  const client = new Client(one.ports.fix);
  client.socket.pause();
  client.say(logon('ALPHA'));
  let before = -1;
  await until(() => isBlocked);
  while (before !== sent) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  // Buffers of the system on four connections, and of Node on six sides.
  expect(sent).toBeLessThan(30_000_000);
  expect(client.isClosed).toBe(false);
});

test('clients that wait for a worker that hangs are let go as soon as another node has its shard', async () => {
  const [one, two] = [await node('n1'), await node('n2')];
  rows.own('a', 'n1', 1);
  one.serve('a');
  // The worker is stopped: it takes no socket. What `FrontNode.serve` opens never answers with `taken`.
  const waiting = [new Client(one.ports.fix), new Client(one.ports.fix), new Client(one.ports.fix)];
  for (const client of waiting) client.say(logon('ALPHA'));
  await until(() => one.locals.get('a')?.unanswered === 3);
  // Its lease is over: n2 has the shard, and n1 kills the worker.
  two.serve('a');
  rows.own('a', 'n2', 2);
  one.locals.get('a')?.close();
  one.locals.get('a')?.gone();
  await until(() => waiting.every((client) => client.isClosed), 5_000);
});
