/** The thread of `checkpointer.ts`: copies and syncs what another connection has committed. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Checkpointed } from './checkpointer.ts';
import { isFull } from './sqlite-file.ts';

const port = parentPort;
if (port === null) throw new Error('the checkpoint thread was not started as a thread');

const database = new DatabaseSync(workerData as string, { timeout: 5_000 });

port.on('message', (word: 'checkpoint' | 'close') => {
  if (word === 'checkpoint') port.postMessage(checkpoint());
  else {
    database.close();
    port.close();
  }
});

/** On a full disk the log goes on in what space there is, and the store itself says when that is over. */
function checkpoint(): Checkpointed {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return {};
  } catch (error) {
    return isFull(error) ? {} : { problem: String(error) };
  }
}
