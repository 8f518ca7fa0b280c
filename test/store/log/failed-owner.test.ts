/** An owner that can write no more says so and why, whatever it notices first. */
import { expect, test } from 'vitest';
import { openLogStore } from '../../../src/store/log/log-store.ts';
import { PositionConflict, StoreFailed } from '../../../src/store/store.ts';
import { SimulatedDisk } from '../../simulation/simulated-disk.ts';
import { append } from '../contract.ts';

const open = ({ disk }: SimulatedDisk, more: object = {}) =>
  openLogStore({ path: '/data/gateway.db', durability: 'power', disk, reserveBytes: 0, ...more });

test.each([
  ['alone', false, StoreFailed],
  ['no longer the owner', true, PositionConflict],
])(
  'a file that is gone is a fault of the disk only for an owner that is %s',
  async (_, isTaken, kind) => {
    const simulated = new SimulatedDisk(1);
    const store = await open(simulated);
    if (isTaken) await open(simulated);
    simulated.fault = (operation) => (operation === 'write' ? 'ENOENT' : undefined);
    await expect(store.commit([append('a', 0, 'one')])).rejects.toThrow(kind);
  },
);

test('a disk that fails beside the commits is told at once, although nobody commits again', async () => {
  const simulated = new SimulatedDisk(1);
  const told: string[] = [];
  const onFailed = (error: Error) => told.push(error.message);
  const store = await open(simulated, { onFailed, segmentBytes: 2_000, stateShare: 0 });
  simulated.fault = (operation) => (operation === 'rename' ? 'EIO' : undefined);
  for (let at = 0; told.length === 0; at += 1) {
    await store.commit([append('a', at, 'x'.repeat(500))]);
    for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(told).toEqual([expect.stringContaining('EIO')]);
  await expect(store.commit([append('a', 100, 'y')])).rejects.toThrow(StoreFailed);
});
