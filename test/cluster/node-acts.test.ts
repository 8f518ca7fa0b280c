/** Acts of operators on a node whose shards are in data directories: who confirms, and what is said of those who have not. */
import { afterEach, expect, test } from 'vitest';
import { type ActLog, LocalActLog, type ShardDone } from '../../src/cluster/act-log.ts';
import { type ActReport, reportLines } from '../../src/gateway/operator/cluster-link.ts';
import { ActRefused } from '../../src/gateway/operator/operator.ts';
import type { AskedForAll, NumberedAct } from '../../src/gateway/operator/shared-acts.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { ActingShard, TestNode } from './acting-shard.ts';

const by = { who: 'ann', why: 'wrong prices' };
const all = { kind: 'all' } as const;
const nodes: TestNode[] = [];

afterEach(() => {
  for (const { acts } of nodes.splice(0)) acts.close();
});

function begun(name = 'n1', log?: ActLog): TestNode {
  const node = new TestNode(name, ['east', 'west'], log && { log });
  nodes.push(node);
  return node;
}

async function shards(node: TestNode) {
  const stores = { east: new MemoryStore(), west: new MemoryStore() };
  const east = new ActingShard(stores.east, ['a']);
  const west = new ActingShard(stores.west, ['b']);
  await east.serve('east', node);
  await west.serve('west', node);
  return { east, west, stores };
}

const names = (report: ActReport) => ({
  confirmed: report.confirmed.filter(({ isHere }) => isHere).map(({ shard }) => shard),
  unconfirmed: report.unconfirmed.map(({ shard }) => shard),
});

test('a kill switch is on in every shard when its report comes, with the node and the time of each', async () => {
  const node = begun();
  const { east, west } = await shards(node);
  const report = await node.acts.carryOut(by, { kind: 'kill', scope: all });
  expect([...east.kills, ...west.kills]).toEqual(['all', 'all']);
  expect(names(report)).toEqual({ confirmed: ['east', 'west'], unconfirmed: [] });
  expect(reportLines(report)[0]).toBe(
    'Shard east confirms (node n1, 2026-01-05T12:00:00.000Z): The kill switch is on; 0 orders are being canceled.',
  );
  expect(node.alarms).toEqual([]);
});

test('an account is known to one shard, the others confirm that they have nothing of it', async () => {
  const node = begun();
  await shards(node);
  const scope = { kind: 'account', name: 'b' } as const;
  expect(names(await node.acts.carryOut(by, { kind: 'kill', scope }))).toEqual({
    confirmed: ['west'],
    unconfirmed: [],
  });
  const nobody = { kind: 'account', name: 'x' } as const;
  const report = await node.acts.carryOut(by, { kind: 'kill', scope: nobody });
  expect(reportLines(report)).toEqual([expect.stringMatching(/account x/)]);
});

/** A kill switch at this node while the shard west has no worker. */
async function missedByWest(node: ReturnType<typeof begun>) {
  const acting = await shards(node);
  node.workers.delete('west');
  const asked = node.acts.carryOut(by, { kind: 'kill', scope: all });
  await node.pass(3_000);
  const report = await asked;
  expect(names(report)).toEqual({ confirmed: ['east'], unconfirmed: ['west'] });
  return { ...acting, report };
}

test('a shard without a worker has not confirmed, with an alarm, and does it before its next client', async () => {
  const node = begun();
  const { report, west } = await missedByWest(node);
  expect(reportLines(report)).toContain(
    'Shard west has NOT confirmed: no node serves it; its next owner does this first.',
  );
  expect(node.alarms).toEqual([expect.stringMatching(/NOT confirmed .*west/)]);
  const served = west.serve('west', node);
  await served;
  expect([...west.kills]).toEqual(['all']);
  await node.pass(100);
  expect(node.acts.reports[0]).toMatchObject({ unconfirmed: [] });
});

