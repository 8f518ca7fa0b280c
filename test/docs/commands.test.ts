/** docs/COMMANDS.md is made from the tables of the verbs: `npx vitest run test/docs -u` writes it anew. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allVerbs } from '../../src/cli/verbs.ts';
import { commandReference } from './command-reference.ts';

test('the command reference is what the program says', async () => {
  const text = commandReference(await allVerbs());
  await expect(text).toMatchFileSnapshot('../../docs/COMMANDS.md');
});

test('help is the same wherever the program is installed', async () => {
  const here = join(import.meta.dirname, '../..');
  expect(commandReference(await allVerbs())).not.toContain(here);
});
