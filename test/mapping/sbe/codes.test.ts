/** The bytes of orders.xml: those that FIX has a letter for have the same letter. */
import { expect, test } from 'vitest';
import * as fix from '../../../src/mapping/fix/codes.ts';
import * as sbe from '../../../src/mapping/sbe/codes.ts';
import { orders } from '../../acceptance/parity/fixp-words.ts';

const shared: [name: string, ofFix: fix.Codes<string>, ofSbe: sbe.ByteCodes<string>][] = [
  ['sides', fix.sides, sbe.sides],
  ['ordTypes', fix.ordTypes, sbe.ordTypes],
  ['lifetimes', fix.lifetimes, sbe.lifetimes],
  ['execTypes', fix.execTypes, sbe.execTypes],
  ['ordStatuses', fix.ordStatuses, sbe.ordStatuses],
  ['quoteResponses', fix.quoteResponses, sbe.quoteResponses],
  ['subscriptions', fix.subscriptions, sbe.subscriptions],
] as never;

test.each(shared)('%s have the letters of FIX', (_, ofFix, ofSbe) => {
  for (const [word, letter] of Object.entries(ofFix.code)) {
    expect(ofSbe.code[word]).toBe(letter.charCodeAt(0));
    expect(ofSbe.word(letter.charCodeAt(0))).toBe(word);
  }
});

test('a number is absent as 0 or 255, and a letter only as 0', () => {
  expect([sbe.books.isUnset(0), sbe.books.isUnset(255), sbe.books.isUnset(1)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([sbe.sides.isUnset(0), sbe.sides.isUnset(255)]).toEqual([true, false]);
});

test.each([
  ['Book', sbe.books],
  ['StpMode', sbe.stpModes],
  ['TriggerDirection', sbe.triggerDirections],
  ['ConditionalKind', sbe.conditionalKinds],
  ['AlgoKind', sbe.algoKinds],
  ['MarketKind', sbe.marketKinds],
] as const)('%s has a word for every value of the schema', (typeName, table) => {
  const found = orders.enums.find((each) => each.typeName === typeName);
  const values = (found?.values ?? []).map(({ value }) => value).filter((value) => value !== 0);
  expect(values.length).toBeGreaterThan(1);
  expect(values.toSorted()).toEqual(Object.values<number>(table.code).toSorted());
});
