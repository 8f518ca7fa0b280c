/** A node among others, with a real database: what it starts, ends and leaves alone, by what it has read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Membership } from '../../src/cluster/membership.ts';
import { ConfigError } from '../../src/gateway/config/config-file.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type Connection, connectToPrimary } from '../../src/store/postgres/connection.ts';
import { markOwner, releaseShard, renewShard, takeShard } from '../../src/store/postgres/lease.ts';
import { announce, leaveCluster, listNodes, NameTaken } from '../../src/store/postgres/nodes.ts';
import { Primary } from '../../src/store/postgres/primary.ts';
import { PostgresServer } from '../support/postgres.ts';
import { Kept } from './kept-shard.ts';

const roundMs = 250;
let server: PostgresServer;
let admin: Connection;
let connection: Connection;
let clock: ManualClock;
let directory: string;
let isNextReady: boolean;
const opened: Membership[] = [];

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  connection = await connectToPrimary(server.place, 'process');
  admin = await server.admin('causeway');
});

beforeEach(() => {
  clock = new ManualClock();
  isNextReady = true;
  directory = mkdtempSync(join(tmpdir(), 'membership-'));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  rmSync(directory, { recursive: true });
  await admin.run('truncate causeway.nodes, causeway.shards, causeway.streams, causeway.records');
});

afterAll(async () => {
  for (const each of [admin, connection]) await each.close();
  await server.stop();
});

interface Made {
  readonly membership: Membership;
  readonly kept: Kept;
  readonly told: string[];
  /** Shards that were to be read ahead. */
  readonly read: string[];
}

function node(
  name: string,
  overtaken: (shard: string, epoch: number) => boolean = () => false,
  version = '1',
  keepers = new Map([['a', new Kept()]]),
): Made {
  const kept = keepers.get('a') ?? new Kept();
  const told: string[] = [];
  const read: string[] = [];
  const membership = new Membership({
    primary: new Primary({ place: server.place, answerMs: 500 }),
    clock,
    about: { node: name, instance: `${name} of this test`, version },
    addresses: () => ({ relay: `${name}:1`, fix: '', fixp: '' }),
    overtaken: async (epochs) =>
      [...epochs].filter(([shard, epoch]) => overtaken(shard, epoch)).map(([shard]) => shard),
    keepers,
    spares: {
      ...{ wanted: 0, prepared: 9, isExpecting: false, refill() {} },
      async readAhead(shard) {
        read.push(shard);
        return undefined;
      },
      hasRead: (shard) => shard === 'b',
    },
    lostFile: join(directory, `${name}.commits-lost`),
    async readElsewhere(shard, { node }) {
      read.push(`${shard} at ${node}`);
      return isNextReady ? undefined : 'its signer is away';
    },
    alarm: (_, { event }) => void told.push(event),
    notice: (_, { event }) => void told.push(event),
  });
  opened.push(membership);
  return { membership, kept, told, read };
}

/** One round after the other until it is so. */
async function rounds(isSo: () => boolean): Promise<void> {
  await expect
    .poll(
      () => {
        clock.advance(roundMs);
        return isSo();
      },
      { interval: 20 },
    )
    .toBe(true);
}

const owner = (name: string) => ({ node: name, address: `${name}:1` });
const alive = (name: string, serving: readonly string[] = []) => ({
  ...{ node: name, instance: `${name} elsewhere`, relay: `${name}:1`, fix: '', fixp: '' },
  ...{ version: '1', isDraining: false, serving },
});

test('a shard that nobody has is started, and its owner is known once the worker has taken it', async () => {
  const { kept, membership } = node('n1');
  await membership.open();
  expect(kept.asked).toEqual(['start after epoch 0']);
  expect(membership.ownerOf('a')).toBeUndefined();
  await takeShard(connection, 'a', 0, owner('n1'));
  kept.owns(1);
  await rounds(() => membership.ownerOf('a') !== undefined);
  expect(membership.ownerOf('a')).toMatchObject({ epoch: 1, node: { node: 'n1', relay: 'n1:1' } });
  expect(kept.asked).toHaveLength(1);
});

test('a shard of a node that is alive stays there, and a worker here that died is not started again', async () => {
  await announce(connection, alive('n2', ['a']));
  await takeShard(connection, 'a', 0, owner('n2'));
  const { kept, membership } = node('n1');
  await membership.open();
  expect(kept.asked).toEqual(['leave']);
  expect(membership.ownerOf('a')?.node).toMatchObject({ node: 'n2', serving: ['a'] });
});

