/**
 * Two adjacent versions side by side on one database, as during a rolling upgrade: each takes the shards of the other after a kill and
 * after a drain, and reads what the other has written. The earlier version is a commit of this repository, so a clone with no history
 * cannot run it.
 */
import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import type { RunProcess } from '../support/run-process.ts';
import { until } from '../support/waits.ts';
import { clients, order, reported, Stand } from './stand.ts';

/**
 * The earliest version that may run beside this one (docs/DEPLOY.md, "A rolling upgrade"). A change that it could not follow moves this
 * to a later commit, and is named in CHANGELOG.md.
 */
const previous = process.env['PREVIOUS'] ?? '52700c7';
const root = join(import.meta.dirname, '../..');
const withinMs = 90_000;
const { alpha } = clients;
const isThere = (() => {
  try {
    execFileSync('git', ['cat-file', '-e', `${previous}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
let folder: string;
let server: PostgresServer;
let stand: Stand;
const nodes = new Map<string, RunProcess>();

beforeAll(async () => {
  if (!isThere) return;
  folder = mkdtempSync(join(tmpdir(), 'earlier-'));
  const archive = execFileSync('git', ['archive', previous], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store, durability: 'power' }));
  keepEarlierProfile();
});

/** An upgrade keeps the operator's profile, which has no key that is new in this version. */
function keepEarlierProfile(): void {
  const read = (path: string) => parse(readFileSync(path, 'utf8')) as object;
  const file = join(stand.directory, 'venue.yaml');
  const { gate } = read(file) as { gate: object };
  const earlier = read(join(folder, 'dictionaries/venue.sandbox.yaml'));
  writeFileSync(file, stringify({ ...earlier, gate }));
}

afterAll(async () => {
  if (!isThere) return;
  for (const node of nodes.values()) killAll(node);
  await stand.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** n1 runs the earlier version, n2 this one. */
async function start(name: 'n1' | 'n2'): Promise<RunProcess> {
  const node = stand.node(name, name === 'n1' ? join(folder, 'src/main.ts') : undefined);
  nodes.set(name, node);
  await until(() => node.said.includes('status on'), withinMs);
  return node;
}

function killAll(node: RunProcess): void {
  const children = readdirSync('/proc').filter((name) => {
    try {
      const status = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1);
      return Number(status?.split(' ')[1]) === node.pid;
    } catch {
      return false;
    }
  });
  for (const pid of [node.pid, ...children.map(Number)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** Continues with the numbers that it had. */
async function loggedOn(node: RunProcess, before?: FixPeer): Promise<FixPeer> {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const peer = await FixPeer.connect(await node.port(), alpha);
    if (before !== undefined) peer.nextOut = before.nextOut;
    const answer = await (before ? peer.logon('') : peer.logon()).catch(() => '|35=5|');
    if (typeOf(answer) === 'A') return peer;
    if (Date.now() > endMs) throw new Error(`no logon: ${answer}; ${node.said.slice(-3_000)}`);
    peer.hangUp();
  }
}

async function rests(peer: FixPeer, id: string): Promise<void> {
  peer.say(`D|11=${id}|${order}`);
  await reported(peer, id, '0');
}

async function canceled(peer: FixPeer, id: string): Promise<void> {
  peer.say(`F|11=x${id}|41=${id}|55=BTC-USDC|54=1|60=now`);
  const report = await peer.next(
    (text) => fieldOf(text, '11') === `x${id}` && fieldOf(text, '150') === '4',
  );
  expect(stand.venue.order(fieldOf(report, '37') ?? '')?.state).toBe('canceled');
}

test.skipIf(!isThere)(
  'a shard goes from the earlier version to this one and back, after a kill and after a drain, with its orders and numbers',
  async () => {
    const served = (node: RunProcess) =>
      Promise.all(
        ['desk-a', 'desk-b'].map((shard) =>
          until(() => node.said.includes(`${shard} is served`), withinMs),
        ),
      );
    let old = await start('n1');
    await served(old);
    let now = await start('n2');
    let peer = await loggedOn(old);
    await rests(peer, 'old1');
    await rests(peer, 'old2');
    // This version reads the records of the earlier one.
    killAll(old);
    await until(() => peer.isClosed);
    peer = await loggedOn(now, peer);
    await served(now);
    await canceled(peer, 'old1');
    await rests(peer, 'new1');
    // And the earlier one those of this one.
    old = await start('n1');
    killAll(now);
    await until(() => peer.isClosed);
    peer = await loggedOn(old, peer);
    await served(old);
    await canceled(peer, 'new1');
    await rests(peer, 'old3');
    // Now with snapshots, which an orderly stop writes.
    now = await start('n2');
    await stand.drain('n1');
    await until(() => peer.isClosed);
    peer = await loggedOn(now, peer);
    await canceled(peer, 'old2');
    await rests(peer, 'new2');
    old = await start('n1');
    await stand.drain('n2');
    await until(() => peer.isClosed);
    peer = await loggedOn(old, peer);
    for (const id of ['old3', 'new2']) await canceled(peer, id);
    peer.hangUp();
    const { account = '' } = stand.sandbox.info.accounts[0] ?? {};
    expect(stand.venue.openOrders(account)).toEqual([]);
  },
  600_000,
);
