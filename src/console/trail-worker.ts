/** The thread that writes the trail, so that neither a client nor the venue ever waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { TrailAnswer, TrailAsk } from './trail.ts';
import { type RingOptions, TrailRing } from './trail-ring.ts';

const port = parentPort;
if (port === null) throw new Error('the trail was not started as a thread');
const ring = new TrailRing(workerData as RingOptions);

port.on('message', ({ method, args }: TrailAsk) => {
  try {
    // `Trail` calls each method with its own arguments.
    const call = ring[method] as (...given: readonly unknown[]) => unknown;
    port.postMessage({ result: call.apply(ring, [...args]) } satisfies TrailAnswer);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    port.postMessage({ fault } satisfies TrailAnswer);
  }
  if (method === 'close') port.close();
});
