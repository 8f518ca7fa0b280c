/** docs/CERTIFICATION.md says how many rows of the catalogue are played: the scenario files must say the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Direction, loadCatalogue } from '../../src/certify/scenario.ts';

const root = join(import.meta.dirname, '../..');
const { scenarios } = loadCatalogue(join(root, 'certification'));
const document = readFileSync(join(root, 'docs/CERTIFICATION.md'), 'utf8');
const rows = [
  ...document.matchAll(/^\| ([SOXRQVDP]) \| (\d+) \| (\d+) \| (\d+) \| (.*?) ?\|$/gm),
].map(([, group = '', all, server, client, why = '']) => ({
  group,
  counts: [all, server, client].map(Number),
  why,
}));

/** Rows of the catalogue: letters behind the number are cases of one. */
function rowsOf(group: string, isPlayed: Direction | 'either'): ReadonlySet<string> {
  const found = scenarios.filter(({ id, plays }) => {
    if (!id.startsWith(group)) return false;
    return isPlayed === 'either' || (plays[isPlayed]?.steps.length ?? 0) > 0;
  });
  return new Set(found.map(({ id }) => id.slice(0, 4)));
}

test('the table has a row for each group of the catalogue', () => {
  expect(rows.map(({ group }) => group).join('')).toBe('SOXRQVDP');
});

test.each(rows)('group $group has as many rows, and as many are played', ({ group, counts }) => {
  const sides = ['either', 'initiator', 'acceptor'] as const;
  expect(sides.map((side) => rowsOf(group, side).size)).toEqual(counts);
});

test.each(rows)('what is not played of group $group is named', ({ group, why }) => {
  for (const side of ['initiator', 'acceptor'] as const) {
    const played = rowsOf(group, side);
    for (const row of rowsOf(group, 'either')) if (!played.has(row)) expect(why).toContain(row);
  }
});
