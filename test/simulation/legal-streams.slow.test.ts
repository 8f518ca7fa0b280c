/** Legal streams that are too long for the short tests, each of which once found a fault. */
import { expect, test } from 'vitest';
import { LegalStream } from './legal-stream.ts';

test('a floor that an answer to another account states does not keep an account from canceling', async () => {
  const stream = await LegalStream.open(77_000_026, ['requests', 'batches', 'signer', 'days']);
  await stream.run(530);
  expect(stream.faults).toEqual([]);
});
