/** The words of the domain and the codes of FIX: each has one, and gives the other back. */
import { expect, test } from 'vitest';
import * as codes from '../../../src/mapping/fix/codes.ts';
import * as bytes from '../../../src/mapping/sbe/codes.ts';

const fixTables = Object.entries(codes);
const byteTables = Object.entries(bytes);

test.each(fixTables)('in the table %s every code means its own word', (_, { code, word }) => {
  const words = Object.entries(code as Record<string, string>);
  expect(words.length).toBeGreaterThan(0);
  for (const [name, text] of words) expect(word(text)).toBe(name);
});

test.each(fixTables)('in the table %s nothing else has a word', (_, { word }) => {
  for (const text of [undefined, '', ' ', 'constructor', '__proto__', '?']) {
    expect(word(text)).toBeUndefined();
  }
});

test.each<[string, string, string]>([
  ['sides', 'Bid', '1'],
  ['sides', 'Ask', '2'],
  ['ordTypes', 'market', '1'],
  ['ordTypes', 'limit', '2'],
  ['lifetimes', 'day', '0'],
  ['lifetimes', 'gtc', '1'],
  ['lifetimes', 'ioc', '3'],
  ['lifetimes', 'fok', '4'],
  ['positionEffects', 'reduce_only', 'C'],
  ['execTypes', 'trade', 'F'],
  ['execTypes', 'rejected', '8'],
  ['ordStatuses', 'filled', '2'],
  ['ordStatuses', 'canceled', '4'],
])('%s: %s is %s in FIX 4.4', (table, word, code) => {
  const found = new Map<string, codes.Codes<string>>(fixTables as never).get(table);
  expect(found?.code[word]).toBe(code);
});

test.each(byteTables)(
  'over SBE every code of %s means its own word, and no other byte has one',
  (_, table) => {
    const words = new Map(
      Object.entries(table.code as Record<string, number>).map(([a, b]) => [b, a]),
    );
    expect(words.size).toBe(Object.keys(table.code).length);
    for (let byte = 0; byte < 256; byte++) expect(table.word(byte)).toBe(words.get(byte));
  },
);

test.each(byteTables)('over SBE no word of %s has the code of an absent field', (_, table) => {
  expect(table.isUnset(0)).toBe(true);
  for (const code of Object.values(table.code as Record<string, number>)) {
    expect(table.isUnset(code)).toBe(false);
  }
});
