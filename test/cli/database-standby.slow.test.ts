/**
 * A bridge and its standby, which share only the database. While the synchronous standby of the database is stopped, the bridge
 * keeps its shard. Once the bridge is killed, its standby gets the shard, also if the database keeps it waiting.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Connection } from '../../src/store/postgres/connection.ts';
import { leaseMs, listShards } from '../../src/store/postgres/lease.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { RunProcess } from '../support/run-process.ts';

let primary: PostgresServer;
let replica: PostgresServer;
let admin: Connection;
let bridge: Bridge;
let active: RunProcess;
let standby: RunProcess;

beforeAll(async () => {
  primary = await PostgresServer.start({ fsync: 'off' });
  replica = await primary.standby({ fsync: 'off' });
  admin = await primary.admin('causeway');
  await admin.run(`alter system set synchronous_standby_names = '*'`);
  await admin.run('select pg_reload_conf()');
  const store = { postgres: { hosts: [`127.0.0.1:${primary.port}`], user: bridgeRole } };
  bridge = await startBridge({ config: { store, durability: 'replicated' } });
  await bridge.gateway.stop();
  active = new RunProcess(bridge.configFile);
  await active.port();
  standby = new RunProcess(elsewhere(), ['--standby']);
  await standby.says(/standing by for shard gateway/);
});

afterAll(async () => {
  replica.resume();
  for (const process of [active, standby]) await process.kill();
  admin.destroy();
  await bridge.stop();
  for (const server of [replica, primary]) await server.stop();
});

/** The configuration of another machine. */
function elsewhere(): string {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as object;
  const file = join(bridge.configFile, '..', 'elsewhere.yaml');
  writeFileSync(file, stringify({ ...config, dataDir: 'elsewhere' }), { mode: 0o600 });
  return file;
}

const row = async () => (await listShards(admin))[0];
/** Of the owner's last renewal that is committed, by the clock of the database. */
const age = async () => (await row())?.ageMs;

async function places(process: RunProcess, id: string): Promise<void> {
  const client = await FixPeer.connect(await process.port(), bridge.user('ALPHA'));
  expect(typeOf(await client.logon())).toBe('A');
  client.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  await client.next((text) => fieldOf(text, '11') === id && fieldOf(text, '150') === '0');
  client.hangUp();
}

const patience = { timeout: 20_000 };

test('a standby takes nothing while the database waits for its own, and all once the bridge has died', async () => {
  await places(active, 'before');
  const before = await row();
  // The shorter wait is over before any statement of the owner is given up; the longer one takes several of its connections.
  for (const leases of [1, 4]) {
    replica.pause();
    await expect.poll(age, patience).toBeGreaterThan((leases + 0.1) * leaseMs);
    replica.resume();
    await expect.poll(age, patience).toBeLessThan(leaseMs);
  }
  expect(await row()).toMatchObject({ epoch: before?.epoch });
  await places(active, 'between');
  expect(standby.said).not.toContain('takes over');

  await active.kill();
  replica.pause();
  await standby.says(/standing by for shard gateway again, which could not be taken/);
  replica.resume();
  await places(standby, 'after');
});
