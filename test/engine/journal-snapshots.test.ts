/** Snapshots in pieces: what comes out is the state as it was when the snapshot began. */
import { expect, test } from 'vitest';
import type { Qty } from '../../src/domain/units.ts';
import { JournalSnapshots, type Snapshot } from '../../src/engine/journal-snapshots.ts';
import type { OrdersState } from '../../src/engine/orders.ts';
import { decodeState, encodeState } from '../../src/engine/record.ts';
import { Ladder, terms } from '../domain/ladder.ts';

function stateOf(count: number): OrdersState {
  const { order } = new Ladder(terms({ qty: 10n as Qty }));
  const orders = Array.from({ length: count }, (_, index) => ({
    order: { ...order, owner: { ...order.owner, key: `k${index}` } },
    names: [`S/c${index}`],
    venueIds: [],
  }));
  return {
    orders,
    spent: ['S/gone'],
    lastSeq: count,
    quotes: { groups: [], flights: [], slots: [] },
  };
}

test('a snapshot begins after so many records, takes one piece with each, and keeps its position', () => {
  const snapshots = new JournalSnapshots(10);
  const found: { readonly after: number; readonly snapshot: Snapshot }[] = [];
  for (let position = 1; position <= 24; position += 1) {
    const snapshot = snapshots.recorded(position, () => stateOf(120));
    if (snapshot !== undefined) found.push({ after: position, snapshot });
  }
  expect(found.map(({ after, snapshot }) => [after, snapshot.position])).toEqual([[15, 10]]);
  const [first] = found;
  if (first === undefined) throw new Error('no snapshot');
  expect(decodeState(first.snapshot.payload, 'here')).toEqual(stateOf(120));
});

test.each([0, 1, 50, 51])('a state of %d orders comes back as it was', (count) => {
  expect(decodeState(encodeState(stateOf(count)), 'here')).toEqual(stateOf(count));
});

test('a state of another version stops the start and is named', () => {
  const bytes = new TextEncoder().encode('{"v":1,"orders":[]}');
  expect(() => decodeState(bytes, 'desk/0x1, snapshot')).toThrow('desk/0x1, snapshot');
});
