import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ladder, type Rests } from '../../../src/sandbox/engine/order-book.ts';
import { UndoLog } from '../../../src/sandbox/engine/undo-log.ts';

interface Resting extends Rests<Resting> {
  readonly name: number;
}

const change = fc.record({
  price: fc.integer({ min: 1, max: 6 }),
  qty: fc.integer({ min: 1, max: 9 }),
  removes: fc.boolean(),
  which: fc.nat(100),
});

function resting(name: number, price: number, qty: number): Resting {
  return { name, price, qty, filledQty: 0, level: null };
}

/** Plays the changes on the ladder and on a plain list; returns the list. */
function play(
  ladder: Ladder<Resting>,
  changes: readonly { price: number; qty: number; removes: boolean; which: number }[],
  before: readonly Resting[] = [],
): Resting[] {
  const list = [...before];
  for (const [index, { price, qty, removes, which }] of changes.entries()) {
    const gone = removes ? list.splice(which % Math.max(1, list.length), 1)[0] : undefined;
    if (gone !== undefined) ladder.remove(gone, gone.qty);
    else {
      const order = resting(before.length + index, price, qty);
      ladder.add(order);
      list.push(order);
    }
  }
  return list;
}

function names(ladder: Ladder<Resting>): number[] {
  return Array.from(ladder.orders(), ({ name }) => name);
}

function levels(ladder: Ladder<Resting>): number[][] {
  return ladder.levels.map(({ price, qty, orders }) => [price, qty, orders.length]);
}

test.each(['Bid', 'Ask'] as const)('%s orders stand by price and then by arrival', (side) => {
  const property = fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
    const ladder = new Ladder<Resting>(side, new UndoLog());
    const list = play(ladder, changes);
    const sign = side === 'Bid' ? -1 : 1;
    const wanted = list.map((order, index) => ({ order, index }));
    wanted.sort((a, b) => sign * (a.order.price - b.order.price) || a.index - b.index);
    expect(names(ladder)).toEqual(wanted.map(({ order }) => order.name));
    expect(ladder.best()?.price).toBe(wanted[0]?.order.price);
    for (const price of [1, 2, 3, 4, 5, 6]) {
      const there = list.filter((order) => order.price === price);
      const qty = there.reduce((sum, order) => sum + order.qty, 0);
      expect(ladder.levelAt(price)?.qty ?? 0).toBe(qty);
      expect(ladder.levelAt(price)?.orders.length ?? 0).toBe(there.length);
    }
  });
  fc.assert(property, { numRuns: 300 });
});

test('a rollback puts every order back into its place', () => {
  const property = fc.property(
    fc.array(change, { maxLength: 30 }),
    fc.array(change, { maxLength: 30 }),
    (kept, undone) => {
      const undo = new UndoLog();
      const ladder = new Ladder<Resting>('Ask', undo);
      const list = play(ladder, kept);
      const before = [names(ladder), levels(ladder)];
      undo.begin();
      play(ladder, undone, list);
      undo.rollback();
      expect([names(ladder), levels(ladder)]).toEqual(before);
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('what does not rest cannot be removed or reduced', () => {
  const ladder = new Ladder<Resting>('Ask', new UndoLog());
  expect(() => ladder.remove(resting(1, 1, 1), 1)).toThrow('does not rest');
  expect(() => ladder.reduce(resting(1, 1, 1), 1)).toThrow('does not rest');
});
