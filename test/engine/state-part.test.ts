/** A part of the state as text: what is read is what was written, and only lines that are asked for are read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderForm } from '../../src/domain/forms.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { createOrder } from '../../src/domain/order.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import {
  decodePart,
  encodePart,
  type Pinned,
  type StatePart,
} from '../../src/engine/state-part.ts';
import { account, spot, terms } from '../domain/ladder.ts';

const instrument = instrumentsOf(spot)[0]!;

function pinned(number: number, names: readonly string[], venueIds: readonly string[]): Pinned {
  const key = `T#${number}`;
  const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
  const order = {
    ...createOrder(owner, `c${number}`, instrument, terms({ qty: 5n as Qty }), 1_000),
    venueRef: `hash ${number}`,
    orderId: `0x${number}` as OrderId,
  };
  return { order, names, venueIds, arrival: number, ending: 0 };
}

const texts = fc.array(fc.string(), { maxLength: 4 });
const ownOr = (own: string) => fc.array(fc.oneof(fc.constant(own), fc.string()), { maxLength: 4 });
const parts = fc.record({
  at: fc.nat(),
  isLast: fc.boolean(),
  orders: fc
    .array(fc.tuple(ownOr('S/c1'), ownOr('0x1')), { maxLength: 5 })
    .map((lists) => lists.map(([names, ids], index) => pinned(index + 1, names, ids))),
  gone: fc.array(fc.nat()),
  spent: fc.array(fc.record({ from: fc.nat(), names: texts }), { maxLength: 3 }),
});

test('a part is read as it was written', () => {
  fc.assert(
    fc.property(parts, (part: StatePart) => {
      const { orders, ...rest } = part;
      const read = decodePart(encodePart(part), 'part 1');
      expect(read).toMatchObject({
        ...rest,
        orders: orders.map(({ arrival, ending }) => [arrival, ending]),
      });
      for (const [index, { names, order, venueIds }] of orders.entries()) {
        expect(read.order(index)).toEqual({ names, order, venueIds });
      }
    }),
  );
});

test('an order whose names and ids are its own has them once in the text', () => {
  const own = pinned(7, ['S/c7'], ['hash 7', '0x7']);
  const part = { at: 1, isLast: true, orders: [own], gone: [], spent: [] };
  const text = Buffer.from(encodePart(part)).toString();
  expect(text.match(/hash 7/g)).toHaveLength(1);
  expect(decodePart(encodePart(part), 'part 1').order(0)).toMatchObject({
    names: ['S/c7'],
    venueIds: ['hash 7', '0x7'],
  });
});

test('a row that nobody asks for is not read, so a damaged one that was replaced later does no harm', () => {
  const part = {
    at: 1,
    isLast: true,
    orders: [pinned(1, [], []), pinned(2, [], [])],
    gone: [],
    spent: [],
  };
  const lines = Buffer.from(encodePart(part)).toString().split('\n');
  const damaged = decodePart(Buffer.from([lines[0], '{', lines[2]].join('\n')), 'part 1');
  expect(damaged.order(1).order.owner.key).toBe('T#2');
  expect(() => damaged.order(0)).toThrow();
});

test('a part of a later version is refused by its place and version', () => {
  const part = { at: 1, isLast: true, orders: [], gone: [], spent: [] };
  const text = Buffer.from(encodePart(part)).toString();
  const later = Buffer.from(text.replace('"v":3', '"v":4'));
  expect(() => decodePart(later, 'stream s, part 4')).toThrow(
    'stream s, part 4 has version 4, which this version of Causeway cannot read',
  );
});

test('a part of the version before, with an object for each order, is read as well', () => {
  const own = pinned(7, ['S/c7'], ['hash 7', '0x7', 'more']);
  const part = { at: 1, isLast: true, orders: [own], gone: [3], spent: [] };
  const { owner, instrument: of, ...order } = JSON.parse(orderForm.write(own.order) ?? '');
  const { key, ...sender } = owner;
  const head = {
    ...{ v: 2, at: 1, isLast: true, gone: [3], spent: [], orders: [[7, 0]] },
    ...{ senders: [{ session: 'other' }, sender], instruments: [of] },
  };
  const line = {
    order: { owner: { of: 1, key }, instrument: 0, ...order },
    venueIds: [0, 1, 'more'],
  };
  const text = [head, line].map((each) => JSON.stringify(each)).join('\n');
  const read = decodePart(Buffer.from(text), 'part 1');
  expect(read).toMatchObject({ gone: [3], orders: [[7, 0]] });
  expect(read.order(0)).toStrictEqual(decodePart(encodePart(part), 'part 1').order(0));
});
