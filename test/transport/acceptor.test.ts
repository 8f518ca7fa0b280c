import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type Finding, PendingVerdict } from '../../src/transport/pending-verdict.ts';
import type { Admission, Session } from '../../src/transport/session.ts';
import { Authority, type Identity } from './authority.ts';
import { LinePeer } from './peer.ts';
import { LinePort, type PortSetup } from './port.ts';

const open: LinePort[] = [];
const peers: Socket[] = [];

async function port(setup: PortSetup = {}): Promise<LinePort> {
  const opened = await LinePort.open(setup);
  open.push(opened);
  return opened;
}

async function peer(to: LinePort, localAddress?: string): Promise<LinePeer> {
  const connected = await LinePeer.to(to.port, localAddress);
  peers.push(connected.socket);
  return connected;
}

let authority: Authority;
let server: Identity;

beforeAll(() => {
  authority = new Authority();
  server = authority.issue('localhost');
});

afterAll(async () => {
  for (const socket of peers) socket.destroy();
  for (const each of open) await each.close();
  authority.remove();
});

test('many sessions share one port: the first message chooses', async () => {
  const on = await port();
  const [a, b] = [await peer(on), await peer(on)];
  expect(await a.ask('A\n> one')).toBe('1 one');
  expect(await b.ask('B\n> other')).toBe('1 other');
  expect(await a.ask('> two')).toBe('2 two');
});

test('a second connection of the same session is refused and the first lives on', async () => {
  const on = await port();
  const first = await peer(on);
  expect(await first.ask('A\n> one')).toBe('1 one');
  const second = await peer(on);
  second.send('A\n');
  await second.closed();
  expect(on.notices).toContain('refused 127.0.0.1: the session has a connection');
  expect(await first.ask('> two')).toBe('2 two');
});

test('a connection that does not log on in time is closed; who logged on stays', async () => {
  const clock = new ManualClock();
  const on = await port({ clock });
  const quick = await peer(on);
  expect(await quick.ask('A\n> one')).toBe('1 one');
  const [slow, later] = [await peer(on), await peer(on)];
  slow.send('half a na');
  await expect.poll(() => on.acceptor.waiting).toBe(2);
  clock.advance(10_000);
  await slow.closed();
  await later.closed();
  expect(on.notices.filter((notice) => notice.includes('no logon in time'))).toHaveLength(2);
  expect(await quick.ask('> two')).toBe('2 two');
});

test('a first message without an end is cut off at its limit', async () => {
  const on = await port({ limits: { firstMessageBytes: 100 } });
  const endless = await peer(on);
  endless.send('x'.repeat(101));
  await endless.closed();
  expect(on.notices).toContain('refused 127.0.0.1: the first message is too long');
});

test('three bad logons block their name at their address for a minute, and nobody else there or elsewhere', async () => {
  const clock = new ManualClock();
  const on = await port({ clock });
  const bad = async (where?: string) => {
    const client = await peer(on, where);
    client.send('nobody\n');
    return client;
  };
  for (let i = 0; i < 3; i += 1) {
    const client = await bad();
    expect(await client.line()).toBe('who?');
    await client.closed();
  }
  expect(on.notices).toContain('blocked 127.0.0.1');
  await (await bad()).closed();
  expect(on.notices.at(-1)).toMatch(/127\.0\.0\.1.*blocked/);
  expect(await (await bad('127.0.0.2')).line()).toBe('who?');
  const neighbor = await peer(on);
  expect(await neighbor.ask('A\n> one')).toBe('1 one');
  clock.advance(60_000);
  expect(await (await bad()).line()).toBe('who?');
});

test('a name that is longer than any is told cut, so that strangers fill no message between nodes', async () => {
  const offended: string[] = [];
  const on = await port({ offended: (_address, name) => offended.push(name) });
  const client = await peer(on);
  expect(await client.ask('x'.repeat(1_000))).toBe('who?');
  expect(offended).toEqual(['x'.repeat(64)]);
});

test('a refusal that is no offence blocks nobody', async () => {
  const on = await port();
  for (let i = 0; i < 4; i += 1) {
    const bad = await peer(on);
    expect(await bad.ask('?')).toBe('who?');
  }
  expect(await (await peer(on)).ask('A\n> one')).toBe('1 one');
});

test('connections that never log on make room for one that does', async () => {
  const on = await port({ limits: { waiting: 20 } });
  const idle: LinePeer[] = [];
  for (let i = 0; i < 60; i += 1) idle.push(await peer(on));
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  await idle[0]!.closed();
  expect(on.acceptor.waiting).toBeLessThanOrEqual(20);
});

