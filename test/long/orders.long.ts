/** A million random actions of one account, in runs of a few thousand: the bridge's orders stay the venue's orders. */
import { Agreement } from '../domain/agreement.ts';
import type { LongRun } from './main.ts';

const actionsOfRun = 5000;

export async function run({ short, seed }: LongRun): Promise<string> {
  const actions = short ? 200_000 : 1_000_000;
  let reports = 0;
  for (let first = 0; first < actions; first += actionsOfRun) {
    const ofRun = seed * 1_000_000 + first / actionsOfRun;
    const agreement = new Agreement(ofRun);
    agreement.run(actionsOfRun);
    const differences = agreement.differences();
    if (differences.length > 0) {
      throw new Error(`seed ${ofRun}: ${differences.slice(0, 5).join('; ')}`);
    }
    reports += agreement.reports.length;
  }
  return `${actions} actions, ${reports} reports, no difference between bridge and venue`;
}