test('a shard that only another node has in its configuration is named, and its confirmation counts', async () => {
  const numbered: NumberedAct[] = [];
  const recorded: ShardDone[] = [];
  const node = begun('n1', {
    async add(asked) {
      const act = { ...asked, id: 1, atMs: 0 };
      numbered.push(act);
      return act;
    },
    after: async () => numbered,
    done: async () => recorded,
  });
  await shards(node);
  node.elsewhere.push('north');
  const asked = node.acts.carryOut(by, { kind: 'kill', scope: all });
  await node.pass(3_000);
  expect(names(await asked)).toEqual({ confirmed: ['east', 'west'], unconfirmed: ['north'] });
  expect(node.alarms).toEqual([expect.stringMatching(/NOT confirmed .*north/)]);
  const done = { node: 'n2', atMs: 0, isHere: true, text: 'The kill switch is on.' };
  recorded.push(...numbered.map((act) => ({ ...done, shard: 'north', numbered: act })));
  await node.pass(300);
  expect(node.acts.reports.map(names)).toEqual([
    { confirmed: ['east', 'west', 'north'], unconfirmed: [] },
  ]);
});

test('a worker that starts again does nothing twice, and what came meanwhile in its order', async () => {
  const node = begun();
  const { east } = await shards(node);
  await node.acts.carryOut(by, { kind: 'kill', scope: all });
  node.workers.delete('east');
  const release = node.acts.carryOut(by, { kind: 'release', scope: all });
  const again = node.acts.carryOut(by, { kind: 'kill', scope: all });
  await node.pass(3_000);
  await Promise.all([release, again]);
  east.calls.length = 0;
  await east.serve('east', node);
  expect(east.calls).toEqual(['release all', 'kill all']);
});

test('a node that starts again learns the acts from its shards, and brings them to those without', async () => {
  const { stores, west } = await missedByWest(begun());
  const after = begun('n2');
  await west.serve('west', after);
  expect([...west.kills]).toEqual([]);
  await new ActingShard(stores.east, ['a']).serve('east', after);
  expect([...west.kills]).toEqual(['all']);
  await after.pass(100);
  const [report] = after.acts.reports;
  expect(report?.confirmed.map(({ node, shard }) => [shard, node])).toEqual([
    ['east', 'n1'],
    ['west', 'n2'],
  ]);
});

test('a kill switch that one shard missed reaches it after the node starts again, before any later act', async () => {
  const { stores, west } = await missedByWest(begun());
  const after = begun('n2');
  after.clock.advance(10_000);
  await west.serve('west', after);
  const target = { kind: 'account', name: 'b' } as const;
  const other = after.acts.carryOut(by, { kind: 'set_limits', target, limits: null });
  await after.pass(3_000);
  const why = 'the act waits for its number until these shards are served: east';
  expect(await other).toMatchObject({ id: null, unconfirmed: [{ why }, { why }] });
  expect(west.calls).toEqual([]);
  await new ActingShard(stores.east, ['a']).serve('east', after);
  await after.pass(250);
  expect(west.calls).toEqual(['kill all', 'limits b']);
  expect(after.acts.reports.map(({ unconfirmed }) => unconfirmed)).toEqual([[], []]);
});

test('a kill switch right after a start is on in each shard before its first client, though the clock has gone back', async () => {
  const before = begun();
  const { stores } = await shards(before);
  const release = await before.acts.carryOut(by, { kind: 'release', scope: all });
  const after = begun('n2');
  after.clock.stepWall(-3_600_000);
  const asked = after.acts.carryOut(by, { kind: 'kill', scope: all });
  const east = new ActingShard(stores.east, ['a']);
  await east.serve('east', after);
  expect(east.calls).toEqual(['kill all']);
  await after.pass(3_000);
  const report = await asked;
  expect(report).toMatchObject({ id: null, confirmed: [] });
  expect(reportLines(report)[0]).toBe(
    'Shard east has NOT confirmed: its worker on node n2 accepts nothing new, but the act waits for its number until these shards are served: west.',
  );
  const west = new ActingShard(stores.west, ['b']);
  await west.serve('west', after);
  expect(west.calls).toEqual(['kill all']);
  await after.pass(250);
  const [kill] = after.acts.reports;
  expect(kill?.id).toBeGreaterThan(release.id ?? 0);
  expect(kill && names(kill)).toEqual({ confirmed: ['east', 'west'], unconfirmed: [] });
});

test('numbers are times that only grow, whatever the clock of the machine does', async () => {
  const node = begun();
  await shards(node);
  const first = await node.acts.carryOut(by, { kind: 'kill', scope: all });
  node.clock.stepWall(-3_600_000);
  const second = await node.acts.carryOut(by, { kind: 'release', scope: all });
  expect(second.id).toBeGreaterThan(first.id ?? 0);
  expect(names(second).confirmed).toEqual(['east', 'west']);
});

