/** A node among others, with a real database: what it starts, ends and leaves alone, by what it has read. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type KeptShard, Membership } from '../../src/cluster/membership.ts';
import type { OwnWorker } from '../../src/cluster/ownership.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type Connection, connectToPrimary } from '../../src/store/postgres/connection.ts';
import { renewShard, takeShard } from '../../src/store/postgres/lease.ts';
import { announce, leaveCluster, NameTaken } from '../../src/store/postgres/nodes.ts';
import { Primary } from '../../src/store/postgres/primary.ts';
import { PostgresServer } from '../support/postgres.ts';

const roundMs = 250;
let server: PostgresServer;
let admin: Connection;
let connection: Connection;
let clock: ManualClock;
const opened: Membership[] = [];

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  connection = await connectToPrimary(server.place, 'process');
  admin = await server.admin('causeway');
});

beforeEach(() => {
  clock = new ManualClock();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await admin.run('truncate causeway.nodes, causeway.shards, causeway.streams, causeway.records');
});

afterAll(async () => {
  for (const each of [admin, connection]) await each.close();
  await server.stop();
});

/** A worker process in name only: it says what it was asked to do. */
class Kept implements KeptShard {
  readonly asked: string[] = [];
  ownWorker: OwnWorker | undefined;
  state: KeptShard['state'] = 'stopped';

  start(claim?: Parameters<KeptShard['start']>[0]): void {
    this.asked.push(
      `start after epoch ${claim?.seenEpoch}${claim?.isOver ? ', which is over' : ''}`,
    );
    this.ownWorker = { state: 'starting', epoch: claim?.seenEpoch ?? 0 };
  }

  /** As after a start. */
  owns(epoch: number): void {
    this.ownWorker = { state: 'owner', epoch };
    this.state = 'serving';
  }

  kill(): void {
    this.asked.push('kill');
    this.ownWorker = undefined;
  }

  async stop(): Promise<void> {
    this.asked.push('stop');
    this.ownWorker = undefined;
    this.state = 'stopped';
  }

  leave(): void {
    this.asked.push('leave');
  }

  tellAlive(): void {}
}

interface Made {
  readonly membership: Membership;
  readonly kept: Kept;
  readonly told: string[];
}

function node(
  name: string,
  overtaken: (shard: string, epoch: number) => boolean = () => false,
): Made {
  const kept = new Kept();
  const told: string[] = [];
  const membership = new Membership({
    primary: new Primary({ place: server.place, answerMs: 500 }),
    clock,
    about: { node: name, instance: `${name} of this test`, version: '1' },
    addresses: () => ({ relay: `${name}:1`, fix: '', fixp: '' }),
    overtaken: async (epochs) =>
      [...epochs].filter(([shard, epoch]) => overtaken(shard, epoch)).map(([shard]) => shard),
    keepers: new Map([['a', kept]]),
    spares: { wanted: 0, refill() {} },
    alarm: (_, { event }) => void told.push(event),
    notice: (_, { event }) => void told.push(event),
  });
  opened.push(membership);
  return { membership, kept, told };
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
  membership.acceptDatabase();
  await rounds(() => kept.asked.length > 0);
  expect(kept.asked).toEqual(['start after epoch 1']);
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

test('a drain says so, and ends only once another node serves the shard', async () => {
  await announce(connection, alive('n2'));
  await takeShard(connection, 'a', 0, owner('n1'));
  const { kept, membership } = node('n1');
  kept.owns(1);
  await membership.open();
  let isDrained = false;
  void membership.drain().then(() => {
    isDrained = true;
  });
  await rounds(() => kept.asked.includes('stop'));
  const self = membership.nodes.find(({ node: name }) => name === 'n1');
  expect(self?.isDraining).toBe(true);
  await takeShard(connection, 'a', 1, owner('n2'), true);
  await renewShard(connection, 'a', 2);
  expect(isDrained).toBe(false);
  await announce(connection, alive('n2', ['a']));
  await rounds(() => isDrained);
  await leaveCluster(connection, alive('n2'));
});