test('a worker whose shard has a newer owner is killed', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  const { kept, membership } = node('n1');
  kept.owns(1);
  await membership.open();
  expect(kept.asked).toEqual([]);
  await announce(connection, alive('n2'));
  await takeShard(connection, 'a', 1, owner('n2'), true);
  await rounds(() => kept.asked.includes('kill'));
});

test('a database that has gone back starts nothing, says so once, and does once an operator accepts it', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  await takeShard(connection, 'a', 1, owner('n1'), true);
  const { kept, membership, told } = node('n1');
  kept.owns(2);
  await membership.open();
  await admin.run(`update causeway.shards set epoch = 1, is_released = true`);
  kept.ownWorker = undefined;
  await rounds(() => told.includes('database_behind'));
  await rounds(() => membership.ownerOf('a') === undefined);
  expect([kept.asked, told]).toEqual([[], ['database_behind']]);
  expect(membership.acceptDatabase()).toEqual(['a']);
  await rounds(() => kept.asked.length > 0);
  expect(kept.asked).toEqual(['start after epoch 1']);
});

test('an operator who accepts a database that has lost nothing yet accepts nothing that it loses later', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  await takeShard(connection, 'a', 1, owner('n1'), true);
  const { kept, membership, told } = node('n1');
  kept.owns(2);
  await membership.open();
  expect(membership.acceptDatabase()).toEqual([]);
  await admin.run(`update causeway.shards set epoch = 1, is_released = true`);
  kept.ownWorker = undefined;
  await rounds(() => told.includes('database_behind'));
  expect(kept.asked).toEqual([]);
});

test('what the owner here has found out counts, though this node has not read it', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  const { kept, membership, told } = node('n1');
  kept.owns(1);
  await membership.open();
  membership.forgotten('a');
  kept.ownWorker = { state: 'over', epoch: 1 };
  membership.soon();
  await rounds(() => told.includes('database_behind'));
  expect(kept.asked).toEqual([]);
});

test('what the worker of the last owner knows to be lost no other node takes, until an operator accepts it there', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  const keepers = () => new Map([['a', new Kept()]]);
  const last = node('n1', undefined, '1', keepers());
  last.kept.owns(1);
  await last.membership.open();
  last.kept.ownWorker = { state: 'barred', epoch: 1 };
  last.membership.forgotten('a');
  await rounds(() => last.told.includes('database_behind'));
  // It starts after the loss, and so cannot have noticed it.
  const other = node('n2', undefined, '1', keepers());
  await other.membership.open();
  await admin.run('update causeway.shards set is_released = true');
  await rounds(() => other.told.includes('database_behind'));
  for (let count = 0; count < 20; count += 1) await rounds(() => true);
  expect([last.kept.asked, other.kept.asked]).toEqual([[], []]);
  last.membership.acceptDatabase();
  await rounds(() => other.kept.asked.length > 0);
  expect(other.kept.asked).toEqual(['start after epoch 1']);
  expect(other.told).toEqual(['database_behind']);
});

test('a node that starts again after it was told of lost commits still leaves the shard alone', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  const first = node('n1');
  first.kept.owns(1);
  await first.membership.open();
  first.membership.forgotten('a');
  await first.membership.close();
  await admin.run('update causeway.shards set is_released = true');
  const again = node('n1', undefined, '1', new Map([['a', new Kept()]]));
  await again.membership.open();
  await rounds(() => again.told.includes('database_behind'));
  for (let count = 0; count < 10; count += 1) await rounds(() => true);
  expect(again.kept.asked).toEqual([]);
  again.membership.acceptDatabase();
  await rounds(() => again.kept.asked.length > 0);
});

test('an operator who accepts the database before the worker that lost commits has ended is not asked a second time', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  await takeShard(connection, 'a', 1, owner('n1'), true);
  const { kept, membership, told } = node('n1');
  kept.owns(2);
  await membership.open();
  await admin.run(`update causeway.shards set epoch = 1`);
  await rounds(() => told.includes('database_behind'));
  membership.acceptDatabase();
  membership.forgotten('a');
  kept.ownWorker = undefined;
  await admin.run(`update causeway.shards set is_released = true`);
  await rounds(() => kept.asked.length > 0);
  expect([kept.asked, told]).toEqual([['start after epoch 1'], ['database_behind']]);
  // The next worker is another one, so what it loses is news.
  kept.owns(2);
  membership.forgotten('a');
  await rounds(() => told.length > 1);
  expect(told).toEqual(['database_behind', 'database_behind']);
});

