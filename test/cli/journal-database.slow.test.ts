/** `causeway journal` and `causeway replay` on a shard in PostgreSQL, while its bridge trades and afterwards. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Connection } from '../../src/store/postgres/connection.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';

let server: PostgresServer;
let admin: Connection;
let bridge: Bridge;
let peer: FixPeer;
let folder: string;
const order = '55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-journal-'));
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  const hosts = [`127.0.0.1:${server.port}`];
  bridge = await startBridge({ config: { store: { postgres: { hosts, user: bridgeRole } } } });
  peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
}, 60_000);

afterAll(async () => {
  await bridge.stop();
  await admin.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

async function trade(clOrdId: string): Promise<void> {
  peer.say(`D|11=${clOrdId}|${order}`);
  await peer.next((text) => fieldOf(text, '11') === clOrdId && fieldOf(text, '150') === '0');
}

async function ok(...args: readonly string[]): Promise<string> {
  const { status, stderr, stdout } = await causeway(...args);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

const epoch = async () =>
  (await admin.query<{ epoch: number }>({ text: 'select epoch from causeway.shards' }))[0]?.epoch;

test('a journal in the database is read while its bridge trades, and the bridge keeps its shard', async () => {
  await trade('one');
  const before = await epoch();
  const from = ['--config', bridge.configFile];
  const reading = ok('journal', 'inspect', ...from);
  for (let i = 0; i < 20; i += 1) await trade(`during-${i}`);
  expect(await reading).toMatch(/^shard gateway of database causeway\nstream {3}/);
  await trade('two');
  expect(await ok('journal', 'verify', ...from)).toContain('gateway of database causeway is right');
  expect(await ok('replay', ...from)).toContain('It agrees');
  expect(await ok('replay', ...from, '--order', 'two')).toContain('In the end it is new');
  await trade('three');
  expect(await epoch()).toBe(before);
});

test('it says the same as a data directory that the shard was copied to', async () => {
  await bridge.restart(async () => {
    const from = ['--config', bridge.configFile];
    const [exported, replayed] = [
      await ok('journal', 'export', ...from),
      await ok('replay', ...from, '--json'),
    ];
    const copied = join(folder, 'copied');
    await ok('store', 'copy', bridge.configFile, copied);
    expect(exported.split('\n').length).toBeGreaterThan(50);
    expect(await ok('journal', 'export', copied)).toBe(exported);
    const of = (text: string) => JSON.parse(text) as { ok: boolean; accounts: object[] };
    expect(of(await ok('replay', copied, '--json')).ok).toBe(true);
    expect(of(replayed).ok).toBe(true);
    // The directory of the bridge has the ledger of its signer; that of the copy has none.
    expect(of(replayed).accounts).toHaveLength(
      of(await ok('replay', copied, '--json')).accounts.length,
    );
  });
});

test('a shard of a cluster is named, and one that is not there is refused with the names of all', async () => {
  const cluster = join(folder, 'cluster.yaml');
  const shards = [{ name: 'gateway', accounts: ['desk-a', 'desk-b'] }];
  writeFileSync(cluster, stringify({ bridge: bridge.configFile, nodes: [{ name: 'n1' }], shards }));
  expect(await ok('journal', 'inspect', '--config', cluster, '--shard', 'gateway')).toContain(
    'shard gateway of database',
  );
  const { status, stderr } = await causeway('replay', '--config', cluster, '--shard', 'west');
  expect([status, stderr]).toEqual([2, expect.stringContaining('--shard names one of gateway')]);
  const moved = await causeway('store', 'copy', cluster, join(folder, 'east'), '--shard', 'east');
  expect([moved.status, moved.stderr]).toEqual([2, expect.stringContaining('one of gateway')]);
  writeFileSync(cluster, readFileSync(cluster, 'utf8').replace('name: gateway', 'name: empty'));
  const none = await causeway('journal', 'inspect', '--config', cluster);
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('no shard empty')]);
});
