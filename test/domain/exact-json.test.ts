import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactJson, parseExactJson } from '../../src/domain/exact-json.ts';
import { anyCharacter } from '../support/any-character.ts';

test('amounts beyond what a float holds come back exact, at any depth', () => {
  const value = { qty: 2n ** 64n - 1n, legs: [{ price: -3n }], text: 'a', none: null, count: 7 };
  expect(parseExactJson(exactJson(value))).toEqual(value);
});

test('an amount comes back exact under a name that is the mark of an amount', () => {
  for (const value of [{ $: { qty: 5n } }, { $: 5n, b: 1n }, { $: [1n] }, { $: null }, { $: 7 }])
    expect(parseExactJson(exactJson(value))).toEqual(value);
});

test('what JSON can hold is written as JSON.stringify writes it, whatever is in it', () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      fc.string({ unit: anyCharacter }),
      fc.double(),
      fc.bigInt(),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      fc.array(tie('tree')),
      fc.dictionary(fc.string({ unit: anyCharacter }), tie('tree')),
    ),
  }));
  const tagged = (_: string, value: unknown) =>
    typeof value === 'bigint' ? { $: value.toString() } : value;
  fc.assert(
    fc.property(fc.dictionary(fc.string(), tree), (value) => {
      expect(exactJson(value)).toBe(JSON.stringify(value, tagged));
    }),
  );
});
