/** What the orders of a desk are found by, and until when. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { createOrder, type Order, otherChannel } from '../../src/domain/order.ts';
import type { OrderId, Price, Qty } from '../../src/domain/units.ts';
import { type Entry, legName, OrderIndex } from '../../src/engine/order-index.ts';
import { account, silentEvent, spot, terms } from '../domain/ladder.ts';

const instrument = instrumentsOf(spot)[0]!;

function order(key: string): Order {
  const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
  return createOrder(owner, key, instrument, terms({ qty: 1n as Qty }), 0);
}

function shelfOf(...keys: string[]): OrderIndex {
  const shelf = new OrderIndex();
  for (const key of keys) shelf.add(order(key));
  return shelf;
}

function entryOf(shelf: OrderIndex, key = 'k'): Entry {
  return shelf.get(key)!;
}

test('an order is found by its key and all its names and ids until it is forgotten', () => {
  const shelf = shelfOf('k');
  for (const name of ['first', 'second', 'second']) shelf.name(entryOf(shelf), name);
  shelf.identify(entryOf(shelf), '0x1');
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

test('an order keeps the id that it has and that of its fired trigger, however many ids come later', () => {
  const shelf = shelfOf('k');
  const [orderId, firedOrderId] = ['0xa', '0xb'] as OrderId[];
  const fired = { ...order('k'), orderId: orderId!, firedOrderId: firedOrderId! };
  shelf.change(entryOf(shelf), fired, false);
  for (const id of [orderId!, firedOrderId!]) shelf.identify(entryOf(shelf), id);
  for (let later = 0; later < 600; later += 1) shelf.identify(entryOf(shelf), `0x1${later}`);
  const isFound = (id: string) => shelf.withVenueId(id) !== undefined;
  expect(['0xa', '0xb', '0x10', '0x1599'].map(isFound)).toEqual([true, true, false, true]);
  expect(entryOf(shelf).venueIds).toHaveLength(512);
});

test('an event is about the order that it names, else that of its leg, its parent or its action', () => {
  const shelf = shelfOf('own', 'leg', 'parent', 'action');
  const ids = { own: '0xa', leg: legName('0xf', 1), parent: '0xb', action: '0xf' };
  for (const [key, id] of Object.entries(ids)) shelf.identify(entryOf(shelf, key), id);
  const about = (facts: object) => shelf.about({ ...silentEvent, kind: 'fill', ...facts } as never);
  const all = { orderId: '0xa', legIndex: 1, parentOrderId: '0xb', venueRef: '0xf' };
  expect(about(all).keys).toEqual(['own']);
  expect(about({ ...all, orderId: '0xc' }).keys).toEqual(['leg']);
  expect(about({ ...all, orderId: '0xc', legIndex: 2 }).keys).toEqual(['parent']);
  expect(about({ orderId: '0xc', venueRef: '0xf' }).keys).toEqual(['action']);
  expect(about({ orderId: '0xc' }).keys).toEqual([]);
  // A canceled event has the leg of the order, and the action of whoever displaced it.
  expect(about({ ...all, orderId: '0xc', kind: 'canceled' }).keys).toEqual(['parent']);
  // A replaced event is about the order that it displaced as well, and its action need not be known.
  const replaced = { ...all, orderId: '0xc', kind: 'replaced' };
  expect(about(replaced).keys).toEqual(['leg', 'parent']);
  expect(about({ ...replaced, orderId: '0xa', venueRef: null }).keys).toEqual(['own', 'parent']);
});

test('the action of a live order may have canceled one that nobody knows, but that of a new order only itself', () => {
  const strategy = { kind: 'twap' } as unknown as Order['terms']['strategy'];
  const keys = (changes: Partial<Order>) => {
    const shelf = new OrderIndex();
    shelf.identify(shelf.add({ ...order('k'), ...changes }), '0xf');
    const event = { ...silentEvent, kind: 'canceled', orderId: '0xc', venueRef: '0xf' };
    return shelf.about(event as never).keys;
  };
  const live = { phase: 'live', orderId: '0xa' as OrderId } as const;
  expect(keys(live)).toEqual([]);
  expect(keys({ ...live, terms: terms({ qty: 1n as Qty, strategy }) })).toEqual(['k']);
  expect(keys({ phase: 'pending_new' })).toEqual(['k']);
  // Of another channel's order the id that the bridge knows may be one of several.
  const owner = { ...order('k').owner, session: otherChannel };
  expect(keys({ ...live, owner })).toEqual(['k']);
});

test('a side of a quote takes the place of another order, also once the other side is forgotten', () => {
  const shelf = new OrderIndex();
  for (const [legIndex, key] of ['a', 'b'].entries()) {
    const { owner, ...rest } = order(key);
    const entry = shelf.add({ ...rest, owner: { ...owner, quoteId: 'Q' }, venueRef: '0xf' });
    for (const id of ['0xf', legName('0xf', legIndex)]) shelf.identify(entry, id);
  }
  const event = { ...silentEvent, kind: 'replaced', orderId: '0xc', legIndex: 1, venueRef: '0xf' };
  const found = { isOfQuotes: true, keys: ['b'] };
  expect(shelf.about(event as never)).toEqual(found);
  shelf.forget('a');
  expect(shelf.about(event as never)).toEqual(found);
});

test('the orders of a group from a snapshot of an earlier version are found by their legs', () => {
  const shelf = shelfOf('a', 'b');
  const members = ['a', 'b', 'forgotten'].map((key, legIndex) => ({ key, legIndex }));
  const group = { key: 'g', session: 'S', quoteId: 'Q', members, isAnswered: false };
  shelf.nameLegs({ ...group, venueRef: null });
  shelf.nameLegs({ ...group, venueRef: '0xf' });
  expect(shelf.withVenueId(legName('0xf', 1))?.order.owner.key).toBe('b');
  expect(shelf.withVenueId(legName('0xf', 2))).toBeUndefined();
});

test('the conditional orders that wait for their trigger are counted, also after a restart', () => {
  const trigger = { price: 9n as Price, direction: 'at_or_above', kind: 'take_profit' } as const;
  const stored = (key: string): Order => ({
    ...order(key),
    terms: terms({ qty: 1n as Qty, trigger }),
  });
  const shelf = shelfOf('plain');
  const [first, second] = [shelf.add(stored('a')), shelf.add(stored('b'))];
  expect(shelf.stored).toBe(2);
  shelf.change(first, { ...first.order, triggered: true }, false);
  shelf.change(second, { ...second.order, phase: 'canceled' }, false);
  shelf.change(first, { ...first.order, phase: 'canceled' }, false);
  expect(shelf.stored).toBe(0);
  shelf.change(second, { ...second.order, phase: 'live' }, false);
  expect(shelf.stored).toBe(1);
  const again = new OrderIndex();
  for (const { names, order: kept, venueIds } of shelf.all()) {
    again.restore({ names, order: kept, venueIds });
  }
  expect(again.stored).toBe(1);
});

test('orders are told in order of arrival, also to somebody who forgets some of them on the way', () => {
  const steps = fc.array(fc.record({ key: fc.nat(30).map(String), forgets: fc.boolean() }));
  fc.assert(
    fc.property(steps, fc.nat(30), (all, late) => {
      const shelf = new OrderIndex();
      const left = new Set<string>();
      for (const { forgets, key } of all) {
        if (forgets) {
          shelf.forget(key);
          left.delete(key);
        } else if (!left.has(key)) {
          shelf.add(order(key));
          left.add(key);
        }
      }
      const told = [...shelf.all()].map((entry) => entry.order.owner.key);
      expect(told).toEqual([...left]);
      expect(shelf.size).toBe(left.size);
      const reached: string[] = [];
      for (const entry of shelf.all()) {
        const { key } = entry.order.owner;
        reached.push(key);
        shelf.forget(key);
        shelf.forget(told[late] ?? '');
      }
      const isPassed = told.indexOf(told[late] ?? '') <= 0;
      expect(reached).toEqual(isPassed ? told : told.toSpliced(late, 1));
      expect([...shelf.all()]).toEqual([]);
      expect(shelf.size).toBe(0);
    }),
  );
});

test('open orders are told in order of arrival, also one that turns out to be open after all', () => {
  const shelf = shelfOf('a', 'b', 'c', 'd');
  const open = () => [...shelf.open()].map((entry) => entry.order.owner.key).join('');
  for (const key of ['b', 'c']) shelf.end(entryOf(shelf, key), true);
  expect(open()).toBe('ad');
  shelf.end(entryOf(shelf, 'b'), false);
  expect(open()).toBe('abd');
  shelf.forget('a');
  expect(open()).toBe('bd');
});

test('orders of other channels are told apart until they are forgotten', () => {
  const shelf = shelfOf('own');
  shelf.add({ ...order('foreign'), owner: { ...order('foreign').owner, session: otherChannel } });
  const found = () => shelf.fromOtherChannel(order('foreign').clOrdId)?.owner.key;
  expect(found()).toBe('foreign');
  shelf.forget('foreign');
  expect(found()).toBeUndefined();
});

test('a key, a name or an id that another order has is a bug, and is not given away', () => {
  const shelf = shelfOf('old', 'new');
  shelf.name(entryOf(shelf, 'old'), 'name');
  shelf.identify(entryOf(shelf, 'old'), '0x1');
  expect(() => shelf.add(order('old'))).toThrow('bug in the bridge: one key, one order: old');
  expect(() => shelf.name(entryOf(shelf, 'new'), 'name')).toThrow('one name, one order: name');
  expect(() => shelf.identify(entryOf(shelf, 'new'), '0x1')).toThrow('one name, one order: 0x1');
  const found = [shelf.named('name'), shelf.withVenueId('0x1')];
  expect(found.map((kept) => kept?.order.owner.key)).toEqual(['old', 'old']);
  shelf.forget('old');
  shelf.name(entryOf(shelf, 'new'), 'name');
  expect(shelf.named('name')?.order.owner.key).toBe('new');
});

test('an order with fewer trades than before, or with more than it may have, is a bug and is not kept', () => {
  const shelf = shelfOf('k');
  const with14 = (cumQty: bigint, session = 'S'): Order => ({
    ...order('k'),
    ...{ owner: { ...order('k').owner, session }, cumQty: cumQty as Qty },
  });
  const { qty } = order('k').terms;
  shelf.change(entryOf(shelf), with14(qty), false);
  expect(() => shelf.change(entryOf(shelf), with14(qty + 1n), false)).toThrow(
    'CumQty(14) never exceeds',
  );
  expect(() => shelf.change(entryOf(shelf), with14(qty - 1n), false)).toThrow(
    'CumQty(14) never decreases',
  );
  expect(shelf.get('k')?.order.cumQty).toBe(qty);
  shelf.change(entryOf(shelf), with14(0n), true);
  // Of what another channel does the venue tells as much as it likes.
  shelf.change(entryOf(shelf), with14(qty + 1n, otherChannel), false);
  expect(shelf.get('k')?.order.cumQty).toBe(qty + 1n);
});

test('an order that nobody knows is not found, and forgotten without a word', () => {
  const shelf = shelfOf();
  expect([shelf.named('name'), shelf.withVenueId('0x1')]).toEqual([undefined, undefined]);
  expect(shelf.forget('k')).toEqual([]);
});
