/** What a confirmation, a rejection and an acknowledgement remove from what a reader has been sent. */
import { expect, test } from 'vitest';
import { noTotals } from '../../src/dropcopy/copy-totals.ts';
import { Unconfirmed } from '../../src/dropcopy/unconfirmed.ts';

const at = (position: number) => ({ position, totals: noTotals });

function sent(): Unconfirmed {
  const unconfirmed = new Unconfirmed();
  unconfirmed.add(2, 4, { a: at(3) });
  unconfirmed.add(5, 5, { a: at(3), b: at(1) });
  unconfirmed.add(6, 9, { a: at(7), b: at(1) });
  return unconfirmed;
}

test('a number confirms the batches that end with it or before it', () => {
  const unconfirmed = sent();
  expect(unconfirmed.takeTo(3)).toBeUndefined();
  expect(unconfirmed.takeTo(8)).toEqual({ a: at(3), b: at(1) });
  expect(unconfirmed.takeTo(8)).toBeUndefined();
  expect(unconfirmed.takeTo(9)).toEqual({ a: at(7), b: at(1) });
});

test('a rejected message keeps its batch and all later ones, until they are acknowledged', () => {
  const unconfirmed = sent();
  expect([unconfirmed.reject(1), unconfirmed.isRejected]).toEqual([false, false]);
  expect([unconfirmed.reject(5), unconfirmed.isRejected]).toEqual([true, true]);
  expect(unconfirmed.takeTo(9)).toEqual({ a: at(3) });
  expect(unconfirmed.takeTo(9)).toBeUndefined();
  unconfirmed.forget((account) => (account === 'a' ? 3 : 1));
  expect(unconfirmed.isRejected).toBe(false);
  expect(unconfirmed.takeTo(9)).toEqual({ a: at(7), b: at(1) });
});

test('a position names the last batch that was complete with it', () => {
  const unconfirmed = sent();
  expect(unconfirmed.markTo('a', 6)).toEqual(at(3));
  expect(unconfirmed.markTo('a', 7)).toEqual(at(7));
  expect(unconfirmed.markTo('a', 2)).toBeUndefined();
  expect(unconfirmed.markTo('c', 9)).toBeUndefined();
  unconfirmed.clear();
  expect(unconfirmed.markTo('a', 7)).toBeUndefined();
});

test('beyond 1,024 batches the last two become one', () => {
  const unconfirmed = new Unconfirmed();
  for (let seq = 1; seq <= 1_030; seq += 1) unconfirmed.add(seq, seq, { a: at(seq) });
  expect(unconfirmed.takeTo(1_023)).toEqual({ a: at(1_023) });
  expect(unconfirmed.takeTo(1_029)).toBeUndefined();
  expect(unconfirmed.takeTo(1_030)).toEqual({ a: at(1_030) });
});
