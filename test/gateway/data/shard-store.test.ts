/** A standby and the owner of its shard, with a real database and a clock that moves by hand: when is the owner over? */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LoadedConfig } from '../../../src/gateway/config/config-file.ts';
import { DataHeld } from '../../../src/gateway/data/data-lock.ts';
import { freeShard, openShardStore } from '../../../src/gateway/data/shard-store.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import type { LineFacts } from '../../../src/runtime/operator-line.ts';
import { openLogStore } from '../../../src/store/log/log-store.ts';
import { type Connection, connectToPrimary } from '../../../src/store/postgres/connection.ts';
import {
  leaseMs,
  listShards,
  markOwner,
  releaseShard,
  renewShard,
  takeShard,
} from '../../../src/store/postgres/lease.ts';
import { StoreInDoubt } from '../../../src/store/store.ts';
import { PostgresServer } from '../../support/postgres.ts';

/** It counts how often the standby has read and pauses. */
class CountingClock extends ManualClock {
  pauses = 0;

  override at(monoMs: number, callback: () => void): () => void {
    this.pauses += 1;
    return super.at(monoMs, callback);
  }
}

const shard = 'gateway';
const hour = 3_600_000;
let server: PostgresServer;
let admin: Connection;
let own: Connection;
let clock: CountingClock;
let paused: number;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
});

beforeEach(async () => {
  clock = new CountingClock();
  paused = 0;
  own = await connectToPrimary(server.place, 'process');
  await takeShard(own, shard, 0, { node: 'n1', address: '' });
  await markOwner(own, shard, 1);
});

afterEach(async () => {
  own.destroy();
  clock.advance(1_000);
  await admin.run('truncate causeway.shards');
});

afterAll(async () => {
  await admin.close();
  await server.stop();
});

/** As if the clock of the database had been ahead by so much when the owner renewed. */
const renewedAhead = (ms: number) =>
  admin.query({
    text: `update causeway.shards set renewed_at = clock_timestamp() + $1::interval`,
    values: [`${ms} milliseconds`],
  });

/** A standby; `free` is the epoch that it has seen to be over. */
function standBy(withinMs?: number) {
  const seen: { free?: number; error?: unknown } = {};
  freeShard(server.place, shard, {
    clock,
    ...(withinMs !== undefined && { withinMs }),
  }).then(
    (epoch) => {
      seen.free = epoch;
    },
    (error) => {
      seen.error = error;
    },
  );
  return seen;
}

/** So much time by the clock of the standby, which reads again and again. */
async function pass(ms: number, isOver = () => false): Promise<void> {
  for (const endMs = clock.now().monoMs + ms; clock.now().monoMs < endMs; ) {
    await expect.poll(() => clock.pauses > paused || isOver(), { interval: 1 }).toBe(true);
    if (isOver()) return;
    paused = clock.pauses;
    clock.advance(100);
  }
}

test('an owner that renews keeps its shard, whatever the clock of the database shows', async () => {
  const seen = standBy();
  for (let renewal = 0; renewal < 8; renewal += 1) {
    await renewedAhead(renewal % 2 === 0 ? hour : -hour);
    await pass(500);
  }
  expect(seen).toEqual({});
});

test('an owner that renews no more is over, also if its last renewal lies in the future', async () => {
  await renewedAhead(hour);
  const seen = standBy();
  await pass(500);
  expect(seen).toEqual({});
  await pass(10_000, () => seen.free !== undefined);
  expect(seen).toEqual({ free: 1 });
});

test('an owner whose session waits in the database is over only once it waits no more and stays silent', async () => {
  const seen = standBy();
  await admin.run('begin; lock table causeway.shards in share mode');
  const renewed = renewShard(own, shard, 1);
  await expect.poll(async () => (await listShards(admin))[0]?.isWaiting).toBe(true);
  await expect.poll(async () => (await listShards(admin))[0]?.ageMs).toBeGreaterThan(leaseMs);
  await pass(5_000);
  expect(seen).toEqual({});
  await admin.run('rollback');
  await renewed;
  await pass(500);
  expect(seen).toEqual({});
  await renewedAhead(-hour);
  await pass(10_000, () => seen.free !== undefined);
  expect(seen).toEqual({ free: 1 });
});