test('while the database does not answer only a worker is ended whose shard another node knows to have a newer owner', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  let isOvertaken = false;
  const { kept, membership, told } = node('n1', (_, epoch) => epoch === 1 && isOvertaken);
  kept.owns(1);
  await membership.open();
  server.pause();
  try {
    await rounds(() => told.includes('database_away'));
    expect(membership.isAway).toBe(true);
    expect(kept.asked).toEqual([]);
    isOvertaken = true;
    await rounds(() => kept.asked.includes('kill'));
  } finally {
    server.resume();
  }
  await rounds(() => told.includes('database_back'));
  expect(told.filter((event) => event === 'database_away')).toHaveLength(1);
});

test('the name of a node that is alive is refused, after as long as a dead one would have kept it', async () => {
  await announce(connection, alive('n1'));
  const { membership } = node('n1');
  const stay = setInterval(() => void announce(connection, alive('n1')), 50);
  const failure = membership.open().catch((error) => error);
  let isOver = false;
  void failure.then(() => {
    isOver = true;
  });
  await rounds(() => isOver);
  clearInterval(stay);
  expect(await failure).toBeInstanceOf(NameTaken);
});

test.each([
  ['1.2.0', '1.3.9', true],
  ['1.3.0', '1.2.1', true],
  ['1.2.0', '1.4.0', false],
  ['2.0.0', '1.9.0', false],
])(
  'version %s may start beside %s: %s; it has announced and taken nothing if not',
  async (own, other, mayStart) => {
    await announce(connection, { ...alive('n2'), version: other });
    // A busy machine may take longer than a lease to go on.
    await admin.run(`update causeway.nodes set renewed_at = renewed_at + interval '1 min'`);
    const { kept, membership } = node('n1', undefined, own);
    const failure = await membership.open().catch((error: Error) => error);
    if (mayStart) expect(membership.nodes.map(({ node: name }) => name)).toEqual(['n1', 'n2']);
    else {
      expect(failure).toBeInstanceOf(ConfigError);
      expect(failure).toHaveProperty(
        'message',
        expect.stringContaining(`node n2 runs version ${other}, and this program is ${own}`),
      );
      expect((await listNodes(connection)).map(({ node: name }) => name)).toEqual(['n2']);
      expect(kept.asked).toEqual([]);
    }
    await leaveCluster(connection, alive('n2'));
  },
);

test('a node that died with another version keeps nobody from starting', async () => {
  await announce(connection, { ...alive('n2'), version: '9.0.0' });
  await admin.run(`update causeway.nodes set renewed_at = renewed_at - interval '2 s'`);
  const { membership } = node('n1');
  await membership.open();
  expect(membership.isNode('n1')).toBe(true);
});

test('a drain says so, does not wait until others are ready, and ends only once one serves the shard', async () => {
  isNextReady = false;
  await announce(connection, alive('n2'));
  await takeShard(connection, 'a', 0, owner('n1'));
  const { kept, membership, read } = node('n1');
  kept.owns(1);
  await membership.open();
  let isDrained = false;
  void membership.drain().then(() => {
    isDrained = true;
  });
  await rounds(() => kept.asked.includes('stop'));
  expect(read).toEqual(['a at n2']);
  const self = membership.nodes.find(({ node: name }) => name === 'n1');
  expect(self?.isDraining).toBe(true);
  await takeShard(connection, 'a', 1, owner('n2'), true);
  await renewShard(connection, 'a', 2);
  expect(isDrained).toBe(false);
  await announce(connection, alive('n2', ['a']));
  await rounds(() => isDrained);
  await leaveCluster(connection, alive('n2'));
});

test('a node that is stopped says so, and does not take back a shard that it has released', async () => {
  await takeShard(connection, 'a', 0, owner('n1'));
  const { kept, membership } = node('n1');
  kept.owns(1);
  await membership.open();
  await releaseShard(connection, 'a', 1);
  // This read may begin before the node announces that it leaves.
  membership.soon();
  void membership.leave();
  await kept.stop();
  await rounds(() => membership.nodes[0]?.isDraining === true);
  await rounds(() => membership.ownerOf('a') === undefined);
  expect(kept.asked).toEqual(['stop']);
});

test('a shard is read ahead once its owner is silent, by the node that will take it, and once for each silence', async () => {
  await announce(connection, alive('n2', ['a']));
  await takeShard(connection, 'a', 0, owner('n2'));
  const [first, other] = [node('n1'), node('n3')];
  await first.membership.open();
  await other.membership.open();
  await rounds(() => first.read.length + other.read.length > 0);
  const heir = first.read.length > 0 ? first : other;
  expect(heir.kept.asked).not.toContain('start after epoch 1');
  await rounds(() => heir.kept.asked.includes('start after epoch 1'));
  expect([first.read, other.read].flat()).toEqual(['a']);
});

