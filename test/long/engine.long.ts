/**
 * One long random day on the engine: every kind of action, books and funds checked all along, and an exchange that
 * was restored half-way must end in the same state as the one that never stopped.
 */
import fc from 'fast-check';
import { Exchange } from '../../src/sandbox/engine/exchange.ts';
import type { Snapshot } from '../../src/sandbox/engine/snapshot.ts';
import { Floor } from '../sandbox/engine/floor.ts';
import { assertInvariants } from '../sandbox/engine/invariants.ts';
import { step, take } from '../sandbox/engine/random-day.ts';
import type { LongRun } from './main.ts';

const chunk = 1000;

export async function run({ short, seed }: LongRun): Promise<string> {
  const chunks = short ? 16 : 400;
  const fees = { takerBps: 7, makerBps: 1, tiers: [{ minVolumeMicro: 10 ** 9, rebateBps: 2 }] };
  const floor = new Floor({ fees });
  const twin = new Floor({ fees });
  let refused = 0;
  for (let index = 0; index < chunks; index += 1) {
    const steps = fc.sample(step, { seed: seed * 100_003 + index, numRuns: chunk });
    for (const each of steps) {
      if (take(floor, each)?.refusal) refused += 1;
      take(twin, each);
    }
    assertInvariants(floor.exchange);
    if (index === chunks >> 1) restore(twin);
  }
  if (floor.exchange.hash() !== twin.exchange.hash()) throw new Error('the restored twin differs');
  const { trades, forgotten } = floor.exchange.ledger();
  const traded = trades.length + forgotten.trades;
  return `${chunks * chunk} steps, ${traded} trades, ${refused} refusals, restored twin equal`;
}

function restore(floor: Floor): void {
  const snapshot = JSON.parse(JSON.stringify(floor.exchange.snapshot())) as Snapshot;
  floor.exchange = Exchange.restore(floor.config, snapshot);
}
