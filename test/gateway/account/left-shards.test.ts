/** A shard whose last account was removed: nobody opens it, so its orders are counted from outside. */
import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { JournalFile } from '../../../src/cli/journal/journal-file.ts';
import { reportLeftShards } from '../../../src/gateway/account/left-shards.ts';
import { type LoadedConfig, loadConfig } from '../../../src/gateway/config/config-file.ts';
import type { LineFacts } from '../../../src/runtime/operator-line.ts';
import { fillShard } from '../../../src/store/postgres/shard-contents.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf } from '../../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../../support/postgres.ts';

let server: PostgresServer;
let bridge: Bridge;
let loaded: LoadedConfig;
let dataDir: string;
let alarms: string[];
let facts: LineFacts[];

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  bridge = await startBridge();
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  await peer.logon();
  peer.say('D|11=a|1=desk-a|55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '0');
  peer.hangUp();
  const whole = loadConfig(bridge.configFile);
  dataDir = whole.path(whole.config.dataDir);
  const accounts = whole.config.accounts.filter(({ name }) => name !== 'desk-a');
  loaded = { ...whole, config: { ...whole.config, accounts } };
  await bridge.restart(async () => {
    cpSync(join(dataDir, 'gateway-log'), join(dataDir, 'desk-a', 'gateway-log'), {
      recursive: true,
    });
  });
});

afterAll(async () => {
  await bridge.stop();
  await server.stop();
});

beforeEach(() => {
  alarms = [];
  facts = [];
});

const report = (config = loaded.config) =>
  reportLeftShards(['desk-a', 'never-begun'], { ...loaded, config }, (text, its) => {
    alarms.push(text);
    facts.push(its);
  });
const told = [
  expect.stringMatching(/^desk-a: .* whose journal has 1 open order\. Nothing reports/),
];

test('the open orders of its accounts are an alarm, from the directory that it had', async () => {
  await report();
  expect(alarms).toEqual(told);
  expect(facts).toEqual([{ event: 'orders_left', account: 'desk-a' }]);
});

test('and from the database', async () => {
  using journal = await JournalFile.open(join(dataDir, 'desk-a'));
  await fillShard(server.place, 'desk-a', journal.contents);
  const hosts = [`127.0.0.1:${server.port}`];
  const postgres = { hosts, user: bridgeRole, database: 'causeway' };
  await report({ ...loaded.config, store: { postgres } } as unknown as typeof loaded.config);
  expect(alarms).toEqual(told);
});

test('a directory that cannot be read is an alarm, and one that was moved away is none', async () => {
  const folder = join(dataDir, 'desk-a', 'gateway-log');
  const right = join(dataDir, 'right');
  renameSync(folder, right);
  await report();
  expect(alarms).toEqual([]);
  cpSync(right, folder, { recursive: true });
  writeFileSync(join(folder, '999-1.log'), 'x'.repeat(1_000));
  await report();
  expect(alarms).toEqual([
    expect.stringMatching(
      /^shard desk-a: the configuration no longer has this shard, and its open/,
    ),
  ]);
});
