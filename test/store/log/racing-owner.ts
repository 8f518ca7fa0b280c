/** A thread that owns a log and appends to it as fast as it can until it is taken over. */
import { parentPort, workerData } from 'node:worker_threads';
import { realDisk } from '../../../src/store/log/disk.ts';
import { LogWriter } from '../../../src/store/log/log-writer.ts';
import { takeOver } from '../../../src/store/log/owner.ts';

/** How many records it would have told of; the first word comes after a hundred, the last when it was taken over. */
export interface OwnerWord {
  readonly told: number;
  readonly problem: string | null;
}

export const racingOptions = {
  segmentBytes: 100_000,
  blockBytes: 10_000,
  stateShare: 20,
  isSynced: false,
  keptBytesPerSession: 1e6,
} as const;

const say = (word: OwnerWord) => parentPort?.postMessage(word);

async function race(folder: string): Promise<void> {
  const owner = takeOver(realDisk, folder);
  const writer = await LogWriter.open({ disk: realDisk, folder, owner }, racingOptions);
  const payload = Buffer.alloc(100);
  let told = 0;
  try {
    for (;;) {
      if (told % 500 === 0) await writer.prepare();
      writer.leaveLong();
      writer.begin();
      const write = { kind: 'append', stream: 'a', expected: told, payload } as const;
      writer.take([write]);
      writer.write([write]);
      told += 1;
      if (told === 100) say({ told, problem: null });
    }
  } catch (error) {
    say({ told, problem: (error as Error).message });
  }
  writer.close();
}

if (parentPort !== null) await race(workerData as string);
