/** Random legal streams of commands on both lanes against the whole bridge, over many seeds. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { addCounts, noCounts } from '../simulation/stream-counts.ts';
import { StreamRunner } from '../simulation/stream-runner.ts';
import type { LongRun } from './main.ts';

const actionsOfRun = 2_000;
const maxThreads = 4;
const root = resolve(import.meta.dirname, '../..');

export async function run({ short, seed }: LongRun): Promise<string> {
  const actions = short ? 100_000 : 2_000_000;
  const sums = noCounts();
  let runs = 0;
  let next = seed * 1_000_000;
  const threads = Math.min(maxThreads, availableParallelism());
  const work = async () => {
    const runner = new StreamRunner(root);
    try {
      while (sums.actions < actions) {
        const task = { seed: next++, actions: actionsOfRun };
        const { counts, faults } = await runner.run(task);
        if (faults.length > 0) throw new Error(`seed ${task.seed}: ${faults.join('\n')}`);
        runs += 1;
        addCounts(sums, counts);
      }
    } finally {
      await runner.close();
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  const { commands, crashes, fills, orders } = sums;
  return `${sums.actions} actions in ${commands} commands, ${runs} runs, ${orders} orders and ${fills} fills at the venue, ${crashes} restarts: all that was told is true`;
}
