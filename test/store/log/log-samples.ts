/** Logs of random writes on a simulated disk, in segments of a few records. */
import { LogWriter, type WriterOptions } from '../../../src/store/log/log-writer.ts';
import { takeOver } from '../../../src/store/log/owner.ts';
import type { Write } from '../../../src/store/store.ts';
import { Dice } from '../../simulation/dice.ts';
import { SimulatedDisk } from '../../simulation/simulated-disk.ts';
import { WriteMaker } from './random-writes.ts';

export const folder = '/data/gateway-log';

export const tiny: WriterOptions = {
  ...{ segmentBytes: 1_500, blockBytes: 300, stateShare: 0, isSynced: true },
  keptBytesPerSession: 1e9,
};

export function emptyDisk(): SimulatedDisk {
  const simulated = new SimulatedDisk(1);
  simulated.disk.makeDirectory(folder);
  return simulated;
}

/** An owner of the log goes on with it, as a start does. */
export function ownerOf({ disk }: SimulatedDisk, more: object = {}): Promise<LogWriter> {
  const place = { disk, folder, owner: takeOver(disk, folder) };
  return LogWriter.open(place, { ...tiny, ...more });
}

/** One record, and on the disk. */
export function put(writer: LogWriter, writes: readonly Write[]): void {
  writer.leaveLong();
  writer.begin();
  const conflict = writer.take(writes);
  if (conflict !== undefined) throw new Error('these writes conflict');
  writer.write(writes);
  writer.syncNow();
}

/** Commits of random writes; as many segments as they need. */
export async function putRandom(writer: LogWriter, commits: number, seed = 1): Promise<void> {
  const [maker, dice] = [new WriteMaker(), new Dice(seed)];
  for (let i = 0; i < commits; i += 1) {
    await writer.prepare();
    const count = 1 + dice.below(3);
    put(
      writer,
      Array.from({ length: count }, () => maker.make(dice.below(12), dice.below(1_000))),
    );
  }
}

export const append = (stream: string, expected: number, text = `${stream} ${expected}`) =>
  ({ kind: 'append', stream, expected, payload: Buffer.from(text) }) as const;
