/** docs/COMMANDS.md is made from the tables of the verbs: `npx vitest run test/docs -u` writes it anew. */
import { expect, test } from 'vitest';
import { commandReference } from '../../src/cli/reference.ts';
import { allVerbs } from '../../src/cli/verbs.ts';

test('the command reference is what the program says', async () => {
  const text = commandReference(await allVerbs());
  await expect(text).toMatchFileSnapshot('../../docs/COMMANDS.md');
});