test.each([
  ['a reason that is too long', { ...by, why: 'x'.repeat(201) }, all, /^by\.why: .*200/],
  ['NUL in the reason', { ...by, why: 'wrong\u0000prices' }, all, /^by\.why: .*control/],
  ['half a surrogate pair in the name', { ...by, who: 'ann\ud83d' }, all, /^by\.who: .*control/],
  ['a new line in the account', by, { kind: 'account', name: 'a\n' }, /^act\.scope.*/],
] as const)(
  'an act with %s is refused before it waits, and does not hold up the next one',
  async (_, author, scope, text) => {
    const node = begun();
    const { east, west } = await shards(node);
    const refused = node.acts.carryOut(author, { kind: 'release', scope });
    await expect(refused).rejects.toThrow(ActRefused);
    await expect(refused).rejects.toThrow(text);
    expect(node.acts.reports).toEqual([]);
    await node.acts.carryOut(by, { kind: 'kill', scope: all });
    expect([...east.kills, ...west.kills]).toEqual(['all', 'all']);
  },
);

test('an act that can never be stored does not hold up the acts after it', async () => {
  const log = new LocalActLog(new ManualClock(), []);
  const add = log.add.bind(log);
  Object.assign(log, {
    add: async (asked: AskedForAll) => (asked.act.kind === 'release' ? undefined : add(asked)),
  });
  const node = begun('n1', log);
  const { east, west } = await shards(node);
  const release = node.acts.carryOut(by, { kind: 'release', scope: all });
  await node.acts.carryOut(by, { kind: 'kill', scope: all });
  expect([...east.kills, ...west.kills]).toEqual(['all', 'all']);
  await node.pass(3_000);
  expect(names(await release)).toEqual({ confirmed: [], unconfirmed: ['east', 'west'] });
  expect(node.acts.reports).toHaveLength(1);
});

test('a release that this node could not record does not undo a kill switch that another node gave meanwhile', async () => {
  const numbers = new LocalActLog(new ManualClock(), []);
  const others: NumberedAct[] = [];
  let isAway = false;
  const log: ActLog = {
    add: (asked) => (isAway ? Promise.reject(new Error('no connection')) : numbers.add(asked)),
    after: async (id) => others.filter((act) => act.id > id),
    done: async () => [],
  };
  const node = begun('n1', log);
  const { east, west } = await shards(node);
  others.push(await numbers.add({ uid: '1', node: 'n2', by, act: { kind: 'kill', scope: all } }));
  await node.pass(500);
  expect(east.calls).toEqual(['kill all']);
  isAway = true;
  const asked = node.acts.carryOut(by, { kind: 'release', scope: all });
  await node.pass(3_000);
  const report = await asked;
  expect(names(report)).toEqual({ confirmed: [], unconfirmed: ['east', 'west'] });
  expect(reportLines(report).at(-1)).toContain('is given up');
  others.push(await numbers.add({ uid: '2', node: 'n2', by, act: { kind: 'kill', scope: all } }));
  isAway = false;
  await node.pass(1_000);
  expect([...east.kills, ...west.kills]).toEqual(['all', 'all']);
  expect(east.calls).toEqual(['kill all', 'kill all']);
});

test('a release that the database records after it was given up was not called unrecorded, and raises an alarm', async () => {
  const numbers = new LocalActLog(new ManualClock(), []);
  const recorded: NumberedAct[] = [];
  let answer = async () => {};
  const log: ActLog = {
    // The statement reaches the database, which waits for its standby.
    add: (asked) =>
      new Promise((resolve) => {
        answer = async () => {
          recorded.push(await numbers.add(asked));
          resolve(recorded.at(-1));
        };
      }),
    after: async (id) => recorded.filter((act) => act.id > id),
    done: async () => [],
  };
  const node = begun('n1', log);
  const { east, west } = await shards(node);
  const asked = node.acts.carryOut(by, { kind: 'release', scope: all });
  await node.pass(3_000);
  const report = await asked;
  expect(reportLines(report).at(-1)).toBe(
    'The act has no number and is given up. Should the database have recorded it all the same, the shards carry it out, and an alarm says so.',
  );
  await answer();
  await node.pass(500);
  expect([...east.calls, ...west.calls]).toEqual(['release all', 'release all']);
  expect(node.alarms.at(-1)).toBe(
    'the release of ann that was given up is recorded after all, so the shards carry it out',
  );
});
