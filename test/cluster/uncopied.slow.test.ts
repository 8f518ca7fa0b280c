/** A cluster that ran on directories and is changed to a database, or back, without `causeway store copy`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';
import { clients, order, reported, Stand } from './stand.ts';

interface Config {
  readonly dataDir: string;
  readonly accounts: readonly { readonly name: string }[];
  readonly sessions: readonly { readonly accounts: readonly string[] }[];
}

let server: PostgresServer;
let stand: Stand;
let store: object;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ durability: 'power' }), {
    nodes: [{ name: 'n1', status: { listen: { port: 0 } } }],
  });
}, 120_000);

afterAll(async () => {
  await stand.stop();
  await server.stop();
}, 120_000);

let nextOut = 1;

/** The number of the bridge's logon. */
async function trades(id: string): Promise<number> {
  const node = stand.node();
  const port = await node.port();
  await stand.served('desk-a');
  const peer = await FixPeer.connect(port, clients.alpha);
  peer.nextOut = nextOut;
  const logon = await peer.logon('');
  expect(typeOf(logon)).toBe('A');
  peer.say(`D|11=${id}|${order}`);
  await reported(peer, id, '0');
  node.signal('SIGTERM');
  expect(typeOf(await peer.next((message) => typeOf(message) === '5'))).toBe('5');
  nextOut = peer.nextOut;
  expect(await node.ended()).toBe(0);
  return Number(fieldOf(logon, '34'));
}

async function refused(text: string): Promise<void> {
  const node = stand.node();
  expect(await node.ended()).toBe(1);
  expect(node.said).toContain(text);
}

test('a node begins no shard as new while its journal is in a directory, and none of the database on directories', async () => {
  expect(await trades('a')).toBe(1);
  const config = parse(readFileSync(stand.bridgeFile, 'utf8')) as Config;
  const write = (more: object) =>
    writeFileSync(stand.bridgeFile, stringify({ ...config, ...more }), { mode: 0o600 });
  const directory = (name: string) => join(stand.directory, config.dataDir, name);
  write({ store });
  const folder = join(directory('desk-a'), 'gateway-log');
  await refused(
    `${folder} is a store, and the database has nothing of shard desk-a: run "causeway store copy ${directory('desk-a')} FILE --shard desk-a"`,
  );
  for (const shard of ['desk-a', 'desk-b']) {
    const copied = await causeway(
      'store',
      'copy',
      directory(shard),
      stand.clusterFile,
      '--shard',
      shard,
    );
    expect(copied).toMatchObject({ status: 0 });
  }
  expect(existsSync(folder)).toBe(true);
  expect(await trades('b')).toBeGreaterThan(3);
  // The shard goes with its only account, and its orders stay.
  const { accounts, sessions } = config;
  write({
    store,
    accounts: accounts.filter(({ name }) => name !== 'desk-a'),
    sessions: sessions.filter((session) => !session.accounts.includes('desk-a')),
  });
  const smaller = stand.node();
  await smaller.says(/"alarm":true,"event":"orders_left".*desk-a: .* has 2 open orders/);
  smaller.signal('SIGTERM');
  expect(await smaller.ended()).toBe(0);
  // The journals in the directories are older now.
  write({});
  const back = stand.node();
  await back.says(
    /desk-a\/gateway\.db is a note: \\"The store is in shard desk-a of database causeway\.\\"/,
  );
});
