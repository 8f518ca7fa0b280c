/** Short runs of random legal streams against the whole bridge; the long ones are `npm run long -- legal-streams`. */
import { expect, test } from 'vitest';
import { LegalStream } from './legal-stream.ts';

async function faultsOf(seed: number, actions: number): Promise<readonly string[]> {
  const stream = await LegalStream.open(seed);
  await stream.run(actions);
  return stream.faults;
}

test.each([1, 2, 3])('all that is told of random legal commands is true, seed %i', async (seed) => {
  expect(await faultsOf(seed, 150)).toEqual([]);
});

test('a seed repeats its run, another runs otherwise', async () => {
  const traceOf = async (seed: number) => {
    const stream = await LegalStream.open(seed);
    await stream.run(60);
    return stream.trace;
  };
  const first = await traceOf(5);
  expect(await traceOf(5)).toBe(first);
  expect(await traceOf(6)).not.toBe(first);
});
