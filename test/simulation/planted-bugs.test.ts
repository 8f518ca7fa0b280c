/** The planted bugs are edits of lines of today's source: a change that touches one of these lines must change the list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantedBugs } from './planted-bugs.ts';

const src = join(import.meta.dirname, '../../src');

test.each(plantedBugs)('the line that $name changes is in the source exactly once', ({ edits }) => {
  for (const { file, from, to } of edits) {
    const parts = readFileSync(join(src, file), 'utf8').split(from);
    expect(parts).toHaveLength(2);
    expect(to).not.toBe(from);
  }
});
