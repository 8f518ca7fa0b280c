/** A database goes back to a backup under a running bridge: neither a supervisor nor its standby may trade on it unasked. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { RunProcess } from '../support/run-process.ts';

let server: PostgresServer;
let bridge: Bridge;
const started: RunProcess[] = [];

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  bridge = await startBridge({ config: { store, durability: 'power' } });
  await bridge.gateway.stop();
});

afterAll(async () => {
  for (const process of started) await process.kill();
  await server.stop();
});

function run(file = bridge.configFile, ...options: string[]): RunProcess {
  const process = new RunProcess(file, options);
  started.push(process);
  return process;
}

/** The configuration of another machine, which shares only the database. */
function elsewhere(): string {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as object;
  const file = join(bridge.configFile, '..', 'elsewhere.yaml');
  writeFileSync(file, stringify({ ...config, dataDir: 'elsewhere' }), { mode: 0o600 });
  return file;
}

async function places(process: RunProcess, id: string): Promise<void> {
  const client = await FixPeer.connect(await process.port(), bridge.user('ALPHA'));
  expect(typeOf(await client.logon())).toBe('A');
  client.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  await client.next((text) => fieldOf(text, '11') === id && fieldOf(text, '150') === '0');
  client.hangUp();
}

/** The standby has read up to which commit the shard has come, since this was called. */
async function hasLooked(): Promise<void> {
  const admin = await server.admin('causeway');
  const [asked] = await admin.query<{ at: string }>({
    text: 'select clock_timestamp()::text as at',
  });
  const text = `select 1 from pg_stat_activity
                 where state = 'idle' and query like '%taken_at%' and query_start > $1::timestamptz`;
  await expect.poll(() => admin.query({ text, values: [asked?.at] })).toHaveLength(1);
  admin.destroy();
}

async function whileDatabaseIsDown(change: () => void): Promise<void> {
  await server.kill();
  change();
  await server.run();
}

test('the bridge ends with the code of a damaged record, its standby too, and no start goes on before an operator accepts it', async () => {
  const active = run();
  await places(active, 'in the backup');
  const standby = run(elsewhere(), '--standby');
  await standby.says(/standing by for shard gateway/);
  // A database that was away for longer than a lease moves nothing to the standby.
  await whileDatabaseIsDown(() => server.backUp());
  await active.says(/"event":"database_back"/);
  await places(active, 'lost');

  await hasLooked();
  await whileDatabaseIsDown(() => server.restore());
  expect(await active.ended()).toBe(4);
  expect(await standby.ended()).toBe(4);
  for (const process of [active, standby])
    expect(process.said).toMatch(/older backup was restored/);
  const again = run();
  expect(await again.ended()).toBe(4);
  const [, kept = ''] = /to accept the database as it is, delete (\S+):/.exec(again.said) ?? [];
  expect(again.said).toContain('Find the newest database first');
  rmSync(kept);
  await places(run(), 'accepted');
});
