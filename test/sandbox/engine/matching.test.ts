import { expect, test } from 'vitest';
import { coin, Floor, told, usd } from './floor.ts';

test('R114: the best price trades first, at one price the oldest order first, at the resting price', () => {
  const floor = new Floor();
  floor.ask('ann', 102 * usd, coin);
  floor.ask('bob', 101 * usd, coin);
  floor.ask('ann', 101 * usd, coin);
  const taken = floor.bid('cid', 102 * usd, 2.5 * coin);
  expect(taken.fills.map(({ price, qty }) => [price, qty])).toEqual([
    [101 * usd, coin],
    [101 * usd, coin],
    [102 * usd, coin / 2],
  ]);
  expect(told(taken.events)).toEqual([
    'accepted o4',
    'fill o4',
    'fill o2',
    'fill o4',
    'fill o3',
    'fill o4',
    'fill o1',
  ]);
  expect(taken.status).toBe('filled');
  expect(floor.exchange.order('o1')).toMatchObject({ filledQty: coin / 2, leavesQty: coin / 2 });
  floor.exchange.assertInvariants();
});
