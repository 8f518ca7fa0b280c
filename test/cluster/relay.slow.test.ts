/**
 * Two nodes with one database, from outside. The first has both shards and reaches the database through a proxy; clients connect to
 * the second.
 */
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { DemoSession } from '../../src/cli/demo-files.ts';
import { listOf } from '../acceptance/parity/lanes.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';
import { sandboxProfile } from '../support/quick-files.ts';
import { RunProcess } from '../support/run-process.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/waits.ts';
import { Authority, type Identity } from '../transport/authority.ts';
import { clients, order, reported, Stand } from './stand.ts';

const { alpha, bravo, charlie, echo } = clients;
const listed = listOf({ profile: sandboxProfile });
const authority = new Authority();
const [own, other] = [authority.issue('client'), authority.issue('other')];
let server: PostgresServer;
let proxy: TcpProxy;
let stand: Stand;
let programs: Record<'n1' | 'n2', string>;
let first: RunProcess | undefined;
let second: RunProcess | undefined;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  proxy = await TcpProxy.to(server.port);
  const store = (port: number) => ({
    postgres: { hosts: [`127.0.0.1:${port}`], user: bridgeRole },
  });
  const { fingerprint256 } = new X509Certificate(own.cert);
  const certificateSha256 = fingerprint256.replaceAll(':', '').toLowerCase();
  stand = await Stand.open(({ sessions }) => ({
    ...{ store: store(server.port), durability: 'power' },
    sessions: sessions.map((one) => ({
      ...one,
      ...(one.senderCompId === 'CHARLIE' && { certificateSha256 }),
    })),
  }));
  const file = (name: string, text: string) => {
    writeFileSync(join(stand.directory, name), text, { mode: 0o600 });
    return join(stand.directory, name);
  };
  const bridge = parse(readFileSync(stand.bridgeFile, 'utf8')) as object;
  file('gateway-1.yaml', stringify({ ...bridge, store: store(proxy.port) }));
  const cluster = parse(readFileSync(stand.clusterFile, 'utf8')) as object;
  programs = {
    n1: file('cluster-1.yaml', stringify({ ...cluster, bridge: 'gateway-1.yaml' })),
    n2: stand.clusterFile,
  };
}, 120_000);

afterAll(async () => {
  for (const node of [first, second]) if (node !== undefined) killAll(node);
  await stand.stop();
  await proxy.close();
  await server.stop();
  authority.remove();
}, 120_000);

