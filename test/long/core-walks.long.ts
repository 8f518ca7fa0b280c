/** Random walks of one account's core against a venue in memory (test/gateway/core-walk.ts). */
import { CoreWalk } from '../gateway/core-walk.ts';
import { Dice } from '../simulation/dice.ts';
import type { LongRun } from './main.ts';

const steps = 200;

export async function run({ short, seed }: LongRun): Promise<string> {
  const walks = short ? 3_000 : 40_000;
  for (let walk = 0; walk < walks; walk += 1) {
    const ofWalk = seed * 1_000_000 + walk;
    const one = new CoreWalk(new Dice(ofWalk));
    await one.walk(steps);
    if (one.faults.length > 0) throw new Error(`seed ${ofWalk}: ${one.faults.join('; ')}`);
  }
  return `${walks} walks of ${steps} steps, and in the end bridge, client and venue agreed`;
}
