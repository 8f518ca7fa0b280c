/** When the commits of a round of the event loop are written, and what becomes of those that wait. */
import { beforeEach, expect, test } from 'vitest';
import { CommitBatch } from '../../src/store/commit-batch.ts';
import type { Write } from '../../src/store/store.ts';

let done: string[];
let failures: string[];
let isBusy: boolean;
let batch: CommitBatch;

beforeEach(() => {
  done = [];
  failures = [];
  isBusy = false;
  batch = new CommitBatch({
    maxWaitingBytes: 1_000,
    medium: 'the disk',
    canWrite: () => !isBusy,
    write: () => done.push('work'),
    fail: (error) => failures.push(error.message),
  });
});

const cursor: readonly Write[] = [{ kind: 'cursor', name: 'c', value: 1 }];
const add = (writes = cursor) => void batch.add(writes).catch(() => {});
const endOfTransaction = () => Promise.resolve();
const endOfRound = () => new Promise((resolve) => setImmediate(resolve));

async function isDoneAtOnce(ask: () => void): Promise<void> {
  const before = done.length;
  ask();
  expect(done).toHaveLength(before);
  await endOfTransaction();
  expect(done).toHaveLength(before + 1);
}

async function isDoneAtTheEnd(ask: () => void): Promise<void> {
  const before = done.length;
  ask();
  await endOfTransaction();
  expect(done).toHaveLength(before);
  await endOfRound();
  expect(done).toHaveLength(before + 1);
}

test('what comes alone is done at the end of its transaction, and once', async () => {
  for (let round = 1; round <= 3; round += 1) {
    await isDoneAtOnce(() => add());
    await endOfRound();
    expect(done).toHaveLength(round);
  }
});

test('what follows in the same round is done together at its end', async () => {
  await isDoneAtOnce(() => add());
  await isDoneAtTheEnd(() => {
    add();
    add();
  });
});

test('while rounds have several, all wait for the end, until one comes alone again', async () => {
  add();
  add();
  await endOfRound();
  await isDoneAtTheEnd(() => add());
  await isDoneAtOnce(() => add());
});

test('what has time until the end of the round neither comes sooner nor crowds it', async () => {
  await isDoneAtTheEnd(() => add([]));
  await isDoneAtOnce(() => add());
});

test('a commit that nobody waits for is written with the next one', async () => {
  void batch.add(cursor, { mayWait: true });
  await endOfRound();
  expect(done).toEqual([]);
  await isDoneAtOnce(() => add());
  expect(batch.take()).toHaveLength(2);
});

test('commits that arrive while a batch is written are written once it is settled', async () => {
  const first = batch.add(cursor);
  await endOfTransaction();
  const taken = batch.take();
  isBusy = true;
  const second = batch.add(cursor);
  await endOfRound();
  expect(done).toEqual(['work']);
  isBusy = false;
  batch.settle(taken, [undefined]);
  await first;
  await endOfRound();
  expect(done).toEqual(['work', 'work']);
  batch.settle(batch.take(), [new Error('a conflict')]);
  await expect(second).rejects.toThrow('a conflict');
  expect(batch.waitingBytes).toBe(0);
});

test('no more commits are taken than the bytes that one statement may have', () => {
  for (let count = 0; count < 5; count += 1) add();
  const bytes = batch.waitingBytes / 5;
  expect(batch.take(2 * bytes).length).toBe(2);
  expect(batch.take().length).toBe(3);
});

test('when commits pile up beyond the limit the owner is told, and after a failure none is taken', async () => {
  const waiting = batch.add([
    { kind: 'append', stream: 's', expected: 0, payload: new Uint8Array(1_001) },
  ]);
  expect(failures).toEqual([expect.stringMatching(/^the disk does not keep up: \d+ bytes wait$/)]);
  batch.fail(new Error('too slow'));
  await expect(waiting).rejects.toThrow('too slow');
  await expect(batch.add(cursor)).rejects.toThrow('too slow');
  expect(batch.take()).toEqual([]);
});
