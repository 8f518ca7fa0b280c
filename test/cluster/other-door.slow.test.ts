/** Two nodes with one database: what a client, a reader of drop copies and an operator do at the node that has no shard. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import type { RunProcess } from '../support/run-process.ts';
import { clients, order, reported, Stand } from './stand.ts';

const reader = demoSessions(1).find(({ role }) => role === 'drop-copy');
if (reader === undefined) throw new Error('the demo has no reader of drop copies');
const { senderCompId, targetCompId, username } = reader;
let server: PostgresServer;
let stand: Stand;
let n1: RunProcess;
let n2: RunProcess;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  const own = {
    senderCompId,
    targetCompId,
    role: 'drop-copy',
    users: [username],
    allowReset: true,
  };
  stand = await Stand.open(({ sessions }) => ({
    ...{ store, durability: 'power' },
    sessions: [...sessions, { ...own, accounts: ['desk-a'] }],
  }));
  n1 = stand.node('n1');
  for (const shard of ['desk-a', 'desk-b']) await n1.says(new RegExp(`${shard} is served`));
  n2 = stand.node('n2');
  await n2.says(/status on/);
});

afterAll(async () => {
  await stand.stop();
  await server.stop();
});

/** As clients do, again after a Logout: the two nodes may not have found each other yet. */
async function at(node: RunProcess, session: typeof clients.alpha): Promise<FixPeer> {
  for (let attempt = 1; ; attempt += 1) {
    const peer = await FixPeer.connect(await node.port(), session);
    const answer = await peer.logon();
    if (typeOf(answer) === 'A') return peer;
    expect([attempt < 5, answer]).toEqual([true, expect.any(String)]);
    peer.hangUp();
  }
}

test('a reader gets the copies of its account at the other node, whose shards are elsewhere', async () => {
  const drop = await at(n2, reader);
  const alpha = await at(n2, clients.alpha);
  alpha.say(`D|11=copied|${order}`);
  await reported(alpha, 'copied', '0');
  await drop.next((text) => fieldOf(text, '11') === 'copied' && fieldOf(text, '150') === '0');
  drop.hangUp();
  alpha.hangUp();
});

test('a reload changes a limit for clients of both nodes, and ends no session', async () => {
  const bravo = await at(n2, clients.bravo);
  const { accounts } = parse(readFileSync(stand.bridgeFile, 'utf8')) as { accounts: object[] };
  const limited = accounts.map((one) => ({ ...one, limits: { maxOrderQty: '0.005' } }));
  stand.change(stand.bridgeFile, { accounts: limited });
  for (const { pid } of [n1, n2]) process.kill(pid, 'SIGHUP');
  for (const node of [n1, n2]) await node.says(/configuration of the cluster was read again/);
  await n1.says(/"shard":"desk-b".*the configuration was read again/);
  bravo.say(`D|11=large|${order}`);
  expect(fieldOf(await reported(bravo, 'large', '8'), '58')).toMatch(/0\.005|limit/i);
  bravo.hangUp();
});