test('an address whose sessions are at its limit gets no further connection; others do', async () => {
  const on = await port({ limits: { connectionsPerAddress: 2 } });
  const clients = [await peer(on), await peer(on)];
  for (const [index, one] of clients.entries()) {
    const name = 'AB'[index];
    expect(await one.ask(`${name}\n> one`)).toBe('1 one');
  }
  const third = await peer(on);
  await third.closed();
  expect(on.notices).toContain('refused 127.0.0.1: too many connections from this address');
  expect(await (await peer(on, '127.0.0.2')).ask('C\n> one')).toBe('who?');
  clients[0]?.socket.destroy();
  await expect.poll(() => on.acceptor.connections).toBe(1);
  expect(await (await peer(on)).ask('A\n> two')).toMatch(/ two$/);
});

test('connections that never log on do not keep a client out that has the same address', async () => {
  const on = await port({ limits: { connectionsPerAddress: 3 } });
  const silent = [await peer(on), await peer(on), await peer(on)];
  const elsewhere = await peer(on, '127.0.0.2');
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  await silent[0]!.closed();
  expect(on.notices).toContain('refused 127.0.0.1: made room for a newer connection');
  expect(await elsewhere.ask('B\n> one')).toBe('1 one');
});

test('at the limit of all connections a newcomer takes the place of one that waits, never of a session', async () => {
  const on = await port({ limits: { connections: 2 } });
  const session = await peer(on);
  expect(await session.ask('A\n> one')).toBe('1 one');
  const waiting = await peer(on);
  const newcomer = await peer(on);
  await waiting.closed();
  expect(await newcomer.ask('B\n> one')).toBe('1 one');
  const surplus = await peer(on);
  await surplus.closed();
  expect(on.notices).toContain('refused 127.0.0.1: too many connections');
  expect(await session.ask('> two')).toBe('2 two');
});

test('only listed addresses may connect', async () => {
  const on = await port({ allowed: ['127.0.0.2', '10.0.0.0/8'] });
  await (await peer(on)).closed();
  expect(on.notices).toContain('refused 127.0.0.1: address not allowed');
  expect(await (await peer(on, '127.0.0.2')).ask('A\n> one')).toBe('1 one');
});

const signature = '0d0a0d0a000d0a515549540a';
const from10 = Buffer.from(`${signature}2111000c0a0000070a0000010400 1f90`.replace(' ', ''), 'hex');

test('behind a balancer the address in the PROXY header counts', async () => {
  const on = await port({ proxies: ['127.0.0.1'], allowed: ['10.0.0.7'] });
  const client = await peer(on);
  client.socket.write(from10.subarray(0, 5));
  client.socket.write(Buffer.concat([from10.subarray(5), Buffer.from('A\n> one\n')]));
  expect(await client.line()).toBe('1 one');
  expect(on.sessions.get('A')?.log[0]).toBe('opened 10.0.0.7');
  const direct = await peer(on, '127.0.0.2');
  await direct.closed();
  expect(on.notices).toContain('refused 127.0.0.2: not a listed balancer');
  const bare = await peer(on);
  bare.send('A\n> one\n');
  await bare.closed();
  expect(on.notices).toContain('refused 127.0.0.1: bad PROXY header: no signature');
});

async function tls(to: LinePort, identity?: ConnectionOptions): Promise<LinePeer> {
  const socket = connectTls({
    host: '127.0.0.1',
    port: to.port,
    ca: authority.cert,
    servername: 'localhost',
    ...identity,
  });
  peers.push(socket);
  await once(socket, 'secureConnect');
  return new LinePeer(socket);
}

test('TLS: the session runs on an encrypted connection, a plain one gets nothing', async () => {
  const on = await port({ tls: server });
  expect(await (await tls(on)).ask('A\n> one')).toBe('1 one');
  const plain = await peer(on);
  plain.send('A\n> two\n');
  await plain.closed();
  expect(on.notices.some((notice) => notice.startsWith('refused 127.0.0.1: TLS'))).toBe(true);
});

