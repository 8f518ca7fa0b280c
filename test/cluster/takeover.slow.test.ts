/**
 * Two nodes as an operator would run them on two machines, with one database: what their clients see when one of them dies, hangs or
 * drains. Each test begins with both shards at the node that is to lose them.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectToPrimary } from '../../src/store/postgres/connection.ts';
import { listShards } from '../../src/store/postgres/lease.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { RunProcess } from '../support/run-process.ts';
import { until } from '../support/waits.ts';
import { clients, order, reported, Stand } from './stand.ts';

/** Promised are 3 s, which a machine that compiles and tests beside it cannot keep; a loss of a shard takes for ever. */
const withinMs = 15_000;
const { alpha, bravo } = clients;
let server: PostgresServer;
let stand: Stand;
let n1: RunProcess;
let n2: RunProcess;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store, durability: 'power' }));
});

afterAll(async () => {
  await stand.stop();
  await server.stop();
});

beforeEach(async () => {
  n1 = stand.node('n1');
  for (const shard of ['desk-a', 'desk-b']) await n1.says(new RegExp(`${shard} is served`));
  await startSecond();
});

async function startSecond(): Promise<void> {
  n2 = stand.node('n2');
  await n2.says(/status on/);
  // One spare for each shard, as n2 has after a while.
  await until(() => childrenOf(n2.pid).length === 2, withinMs);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
}

