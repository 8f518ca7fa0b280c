/**
 * A node with two shards, from outside: FIX over TLS, whose connections are relayed to the workers, and FIXP in cleartext, whose
 * sockets are handed to them.
 */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoSession } from '../../src/cli/demo-files.ts';
import { writeProxyHeader } from '../../src/transport/proxy-header.ts';
import { listOf } from '../acceptance/parity/lanes.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';
import { sandboxProfile } from '../support/quick-files.ts';
import type { RunProcess } from '../support/run-process.ts';
import { until } from '../support/waits.ts';
import { Authority, type Identity } from '../transport/authority.ts';
import { clients, order, reported, Stand } from './stand.ts';

const { alpha, bravo, delta, echo } = clients;
const listed = listOf({ profile: sandboxProfile });
const authority = new Authority();
const [own, other] = [authority.issue('client'), authority.issue('other')];
const folder = mkdtempSync(join(tmpdir(), 'node-tls-'));
let stand: Stand;
let node: RunProcess;

beforeAll(async () => {
  const { cert, key } = authority.issue('localhost');
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const tls = {
    certFile: file('server.crt', cert),
    keyFile: file('server.key', key),
    clientCaFile: file('ca.crt', authority.cert),
  };
  const { fingerprint256 } = new X509Certificate(own.cert);
  const certificateSha256 = fingerprint256.replaceAll(':', '').toLowerCase();
  stand = await Stand.open(({ sessions }) => ({
    sessions: sessions.map((one) => ({
      ...one,
      ...(one.senderCompId === 'ALPHA' && { certificateSha256 }),
    })),
    fix: { listen: { port: 0 }, tls },
  }));
  await start();
}, 240_000);

afterAll(async () => {
  await stand.stop();
  authority.remove();
  rmSync(folder, { recursive: true });
}, 240_000);

async function start(): Promise<void> {
  node = stand.node();
  await node.says(/status on/);
  for (const name of ['desk-a', 'desk-b']) await stand.served(name);
}

async function fixPeer(session: DemoSession, identity: Identity = own): Promise<FixPeer> {
  const tls = { ...identity, ca: authority.cert, servername: 'localhost' };
  return FixPeer.connect(await node.port(), session, tls);
}

async function fixpPeer(user: typeof delta, before?: FixpPeer): Promise<FixpPeer> {
  return FixpPeer.connect(await node.fixpPort(), user, listed, before);
}

test('clients of two shards trade through one address on each lane, and with each other', async () => {
  const [a, b] = [await fixPeer(alpha), await fixpPeer(echo)];
  for (const peer of [a, b]) expect(typeOf(await peer.logon())).toBe('A');
  a.say(`D|11=maker|${order}`);
  await reported(a, 'maker', '0');
  b.say(`D|11=taker|${order.replace('54=1', '54=2')}`);
  await reported(b, 'taker', 'F');
  await reported(a, 'maker', 'F');
  expect(await stand.shard('desk-a')).toMatchObject({ relayed: 1, handed: 0, unanswered: 0 });
  expect(await stand.shard('desk-b')).toMatchObject({ relayed: 0, handed: 1, unanswered: 0 });
  for (const peer of [a, b]) peer.hangUp();
});

test('the certificate that a session is bound to reaches the worker, and no other lets its client in', async () => {
  const stranger = await fixPeer(alpha, other);
  expect(fieldOf(await stranger.logon(), '58')).toMatch(/wrong credentials/);
  const foreign = await fixPeer({ ...bravo, username: alpha.username, password: alpha.password });
  expect(fieldOf(await foreign.logon(), '58')).toMatch(/wrong credentials/);
  const nobody = await fixPeer({ ...bravo, senderCompId: 'NOBODY' });
  nobody.say('A|98=0|108=30|553=nobody|554=wrong');
  await until(() => nobody.isClosed);
  await node.says(/no session has these CompIDs/);
});

test('a PROXY header that a client writes is not believed, but taken for a broken message', async () => {
  const socket = connect(await node.fixpPort(), '127.0.0.1');
  socket.on('error', () => {});
  const certificate = { fingerprint256: '00'.repeat(32), commonName: 'client' };
  socket.write(writeProxyHeader({ address: '10.0.0.1', isTls: true, certificate }));
  let isClosed = false;
  socket.resume().once('close', () => {
    isClosed = true;
  });
  await until(() => isClosed);
  expect(node.said).not.toContain('10.0.0.1');
});

test('a killed worker is replaced: its sessions go on with their numbers, and the other shard notices nothing', async () => {
  const [a, b, c] = [await fixPeer(alpha), await fixPeer(bravo), await fixpPeer(delta)];
  for (const peer of [a, b, c]) expect(typeOf(await peer.logon())).toBe('A');
  for (const [peer, name] of [
    [a, 'rests'],
    [c, 'too'],
  ] as const) {
    peer.say(`D|11=${name}|${order}`);
    await reported(peer, name, '0');
  }
  const { pid } = await stand.shard('desk-a');
  process.kill(pid, 'SIGKILL');
  await until(() => a.isClosed && c.isClosed);
  await stand.served('desk-a', pid);
  const [again, cAgain] = [await fixPeer(alpha), await fixpPeer(delta, c)];
  again.nextOut = a.nextOut;
  const answers = [await again.logon(''), await cAgain.logon('')];
  expect(answers.map(typeOf)).toEqual(['A', 'A']);
  for (const [peer, name] of [
    [again, 'rests'],
    [cAgain, 'too'],
  ] as const) {
    peer.say(`F|11=x${name}|41=${name}|55=BTC-USDC|54=1|60=now`);
    const canceled = await peer.next((text) => fieldOf(text, '150') === '4');
    expect(stand.venue.order(fieldOf(canceled, '37') ?? '')?.state).toBe('canceled');
  }
  b.say(`D|11=still|${order}`);
  await reported(b, 'still', '0');
  expect(b.isClosed).toBe(false);
  for (const peer of [again, b, cAgain]) peer.hangUp();
});

test('SIGHUP renews the certificate of the front door, a broken one is refused by name, and connections stay', async () => {
  const seen = async () => {
    const tls = { ...own, ca: authority.cert, servername: 'localhost' };
    const socket = connectTls({ ...tls, host: '127.0.0.1', port: await node.port() });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  const [peer, before] = [await fixPeer(alpha), await seen()];
  expect(typeOf(await peer.logon())).toBe('A');
  const fresh = authority.issue('localhost');
  write('server.crt', fresh.cert);
  write('server.key', fresh.key);
  node.signal('SIGHUP');
  await expect.poll(seen, { timeout: 40_000 }).not.toBe(before);
  const renewed = await seen();
  write('server.key', authority.issue('localhost').key);
  node.signal('SIGHUP');
  await node.says(/fix\.tls \(.*server\.key.*\) cannot be used: .*mismatch/);
  expect(await seen()).toBe(renewed);
  write('server.key', fresh.key);
  peer.say('1|112=still here');
  expect(fieldOf(await peer.next((one) => typeOf(one) === '0'), '112')).toBe('still here');
  peer.hangUp();
});