test('a shard that was released is free at once, and one that is held is refused to a process that does not wait', async () => {
  const held = standBy(0);
  await expect.poll(() => held.error).toBeInstanceOf(DataHeld);
  await releaseShard(own, shard, 1);
  const seen = standBy();
  await expect.poll(() => seen.free).toBe(1);
});

test('a standby that fails to take its shard waits again, and takes it once the owner is over', async () => {
  const { place } = server;
  const config = {
    roles: [],
    store: { postgres: { shard } },
    durability: 'power',
    maxDataBytes: 1e9,
    dataDir: '/nowhere',
  };
  const told: LineFacts[] = [];
  let isOpen = false;
  const tell = (_: string, facts: LineFacts) => void told.push(facts);
  const store = openShardStore(place, {
    loaded: { config, path: (file: string) => file } as unknown as LoadedConfig,
    ...{ clock, alarm: tell, notice: tell, seenEpoch: 1 },
    fatal(error) {
      throw error;
    },
  }).finally(() => {
    isOpen = true;
  });
  await expect.poll(() => told).toContainEqual({ event: 'standing_by' });
  expect(await listShards(admin)).toMatchObject([{ node: 'n1', epoch: 1 }]);
  await renewedAhead(-hour);
  await pass(10_000, () => isOpen);
  await (await store).close();
  expect(await listShards(admin)).toMatchObject([{ epoch: 2, isReleased: true }]);
});

/** The bridge with its store in the shard `new`, and this dataDir. */
const openNew = (dataDir: string, isForced = false) =>
  openShardStore(server.place, {
    isForced,
    loaded: {
      path: (file: string) => file,
      config: {
        ...{ roles: ['order-entry'], accounts: [], sessions: [], dataDir, maxDataBytes: 1e9 },
        ...{ store: { postgres: { shard: 'new' } }, durability: 'power' },
      },
    } as unknown as LoadedConfig,
    ...{ alarm: () => {}, notice: () => {} },
    fatal(error) {
      throw error;
    },
  });

test('a shard that had no owner is not begun as new while the journal of the bridge is in its dataDir', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-uncopied-'));
  const dataDir = join(directory, 'data');
  const path = join(dataDir, 'gateway.db');
  await (await openLogStore({ path, durability: 'process', reserveBytes: 0 })).close();
  const open = () => openNew(dataDir);
  await expect(open()).rejects.toThrow(StoreInDoubt);
  await expect(openNew(dataDir, true)).rejects.toThrow(StoreInDoubt);
  await expect(open()).rejects.toThrow(`run "causeway store copy ${dataDir} FILE"`);
  expect(await listShards(admin)).toMatchObject([{ shard }]);
  renameSync(join(dataDir, 'gateway-log'), join(directory, 'aside'));
  await (await open()).close();
  // What is in the database counts from then on: a copied journal may stay where it was.
  renameSync(join(directory, 'aside'), join(dataDir, 'gateway-log'));
  await (await open()).close();
  rmSync(directory, { recursive: true });
});

test('a shard that a start in this dataDir had is not begun as new in a database without it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'causeway-emptied-'));
  await (await openNew(dataDir)).close();
  await (await openNew(dataDir)).close();
  await admin.run('truncate causeway.shards');
  const note = join(dataDir, 'gateway.db');
  await expect(openNew(dataDir)).rejects.toThrow(
    `${note} is a note that the store is in shard new of database causeway, which has nothing of it: restore it, or delete the note to begin with a new store`,
  );
  expect(await listShards(admin)).toEqual([]);
  rmSync(note);
  await (await openNew(dataDir)).close();
  rmSync(dataDir, { recursive: true });
});