test('of two shards that come at once, the one that was read ahead gets its process first', async () => {
  const order: string[] = [];
  const keeper = (shard: string) => {
    const kept = new Kept();
    kept.start = () => void order.push(shard);
    return [shard, kept] as const;
  };
  const { membership } = node('n1', undefined, '1', new Map([keeper('a'), keeper('b')]));
  await membership.open();
  expect(order.slice(0, 2)).toEqual(['b', 'a']);
});

/** An owner of shard a at node n2, with its connection. */
async function connectedOwner(): Promise<Connection> {
  await announce(connection, alive('n2', ['a']));
  const own = await connectToPrimary(server.place, 'process');
  await takeShard(own, 'a', 0, owner('n2'));
  await markOwner(own, 'a', 1);
  return own;
}

test('a shard whose owner has closed its connection for good is read at once, and taken before its lease is over', async () => {
  const own = await connectedOwner();
  const { kept, membership, read } = node('n1');
  await membership.open();
  expect(read).toEqual([]);
  own.destroy();
  await rounds(() => read.includes('a'));
  expect(kept.asked).not.toContain('start after epoch 1, which is over');
  await rounds(() => kept.asked.includes('start after epoch 1, which is over'));
});

test('an owner that connects again, or renews through a connection that this node cannot see, keeps its shard', async () => {
  const own = await connectedOwner();
  const { kept, membership } = node('n1');
  await membership.open();
  own.destroy();
  for (const isMarked of [false, true]) {
    const again = await connectToPrimary(server.place, 'process');
    if (isMarked) await markOwner(again, 'a', 1);
    for (let round = 0; round < 4; round += 1) {
      if (!isMarked) await renewShard(again, 'a', 1);
      clock.advance(roundMs);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await renewShard(again, 'a', 1);
    expect(kept.asked).toEqual(expect.not.arrayContaining([expect.stringMatching(/^start/)]));
    again.destroy();
  }
});

test('an owner whose renewals wait in the database, where this node reads and writes, keeps its shard', async () => {
  const own = await connectedOwner();
  const { kept, membership } = node('n1');
  await membership.open();
  await admin.run('begin; lock table causeway.shards in share mode');
  const renewed = renewShard(own, 'a', 1);
  const lateMs = Date.now() + 3_000;
  await rounds(() => Date.now() > lateMs);
  await admin.run('rollback');
  await renewed;
  expect(kept.asked).toEqual(expect.not.arrayContaining([expect.stringMatching(/^start/)]));
  await rounds(() => kept.asked.includes('start after epoch 1'));
  own.destroy();
});

test('an owner whose connection was lost together with that of the node, as in a failover, has its whole lease', async () => {
  const own = await connectedOwner();
  const { kept, membership } = node('n1');
  await membership.open();
  await admin.run(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'causeway%' and pid <> pg_backend_pid()`,
  );
  connection = await connectToPrimary(server.place, 'process');
  await rounds(() => kept.asked.some((asked) => asked.startsWith('start')));
  expect(kept.asked).toContain('start after epoch 1');
  own.destroy();
});

/** Node n1 with both shards beside n2, which has none; `pass` lets time pass during which both are alive. */
async function besideIdle() {
  await announce(connection, alive('n2'));
  const keepers = new Map(['a', 'b'].map((shard) => [shard, new Kept()]));
  for (const [shard, kept] of keepers) {
    await takeShard(connection, shard, 0, owner('n1'));
    kept.owns(1);
  }
  await admin.run(`update causeway.shards set taken_at = taken_at - interval '1 hour'`);
  const { membership, told } = node('n1', undefined, '1', keepers);
  await membership.open();
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += roundMs) {
      await announce(connection, alive('n2'));
      for (const shard of keepers.keys()) await renewShard(connection, shard, 1);
      const { readMs } = membership;
      clock.advance(roundMs);
      await expect.poll(() => membership.readMs, { interval: 1 }).not.toBe(readMs);
    }
  };
  const stopped = () => [...keepers.keys()].filter((of) => keepers.get(of)?.asked[0] === 'stop');
  return { pass, stopped, told };
}

test('a shard moves to a node with fewer a minute after it was taken, whatever the clock of the database shows', async () => {
  const { pass, stopped, told } = await besideIdle();
  await pass(59_000);
  expect([told, stopped()]).toEqual([[], []]);
  await pass(1_500);
  expect([stopped()[0], ...new Set(told)]).toEqual(['a', 'shard_given_up']);
});
