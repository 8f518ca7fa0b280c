/** The whole line of an account in virtual time, with lost answers and crashes, over many seeds. */
import { LineSimulation } from '../simulation/line.ts';
import type { LongRun } from './main.ts';

export async function run({ short, seed }: LongRun): Promise<string> {
  const runs = short ? 8 : 100;
  const actions = short ? 1000 : 5000;
  let crashes = 0;
  for (let i = 0; i < runs; i += 1) {
    const ofRun = seed * 1000 + i;
    const simulation = await LineSimulation.open(ofRun);
    // From hardly ever to all the time.
    simulation.crashEvery = [50, 200, 1000][i % 3] ?? 200;
    await simulation.run(actions);
    const differences = simulation.differences();
    if (differences.length > 0) {
      throw new Error(`seed ${ofRun}: ${differences.slice(0, 5).join('; ')}`);
    }
    crashes += simulation.crashes;
  }
  return `${runs * actions} actions, ${crashes} crashes, bridge and venue have the same orders`;
}
