/** The thread that keeps the trail, so that neither a client nor the venue ever waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { TrailAnswer, TrailAsk } from './trail.ts';
import { type RingOptions, TrailRing } from './trail-ring.ts';

const port = parentPort;
if (port === null) throw new Error('the trail was not started as a thread');
const ring = new TrailRing(workerData as RingOptions);

port.on('message', (ask: TrailAsk) => {
  try {
    port.postMessage({ result: answer(ask) } satisfies TrailAnswer);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    port.postMessage({ fault } satisfies TrailAnswer);
  }
});

function answer(ask: TrailAsk): unknown {
  switch (ask.kind) {
    case 'take':
      ring.take(ask.batch, ask.length);
      return ring.count;
    case 'search':
      return ring.search(ask.search);
    case 'get':
      return ring.get(ask.record);
    case 'linked':
      return ring.linked(ask.links);
    case 'count':
      return ring.count;
    case 'close':
      ring.close();
      port?.close();
      return undefined;
  }
}
