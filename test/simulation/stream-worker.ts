/** Runs seeds of legal streams in a thread of its own. */
import { parentPort } from 'node:worker_threads';
import { LegalStream } from './legal-stream.ts';
import type { StreamCounts } from './stream-counts.ts';

/** A seed, and how many actions it is to have. */
export interface StreamTask {
  readonly seed: number;
  readonly actions: number;
}

export interface StreamResult {
  readonly seed: number;
  readonly counts: StreamCounts;
  readonly faults: readonly string[];
}

parentPort?.on('message', ({ actions, seed }: StreamTask) => {
  void run(seed, actions).then((result) => parentPort?.postMessage(result));
});

async function run(seed: number, actions: number): Promise<StreamResult> {
  const stream = await LegalStream.open(seed);
  try {
    await stream.run(actions);
  } catch (error) {
    const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { seed, counts: stream.counts, faults: [...stream.faults, thrown] };
  }
  return { seed, counts: stream.counts, faults: stream.faults };
}
