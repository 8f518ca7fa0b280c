/** The keys that the account counts, and which earlier keys the count passes over. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOfEarlierVersion, OrderKeys } from '../../src/engine/order-keys.ts';

test('keys follow each other, and stay free until an input that carries them is applied', () => {
  const keys = new OrderKeys();
  expect(keys.next('desk', 2)).toEqual(['desk#1', 'desk#2']);
  expect(keys.next('desk', 1)).toEqual(['desk#1']);
  keys.take('desk#1');
  expect(keys.next('desk', 1)).toEqual(['desk#2']);
});

test('whatever keys are taken in whatever order, the next one was never taken', () => {
  const key = fc.oneof(
    fc.nat(1_000).map((number) => `desk#${number}`),
    fc.string(),
    fc.string().map((text) => `ALPHA:${text}`),
  );
  fc.assert(
    fc.property(fc.array(key), (taken) => {
      const keys = new OrderKeys();
      for (const one of taken) keys.take(one);
      expect(taken).not.toContain(keys.next('desk', 1)[0]);
      const restored = new OrderKeys();
      restored.restore(keys.last);
      expect(restored.next('desk', 3)).toEqual(keys.next('desk', 3));
    }),
  );
});

test('keys that earlier versions made of CompID and ClOrdID are recognized and never counted', () => {
  const keys = new OrderKeys();
  keys.take('ALPHA:desk#99');
  expect(keys.last).toBe(0);
  expect(['ALPHA:1', ':1', 'desk#1', 'desk'].map(isOfEarlierVersion)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