/** Both shards are at one of the nodes, and the other one has started after that. Each knows of the other. */
async function begin(
  withShards: 'n1' | 'n2',
): Promise<readonly [home: RunProcess, away: RunProcess]> {
  for (const node of [first, second]) if (node !== undefined) killAll(node);
  for (const side of ['requests', 'replies'] as const) proxy.set(side, 'pass');
  const start = (name: 'n1' | 'n2') =>
    stand.started(new RunProcess(programs[name], ['--name', name], [], 'node'));
  const home = start(withShards);
  const url = await home.says(/status on (\S+?)"/);
  for (;;) {
    const rows = (await (await fetch(`${url}/shards`)).json()) as readonly { state: string }[];
    if (rows.every(({ state }) => state === 'serving')) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const away = start(withShards === 'n1' ? 'n2' : 'n1');
  await away.says(/status on/);
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^causeway_cluster_nodes 2$/m);
  [first, second] = withShards === 'n1' ? [home, away] : [away, home];
  return [home, away];
}

/** The node process with its workers, at once. */
function killAll({ pid }: RunProcess): void {
  const children = spawnSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' }).stdout;
  spawnSync('kill', ['-KILL', `${pid}`, ...children.split('\n').filter((each) => each !== '')]);
}

/** Logged on, with an order that rests at the venue. */
async function trading(node: RunProcess, session: DemoSession, id: string): Promise<FixPeer> {
  const peer = await FixPeer.connect(await node.port(), session);
  expect(typeOf(await peer.logon())).toBe('A');
  peer.say(`D|11=${id}|${order}`);
  await reported(peer, id, '0');
  return peer;
}

/** With the numbers that it had, and the order that rested. */
async function continued(node: RunProcess, session: DemoSession, before: FixPeer, id: string) {
  for (;;) {
    const peer = await FixPeer.connect(await node.port(), session);
    peer.nextOut = before.nextOut;
    const answer = await peer.logon('');
    if (typeOf(answer) === '5') continue;
    expect(typeOf(answer)).toBe('A');
    peer.say(`F|11=x${id}|41=${id}|55=BTC-USDC|54=1|60=now`);
    await peer.next((text) => fieldOf(text, '150') === '4');
    return peer;
  }
}

test('clients of both protocols trade at a node that does not have their shards, and with each other, until it stops', async () => {
  const [, away] = await begin('n1');
  const a = await FixPeer.connect(await away.port(), alpha);
  const b = await FixpPeer.connect(await away.fixpPort(), echo, listed);
  for (const peer of [a, b]) expect(typeOf(await peer.logon())).toBe('A');
  a.say(`D|11=maker|${order}`);
  await reported(a, 'maker', '0');
  b.say(`D|11=taker|${order.replace('54=1', '54=2')}`);
  await reported(b, 'taker', 'F');
  await reported(a, 'maker', 'F');
  // Relays do not keep a node from stopping.
  away.signal('SIGTERM');
  expect(await away.ended()).toBe(0);
  expect([a.isClosed, b.isClosed]).toEqual([true, true]);
});

test('a node that alone has lost the database ends its overtaken workers, and their clients continue elsewhere', async () => {
  const [home, away] = await begin('n1');
  const peer = await trading(home, bravo, 'rests');
  for (const side of ['requests', 'replies'] as const) proxy.set(side, 'drop');
  for (const shard of ['desk-a', 'desk-b']) {
    await away.says(new RegExp(`${shard} is served`));
    // Without an exit code: it was killed.
    await home.says(new RegExp(`the worker of shard ${shard} has ended: `));
  }
  await until(() => peer.isClosed);
  (await continued(away, bravo, peer, 'rests')).hangUp();
  for (const side of ['requests', 'replies'] as const) proxy.set(side, 'pass');
  proxy.reset();
  await home.says(/this node can reach the database again/);
});

test('when the node with the shard dies, a client at the other is disconnected at once and continues', async () => {
  const [home, away] = await begin('n2');
  const peer = await trading(away, alpha, 'stays');
  killAll(home);
  const killedMs = performance.now();
  await until(() => peer.isClosed);
  expect(performance.now() - killedMs).toBeLessThan(1_000);
  (await continued(away, alpha, peer, 'stays')).hangUp();
});

test('the certificate and the address of a client reach the worker, and its guesses the node that it is at', async () => {
  const { cert, key } = authority.issue('localhost');
  const tls = { certFile: 'server.crt', keyFile: 'server.key', clientCaFile: 'clients.crt' };
  const texts = { [tls.certFile]: cert, [tls.keyFile]: key, [tls.clientCaFile]: authority.cert };
  for (const [name, text] of Object.entries(texts))
    writeFileSync(join(stand.directory, name), text, { mode: 0o600 });
  const { nodes } = parse(readFileSync(stand.clusterFile, 'utf8')) as { nodes: object[] };
  const [one, two] = nodes;
  stand.change(stand.clusterFile, { nodes: [one, { ...two, fix: { listen: { port: 0 }, tls } }] });
  const [home, away] = await begin('n1');
  const port = await away.port();
  const from = (localAddress: string, session: DemoSession, identity: Identity) =>
    FixPeer.connect(port, session, {
      ...{ ...identity, ca: authority.cert, servername: 'localhost', localAddress },
    });
  const client = await from('127.0.0.9', charlie, own);
  expect(typeOf(await client.logon())).toBe('A');
  await home.says(/127\.0\.0\.9/);
  client.hangUp();
  for (let guess = 0; guess < 3; guess += 1) {
    const stranger = await from('127.0.0.66', charlie, other);
    expect(fieldOf(await stranger.logon(), '58')).toMatch(/wrong credentials/);
  }
  await away.says(/failed to log on too often from 127\.0\.0\.66 and is blocked/);
  stand.change(stand.clusterFile, { nodes });
});

test('with SIGHUP the nodes move to certificates of another authority, step by step, and one that is broken is refused by name', async () => {
  const nodes = await begin('n1');
  const [, away] = nodes;
  const next = new Authority();
  const at = (name: string) => join(stand.directory, name);
  const write = (name: string, text: string) => writeFileSync(at(name), text, { mode: 0o600 });
  const caFile = 'cluster-ca.crt';
  const before = readFileSync(at(caFile), 'utf8');
  // On a busy machine the database may not be ready for a reload, which is then refused as a whole.
  const reload = async (node: RunProcess): Promise<void> => {
    const { length } = node.said;
    const outcome = /configuration of the cluster was read again|the database is not ready/;
    const found = () => outcome.exec(node.said.slice(length))?.[0];
    node.signal('SIGHUP');
    await until(() => found() !== undefined);
    if (!found()?.endsWith('again')) await reload(node);
  };
  const reloadAll = () => Promise.all(nodes.map(reload));
  const trade = async (id: string) => {
    const peer = await trading(away, alpha, id);
    peer.say(`F|11=x${id}|41=${id}|55=BTC-USDC|54=1|60=now`);
    await peer.next((text) => fieldOf(text, '150') === '4');
    return peer;
  };
  const first = await trade('old');
  write(caFile, before + next.cert);
  await reloadAll();
  for (const name of ['n1', 'n2']) {
    const { cert, key } = next.issue(name);
    write(`${name}.crt`, cert);
    write(`${name}.key`, key);
  }
  await reloadAll();
  write(caFile, next.cert);
  await reloadAll();
  first.hangUp();
  (await trade('new')).hangUp();
  write(caFile, next.cert.slice(0, next.cert.length / 2));
  for (const node of nodes) node.signal('SIGHUP');
  const refused = /relay\.tls \(.*cluster-ca\.crt.*\) cannot be used: the authority is not a PEM/;
  for (const node of nodes) await node.says(refused);
  (await trade('kept')).hangUp();
  write(caFile, next.cert);
  next.remove();
});

test('a node is removed once it has ended; after that a bridge as one process still does not start on its shards', async () => {
  const [home, away] = await begin('n1');
  const remove = () => causeway('node', 'remove', '--config', stand.clusterFile, '--name', 'n2');
  expect((await remove()).stderr).toContain('node n2 is alive');
  killAll(away);
  await expect.poll(async () => (await remove()).stdout, { timeout: 10_000 }).toContain('removed');
  killAll(home);
  for (const text of ['account desk-b has its data in shard desk-b', 'causeway node']) {
    const alone = stand.bridge();
    await alone.says(new RegExp(text));
    expect(await alone.ended()).not.toBe(0);
  }
});
