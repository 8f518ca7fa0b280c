/** The port for other nodes, from outside: who gets in, what they may claim, and what nobody can use up. */
import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { writeProxyHeader } from '../../src/transport/proxy-header.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { until } from '../support/waits.ts';
import { Authority, type Identity } from '../transport/authority.ts';
import { FrontNode, Rows } from './front-node.ts';

const authority = new Authority();
const [n1, nobody] = [authority.issue('n1'), authority.issue('n7')];
const foreign = new Authority();
const foreignN1 = foreign.issue('n1');
const logon = clientBytes('A|34=1|98=0|108=30', { client: 'ALPHA', server: 'CAUSEWAY' }, 0);
const header = writeProxyHeader({ address: '192.0.2.7' }, 'fix');
const sockets: Socket[] = [];
let clock: ManualClock;
let rows: Rows;
let node: FrontNode;

beforeEach(async () => {
  clock = new ManualClock();
  rows = new Rows();
  node = await FrontNode.open({ name: 'n2', authority, rows, clock, maxRelays: 40 });
  rows.announce({ node: 'n1', relay: '' });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await node.close();
});

afterAll(() => {
  authority.remove();
  foreign.remove();
});

class Peer {
  readonly socket: Socket;
  heard = '';
  isClosed = false;

  constructor(identity?: Identity, more: ConnectionOptions = {}) {
    const ca = authority.cert;
    const where = { host: '127.0.0.1', port: node.ports.relay, servername: 'n2', ca };
    this.socket = connect({ ...where, ...identity, ...more });
    sockets.push(this.socket);
    this.socket.on('error', () => {});
    this.socket.on('data', (piece: Buffer) => {
      this.heard += piece.toString('latin1');
    });
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }
}

function raw(): Socket {
  const socket = connectTcp(node.ports.relay, '127.0.0.1');
  sockets.push(socket);
  return socket.on('error', () => {});
}

const taken = `\x06${logon.toString('latin1')}`;

test('a node brings a client behind a PROXY header, in however many pieces', async () => {
  node.serve('a');
  const peer = new Peer(n1);
  for (const byte of Buffer.concat([header, logon])) {
    peer.socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => peer.heard === taken);
  expect(node.headers).toMatchObject([{ address: '192.0.2.7' }]);
});

test.each<[string, Identity | undefined, ConnectionOptions, RegExp]>([
  ['no certificate', undefined, {}, /certificate/],
  [
    'a certificate of another authority',
    foreignN1,
    {},
    /the certificate is refused: unable to verify/,
  ],
  ['a certificate of the authority for no node', nobody, {}, /the certificate has another name/],
  ['TLS 1.2', n1, { maxVersion: 'TLSv1.2' }, /version|protocol/],
])('%s: the connection is closed before anything is read', async (_, identity, more, text) => {
  node.serve('a');
  const peer = new Peer(identity, more);
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => peer.isClosed);
  expect(peer.heard).toBe('');
  expect(node.notices.join()).toMatch(text);
  expect([node.headers.length, node.relay.connections]).toEqual([0, 0]);
});

test('a node that has announced itself since is let in', async () => {
  node.serve('a');
  rows.announce({ node: 'n7', relay: '' });
  const peer = new Peer(nobody);
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => peer.heard === taken);
});

test('a node that was removed is disconnected with its clients, and its certificate and session ticket open nothing', async () => {
  node.serve('a');
  const peer = new Peer(n1);
  const tickets: Buffer[] = [];
  peer.socket.on('session', (ticket: Buffer) => void tickets.push(ticket));
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => peer.heard === taken && tickets.length > 0);
  rows.remove('n1');
  await until(() => peer.isClosed);
  const before = node.notices.length;
  for (const more of [{}, { session: tickets[0] as Buffer }]) {
    const again = new Peer(n1, more);
    again.socket.write(Buffer.concat([header, logon]));
    await until(() => again.isClosed);
    expect(again.heard).toBe('');
  }
  expect(node.notices.slice(before).join()).toMatch(/another name.*another name/);
  expect(node.headers).toHaveLength(1);
});

test('clients of a node that hangs are let go, so that they can log on through another one', async () => {
  node.serve('a');
  const hanging = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  await once(hanging.listen(0, '127.0.0.1'), 'listening');
  rows.announce({ node: 'n1', relay: `127.0.0.1:${(hanging.address() as AddressInfo).port}` });
  rows.own('a', 'n2', 1);
  const peer = new Peer(n1);
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => peer.heard === taken);
  rows.silence('n1');
  expect(peer.isClosed).toBe(false);
  await until(() => {
    clock.advance(100);
    return peer.isClosed;
  });
  hanging.close();
});

