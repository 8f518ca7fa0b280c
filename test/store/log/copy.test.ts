/** A copy of a log that is being written is the log at one moment, and can be started. */
import { expect, test } from 'vitest';
import { copyLog } from '../../../src/store/log/copy.ts';
import { LogWriter } from '../../../src/store/log/log-writer.ts';
import { takeOver } from '../../../src/store/log/owner.ts';
import { recover } from '../../../src/store/log/recover.ts';
import { seal, zstd } from '../../../src/store/log/seal.ts';
import { verifyLog } from '../../../src/store/log/verify.ts';
import { emptyDisk, folder, ownerOf, putRandom, tiny } from './log-samples.ts';

const into = '/data/copy';

test('a copy has the index of the moment when it was read, and a start goes on with it', async () => {
  const simulated = emptyDisk();
  const { disk } = simulated;
  const writer = await ownerOf(simulated);
  await putRandom(writer, 30);
  const found = recover(disk, folder);
  const index = JSON.stringify(found.index.pack());
  // The owner goes on, and compresses what is being copied.
  await writer.prepare();
  for (const { segment } of [...writer.segments.infos.values()].slice(0, 2)) {
    const raw = writer.segments.raw.get(segment);
    if (raw !== undefined) await seal(disk, folder, raw, 1, zstd);
  }
  const bytes = await copyLog(found, into);
  expect(bytes).toBeGreaterThan(1_000);
  const copy = recover(disk, into);
  expect(JSON.stringify(copy.index.pack())).toBe(index);
  expect([...verifyLog(copy)]).toEqual([]);
  const owner = takeOver(disk, into);
  const next = await LogWriter.open({ disk, folder: into, owner }, tiny);
  expect(next.index.end('a')).toBe(copy.index.end('a'));
});

test('segments that the owner removes after a tool began to read are read and copied as they were', async () => {
  const simulated = emptyDisk();
  const { disk } = simulated;
  const writer = await ownerOf(simulated);
  await putRandom(writer, 30);
  const found = recover(disk, folder);
  const index = JSON.stringify(found.index.pack());
  for (const name of disk.list(folder)) disk.remove(`${folder}/${name}`);
  expect([...verifyLog(found)]).toEqual([]);
  await copyLog(found, into);
  const copy = recover(disk, into);
  expect(JSON.stringify(copy.index.pack())).toBe(index);
  expect([...verifyLog(copy)]).toEqual([]);
});

test('a copy is on the disk when it is done, and one that fails is no log', async () => {
  const simulated = emptyDisk();
  await putRandom(await ownerOf(simulated), 30);
  const index = JSON.stringify(recover(simulated.disk, folder).index.pack());
  await copyLog(recover(simulated.disk, folder), into);
  simulated.end(true);
  expect(JSON.stringify(recover(simulated.disk, into).index.pack())).toBe(index);
  simulated.fault = (operation) => (operation === 'write' ? 'ENOSPC' : undefined);
  await expect(copyLog(recover(simulated.disk, folder), '/data/other')).rejects.toThrow('ENOSPC');
});

test('nothing is written over', async () => {
  const simulated = emptyDisk();
  await putRandom(await ownerOf(simulated), 5);
  await copyLog(recover(simulated.disk, folder), into);
  await expect(copyLog(recover(simulated.disk, folder), into)).rejects.toThrow('EEXIST');
});
