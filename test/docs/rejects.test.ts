/** docs/REJECTS.md is made from the table of refusals: `npx vitest run test/docs -u` writes it anew. */
import { expect, test } from 'vitest';
import { rejectReference } from './reject-reference.ts';

test('the table of rejects is what the program reads', async () => {
  await expect(rejectReference()).toMatchFileSnapshot('../../docs/REJECTS.md');
});
