/** The commits of one owner on a connection that is cut, held and lost: each happens once, and none is told too early. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CommitLine, type LineOptions } from '../../../src/store/postgres/commit-line.ts';
import type { Connection } from '../../../src/store/postgres/connection.ts';
import { listShards } from '../../../src/store/postgres/lease.ts';
import { Rows } from '../../../src/store/postgres/rows.ts';
import { CommitsForgotten, PositionConflict, StoreFailed } from '../../../src/store/store.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { append } from '../contract.ts';

let server: PostgresServer;
let proxy: TcpProxy;
let admin: Connection;
let made = 0;
const lines: CommitLine[] = [];

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  proxy = await TcpProxy.to(server.port);
  admin = await server.admin('causeway');
});
afterEach(async () => {
  for (const name of ['requests', 'replies'] as const) proxy.set(name, 'pass');
  for (const line of lines.splice(0)) await line.close();
});
afterAll(async () => {
  await admin.close();
  await proxy.close();
  await server.stop();
});

/** A line with the records of its stream, and all that it reports. */
class Owner {
  readonly rows = new Rows();
  readonly reported: string[] = [];
  end = 0;
  line!: CommitLine;

  append(count = 1): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      this.rows.take([append('a', this.end, `record ${this.end + 1}`)]);
      this.end += 1;
    }
    const group = this.rows.close();
    if (group === undefined) throw new Error('nothing to commit');
    return this.line.append(group);
  }
}

async function owning(
  shard: string,
  change: Partial<LineOptions> = {},
  seenEpoch?: number,
): Promise<Owner> {
  const place = { ...server.place, hosts: [{ host: '127.0.0.1', port: proxy.port }] };
  const owner = new Owner();
  const { reported } = owner;
  owner.line = await CommitLine.open(
    {
      ...{ place, shard, durability: 'process', replyMs: 5_000 },
      onAway: (problem) => reported.push(problem ?? 'back'),
      onReplicated: (is) => reported.push(`replicated: ${is}`),
      onFailed: (error) => reported.push(`failed: ${error.message}`),
      ...change,
    },
    { owner: { node: 'n1', address: '' }, seenEpoch },
  );
  lines.push(owner.line);
  return owner;
}

const newShard = () => `shard-${++made}`;
const rowOf = async (shard: string) =>
  (await listShards(admin)).find((each) => each.shard === shard);
const recordsOf = async (shard: string) =>
  (
    await admin.query<{ text: string }>({
      text: `select convert_from(payload, 'UTF8') as text from causeway.records where shard = $1 order by position`,
      values: [shard],
    })
  ).map(({ text }) => text);
const upTo = (end: number) => Array.from({ length: end }, (_, i) => `record ${i + 1}`);
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('groups are committed in their order, each a commit of its own', async () => {
  const shard = newShard();
  const owner = await owning(shard);
  await Promise.all([owner.append(), owner.append(3), owner.append()]);
  expect(owner.line.position).toBe(3);
  expect((await rowOf(shard))?.position).toBe(3);
  expect(await recordsOf(shard)).toEqual(upTo(5));
  expect(owner.reported).toEqual(['replicated: false']);
  expect([owner.line.isReplicated, owner.line.isFull, owner.line.awayMs]).toEqual([
    false,
    false,
    0,
  ]);
});

test('a commit whose reply was lost has happened once, and is told as soon as the connection is back', async () => {
  const shard = newShard();
  const owner = await owning(shard);
  await owner.append();
  proxy.set('replies', 'drop');
  const told = owner.append();
  await expect.poll(async () => (await rowOf(shard))?.position).toBe(2);
  expect(owner.line.position).toBe(1);
  proxy.set('replies', 'pass');
  proxy.reset();
  await told;
  expect([(await rowOf(shard))?.position, owner.line.position]).toEqual([2, 2]);
  expect(await recordsOf(shard)).toEqual(upTo(2));
});

test('a commit that never arrived is sent again', async () => {
  const shard = newShard();
  const owner = await owning(shard);
  proxy.set('requests', 'drop');
  const told = [owner.append(), owner.append(), owner.append()];
  await turn();
  proxy.set('requests', 'pass');
  proxy.reset();
  await Promise.all(told);
  expect(await recordsOf(shard)).toEqual(upTo(3));
});

