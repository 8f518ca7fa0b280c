/** What the orders of a desk are found by, and until when. */
import { expect, test } from 'vitest';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { createOrder, type Order } from '../../src/domain/order.ts';
import type { Qty } from '../../src/domain/units.ts';
import { OrderShelf } from '../../src/gateway/order-shelf.ts';
import { account, spot, terms } from '../domain/ladder.ts';

const instrument = instrumentsOf(spot)[0]!;

function order(key: string): Order {
  const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
  return createOrder(owner, key, instrument, terms({ qty: 1n as Qty }), 0);
}

function shelfOf(...keys: string[]): OrderShelf {
  const shelf = new OrderShelf();
  for (const key of keys) shelf.add(order(key));
  return shelf;
}

test('an order is found by its key and all its names and ids until it is forgotten', () => {
  const shelf = shelfOf('k');
  for (const name of ['first', 'second', 'second']) shelf.name('k', name);
  shelf.identify('k', '0x1');
  const found = () => [
    shelf.get('k'),
    shelf.named('first'),
    shelf.named('second'),
    shelf.withVenueId('0x1'),
  ];
  expect(found().map((kept) => kept?.order.owner.key)).toEqual(['k', 'k', 'k', 'k']);
  expect(shelf.get('k')).toMatchObject({ names: ['first', 'second'], venueIds: ['0x1'] });
  expect(shelf.forget('k')).toEqual(['first', 'second']);
  expect(found()).toEqual([undefined, undefined, undefined, undefined]);
  expect([...shelf.all()]).toEqual([]);
});

test('a name or an id that went to another order stays when the one before is forgotten', () => {
  const shelf = shelfOf('old', 'new');
  for (const key of ['old', 'new']) {
    shelf.name(key, 'name');
    shelf.identify(key, '0x1');
  }
  expect(shelf.forget('old')).toEqual([]);
  const found = [shelf.named('name'), shelf.withVenueId('0x1')];
  expect(found.map((kept) => kept?.order.owner.key)).toEqual(['new', 'new']);
});

test('what nobody knows is not named, and forgotten without a word', () => {
  const shelf = shelfOf();
  shelf.name('k', 'name');
  shelf.identify('k', '0x1');
  expect([shelf.named('name'), shelf.withVenueId('0x1')]).toEqual([undefined, undefined]);
  expect(shelf.forget('k')).toEqual([]);
});
