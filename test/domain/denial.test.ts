/** Refusals as they happen. */

import { expect, test } from 'vitest';
import { deny, isDenial } from '../../src/domain/denial.ts';
import { denialOf } from '../../src/venue/refusals.ts';

test('a reason of the stream finds its row, the finer one where its text names it', () => {
  const coarse = { code: 'ENGINE_REJECTED', number: null, text: 'fok_not_filled' };
  expect(denialOf(coarse).refusal.name).toBe('fok_not_filled');
  expect(denialOf({ ...coarse, text: 'something' }).refusal.name).toBe('ENGINE_REJECTED');
});

test('a code that nobody has listed keeps its own words', () => {
  const { refusal } = denialOf({ code: 'brand_new', number: null, text: '' });
  expect(refusal).toMatchObject({ code: 'brand_new', text: 'brand_new:', order: 99, number: null });
});

test('R115: only a number of the venue is taken for one', () => {
  expect(denialOf({ code: 'x', number: 103, text: '' }).number).toBe(103);
  expect(denialOf({ code: 'x', number: 999, text: '' }).number).toBeNull();
});

test('a row that does not exist is our own mistake', () => {
  expect(() => deny('bridge.nonsense')).toThrow('bridge.nonsense');
  expect(isDenial(deny('bridge.limit'))).toBe(true);
  expect(isDenial(null)).toBe(false);
});
