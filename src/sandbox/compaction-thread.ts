/** The thread of `saves.ts`: rebuilds the venue from the newest state and the inputs after it, and saves it. */
import { workerData } from 'node:worker_threads';
import { systemClock } from '../runtime/clock.ts';
import { type Compaction, loadUpTo, replaceState } from './saves.ts';
import { rebuildVenue } from './venue-input.ts';

// A single executable loads its threads as CommonJS, which has no await outside a function.
async function compact({ directory, next, options }: Compaction): Promise<void> {
  const kept = loadUpTo(directory, next);
  if (kept === undefined) throw new Error(`${directory} has no state`);
  const venue = await rebuildVenue({ ...options, clock: systemClock }, kept.saved, kept.inputs);
  replaceState(directory, next, venue.save());
}

void compact(workerData as Compaction);
