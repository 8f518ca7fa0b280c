/** Which version of an order a start takes from the parts, and what it refuses to start with. */
import { beforeEach, expect, test } from 'vitest';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { createOrder, type Order } from '../../src/domain/order.ts';
import type { Qty } from '../../src/domain/units.ts';
import { encodeManifest } from '../../src/engine/record.ts';
import { encodePart, type Pinned, type StatePart } from '../../src/engine/state-part.ts';
import { readSnapshot } from '../../src/engine/state-reader.ts';
import { stateStream } from '../../src/engine/state-writer.ts';
import { CorruptRecord } from '../../src/store/store.ts';
import { account, spot, terms } from '../domain/ladder.ts';
import { MemoryStore } from '../support/memory-store.ts';

const journal = 'desk/x';
const instrument = instrumentsOf(spot)[0]!;

function pinned(arrival: number, phase: Order['phase'] = 'live', ending = 0, qty = 5): Pinned {
  const key = `T#${arrival}`;
  const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
  const wanted = terms({ qty: BigInt(qty) as Qty });
  const order = { ...createOrder(owner, `c${arrival}`, instrument, wanted, 1_000), phase };
  return { order, names: [`S/c${arrival}`], venueIds: [], arrival, ending };
}

function part(at: number, changes: Partial<StatePart>): StatePart {
  return { at, isLast: true, orders: [], gone: [], spent: [], ...changes };
}

let store: MemoryStore;
let written = 0;

beforeEach(() => {
  store = new MemoryStore();
  written = 0;
});

async function write(...parts: readonly StatePart[]): Promise<void> {
  for (const one of parts) {
    const append = { kind: 'append', stream: stateStream(journal), expected: written } as const;
    await store.commit([{ ...append, payload: encodePart(one) }]);
    written += 1;
  }
}

async function read(manifest: object) {
  const rest = { lastSeq: 0, venue: null, orders: 0, spent: [0, 0], parts: [1, written] };
  const payload = encodeManifest({ ...rest, ...manifest } as never);
  const { state, ...more } = await readSnapshot(store, journal, { position: 9, payload });
  const orders = state.orders.map(({ order }) => `${order.owner.key} ${order.terms.qty}`);
  return { orders, state, ...more };
}

test('the latest part that contains an order counts', async () => {
  await write(
    part(10, { orders: [pinned(1), pinned(2)] }),
    part(20, { orders: [pinned(1, 'live', 0, 7)] }),
  );
  const { isInParts, orders } = await read({ orders: 2 });
  expect(orders).toEqual(['T#1 7', 'T#2 5']);
  expect(isInParts).toBe(true);
});

test('an order that a later part forgets is not there, even if an earlier part has it', async () => {
  await write(part(10, { orders: [pinned(1), pinned(2)] }), part(20, { gone: [1] }));
  expect((await read({ orders: 1 })).orders).toEqual(['T#2 5']);
});

test('a piece whose last part was never written is void', async () => {
  await write(
    part(10, { orders: [pinned(1)] }),
    part(20, { orders: [pinned(1, 'live', 0, 9)], isLast: false }),
    part(30, { orders: [pinned(2)] }),
  );
  expect((await read({ orders: 2 })).orders).toEqual(['T#1 5', 'T#2 5']);
});

test('ended orders come first in the order of their ends, and then open ones in that of their arrival', async () => {
  await write(
    part(10, {
      orders: [pinned(4), pinned(3), pinned(2, 'canceled', 1), pinned(1, 'filled', 2)],
    }),
  );
  expect((await read({ orders: 4 })).orders).toEqual(['T#2 5', 'T#1 5', 'T#3 5', 'T#4 5']);
});

test('spent names have the numbers that the parts give them, and names below the first are left out', async () => {
  await write(
    part(10, { spent: [{ from: 0, names: ['a', 'b', 'c'] }] }),
    part(20, { spent: [{ from: 3, names: ['d'] }] }),
  );
  const { spent, state } = await read({ spent: [1, 4] });
  expect([state.spent, state.firstSpent]).toEqual([['b', 'c', 'd'], 1]);
  expect([...spent.keys()].sort()).toEqual([1, 2]);
});

test('more parts than are read at a time are all read', async () => {
  const count = 100;
  await write(...Array.from({ length: count }, (_, at) => part(at, { orders: [pinned(at + 1)] })));
  const { orders } = await read({ orders: count });
  expect(orders).toHaveLength(count);
  expect(new Set(orders).size).toBe(count);
});

test('missing parts, orders or names stop the start, and the error names the record', async () => {
  await write(part(10, { orders: [pinned(1)] }), part(20, { orders: [pinned(2)] }));
  const stream = stateStream(journal);
  const faults = [
    [{ orders: 2, parts: [1, 3] }, `record 1 of stream ${stream}: a part is missing`],
    [{ orders: 3 }, `record 1 of stream ${stream}: the parts lack orders`],
    [{ orders: 2, spent: [0, 1] }, `record 1 of stream ${stream}: the parts lack names`],
  ] as const;
  for (const [manifest, text] of faults) {
    const problem = await read(manifest).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(CorruptRecord);
    expect((problem as Error).message).toBe(text);
  }
});
