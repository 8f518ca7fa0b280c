import { expect, test } from 'vitest';
import { OrderNames } from '../../src/gateway/order-names.ts';

test('an order is found by all its names until it is forgotten', () => {
  const names = new OrderNames();
  names.give('first', 'k');
  names.give('second', 'k');
  names.give('second', 'k');
  expect([names.keyOf('first'), names.keyOf('second')]).toEqual(['k', 'k']);
  expect(names.of('k')).toEqual(['first', 'second']);
  expect(names.forget('k')).toEqual(['first', 'second']);
  expect([names.keyOf('first'), names.of('k')]).toEqual([undefined, []]);
});

test('a name that went to another order stays when the one before is forgotten', () => {
  const names = new OrderNames();
  names.give('name', 'old');
  names.give('name', 'new');
  expect(names.forget('old')).toEqual([]);
  expect(names.keyOf('name')).toBe('new');
});
