/** Which numbers acts get: increasing ones, whatever the clock does and whatever the shards remember. */
import { expect, test } from 'vitest';
import { DatabaseActLog, LocalActLog } from '../../src/cluster/act-log.ts';
import type { AskedForAll } from '../../src/gateway/shared-acts.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Connection } from '../../src/store/postgres/connection.ts';

const asked = (uid: string): AskedForAll => ({
  ...{ uid, node: 'n1', by: { who: 'ops', why: 'wrong prices' } },
  act: { kind: 'kill', scope: { kind: 'all' } },
});

test('acts of one node have increasing numbers, also within a millisecond and when its clock steps back', async () => {
  const clock = new ManualClock();
  const log = new LocalActLog(clock);
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
  const log = new LocalActLog(clock);
  const ahead = clock.now().wallMs + 60_000;
  log.seen(ahead);
  log.seen(ahead - 5);
  expect((await log.add(asked('a'))).id).toBe(ahead + 1);
});

test('an act of the database that is not in the form of this version is an error, and not another act', async () => {
  const rows = [{ id: '1', at: '5', act: { ...asked('a'), act: { kind: 'explode' } } }];
  const log = new DatabaseActLog((call) =>
    call({ query: async () => rows } as never as Connection),
  );
  await expect(log.after(0)).rejects.toThrow(/Invalid/);
  const [row] = rows;
  if (row !== undefined) Object.assign(row, { act: asked('a') });
  expect(await log.after(0)).toEqual([{ ...asked('a'), id: 1, atMs: 5 }]);
});
