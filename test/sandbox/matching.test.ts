/** How the engine behind the wire trades; its own rules are proved beside it (test/sandbox/engine). */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { conditionalFields, type Loose, leg, open, orderIdOf, outcome, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const two = venue.client(1);
const three = venue.client(2);

async function place(client: typeof one, over: Loose = {}): Promise<string> {
  const { body } = await client.act(spot(over));
  expect(body.code).toBeNull();
  return body.derivedOrderId;
}

async function makersOf(taker: typeof one, over: Loose): Promise<string[]> {
  const sell = { side: 'Ask', time_in_force: 'ioc', ...over };
  await place(taker, sell);
  const { body } = await venue.admin('/ledger', undefined, 'GET');
  return body.trades.map(({ makerOrderId }: Loose) => makerOrderId);
}

test('R114: the better price trades first, then the older order', async () => {
  const low = await place(one, { price: 49_990_000_000 });
  const older = await place(one);
  const younger = await place(two);
  const makers = await makersOf(three, { qty: 3_000_000, price: 49_990_000_000 });
  expect(makers.slice(-3)).toEqual([older, younger, low]);
});

test('R95: an amendment downward keeps the id and the place in the queue', async () => {
  const first = await place(one, { qty: 2_000_000 });
  await place(two);
  const { body } = await one.act({ AmendOrder: { order_id: first, new_qty: 1_500_000 } });
  expect(body).toMatchObject({ accepted: true, derivedOrderId: null });
  expect((await one.events()).at(-1)).toMatchObject({
    kind: 'amended',
    orderId: first,
    qty: 1_500_000,
  });
  expect((await makersOf(three, { qty: 1_000_000 })).at(-1)).toBe(first);
});

test('R96: an amendment upward or with a price is refused', async () => {
  const order_id = await place(one);
  const up = await one.act({ AmendOrder: { order_id, new_qty: 1_000_001_000 } });
  expect(up.body.code).toBe('invalid_amend');
  const price = await one.act({ AmendOrder: { order_id, new_qty: 500_000, new_price: 1 } });
  expect(price.body.code).toBe('unknown_field');
});

test('R97: a replace makes a child with a new id at the end of the queue', async () => {
  const parent = await place(one);
  const rival = await place(two, { price: 50_010_000_000 });
  const legs = [leg({ cancel_order_id: parent, price: 50_010_000_000 })];
  const { body } = await one.act({ SpotQuoteReplace: { market: 1, legs } });
  const child = body.derivedOrderId;
  expect(child).not.toBe(parent);
  const events = (await one.events()).slice(-2);
  expect(events.find(({ kind }: Loose) => kind === 'replaced')).toMatchObject({
    orderId: child,
    parentOrderId: parent,
    legIndex: 0,
  });
  const makers = await makersOf(three, { qty: 2_000_000 });
  expect(makers.slice(-2)).toEqual([rival, child]);
});

test('a group of which one leg is refused changes nothing', async () => {
  const order = await place(one);
  const before = await venue.admin(`/accounts/${one.account}`, undefined, 'GET');
  const legs = [leg({ cancel_order_id: order, price: 49_000_000_000 }), leg({ price: 7 })];
  const { body } = await one.act({ SpotQuoteReplace: { market: 1, legs } });
  expect(body.code).toBe('price_not_aligned_to_tick');
  const after = await venue.admin(`/accounts/${one.account}`, undefined, 'GET');
  expect(after.body.balances).toEqual(before.body.balances);
  expect(after.body.openOrders).toEqual(before.body.openOrders);
});

test('R92: each STP mode does what its name says', async () => {
  const left = async (stp_mode: string | null) => {
    await venue.fresh();
    const own = await place(one, { side: 'Ask' });
    const foreign = await place(two, { side: 'Ask' });
    const { body } = await one.act(spot({ stp_mode, qty: 2_000_000 }));
    const { body: ledger } = await venue.admin('/ledger', undefined, 'GET');
    const state = (id: string) => ledger.orders.find(({ orderId }: Loose) => orderId === id)?.state;
    return [body.code, state(own), state(foreign), state(body.derivedOrderId)];
  };
  expect(await left('cancel_maker')).toEqual([null, 'canceled', 'filled', 'open']);
  expect(await left('cancel_taker')).toEqual([null, 'open', 'open', 'canceled']);
  expect(await left(null)).toEqual([null, 'open', 'open', 'canceled']);
  expect(await left('reject')).toEqual(['self_trade_prevented', 'open', 'open', undefined]);
  expect((await left('skip_self')).slice(0, 3)).toEqual([null, 'open', 'filled']);
});

test('a fill is reported to both sides, each with its own sequence numbers', async () => {
  const maker = await place(one);
  const taker = await place(two, { side: 'Ask', qty: 400_000 });
  const fills = [(await one.events()).at(-1), (await two.events()).at(-1)];
  expect(fills).toMatchObject([
    { kind: 'fill', orderId: maker, leavesQty: 600_000, fill: { liquidity: 'maker', feeMicro: 0 } },
    { kind: 'fill', orderId: taker, leavesQty: 0, fill: { liquidity: 'taker', feeMicro: 100_000 } },
  ]);
});

test('an order expires at its time', async () => {
  const { wallMs } = venue.clock.now();
  const { body } = await one.act(spot({ expires_at: wallMs + 1000 }));
  const stream = await one.stream();
  venue.clock.advance(999);
  expect(stream.frames.filter(({ op }) => op === 'event')).toEqual([]);
  venue.clock.advance(101);
  expect((await stream.events(1))[0]).toMatchObject({
    kind: 'expired',
    orderId: body.derivedOrderId,
  });
  stream.close();
});

test('a stored conditional fires on the last trade and places its signed order', async () => {
  const price = 60_000_000_000;
  const nested = one.sign(one.payload(spot({ side: 'Ask', price, time_in_force: 'gtc' })));
  const stored = await one.act({
    PlaceConditionalOrder: {
      ...conditionalFields,
      limit_price: price,
      trigger_price: price,
      signed_trigger_order: nested,
    },
  });
  expect(stored.body.code).toBeNull();
  const last = (await one.events()).at(-1).seq;
  await place(two, { qty: 500_000, price });
  await place(three, { side: 'Ask', qty: 500_000, price });
  const events = await one.events(last + 1);
  expect(events).toMatchObject([
    {
      kind: 'triggered',
      orderId: orderIdOf(JSON.stringify(nested.payload)),
      parentOrderId: stored.body.derivedOrderId,
      leavesQty: 1_000_000,
    },
  ]);
});

test('a twap sends its slices on the clock and ends', async () => {
  const { body } = await one.act({
    PlaceAlgoOrder: {
      market: 1,
      book: null,
      side: 'Bid',
      total_qty: 300_000,
      limit_price: 50_000_000_000,
      time_in_force: 'gtc',
      strategy: { kind: 'twap', slice_qty: 100_000, interval_ms: 1000 },
    },
  });
  expect(body.code).toBeNull();
  await place(two, { side: 'Ask', qty: 1_000_000 });
  venue.clock.advance(5000);
  const done = (await one.events()).at(-1);
  expect(done).toMatchObject({
    kind: 'algo_done',
    orderId: body.derivedOrderId,
    filledQty: 300_000,
  });
});

test('R132: the same calls under the same clock give the same ids and the same ledger hash', async () => {
  const run = async () => {
    const other = await open({ seed: 9 });
    const [a, b] = [other.client(0), other.client(1)];
    const ids: string[] = [];
    for (const [client, side] of [
      [a, 'Bid'],
      [b, 'Ask'],
      [a, 'Ask'],
      [b, 'Bid'],
    ] as const) {
      other.clock.advance(10);
      const { body } = await client.act(spot({ side, qty: 1_500_000 }));
      ids.push(body.derivedOrderId);
      await client.act(outcome({ side, book: 'NO' }));
    }
    const { body } = await other.admin('/ledger/hash', undefined, 'GET');
    await other.stop();
    return [...ids, body.hash];
  };
  expect(await run()).toEqual(await run());
});
