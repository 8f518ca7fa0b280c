/**
 * A log that somebody copies file by file, as `cp -a` does, while its owner goes on. The copy of no moment at all must not be read
 * as something that never was: it is an older log, or it is refused.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Disk } from '../../src/store/log/disk.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { CorruptRecord, type Write } from '../../src/store/store.ts';
import { answersOf, WriteMaker } from '../store/log/random-writes.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { Dice } from './dice.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { compress } from './simulated-log.ts';

const tiny = { segmentBytes: 2_000, blockBytes: 300, stateShare: 0, reserveBytes: 0, compress };
const [folder, copyFolder] = ['/data/gateway-log', '/copy/gateway-log'];

test('a log that is copied file by file while it is written is an older log, or is refused', async () => {
  const counts = { older: 0, refused: 0 };
  for (let seed = 1; seed <= 16; seed += 1) {
    const dice = new Dice(seed);
    const { disk } = new SimulatedDisk(seed);
    const store = await openLogStore({
      path: '/data/gateway.db',
      durability: 'power',
      disk,
      ...tiny,
    });
    const maker = new WriteMaker();
    const commits: (readonly Write[])[] = [];
    const work = async (most: number) => {
      for (let i = dice.below(most); i > 0; i -= 1) {
        const count = 1 + dice.below(4);
        const writes = Array.from({ length: count }, () =>
          maker.make(dice.below(12), dice.below(2_000)),
        );
        commits.push(writes);
        await store.commit(writes);
        for (let turn = dice.below(20); turn > 0; turn -= 1) await new Promise(setImmediate);
      }
    };
    await work(40);
    disk.makeDirectory(copyFolder);
    for (const name of shuffled(disk.list(folder), dice)) await copied(disk, name, () => work(4));
    const answers = await answersAt(disk);
    if (answers === undefined) counts.refused += 1;
    else {
      expect(await isPrefix(answers, commits), `seed ${seed}`).toBe(true);
      counts.older += 1;
    }
    await store.close();
  }
  // Either must happen for this to prove anything.
  expect(counts.older).toBeGreaterThan(1);
  expect(counts.refused).toBeGreaterThan(1);
}, 60_000);

/** In pieces, between which the owner goes on; a file that is gone by now is passed over. */
async function copied(disk: Disk, name: string, meanwhile: () => Promise<void>): Promise<void> {
  if (!disk.has(`${folder}/${name}`)) return;
  const from = disk.open(`${folder}/${name}`, 'read');
  const into = disk.open(`${copyFolder}/${name}`, 'new');
  for (let at = 0; at < from.size(); at += 700) {
    into.write(from.read(at, 700), at);
    await meanwhile();
  }
}

async function answersAt(disk: Disk): Promise<object | undefined> {
  try {
    const path = '/copy/gateway.db';
    const store = await openLogStore({ path, durability: 'power', disk, ...tiny });
    const answers = await answersOf(store);
    await store.close();
    return answers;
  } catch (error) {
    expect(error).toBeInstanceOf(CorruptRecord);
    return undefined;
  }
}

async function isPrefix(answers: object, commits: readonly (readonly Write[])[]): Promise<boolean> {
  const model = new MemoryStore();
  for (const writes of [[], ...commits]) {
    await model.commit(writes);
    if (isDeepStrictEqual(answers, await answersOf(model))) return true;
  }
  return false;
}

function shuffled<T>(list: readonly T[], dice: Dice): T[] {
  return list
    .map((one) => ({ one, order: dice.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ one }) => one);
}
