/** Which numbers acts get: increasing ones, whatever the clock does and whatever the shards remember. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { DatabaseActLog, LocalActLog } from '../../src/cluster/act-log.ts';
import type { AskedForAll } from '../../src/gateway/operator/shared-acts.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Connection } from '../../src/store/postgres/connection.ts';

const asked = (uid: string): AskedForAll => ({
  ...{ uid, node: 'n1', by: { who: 'ops', why: 'wrong prices' } },
  act: { kind: 'kill', scope: { kind: 'all' } },
});

test('acts of one node have increasing numbers, also within a millisecond and when its clock steps back', async () => {
  const clock = new ManualClock();
  const log = new LocalActLog(clock, []);
  const first = await log.add(asked('a'));
  const second = await log.add(asked('b'));
  clock.stepWall(-3_600_000);
  const third = await log.add(asked('c'));
  expect([second.id, third.id]).toEqual([first.id + 1, first.id + 2]);
  expect(third.atMs).toBe(first.atMs - 3_600_000);
  clock.stepWall(7_200_000);
  const fourth = await log.add(asked('d'));
  expect(fourth.id).toBe(fourth.atMs);
});

test('a number that a shard has recorded is not given again after a restart of the node', async () => {
  const clock = new ManualClock();
  const log = new LocalActLog(clock, []);
  const ahead = clock.now().wallMs + 60_000;
  log.seen(ahead);
  log.seen(ahead - 5);
  expect((await log.add(asked('a'))).id).toBe(ahead + 1);
});

test('no act gets a number before every shard has been heard, and the first one is above all that they recorded', async () => {
  const clock = new ManualClock();
  const log = new LocalActLog(clock, ['east', 'west']);
  log.heard('west');
  await expect(log.add(asked('a'))).rejects.toThrow('until these shards are served: east');
  const ahead = clock.now().wallMs + 60_000;
  log.seen(ahead);
  log.heard('east');
  expect((await log.add(asked('a'))).id).toBe(ahead + 1);
});

function ofDatabase(query: () => Promise<readonly object[]>) {
  const alarms: string[] = [];
  const connection = { query } as never as Connection;
  const log = new DatabaseActLog(
    (call) => call(connection),
    (text) => void alarms.push(text),
  );
  return { alarms, log };
}

test('an act of the database that is not in the form of this version raises one alarm, and later acts are read', async () => {
  const unreadable = { id: 1, atMs: 5, act: { ...asked('a'), act: { kind: 'explode' } } };
  const rows = [unreadable, { id: 2, atMs: 6, act: asked('b') }];
  const { alarms, log } = ofDatabase(async () => rows);
  expect(await log.after(0)).toEqual([{ ...asked('b'), id: 2, atMs: 6 }]);
  expect(await log.after(0)).toHaveLength(1);
  expect(alarms).toEqual([expect.stringMatching(/^act 1 cannot be read, so no shard .*Invalid/s)]);
});

test('a reason that is longer than a node accepts today is read, because earlier versions stored some', async () => {
  const by = { who: 'ann', why: `${'x'.repeat(200)} (approved by ${'y'.repeat(100)})` };
  const { alarms, log } = ofDatabase(async () => [{ id: 1, atMs: 5, act: { ...asked('a'), by } }]);
  expect(await log.after(0)).toMatchObject([{ by }]);
  expect(alarms).toEqual([]);
});

test('an act that the database can never store raises an alarm, and any other failure is one to try again', async () => {
  const error = new pg.DatabaseError('unsupported Unicode escape sequence', 0, 'error');
  const { alarms, log } = ofDatabase(() => Promise.reject(error));
  error.code = '22P05';
  expect(await log.add(asked('a'))).toBeUndefined();
  expect(alarms).toEqual([expect.stringMatching(/^the kill of ops cannot be stored, .*Unicode/)]);
  error.code = '53300';
  await expect(log.add(asked('a'))).rejects.toThrow(error);
  expect(alarms).toHaveLength(1);
});
