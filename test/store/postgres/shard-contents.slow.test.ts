import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StoreContents, sumOf } from '../../../src/store/contents.ts';
import { type Connection, connectToPrimary } from '../../../src/store/postgres/connection.ts';
import { listShards } from '../../../src/store/postgres/lease.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import {
  fillShard,
  readShard,
  viewShard,
  withShard,
} from '../../../src/store/postgres/shard-contents.ts';
import type { Store } from '../../../src/store/store.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { append, journal, messages, numbers } from '../contract.ts';
import { answersOf, WriteMaker } from '../log/random-writes.ts';

let server: PostgresServer;
let admin: Connection;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
});
afterAll(async () => {
  await admin.close();
  await server.stop();
});

function open(shard: string): Promise<Store> {
  const owner = { node: 'n1', address: '' };
  return openPostgresStore({ place: server.place, shard, owner, durability: 'process' });
}

/** A shard with a bit of everything; more rows than one page has. */
async function filled(shard: string): Promise<Store> {
  const store = await open(shard);
  const maker = new WriteMaker();
  const told = Array.from({ length: 3_000 }, (_, i) =>
    store.commit([maker.make((i * 7) % 12, (i * 131) % 2_000)]),
  );
  await Promise.all(told);
  return store;
}

const copy = (from: string, into: string) =>
  withShard(server.place, from, (contents) => fillShard(server.place, into, contents));
const sumIn = (shard: string) => withShard(server.place, shard, sumOf);
const isFree = async (shard: string) =>
  (await listShards(admin)).find((row) => row.shard === shard)?.isReleased;

test('a copy answers as the shard that it was made of, has its sum, and both are free', async () => {
  const store = await filled('from');
  const expected = await answersOf(store as never);
  await store.close();
  await copy('from', 'into');
  expect(await sumIn('into')).toEqual(await sumIn('from'));
  expect([await isFree('from'), await isFree('into')]).toEqual([true, true]);
  const copied = await open('into');
  expect(await answersOf(copied as never)).toEqual(expected);
  await copied.commit([append('new', 0, 'x')]);
  await copied.close();
});

test('a shard that has data is not filled, and one that a process has is neither read nor filled', async () => {
  const fault = 'shard taken of the database has data: name one without';
  const store = await open('taken');
  await store.commit([append('a', 0, 'one')]);
  const busy = 'shard taken is in use by n1: stop that process first';
  await expect(sumIn('taken')).rejects.toThrow(new Error(busy));
  await expect(copy('from', 'taken')).rejects.toThrow(new Error(busy));
  await store.close();
  await expect(copy('from', 'taken')).rejects.toThrow(new Error(fault));
  const again = await open('taken');
  expect(await journal(again, 'a')).toEqual(['1:one']);
  await again.close();
});

test('a copy that fails leaves nothing behind, and the shard it was read from is free', async () => {
  const broken = withShard(server.place, 'from', (contents) =>
    fillShard(server.place, 'half', {
      ...contents,
      async *writes() {
        let count = 0;
        for await (const write of contents.writes()) {
          if (count === 500) throw new Error('the disk broke');
          count += 1;
          yield write;
        }
      },
    }),
  );
  await expect(broken).rejects.toThrow('the disk broke');
  expect((await listShards(admin)).some(({ shard }) => shard === 'half')).toBe(false);
  expect(await isFree('from')).toBe(true);
});

test('writes that do not follow each other are no copy', async () => {
  const none: StoreContents = {
    begins: () => [],
    sessions: () => [],
    cursors: () => [],
    writes: () => [append('a', 5, 'x')],
  };
  await expect(fillShard(server.place, 'odd', none)).rejects.toThrow(/a/);
  expect((await listShards(admin)).some(({ shard }) => shard === 'odd')).toBe(false);
});

test('a view shows one moment, while the owner goes on, and needs a shard', async () => {
  const store = await open('viewed');
  await store.commit([append('a', 0, 'one'), messages('S', 1, 'hello'), numbers('S', 1, 2)]);
  const writes = await viewShard(server.place, 'viewed', async (contents) => {
    await store.commit([append('a', 1, 'two'), messages('S', 2, 'later')]);
    const found: string[] = [];
    for await (const write of contents.writes()) found.push(write.kind);
    return found;
  });
  expect(writes).toEqual(['append', 'messages']);
  expect(await journal(store, 'a')).toEqual(['1:one', '2:two']);
  await store.close();
  await expect(viewShard(server.place, 'nowhere', sumOf)).rejects.toThrow(
    new Error('the database has no shard nowhere'),
  );
});

test('a possible next owner reads what is there on its own connection, and nothing of a shard that is not', async () => {
  await using connection = await connectToPrimary(server.place, 'process');
  const found: string[] = [];
  await readShard(connection, server.place, 'viewed', async (source) => {
    found.push(`end ${await source.end('a')}`);
    for (const { position, payload } of await source.read('a', 1, 9))
      found.push(`${position}:${Buffer.from(payload)}`);
    found.push(`snapshot ${await source.snapshot('a')}`);
  });
  expect(found).toEqual(['end 2', '2:two', 'snapshot undefined']);
  await readShard(connection, server.place, 'nowhere', async () => {
    throw new Error('read');
  });
  await connection.run('select 1');
});
