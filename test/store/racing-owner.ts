/** A thread that owns a store and appends to it as fast as it can until it is taken over. */
import { parentPort, workerData } from 'node:worker_threads';
import { openChecked } from '../../src/store/sqlite-check.ts';
import { takeOver } from '../../src/store/take-over.ts';

/** How many records it would have told of; the first word comes after a hundred, the last when it was taken over. */
export interface OwnerWord {
  readonly told: number;
  readonly problem: string | null;
}

const say = (word: OwnerWord) => parentPort?.postMessage(word);
const database = openChecked(workerData as string);
const limits = { maxBytes: 1e8, keptBytesPerSession: 1e6, longBytes: 1e5 };
const { front } = takeOver(workerData as string, database, limits);
const payload = Buffer.alloc(100);
let told = 0;
try {
  for (;;) {
    front.append([{ kind: 'append', stream: 'a', expected: told, payload }]);
    told += 1;
    if (told === 100) say({ told, problem: null });
  }
} catch (error) {
  say({ told, problem: (error as Error).message });
}
front.close();
database.close();
