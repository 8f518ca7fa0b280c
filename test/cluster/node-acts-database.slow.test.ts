/** Acts of operators through the database: on other nodes, across a takeover, and while the database is away. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DatabaseActLog } from '../../src/cluster/act-log.ts';
import { type ActReport, reportLines } from '../../src/gateway/operator/cluster-link.ts';
import { type Connection, connectToPrimary } from '../../src/store/postgres/connection.ts';
import { listShards, takeShard } from '../../src/store/postgres/lease.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { PostgresServer } from '../support/postgres.ts';
import { until, within } from '../support/waits.ts';
import { ActingShard, TestNode } from './acting-shard.ts';

const by = { who: 'ann', why: 'wrong prices' };
const all = { kind: 'all' } as const;
const shards = ['east', 'west'] as const;
let server: PostgresServer;
let admin: Connection;
let stores: Store[] = [];
let nodes: TestNode[] = [];
const connections: Connection[] = [];
const noAlarm = (text: string) => {
  throw new Error(text);
};

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
}, 60_000);

afterEach(async () => {
  server.resume();
  for (const { acts } of nodes) acts.close();
  await Promise.all(stores.map((store) => store.close().catch(() => {})));
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
  [stores, nodes] = [[], []];
  const text = 'truncate causeway.acts, causeway.shards, causeway.streams, causeway.records';
  await admin.query({ text });
});

afterAll(async () => {
  await admin.close();
  await server.stop();
}, 60_000);

function node(name: string): TestNode {
  let connection: Connection | undefined;
  const log = new DatabaseActLog(async (call) => {
    if (connection === undefined || connection.lost !== undefined) {
      connection = await connectToPrimary(server.place, 'power');
      connections.push(connection);
    }
    const late = setTimeout(() => connection?.destroy(), 500);
    try {
      return await call(connection);
    } finally {
      clearTimeout(late);
    }
  }, noAlarm);
  const made = new TestNode(name, shards, { log });
  nodes.push(made);
  return made;
}

async function shard(name: string, on: TestNode): Promise<ActingShard> {
  const store = await openPostgresStore({
    ...{ place: server.place, shard: name, durability: 'power' },
    owner: { node: name, address: '' },
  });
  stores.push(store);
  const made = new ActingShard(store, [name]);
  await made.serve(name, on);
  return made;
}

/** Time passes on all nodes, as fast as it does outside, until this is over. */
async function over<T>(promise: Promise<T>): Promise<T> {
  let isOver = false;
  void promise.finally(() => {
    isOver = true;
  });
  const passing = (async () => {
    for (let lastMs = performance.now(); !isOver; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const nowMs = performance.now();
      for (const each of nodes) each.clock.advance(Math.round(nowMs - lastMs));
      lastMs = nowMs;
    }
  })();
  const result = await within('the act is reported', promise);
  await passing;
  return result;
}

const unconfirmed = (report: ActReport | undefined) => report?.unconfirmed.map((one) => one.shard);

test('an act at one node reaches the shard of another, and both report its confirmation', async () => {
  const [n1, n2] = [node('n1'), node('n2')];
  const [east, west] = [await shard('east', n1), await shard('west', n2)];
  const report = await over(n1.acts.carryOut(by, { kind: 'kill', scope: all }));
  expect([...east.kills, ...west.kills]).toEqual(['all', 'all']);
  expect(report.confirmed.map((one) => [one.shard, one.node])).toEqual([
    ['east', 'n1'],
    ['west', 'n2'],
  ]);
  const release = await over(n2.acts.carryOut(by, { kind: 'release', scope: all }));
  expect(unconfirmed(release)).toEqual([]);
  expect([...east.kills, ...west.kills]).toEqual([]);
});

test('the next owner of a shard does what came while nobody had it, and what its owner had confirmed holds', async () => {
  const [n1, n2] = [node('n1'), node('n2')];
  await shard('east', n1);
  const report = await over(n1.acts.carryOut(by, { kind: 'kill', scope: all }));
  expect(unconfirmed(report)).toEqual(['west']);
  const west = await over(shard('west', n2));
  expect([...west.kills]).toEqual(['all']);
  const released = await over(n2.acts.carryOut(by, { kind: 'release', scope: all }));
  expect(unconfirmed(released)).toEqual([]);
});

