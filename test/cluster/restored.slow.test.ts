/**
 * A database that is restored from a backup older than what its cluster has done since. The venue has orders that it has forgotten; no
 * order may go out a second time, and nobody may be told that one of them was rejected.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';
import type { RunProcess } from '../support/run-process.ts';
import { clients, order, reported, Stand } from './stand.ts';

const { alpha, charlie } = clients;
let server: PostgresServer;
let stand: Stand;
let node: RunProcess;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store, durability: 'power' }));
}, 120_000);

afterAll(async () => {
  await stand.stop();
  await server.stop();
}, 120_000);

const account = () => stand.sandbox.info.accounts[0]?.account ?? '';
const openOrders = () => stand.venue.openOrders(account()).length;
const served = (by: RunProcess) => by.says(/desk-a is served/);

async function loggedOn(by: RunProcess, client = alpha): Promise<FixPeer> {
  const peer = await FixPeer.connect(await by.port(), client);
  expect(typeOf(await peer.logon())).toBe('A');
  return peer;
}

async function accept(): Promise<void> {
  const about = ['--config', stand.clusterFile, '--name', 'n1'] as const;
  const { stdout } = await causeway('node', 'accept', ...about);
  expect(stdout).toMatch(/^accepted the lost commits of .*desk-a/);
  const again = await causeway('node', 'accept', ...about);
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('nothing to accept')]);
}

async function place(peer: FixPeer, id: string): Promise<void> {
  peer.say(`D|11=${id}|${order}`);
  await reported(peer, id, '0');
}

async function whileDatabaseIsDown(change: () => void): Promise<void> {
  await server.kill();
  change();
  await server.run();
}

test('under a running node it serves nothing more until an operator accepts it, and no order goes out twice', async () => {
  node = stand.node();
  await served(node);
  const peer = await loggedOn(node);
  await place(peer, 'known');
  await whileDatabaseIsDown(() => server.backUp());
  // The session continues: a database that was away and is the same one loses nobody. Until then orders are refused.
  await node.says(/"shard":"desk-a","event":"database_back"/);
  await place(peer, 'forgotten');
  const [before, events] = [openOrders(), stand.venue.lastSeq(account())];
  let from = node.said.length;
  const says = (pattern: RegExp) => expect.poll(() => node.said.slice(from)).toMatch(pattern);
  await whileDatabaseIsDown(() => server.restore());
  await says(/knows \d+ to be committed: an older backup was restored/);
  await says(/the worker of shard desk-a has ended/);
  await says(/the database has lost commits of shard desk-a/);
  expect([openOrders(), stand.venue.lastSeq(account())]).toEqual([before, events]);
  from = node.said.length;
  // The renewal of a certificate must not accept a database.
  node.signal('SIGHUP');
  await says(/"event":"config_read"/);
  expect((await stand.shard('desk-a')).state).not.toBe('serving');
  await accept();
  await says(/desk-a is served/);
  const again = await loggedOn(node);
  await place(again, 'next');
  expect(openOrders()).toBe(before + 1);
  // The operator is told of the order that only the venue knows.
  await says(/"event":"other_channel".*resting/);
  again.say(`F|11=x|41=known|55=BTC-USDC|54=1|60=now`);
  await again.next((text) => fieldOf(text, '150') === '4');
  expect(openOrders()).toBe(before);
});

test('a node that has not read the lost commits does not take the shard of one whose worker knows of them', async () => {
  const other = stand.node('n2');
  await other.says(/status on/);
  const peer = await loggedOn(node, charlie);
  await place(peer, 'read by both');
  const said = (from: number, pattern: RegExp) =>
    expect.poll(() => node.said.slice(from)).toMatch(pattern);
  let from = node.said.length;
  await whileDatabaseIsDown(() => server.backUp());
  await said(from, /"shard":"desk-a","event":"database_back"/);
  other.signal('SIGSTOP');
  await place(peer, 'read by one');
  from = node.said.length;
  await whileDatabaseIsDown(() => server.restore());
  await said(from, /the worker of shard desk-a has ended/);
  other.signal('SIGCONT');
  await other.says(/the database has lost commits of shard desk-a/);
  expect(other.said).not.toMatch(/desk-a is served/);
  await other.kill();
});

test('under nodes that had all stopped it is served as it is, and no order goes out twice', async () => {
  const from = node.said.length;
  await accept();
  await expect.poll(() => node.said.slice(from)).toMatch(/desk-a is served/);
  node.signal('SIGTERM');
  expect(await node.ended()).toBe(0);
  const before = openOrders();
  await whileDatabaseIsDown(() => server.restore());
  node = stand.node();
  await served(node);
  const peer = await loggedOn(node);
  expect(openOrders()).toBe(before);
  await place(peer, 'new');
  expect(openOrders()).toBe(before + 1);
});
