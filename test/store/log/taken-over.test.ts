/** An owner that another process has replaced says so, whatever it notices first. */
import { expect, test } from 'vitest';
import { openLogStore } from '../../../src/store/log/log-store.ts';
import { PositionConflict, StoreFailed } from '../../../src/store/store.ts';
import { SimulatedDisk } from '../../simulation/simulated-disk.ts';
import { append } from '../contract.ts';

const open = ({ disk }: SimulatedDisk) =>
  openLogStore({ path: '/data/gateway.db', durability: 'power', disk, reserveBytes: 0 });

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