test('a kill switch that the node of the next owner has not read yet is on before the shard trades', async () => {
  const n1 = node('n1');
  await shard('east', n1);
  const report = await over(n1.acts.carryOut(by, { kind: 'kill', scope: all }));
  expect(unconfirmed(report)).toEqual(['west']);
  const n2 = node('n2');
  expect([...(await over(shard('west', n2))).kills]).toEqual(['all']);
});

test('an owner that was overtaken confirms nothing, though it has not noticed yet', async () => {
  const [n1, n2] = [node('n1'), node('n2')];
  await shard('east', n1);
  const old = await shard('west', n2);
  const row = (await listShards(admin)).find((one) => one.shard === 'west');
  await takeShard(admin, 'west', row?.epoch ?? 0, { node: 'n3', address: '' }, true);
  const report = await over(n1.acts.carryOut(by, { kind: 'kill', scope: all }));
  expect(unconfirmed(report)).toEqual(['west']);
  await until(() => old.failures.length > 0);
  expect(n2.acts.reports[0]?.confirmed.map((one) => one.shard)).toEqual(['east']);
});

test('while the database is away a kill switch is on at once here, and nothing counts as confirmed', async () => {
  const [n1, n2] = [node('n1'), node('n2')];
  const [east, west] = [await shard('east', n1), await shard('west', n2)];
  server.pause();
  const report = await over(n1.acts.carryOut(by, { kind: 'kill', scope: all }));
  expect([[...east.kills], [...west.kills]]).toEqual([['all'], []]);
  expect([report.id, report.confirmed, unconfirmed(report)]).toEqual([null, [], ['east', 'west']]);
  expect(reportLines(report).join('\n')).toMatch(
    /Shard east has NOT confirmed: its worker on node n1 accepts nothing new, but the database/,
  );
  expect(reportLines(report).at(-1)).toMatch(/^The act is NOT recorded for the other nodes/);
  server.resume();
  await over(until(() => west.kills.size === 1 && unconfirmed(n1.acts.reports[0])?.length === 0));
  expect([...east.kills]).toEqual(['all']);
});

test('an act that is sent again, because nobody heard that it was recorded, has one number', async () => {
  const log = new DatabaseActLog((call) => call(admin), noAlarm);
  const asked = { uid: 'u1', node: 'n1', by, act: { kind: 'kill', scope: all } } as const;
  const [first, second] = [await log.add(asked), await log.add(asked)];
  expect(second).toEqual(first);
  expect(await log.after(0)).toEqual([first]);
});

test('a number is above those that a shard has brought from a data directory', async () => {
  const n1 = node('n1');
  await shard('east', n1);
  const far = Date.now() + 1_000_000_000;
  const numbered = { id: far, atMs: far, uid: 'u0', node: 'n0', by };
  const payload = JSON.stringify({ numbered });
  await admin.query({
    text: `insert into causeway.records values ('east', 'shared-acts', 1, convert_to($1, 'UTF8'))`,
    values: [payload],
  });
  const log = new DatabaseActLog((call) => call(admin), noAlarm);
  const act = { kind: 'kill', scope: all } as const;
  expect((await log.add({ uid: 'u1', node: 'n1', by, act }))?.id).toBe(far + 1);
});

test('neither a longer reason of an earlier version nor text that cannot be stored holds up a kill switch', async () => {
  const [n1, n2] = [node('n1'), node('n2')];
  const [east, west] = [await shard('east', n1), await shard('west', n2)];
  const alarms: string[] = [];
  const log = new DatabaseActLog(
    (call) => call(admin),
    (text) => void alarms.push(text),
  );
  const stored = { node: 'n1', act: { kind: 'release', scope: all } } as const;
  await log.add({ ...stored, uid: 'u1', by: { who: 'ann', why: 'x'.repeat(215) } });
  const nul = { who: 'ann', why: 'wrong\u0000prices' };
  expect(await log.add({ ...stored, uid: 'u2', by: nul })).toBeUndefined();
  expect(alarms).toEqual([expect.stringMatching(/^the release of ann cannot be stored/)]);
  const report = await over(n2.acts.carryOut(by, { kind: 'kill', scope: all }));
  expect(unconfirmed(report)).toEqual([]);
  expect([...east.calls, ...west.calls]).toEqual([
    ...['release all', 'kill all'],
    ...['release all', 'kill all'],
  ]);
});
