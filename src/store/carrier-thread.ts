/** The thread of `carrier.ts`: carries over what it is given, and copies SQLite's log into its file when it is long. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CarrierAnswer, CarrierSetup } from './carrier.ts';
import { carryOver } from './carry-over.ts';
import type { Uncarried } from './front-file.ts';
import { isFull } from './space.ts';
import { SqliteTables } from './sqlite-tables.ts';

const port = parentPort;
if (port === null) throw new Error('the carrier was not started as a thread');

/** The log is read whole at a start, so it is kept to what takes no noticeable time. */
const longLogBytes = 32 * 1024 ** 2;

const { path, owner, durability, limits } = workerData as CarrierSetup;
const database = new DatabaseSync(path, { timeout: 5_000 });
// With FULL the log is synced at each transaction: only then may the front file be written over.
const synchronous = durability === 'power' ? 'FULL' : 'NORMAL';
database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 0`);
const tables = new SqliteTables(database, limits);
let logBytes = 0;

port.on('message', (work: Uncarried | 'close') => {
  if (work === 'close') {
    database.close();
    port.close();
    return;
  }
  port.postMessage(carryOver(tables, owner, work));
  for (const { from, to } of work.extents) logBytes += to - from;
  if (logBytes > longLogBytes) port.postMessage(checkpoint());
});

/** On a full disk the log goes on in what space there is. */
function checkpoint(): CarrierAnswer {
  logBytes = 0;
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch (error) {
    if (!isFull(error)) return { problem: String(error) };
  }
  return 'checkpointed';
}
