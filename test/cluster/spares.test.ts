/** Workers in reserve: how many there are, when they are started, and what becomes of those that die or hang. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Spares } from '../../src/cluster/spares.ts';
import type { WorkerProcess } from '../../src/cluster/worker-process.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { until } from '../support/waits.ts';

const prepare = { kind: 'prepare', clusterFile: '', node: 'n1' } as const;
const clock = new ManualClock();
const alarms: string[] = [];
let spares: Spares;
const taken: WorkerProcess[] = [];

afterEach(async () => {
  await spares.close();
  for (const worker of taken.splice(0)) {
    worker.kill();
    await worker.ended;
  }
  alarms.length = 0;
});

function reserve(manner: string): void {
  const file = join(import.meta.dirname, 'reserve-worker.ts');
  const program = { arguments: [file, manner] } as const;
  const ahead = (shard: string) => ({ ...prepare, kind: 'ahead', shard }) as const;
  spares = new Spares({ program, prepare, ahead, clock, alarm: (text) => void alarms.push(text) });
}

function take(shard = 'a'): WorkerProcess {
  const worker = spares.take(shard);
  taken.push(worker);
  return worker;
}

test('as many are prepared as are wanted, one after the other, and no more', async () => {
  reserve('answers');
  spares.wanted = 2;
  spares.refill();
  await until(() => spares.prepared === 2);
  spares.refill();
  expect(spares.prepared).toBe(2);
});

test('a prepared one is taken at once, and the next one is started only when the shard is served', async () => {
  reserve('answers');
  spares.refill();
  await until(() => spares.prepared === 1);
  const worker = take();
  expect(spares.prepared).toBe(0);
  spares.refill();
  // Nothing is being loaded, so another shard would have to start a process of its own.
  const other = take();
  expect(other.pid).not.toBe(worker.pid);
  spares.ended(worker);
  spares.refill();
  expect(take().pid).not.toBe(other.pid);
  for (const each of taken) spares.ended(each);
  await until(() => spares.prepared === 1);
});

test('the next one is not started while the clients of a shard that was taken come back', async () => {
  reserve('answers');
  spares.refill();
  await until(() => spares.prepared === 1);
  const worker = take();
  spares.serving(worker);
  clock.advance(1_999);
  spares.refill();
  await spares.readAhead('b');
  expect(spares.hasRead('b')).toBe(false);
  clock.advance(1);
  await until(() => spares.prepared === 1);
  spares.ended(worker);
});

test('a shard gets the process that has read it, and another shard one that has read nothing', async () => {
  reserve('answers');
  spares.wanted = 2;
  spares.refill();
  await until(() => spares.prepared === 2);
  expect(spares.isExpecting).toBe(false);
  await spares.readAhead('b');
  expect(spares.isExpecting).toBe(true);
  expect(['a', 'b'].map((shard) => spares.hasRead(shard))).toEqual([false, true]);
  const a = take('a');
  const b = take('b');
  expect(spares.isExpecting).toBe(false);
  // Nobody is left who could read: that holds nobody up.
  await spares.readAhead('c');
  for (const each of [a, b]) spares.ended(each);
  await until(() => spares.prepared === 1);
  await spares.readAhead('a');
  // The only one reads another shard, and is given up for that no sooner than its reading has grown old.
  await spares.readAhead('b');
  clock.advance(30_000);
  expect(spares.isExpecting).toBe(false);
  await spares.readAhead('b');
  expect(spares.isExpecting).toBe(true);
});

test('a shard that is handed over while a spare is still loading is read by it', async () => {
  reserve('answers');
  spares.refill();
  expect(spares.prepared).toBe(0);
  await spares.readAhead('a');
  expect(spares.hasRead('a')).toBe(true);
});

test('one that dies while it reads holds nobody up, and is not ready', async () => {
  reserve('dies reading');
  spares.refill();
  await until(() => spares.prepared === 1);
  expect(await spares.readAhead('a')).toBe('its worker in reserve has ended');
  await until(() => alarms.length === 1);
});

test('a reading tells why the process is not ready to serve the shard; without a process, nobody is', async () => {
  reserve('not ready');
  expect(await spares.readAhead('a')).toBe('it has no worker in reserve for it');
  spares.refill();
  expect(await spares.readAhead('a')).toBe('its signer is away');
  // What was read is used all the same if the shard comes here.
  expect(spares.hasRead('a')).toBe(true);
  await spares.close();
  reserve('answers');
  spares.refill();
  expect(await spares.readAhead('a')).toBeUndefined();
});

test('one that dies is replaced after a wait that doubles, with an alarm each time', async () => {
  reserve('dies');
  spares.refill();
  for (const [at, waitMs] of [1_000, 2_000, 4_000].entries()) {
    await until(() => alarms.length === at + 1);
    expect(alarms[at]).toBe(
      `a worker in reserve has ended with exit code 1; another one is started in ${waitMs} ms`,
    );
    spares.refill();
    clock.advance(waitMs - 1);
    expect(alarms).toHaveLength(at + 1);
    clock.advance(1);
  }
  await until(() => alarms.length === 4);
});

test.each(['silent', 'once'])('one that hangs is ended and replaced (%s)', async (manner) => {
  reserve(manner);
  spares.refill();
  if (manner === 'once') await until(() => spares.prepared === 1);
  clock.advance(60_000);
  expect(alarms).toEqual([]);
  clock.advance(5_000);
  await until(() => alarms.length === 1);
  expect(spares.prepared).toBe(0);
  expect(alarms[0]).toMatch('a worker in reserve has ended; another one is started');
});