afterEach(async () => {
  for (const node of [n1, n2]) {
    for (const pid of [node.pid, ...childrenOf(node.pid)]) signal(pid, 'SIGKILL');
    await node.ended();
  }
});

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        return (
          Number(readFileSync(`/proc/${each}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]) ===
          pid
        );
      } catch {
        return false;
      }
    });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
  } catch {
    return false;
  }
}

/** The node process with all its workers, at once. */
function signalAll(node: RunProcess, name: NodeJS.Signals): void {
  execFileSync('kill', [`-${name}`, ...[node.pid, ...childrenOf(node.pid)].map(String)]);
}

const owners = async () => {
  const connection = await connectToPrimary(server.place, 'process');
  const rows = await listShards(connection);
  await connection.close();
  return rows;
};

/** How much has happened to the account of desk-a at the venue. */
const venueEvents = () => stand.venue.lastSeq(stand.sandbox.info.accounts[0]?.account ?? '');

/** Of each account. */
const allEvents = () =>
  stand.sandbox.info.accounts.map(({ account }) => stand.venue.lastSeq(account));

/** A route of the venue's operator. */
async function venue(path: string, body?: object): Promise<void> {
  const answer = await fetch(`${stand.sandbox.info.adminUrl}${path}`, {
    method: 'POST',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
}

/** Logged on at the node, with an order that rests at the venue. */
async function trading(node: RunProcess, id: string, session = alpha): Promise<FixPeer> {
  const peer = await FixPeer.connect(await node.port(), session);
  expect(typeOf(await peer.logon())).toBe('A');
  peer.say(`D|11=${id}|${order}`);
  await reported(peer, id, '0');
  return peer;
}

/** Continues at another node with the numbers that it had, and trades with the order that rested. */
async function continued(
  node: RunProcess,
  before: FixPeer,
  id: string,
  session = alpha,
): Promise<FixPeer> {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const peer = await FixPeer.connect(await node.port(), session);
    peer.nextOut = before.nextOut;
    // The shard may take longer than a connection may wait, or its worker has just died with the connection.
    const answer = await peer.logon('').catch(() => '|35=5|');
    if (typeOf(answer) === '5' && Date.now() < endMs) continue;
    expect(typeOf(answer)).toBe('A');
    peer.say(`F|11=x${id}|41=${id}|55=BTC-USDC|54=1|60=now`);
    const canceled = await peer.next((text) => fieldOf(text, '150') === '4');
    expect(stand.venue.order(fieldOf(canceled, '37') ?? '')?.state).toBe('canceled');
    return peer;
  }
}

test('a node that is killed with its workers is replaced: its clients go on elsewhere with their numbers and orders', async () => {
  const before = await trading(n1, 'killed');
  const epochs = (await owners()).map(({ epoch }) => epoch);
  signalAll(n1, 'SIGKILL');
  await until(() => before.isClosed);
  await continued(n2, before, 'killed');
  await n2.says(/desk-b is served/);
  const after = await owners();
  expect(after.map(({ node }) => node)).toEqual(['n2', 'n2']);
  expect(after.map(({ epoch }) => epoch)).toEqual(epochs.map((epoch) => epoch + 1));
});

test.each([
  ['at the next', 'proved', false],
  ['at one that started later', 'learned', true],
])(
  'a client whose password was right at one node does not wait for another check %s',
  async (_, id, isLater) => {
    const [known, unknown] = [alpha, clients.charlie];
    (await trading(n1, id, known)).hangUp();
    if (isLater) {
      signalAll(n2, 'SIGKILL');
      await n2.ended();
      await startSecond();
    }
    // With another cost no password fits the hash any more, so only what is known of an earlier check can accept one.
    const files = [known, unknown].map(({ username }) => stand.secretHash(username));
    const before = files.map((file) => readFileSync(file, 'utf8'));
    for (const [at, file] of files.entries())
      writeFileSync(file, (before[at] ?? '').replace(/^scrypt\$\d+/, 'scrypt$2048'));
    try {
      signalAll(n1, 'SIGKILL');
      await n2.says(/desk-a is served/);
      const logons = [known, unknown].map(async (session) => {
        const peer = await FixPeer.connect(await n2.port(), session);
        const answer = typeOf(await peer.logon());
        peer.hangUp();
        return answer;
      });
      expect(await Promise.all(logons)).toEqual(['A', '5']);
    } finally {
      for (const [at, file] of files.entries()) writeFileSync(file, before[at] ?? '');
    }
  },
);

test('a node that was stopped as a whole transmits nothing when it resumes, and its workers end', async () => {
  const before = await trading(n1, 'stopped');
  const owned = (await stand.shards()).map(({ pid }) => pid);
  const events = venueEvents();
  signalAll(n1, 'SIGSTOP');
  // It arrives, and waits in the socket of a worker that is no owner any more when it reads it.
  before.say(`D|11=late|${order}`);
  const peer = await FixPeer.connect(await n2.port(), alpha);
  peer.hangUp();
  // A shard that nobody has taken yet stays with its owner when that resumes.
  for (const shard of ['desk-a', 'desk-b']) await n2.says(new RegExp(`${shard} is served`));
  signalAll(n1, 'SIGCONT');
  await until(() => before.isClosed, withinMs);
  await until(() => !owned.some(isRunning), withinMs);
  // The venue has heard of nothing but what the client did before.
  expect(venueEvents()).toBe(events);
  before.nextOut -= 1;
  await continued(n2, before, 'stopped');
  expect((await owners()).map(({ node }) => node)).toEqual(['n2', 'n2']);
});

test('workers whose node process alone is stopped release their shards and end', async () => {
  const before = await trading(n1, 'alone');
  signal(n1.pid, 'SIGSTOP');
  await until(() => before.isClosed, withinMs);
  await continued(n2, before, 'alone');
  await n2.says(/desk-b is served/);
  signal(n1.pid, 'SIGCONT');
  // It is a node like any other again, and shards stay where they are.
  expect((await owners()).map(({ node }) => node)).toEqual(['n2', 'n2']);
});

test('a worker that hangs loses its shard, and its node ends it', async () => {
  const before = await trading(n1, 'hangs');
  const { pid } = await stand.shard('desk-a');
  signal(pid, 'SIGSTOP');
  await until(() => before.isClosed, withinMs);
  const [row] = await owners();
  expect(row?.shard).toBe('desk-a');
  await continued(row?.node === 'n2' ? n2 : n1, before, 'hangs');
});

test('a worker that dies is replaced on its node, without waiting for its lease', async () => {
  const before = await trading(n1, 'died');
  const { pid } = await stand.shard('desk-a');
  signal(pid, 'SIGKILL');
  await until(() => before.isClosed);
  await continued(n1, before, 'died');
  expect((await owners()).map(({ node }) => node)).toEqual(['n1', 'n1']);
});

test('a drain moves one shard after the other, and hardly waits for clients that answer no Logout', async () => {
  const [a, b] = [await trading(n1, 'drained a'), await trading(n1, 'drained b', bravo)];
  for (const peer of [a, b]) peer.stayOpen();
  const drained = stand.drain('n1');
  await n2.says(/desk-a is served/);
  const first = await continued(n2, a, 'drained a');
  await drained;
  await continued(n2, b, 'drained b', bravo);
  first.say(`D|11=goes on|${order}`);
  await reported(first, 'goes on', '0');
  expect(await n1.ended()).toBe(0);
  // The next shard was stopped only when the one before it was served.
  const at = (node: RunProcess, text: string) =>
    Date.parse(
      node.said
        .split('\n')
        .find((line) => line.includes(text))
        ?.match(/"time":"([^"]+)/)?.[1] ?? '',
    );
  expect(at(n1, '"shard":"desk-b","event":"disconnected"')).toBeGreaterThanOrEqual(
    at(n2, 'desk-a is served'),
  );
  expect((await owners()).map(({ node }) => node)).toEqual(['n2', 'n2']);
});

test('a second process with the name of a node refuses to start, and changes nothing', async () => {
  const elsewhere = stand.withDataDir('elsewhere');
  const twin = stand.started(new RunProcess(elsewhere, ['--name', 'n1'], [], 'node'));
  expect(await twin.ended()).not.toBe(0);
  expect(twin.said).toMatch(/another process runs as node n1/);
  await trading(n1, 'twin');
  expect((await owners()).map(({ node }) => node)).toEqual(['n1', 'n1']);
});

test('an owner that is stopped in the middle of a commit sends its order at most once, whoever resumes', async () => {
  const account = stand.sandbox.info.accounts[0]?.account ?? '';
  const rested = stand.venue.openOrders(account).length;
  const before = await trading(n1, 'split');
  const owned = (await stand.shards()).map(({ pid }) => pid);
  const admin = await server.admin('causeway');
  // Within a transaction the list of activities never changes.
  const watch = await server.admin('causeway');
  await admin.run(`begin; select 1 from causeway.shards where shard = 'desk-a' for update`);
  before.say(`D|11=cut|${order}`);
  const waits = `select 1 as one from pg_stat_activity where query like '%causeway.commit%' and wait_event_type = 'Lock'`;
  await expect.poll(() => watch.query({ text: waits })).toHaveLength(1);
  signalAll(n1, 'SIGSTOP');
  // The order is recorded now, and the one who asked for it does not know.
  await admin.run('commit');
  for (const connection of [admin, watch]) await connection.close();
  const after = await continued(n2, before, 'split');
  after.say(`D|11=next|${order}`);
  await reported(after, 'next', '0');
  const events = venueEvents();
  // The one that was cut, and the next one; the first was canceled.
  expect(stand.venue.openOrders(account).length - rested).toBeLessThanOrEqual(2);
  await n2.says(/desk-b is served/);
  signalAll(n1, 'SIGCONT');
  await until(() => !owned.some(isRunning), withinMs);
  expect(venueEvents()).toBe(events);
});

test('an order that waits for the answer of the venue when its owner is killed has one outcome, elsewhere', async () => {
  const account = stand.sandbox.info.accounts[0]?.account ?? '';
  const before = await trading(n1, 'waits');
  const rested = stand.venue.openOrders(account).length;
  // It is on its way, and arrives when another owner has sent it again.
  await venue('/faults', { kind: 'hold', delayMs: null, path: '/trading/actions' });
  before.say(`D|11=held|${order}`);
  await reported(before, 'held', 'A');
  signalAll(n1, 'SIGKILL');
  const after = await continued(n2, before, 'waits');
  await venue('/faults/release');
  after.say('F|11=x held|41=held|55=BTC-USDC|54=1|60=now');
  await after.next((text) => fieldOf(text, '150') === '4' && fieldOf(text, '41') === 'held');
  expect(stand.venue.openOrders(account)).toHaveLength(rested - 1);
  await n2.says(/desk-b is served/);
});

test('two takeovers in a row lose nothing and send nothing twice', async () => {
  const account = stand.sandbox.info.accounts[0]?.account ?? '';
  const first = await trading(n1, 'first owner');
  const rested = stand.venue.openOrders(account).length;
  signalAll(n1, 'SIGKILL');
  n1 = stand.node('n1');
  const second = await continued(n2, first, 'first owner');
  second.say(`D|11=second owner|${order}`);
  await reported(second, 'second owner', '0');
  await n1.says(/status on/);
  signalAll(n2, 'SIGKILL');
  const third = await continued(n1, second, 'second owner');
  third.say(`D|11=third owner|${order}`);
  await reported(third, 'third owner', '0');
  expect(stand.venue.openOrders(account)).toHaveLength(rested);
  await n1.says(/desk-b is served/);
  expect((await owners()).map(({ node }) => node)).toEqual(['n1', 'n1']);
});

test('a node that is stopped in the middle of its drain transmits nothing when it resumes', async () => {
  const [a, b] = [await trading(n1, 'half a'), await trading(n1, 'half b', bravo)];
  const owned = (await stand.shards()).map(({ pid }) => pid);
  const drained = stand.drain('n1');
  await n1.says(/"shard":"desk-a","event":"disconnected"/);
  signalAll(n1, 'SIGSTOP');
  b.say(`D|11=late|${order}`);
  for (const shard of ['desk-a', 'desk-b']) await n2.says(new RegExp(`${shard} is served`));
  const events = allEvents();
  signalAll(n1, 'SIGCONT');
  await until(() => !owned.some(isRunning), withinMs);
  expect(await n1.ended()).toBe(0);
  await drained;
  expect(allEvents()).toEqual(events);
  b.nextOut -= 1;
  await continued(n2, a, 'half a');
  await continued(n2, b, 'half b', bravo);
});

test('a worker that hangs does not hold up the drain of its node', async () => {
  const before = await trading(n1, 'hangs in a drain');
  const { pid } = await stand.shard('desk-a');
  signal(pid, 'SIGSTOP');
  before.say(`D|11=late|${order}`);
  const events = allEvents();
  await stand.drain('n1');
  expect(await n1.ended()).toBe(0);
  expect(isRunning(pid)).toBe(false);
  expect(allEvents()).toEqual(events);
  before.nextOut -= 1;
  await continued(n2, before, 'hangs in a drain');
});
