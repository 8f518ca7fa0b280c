/** A short run of the line in virtual time; the long ones are `npm run long -- line`. */
import { expect, test } from 'vitest';
import { LineSimulation } from './line.ts';

async function traceOf(seed: number): Promise<string> {
  const simulation = await LineSimulation.open(seed);
  await simulation.run(150);
  expect(simulation.differences()).toEqual([]);
  return simulation.trace;
}

test('R138: with lost answers and crashes the bridge ends with the orders of the venue', async () => {
  const simulation = await LineSimulation.open(3);
  simulation.crashEvery = 60;
  await simulation.run(400);
  expect(simulation.crashes).toBeGreaterThan(0);
  expect(simulation.said.get('trade')).toBeGreaterThan(0);
  expect(simulation.said.get('replaced')).toBeGreaterThan(0);
  expect(simulation.differences()).toEqual([]);
});

test('the same seed says the same, another seed something else', async () => {
  const first = await traceOf(5);
  expect(await traceOf(5)).toBe(first);
  expect(await traceOf(6)).not.toBe(first);
});