test('wherever the replies are cut, every commit happens once', async () => {
  const shard = newShard();
  const owner = await owning(shard);
  for (let bytes = 0; bytes < 120; bytes += 7) {
    proxy.cutRepliesAfter(bytes);
    const told = [];
    for (let n = 0; n < 3; n += 1) {
      told.push(owner.append());
      await turn();
    }
    await Promise.all(told);
  }
  expect(await recordsOf(shard)).toEqual(upTo(owner.end));
});

test('a database without an answer is away, commits wait for it, and it is back with the first one', async () => {
  const owner = await owning(newShard(), { replyMs: 200 });
  await owner.append();
  proxy.set('requests', 'drop');
  const told = owner.append();
  await expect.poll(() => owner.reported.length).toBeGreaterThan(1);
  expect(owner.line.awayMs).toBeGreaterThan(0);
  expect(owner.line.confirmed()).toBeInstanceOf(Promise);
  proxy.set('requests', 'pass');
  proxy.reset();
  await told;
  expect(owner.reported.at(-1)).toBe('back');
  expect(owner.line.awayMs).toBe(0);
  expect(owner.line.confirmed()).toBeUndefined();
});

test('an owner that was replaced ends: what it sent and sends is refused, and it says so once', async () => {
  const shard = newShard();
  const first = await owning(shard);
  await first.append();
  const second = await owning(shard);
  expect([first.line.epoch, second.line.epoch]).toEqual([1, 2]);
  await expect(first.append()).rejects.toThrow(PositionConflict);
  await expect(first.append()).rejects.toThrow(PositionConflict);
  await expect(first.line.confirmed()).rejects.toThrow(PositionConflict);
  expect(first.reported.filter((text) => text.startsWith('failed'))).toHaveLength(1);
  expect(await recordsOf(shard)).toEqual(upTo(1));
});

test('a shard whose owner renews its lease is not taken by one who only saw that owner', async () => {
  const shard = newShard();
  await owning(shard);
  await expect(owning(shard, {}, 1)).rejects.toThrow(PositionConflict);
  expect((await owning(shard)).line.epoch).toBe(2);
});

test('an idle owner renews its lease, and learns within a second that it was replaced', async () => {
  const shard = newShard();
  const owner = await owning(shard, { replyMs: 1_000 });
  const renewed = async () => (await rowOf(shard))?.renewedAt;
  const before = await renewed();
  await expect.poll(renewed).not.toBe(before);
  await owning(shard);
  await expect.poll(() => owner.reported.at(-1)).toMatch(/^failed: /);
});

test('a commit that the database refuses for good ends the owner with the reason', async () => {
  const owner = await owning(newShard());
  await expect(owner.line.append({ rows: 'no JSON', contents: Buffer.of() })).rejects.toThrow(
    /^the database refuses a commit: invalid input syntax for type json/,
  );
  await expect(owner.append()).rejects.toThrow(StoreFailed);
  expect(owner.reported.at(-1)).toMatch(/^failed: the database refuses a commit/);
});

test('a database that lacks what was committed, or has another history, ends the owner', async () => {
  for (const change of ['position = position - 1', `digest = '\\x00'`]) {
    const shard = newShard();
    const owner = await owning(shard);
    await owner.append();
    await admin.run(`update causeway.shards set ${change} where shard = '${shard}'`);
    proxy.reset();
    await expect(owner.append()).rejects.toThrow(CommitsForgotten);
    expect(owner.reported.at(-1)).toMatch(
      /an older backup was restored, or a standby without it was promoted$/,
    );
  }
});

test('a line that is closed releases its shard, and commits nothing more', async () => {
  const shard = newShard();
  const owner = await owning(shard);
  await owner.append();
  expect((await rowOf(shard))?.isReleased).toBe(false);
  await owner.line.close();
  expect((await rowOf(shard))?.isReleased).toBe(true);
  await expect(owner.append()).rejects.toThrow(new StoreFailed('the store is closed'));
});