test('mutual TLS: the client certificate is handed to the reception; none or a foreign one is refused', async () => {
  const on = await port({ tls: { ...server, clientCa: authority.cert } });
  const client = await tls(on, authority.issue('B'));
  expect(await client.ask('whatever\n> one')).toBe('1 one');
  expect(on.sessions.get('B')?.nextOut).toBe(2);
  const other = new Authority();
  for (const identity of [undefined, other.issue('A')]) {
    const refused = await tls(on, identity).catch(() => undefined);
    await refused?.closed();
  }
  other.remove();
  expect(on.sessions.get('A')?.log).toEqual([]);
  await vi.waitFor(() => expect(on.notices).toHaveLength(3));
  expect(on.notices.slice(1)).toEqual([
    'refused 127.0.0.1: TLS: peer did not return a certificate',
    expect.stringMatching(/^refused 127.0.0.1: TLS: the certificate is refused: [a-z ]+$/),
  ]);
});

test('mutual TLS 1.3 for certificates with certain names: an older version or another name is refused', async () => {
  const isPeer = (certificate: X509Certificate) => certificate.checkHost('B') !== undefined;
  const on = await port({
    tls: { ...server, clientCa: authority.cert, isPeer, minVersion: 'TLSv1.3' },
  });
  const [own, other] = [authority.issue('B'), authority.issue('A')];
  expect(await (await tls(on, own)).ask('whatever\n> one')).toBe('1 one');
  const misnamed = await tls(on, other);
  await misnamed.closed();
  expect(on.notices).toContain('refused 127.0.0.1: the certificate has another name');
  await expect(tls(on, { ...own, maxVersion: 'TLSv1.2' })).rejects.toThrow(/version/);
  expect(on.sessions.get('A')?.log).toEqual([]);
});

test('TLS from one port of a client to two addresses of ours: each connection is its own', async () => {
  const on = await port({ tls: server, host: '0.0.0.0' });
  let localPort = 0;
  const raws: Socket[] = [];
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const raw = connectTcp({ host, port: on.port, localAddress: '127.0.0.1', localPort });
    await once(raw, 'connect');
    localPort = raw.localPort ?? 0;
    raws.push(raw);
  }
  peers.push(...raws);
  await expect.poll(() => on.acceptor.waiting).toBe(2);
  for (const [index, name] of ['A', 'B'].entries()) {
    const socket = connectTls({
      socket: raws[index] as Socket,
      ca: authority.cert,
      servername: 'localhost',
    });
    await once(socket, 'secureConnect');
    expect(await new LinePeer(socket).ask(`${name}\n> one`)).toBe('1 one');
  }
  // A connection that still waited would be cut off in its session.
  expect(on.acceptor.waiting).toBe(0);
});

test('TLS behind a balancer: the PROXY header comes before the handshake', async () => {
  const on = await port({ tls: server, proxies: ['127.0.0.1'] });
  const raw = connectTcp({ host: '127.0.0.1', port: on.port });
  peers.push(raw);
  raw.write(from10);
  const socket = connectTls({ socket: raw, ca: authority.cert, servername: 'localhost' });
  await once(socket, 'secureConnect');
  expect(await new LinePeer(socket).ask('A\n> one')).toBe('1 one');
  expect(on.sessions.get('A')?.log[0]).toBe('opened 10.0.0.7');
});

test('a TLS handshake that never ends is cut off', async () => {
  const on = await port({ tls: server, limits: { waitingMs: 50 } });
  await (await peer(on)).closed();
});

test('a port that is taken is told to the caller', async () => {
  const on = await port();
  await expect(LinePort.open({ port: on.port })).rejects.toThrow('EADDRINUSE');
});

test('a closed port closes those that wait and leaves sessions to their hosts', async () => {
  const on = await LinePort.open();
  const session = await peer(on);
  expect(await session.ask('A\n> one')).toBe('1 one');
  const waiting = await peer(on);
  await expect.poll(() => on.acceptor.waiting).toBe(1);
  const closed = on.close();
  await waiting.closed();
  await session.closed();
  await closed;
});

