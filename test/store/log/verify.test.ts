/** A check of a whole log finds what a start does not look at. */
import { expect, test } from 'vitest';
import { recover } from '../../../src/store/log/recover.ts';
import { seal, zstd } from '../../../src/store/log/seal.ts';
import { openEither } from '../../../src/store/log/segment.ts';
import { verifyLog } from '../../../src/store/log/verify.ts';
import { Dice } from '../../simulation/dice.ts';
import { emptyDisk, folder, ownerOf, putRandom } from './log-samples.ts';

/** Some segments, the first half of them compressed. */
async function log() {
  const simulated = emptyDisk();
  const writer = await ownerOf(simulated);
  await putRandom(writer, 40);
  const infos = [...writer.segments.infos.values()];
  for (const { segment } of infos.slice(0, infos.length / 2)) {
    const raw = writer.segments.raw.get(segment);
    if (raw !== undefined) await seal(simulated.disk, folder, raw, 1, zstd);
  }
  simulated.end(false);
  return { simulated, infos };
}

test('a whole log has no fault, compressed or not', async () => {
  const { simulated } = await log();
  expect([...verifyLog(recover(simulated.disk, folder))]).toEqual([]);
});

test('a damaged byte of any compressed segment is found, and named by file', async () => {
  const { simulated, infos } = await log();
  const { disk } = simulated;
  const dice = new Dice(1);
  for (const info of infos) {
    const { file, isSealed, path } = openEither(disk, folder, info);
    if (!isSealed) continue;
    for (let i = 0; i < 10; i += 1) {
      // Behind the head and the bytes of it that have no meaning.
      const at = 80 + dice.below(file.size() - 80);
      const byte = file.read(at, 1);
      const write = (value: number) => disk.open(path, 'write').write(Buffer.from([value]), at);
      write((byte[0] ?? 0) ^ 0xff);
      const faults = [...verifyLog(recover(disk, folder))].map(({ message }) => message);
      expect(faults.join(), `${path} at ${at}`).toContain(`${info.segment}-${info.opening}.log`);
      write(byte[0] ?? 0);
    }
  }
});

test('several damaged segments are all named in one check', async () => {
  const { simulated, infos } = await log();
  const names: string[] = [];
  for (const info of infos) {
    const { isSealed, path } = openEither(simulated.disk, folder, info);
    if (!isSealed) continue;
    simulated.disk.open(path, 'write').write(Buffer.alloc(20, 0xaa), 90);
    names.push(`${info.segment}-${info.opening}.log`);
  }
  const faults = [...verifyLog(recover(simulated.disk, folder))].map(String).join();
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) expect(faults).toContain(name);
});
