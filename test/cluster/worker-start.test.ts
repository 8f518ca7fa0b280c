/** A worker that is asked to stop during its start: what it has taken of the database is released before it exits. */
import { expect, test } from 'vitest';
import { WorkerStart } from '../../src/cluster/worker-start.ts';

function opened() {
  const acts: string[] = [];
  const store = { close: async () => void acts.push('released') };
  return { acts, transactions: { close: () => void acts.push('closed'), store } };
}

test('a start that has taken nothing ends at once', async () => {
  await new WorkerStart().stop();
});

test('nothing more is recorded once the shard is about to be released', async () => {
  const start = new WorkerStart();
  const { acts, transactions } = opened();
  start.taken();
  start.opened(transactions);
  await start.stop();
  expect(acts).toEqual(['closed', 'released']);
});

test('a shard that is taken and still being read is released once it is open', async () => {
  const start = new WorkerStart();
  const { acts, transactions } = opened();
  start.taken();
  let hasEnded = false;
  const ended = start.stop().then(() => (hasEnded = true));
  await new Promise(setImmediate);
  expect([hasEnded, start.isReleasing]).toEqual([false, false]);
  start.opened(transactions);
  await ended;
  expect(start.isReleasing).toBe(true);
  expect(acts).toEqual(['closed', 'released']);
});