/** A port that must find out whether 'A' is one, and takes 'nobody' for an offence. */
async function inquiringPort(limits: PortSetup['limits'] = {}) {
  const clock = new ManualClock();
  const settling: ((finding: Finding) => void)[] = [];
  const known = new Set<string>();
  const asked: string[] = [];
  let gaveUp = 0;
  const on: LinePort = await port({
    clock,
    limits,
    reception: {
      nameIn: (bytes) => Buffer.from(bytes).toString('latin1').trim().split(' ').at(-1) ?? '',
      admit(bytes): Admission {
        const text = Buffer.from(bytes).toString('latin1');
        asked.push(text);
        if (text.startsWith('nobody')) return { kind: 'refuse', reason: 'no', isOffence: true };
        if (known.has(text))
          return { kind: 'admit', session: on.hosts.get('A')?.session as Session };
        const over = new Promise<Finding>((resolve) => {
          settling.push(resolve);
        });
        const giveUp = () => {
          gaveUp += 1;
        };
        return { kind: 'wait', pendingVerdict: new PendingVerdict(over, giveUp) };
      },
    },
  });
  /** What is asked for longest turns out so. */
  const settle = (finding: Finding, text = '') => {
    if (finding === 'right') known.add(text);
    settling.shift()?.(finding);
  };
  const say = async (text: string) => {
    const before = asked.length;
    const client = await peer(on);
    client.send(text);
    await expect.poll(() => asked.length).toBe(before + 1);
    return client;
  };
  return { on, clock, settle, asked, say, gaveUp: () => gaveUp };
}

test('a connection is not read while something is found out, and then judged by the same bytes', async () => {
  const { on, settle, asked, say } = await inquiringPort();
  const client = await say('A\n> one\n');
  client.send('> two\n');
  expect(on.acceptor.waiting).toBe(1);
  settle('right', 'A\n> one\n');
  expect([await client.line(), await client.line()]).toEqual(['1 one', '2 two']);
  expect(asked).toEqual(['A\n> one\n', 'A\n> one\n']);
  expect(on.acceptor.waiting).toBe(0);
  expect(await client.ask('> three')).toBe('3 three');
});

test('a connection that waited too long is not judged', async () => {
  const { on, clock, settle, asked, say } = await inquiringPort();
  const client = await say('A\n');
  clock.advance(10_000);
  await client.closed();
  settle('right', 'A\n');
  const next = await say('A\n> one\n');
  settle('right', 'A\n> one\n');
  expect(await next.line()).toBe('1 one');
  expect(asked).toEqual(['A\n', 'A\n> one\n', 'A\n> one\n']);
  expect(on.notices).not.toContain('blocked 127.0.0.1');
});

test('nothing more is found out for a name that is blocked at its address, and others are not disturbed', async () => {
  const { on, asked, say, gaveUp } = await inquiringPort();
  const waiting = [await say('A1 nobody\n'), await say('A2 nobody\n')];
  const other = await say('A3\n');
  for (let guess = 0; guess < 3; guess += 1) await (await say('nobody\n')).closed();
  for (const client of waiting) await client.closed();
  expect(gaveUp()).toBe(2);
  expect(on.notices.slice(-3)).toEqual([
    'blocked 127.0.0.1',
    'refused 127.0.0.1: its name is blocked at this address',
    'refused 127.0.0.1: its name is blocked at this address',
  ]);
  expect(asked).toHaveLength(6);
  expect(other.socket.destroyed).toBe(false);
});

test('who hangs up before it is known that he is nobody has guessed all the same', async () => {
  const { on, settle, say } = await inquiringPort();
  for (let guess = 0; guess < 3; guess += 1) {
    const client = await say('A\n');
    client.socket.destroy();
    await expect.poll(() => on.acceptor.connections).toBe(0);
    settle('wrong');
  }
  await on.noticed('blocked 127.0.0.1');
  const said = 'refused 127.0.0.1: it left before it was found to be wrong';
  expect(on.notices.filter((notice) => notice === said)).toHaveLength(3);
});

test('for who hangs up nothing more is found out', async () => {
  const { settle, say, gaveUp } = await inquiringPort();
  for (let left = 1; left <= 5; left += 1) {
    (await say('A\n')).socket.destroy();
    await expect.poll(gaveUp).toBe(left);
    settle('dropped');
  }
  const client = await say('A\n> one\n');
  settle('right', 'A\n> one\n');
  expect(await client.line()).toBe('1 one');
});

test('a connection for whose password there was no time is closed, and has not guessed', async () => {
  const { on, settle, say } = await inquiringPort();
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const client = await say('A\n');
    settle('dropped');
    await client.closed();
  }
  expect(on.notices).toEqual(
    Array<string>(4).fill('refused 127.0.0.1: too many logons wait to be checked'),
  );
});

test('connections that say nothing do not push out one whose password is being checked', async () => {
  const { on, settle, say } = await inquiringPort({ waiting: 2 });
  const client = await say('A\n> one\n');
  const silent = [await peer(on), await peer(on), await peer(on), await peer(on)];
  await silent[1]?.closed();
  settle('right', 'A\n> one\n');
  expect(await client.line()).toBe('1 one');
});