test('a node that has only lost the database keeps its clients, and so does one that is back in time', async () => {
  node.serve('a');
  const other = await FrontNode.open({ name: 'n1', authority, rows });
  rows.own('a', 'n2', 1);
  const peer = new Peer(n1);
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => peer.heard === taken);
  const responds = vi.spyOn(node.questions, 'responds');
  rows.silence('n1');
  expect(await responds.mock.results[0]?.value).toBe(true);

  rows.announce({ node: 'n1', relay: `127.0.0.1:${other.ports.relay}` });
  rows.own('a', 'n2', 2);
  await other.close();
  rows.silence('n1');
  rows.announce({ node: 'n1', relay: '' });
  expect(await responds.mock.results[1]?.value).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(peer.isClosed).toBe(false);
});

test.each<[string, Buffer]>([
  ['a header without an address', Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex')],
  ['a header without a protocol', writeProxyHeader({ address: '192.0.2.7' })],
  ['a protocol that there is not', writeProxyHeader({ address: '192.0.2.7' }, 'ssh')],
  ['a header that is cut and goes on as something else', Buffer.from('\r\n\r\nhello')],
  [
    'a client whom nobody knows',
    Buffer.concat([header, Buffer.from(String(logon).replace('ALPHA', 'OMEGA'))]),
  ],
])('%s is refused without an answer', async (_, bytes) => {
  node.serve('a');
  const peer = new Peer(n1);
  peer.socket.write(Buffer.concat([bytes, logon]));
  await until(() => peer.isClosed);
  expect([peer.heard, node.headers.length]).toEqual(['', 0]);
});

test('errors of a node never lock its address out', async () => {
  node.serve('a');
  for (let at = 0; at < 10; at += 1) {
    const peer = new Peer(n1);
    peer.socket.write(Buffer.concat([header, Buffer.from('garbage\x01')]));
    await until(() => peer.isClosed);
  }
  const peer = new Peer(n1);
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => peer.heard === taken);
});

test('a client of a shard whose worker starts here waits for it, and is taken as soon as it serves', async () => {
  const peer = new Peer(n1);
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => node.relay.connections === 1);
  node.serve('a');
  await until(() => peer.heard === taken);
});

test('a shard that does not start here is not looked for elsewhere: the connection ends without an answer', async () => {
  rows.announce({ node: 'n1', relay: `127.0.0.1:${node.ports.relay}` });
  rows.own('a', 'n1', 1);
  const peer = new Peer(n1);
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => {
    clock.advance(100);
    return peer.isClosed;
  });
  expect(peer.heard).toBe('');
});

test('1,000 strangers who say nothing, or too little, keep no node out', async () => {
  node.serve('a');
  for (let at = 0; at < 1_000; at += 1) {
    const socket = raw();
    // The beginning of a handshake, and nothing more.
    if (at % 2 === 0) socket.write(Buffer.from('1603010200', 'hex'));
  }
  const peer = new Peer(n1);
  peer.socket.write(Buffer.concat([header, logon]));
  await until(() => peer.heard === taken);
  await until(() => node.relay.connections <= 40);
  clock.advance(10_000);
  await until(() => node.relay.connections === 1);
  expect(peer.isClosed).toBe(false);
});

test('somebody with a certificate who sends nothing, or a byte now and then, is closed in time', async () => {
  node.serve('a');
  const [silent, slow] = [new Peer(n1), new Peer(n1)];
  await until(() => node.relay.connections === 2);
  for (let at = 0; at < 9; at += 1) {
    slow.socket.write(header.subarray(at, at + 1));
    clock.advance(1_000);
  }
  expect([silent.isClosed, slow.isClosed]).toEqual([false, false]);
  clock.advance(1_000);
  await until(() => silent.isClosed && slow.isClosed);
  expect(node.headers).toEqual([]);
});

test('a first message without an end is refused once it is longer than one may be', async () => {
  const peer = new Peer(n1);
  const endless = Buffer.concat([
    header,
    Buffer.from('8=FIX.4.4\x019=60000\x01'),
    Buffer.alloc(20_000, 'x'),
  ]);
  peer.socket.write(endless);
  await until(() => peer.isClosed);
  expect(node.notices.join()).toMatch(/too long/);
});
