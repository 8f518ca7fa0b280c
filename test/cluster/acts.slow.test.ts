/** The kill switch of a whole cluster as processes: from the command line, and from the console of one shard. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { FoundOrders } from '../../src/gateway/view/order-search.ts';
import { visitConsole } from '../support/console-desk.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { causeway } from '../support/program.ts';
import type { RunProcess } from '../support/run-process.ts';
import { clients, order, reported, Stand } from './stand.ts';

const shards = ['desk-a', 'desk-b'] as const;
let stand: Stand;
let node: RunProcess;

beforeAll(async () => {
  stand = await Stand.open(({ sessions: _, ...config }) => {
    const { console } = config as unknown as { console: { operators: object[] } };
    const operators = console.operators.map((one) => ({
      ...one,
      roles: ['operate', 'administer'],
    }));
    return { console: { ...console, operators } };
  });
  node = stand.node();
  await node.says(/FIX 4\.4 on port/);
  for (const shard of shards) await stand.served(shard);
}, 60_000);

afterAll(() => stand.stop(), 60_000);

let peers: FixPeer[] = [];

afterEach(() => {
  for (const peer of peers) peer.hangUp();
  peers = [];
});

async function client(session: Parameters<typeof FixPeer.connect>[1]): Promise<FixPeer> {
  const peer = await FixPeer.connect(await node.port(), session);
  peers.push(peer);
  await peer.logon();
  return peer;
}

const asked = (action: string, ...more: readonly string[]) =>
  causeway('node', action, '--config', stand.clusterFile, '--name', 'n1', ...more);
const consoleOf = async (shard: string) =>
  visitConsole((await stand.shard(shard)).consoleUrl ?? '');
const killsOf = async (shard: string) =>
  (await (await consoleOf(shard)).get<{ kills: object[] }>('/api/overview')).kills.length;

test('halt stops every shard, names each that has confirmed, and holds when a worker is replaced', async () => {
  await Promise.all([clients.alpha, clients.bravo].map(client));
  const { status, stdout } = await asked('halt', '--why', 'wrong prices');
  expect(status).toBe(0);
  for (const shard of shards)
    expect(stdout).toMatch(new RegExp(`Shard ${shard} confirms \\(node n1`));
  for (const peer of peers) {
    peer.say(`D|11=halted|${order}`);
    expect(fieldOf(await reported(peer, 'halted', '8'), '58')).toContain('wrong prices');
  }
  const { pid } = await stand.shard('desk-b');
  process.kill(pid, 'SIGKILL');
  await stand.served('desk-b', pid);
  expect(await killsOf('desk-b')).toBe(1);
});

test('the console of one shard releases all of them, and says who has confirmed', async () => {
  const visitor = await consoleOf('desk-a');
  const { text } = await visitor.act({
    act: 'release',
    scope: { kind: 'all' },
    why: 'prices are right',
  });
  for (const shard of shards) expect(text).toContain(`Shard ${shard} confirms (node n1`);
  for (const shard of shards) expect(await killsOf(shard)).toBe(0);
  const acts = await asked('acts');
  expect(acts.stdout).toMatch(/release everything, by .* through node n1: prices are right/);
});

test('a trade is busted in the console of its shard, and the next worker of the shard has it', async () => {
  const alpha = await client(clients.alpha);
  const bravo = await client(clients.bravo);
  alpha.say('D|11=bought|55=BTC-USDC|54=1|38=0.02|40=2|44=40000|59=1|60=now');
  await reported(alpha, 'bought', '0');
  bravo.say('D|11=sold|55=BTC-USDC|54=2|38=0.02|40=2|44=40000|59=1|60=now');
  const execId = fieldOf(await reported(alpha, 'bought', 'F'), '17');
  const { rows } = await (await consoleOf('desk-a')).get<FoundOrders>('/api/orders?text=bought');
  const bust = {
    ...{ act: 'bust', order: rows[0]?.key, execId },
    ...{ why: 'agreed with the venue', confirm: 'BUST' },
  };
  const elsewhere = await (await consoleOf('desk-b')).act(bust);
  expect(`${elsewhere.status} ${elsewhere.text}`).toContain('409 {"error":"there is no order');
  expect((await (await consoleOf('desk-a')).act(bust)).status).toBe(200);
  expect(fieldOf(await reported(alpha, 'bought', 'H'), '19')).toBe(execId);
  const { pid } = await stand.shard('desk-a');
  process.kill(pid, 'SIGKILL');
  await stand.served('desk-a', pid);
  const { status, text } = await (await consoleOf('desk-a')).act(bust);
  expect(`${status} ${text}`).toContain(`409 {"error":"trade ${execId} is busted already`);
});

test('limits of an account of another shard are set from any console', async () => {
  const visitor = await consoleOf('desk-a');
  const limits = {
    ...{ maxOrderQty: '0.005', maxNotional: '', priceCollarBps: '', maxOpenOrders: '' },
    ...{ ordersPerSecond: '', maxDuplicatesPerSecond: '' },
  };
  const target = { kind: 'account', name: 'desk-b' };
  const { text } = await visitor.act({ act: 'set_limits', target, ...limits, why: 'smaller' });
  expect(text).toContain('Shard desk-b confirms');
  expect(text).not.toContain('desk-a');
  const peer = await client(clients.bravo);
  peer.say(`D|11=large|${order}`);
  await reported(peer, 'large', '8');
});

test('a worker that is stopped has not confirmed, which the answer and the exit code say', async () => {
  const { pid } = await stand.shard('desk-b');
  process.kill(pid, 'SIGSTOP');
  const { status, stdout } = await asked('halt', '--why', 'wrong prices');
  expect(status).toBe(1);
  expect(stdout).toContain('Shard desk-a confirms');
  expect(stdout).toContain('Shard desk-b has NOT confirmed: node n1 has not answered yet.');
  process.kill(pid, 'SIGCONT');
  await expect
    .poll(async () => (await asked('acts')).stdout.split('\n').slice(0, 3).join('\n'))
    .not.toContain('NOT confirmed');
  expect(await killsOf('desk-b')).toBe(1);
});

test('halt needs a reason, and an account that nobody has is an error', async () => {
  expect((await asked('halt')).stderr).toContain('halt needs --why TEXT');
  const { status, stdout } = await asked('halt', '--why', 'none', '--account', 'desk-x');
  expect([status, stdout.trim()]).toEqual([1, 'No shard has account desk-x.']);
});
