/** Random legal streams of commands on both lanes against the whole bridge, over many seeds. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StreamResult, StreamTask } from '../simulation/stream-worker.ts';
import type { LongRun } from './main.ts';

const actionsOfRun = 2_000;
const mostThreads = 4;
const workerFile = join(import.meta.dirname, '../simulation/stream-worker.ts');

export async function run({ short, seed }: LongRun): Promise<string> {
  const actions = short ? 100_000 : 2_000_000;
  const sums = { commands: 0, actions: 0, crashes: 0, fills: 0, orders: 0, runs: 0 };
  let next = seed * 1_000_000;
  const threads = Math.min(mostThreads, availableParallelism());
  const work = async () => {
    const worker = new Worker(workerFile);
    try {
      while (sums.actions < actions) {
        const {
          counts,
          faults,
          seed: ofRun,
        } = await told(worker, { seed: next++, actions: actionsOfRun });
        if (faults.length > 0) throw new Error(`seed ${ofRun}: ${faults.join('\n')}`);
        sums.runs += 1;
        for (const name of ['commands', 'actions', 'crashes', 'fills', 'orders'] as const) {
          sums[name] += counts[name];
        }
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  const { commands, crashes, fills, orders, runs } = sums;
  return `${sums.actions} actions in ${commands} commands, ${runs} runs, ${orders} orders and ${fills} fills at the venue, ${crashes} restarts: all that was told is true`;
}

async function told(worker: Worker, task: StreamTask): Promise<StreamResult> {
  const answer = once(worker, 'message');
  worker.postMessage(task);
  const [result] = (await answer) as [StreamResult];
  return result;
}
