import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Loose, leg, open, orderIdOf, outcome, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const two = venue.client(1);
const orders = '/api/v1/order-entry/orders';
const detailed = { 'x-sandbox-response-mode': 'detailed' };
const nobody = `0x${'00'.repeat(32)}`;

function batchOf(actions: Loose[], more: Loose = {}): Loose {
  return { version: 1, actions: actions.map((action) => one.sign(one.payload(action))), ...more };
}

const hotpath = [
  'clientOrderId',
  'engineTsMs',
  'feeMicro',
  'filledQty',
  'fills',
  'leavesQty',
  'nonceConsumed',
  'seq',
  'serverTsMs',
  'status',
];

describe('JSON batch', () => {
  test('R49: results stand in the order of the actions, rejectCode only with rejected', async () => {
    await two.act(spot({ side: 'Ask', qty: 500_000 }));
    const actions = [
      spot(),
      { Cancel: { order_id: nobody } },
      spot({ price: 0 }),
      spot({ side: 'x' }),
    ];
    const { body, status } = await one.post(orders, batchOf(actions), detailed);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, responseMode: 'detailed', requestedResultMode: 'ack' });
    const results: Loose[] = body.actionResults;
    expect(results.map(({ status: state, rejectCode }) => [state, rejectCode])).toEqual([
      ['partially_filled', undefined],
      ['rejected', 'ORDER_NOT_FOUND'],
      ['rejected', 'ENGINE_REJECTED'],
      ['rejected', 'ENGINE_REJECTED'],
    ]);
    expect(results.map(({ rejectReason }) => rejectReason)).toEqual([
      undefined,
      'order_not_found',
      'price_must_be_positive',
      'schema_violation',
    ]);
    expect(results.map(({ nonceConsumed }) => nonceConsumed)).toEqual([true, true, true, false]);
    expect(Object.keys(results[0]).sort()).toEqual(hotpath);
    expect(results[0]).toMatchObject({ filledQty: 500_000, leavesQty: 500_000, feeMicro: 125_000 });
    expect(results[0].fills[0]).toMatchObject({
      price: 50_000_000_000,
      qty: 500_000,
      liquidity: 'taker',
    });
    expect(body.derivedOrderIds.slice(1)).toEqual([null, null, null]);
  });

  test('R49: each action needs its own signature, and version must be 1', async () => {
    const good = batchOf([spot(), spot({ qty: 2_000_000 })]);
    good.actions[1].signature = good.actions[0].signature;
    const { body } = await one.post(orders, good, { 'x-bsl-result-mode': 'full' });
    expect(body.actionResults[1]).toMatchObject({
      status: 'rejected',
      rejectReason: 'invalid_signature',
    });
    expect(body.actionResults[0].status).toBe('resting');
    const two = await one.post(orders, { ...batchOf([spot()]), version: 2 });
    expect([two.status, two.body.error.details.cause]).toEqual([422, 'schema_violation']);
  });

  test('R50: an action refused by the engine in a 200 batch shows on the stream as rejected', async () => {
    const stream = await one.stream();
    const { status } = await one.post(orders, batchOf([spot({ price: 0 })]));
    expect(status).toBe(200);
    const [event] = await stream.events(1);
    expect(event).toMatchObject({
      kind: 'rejected',
      status: 'rejected',
      reason: { code: 'price_must_be_positive', number: null },
      nonceConsumed: true,
    });
    stream.close();
  });

  test('R51: the three result modes are accepted, ack shows results only when detailed', async () => {
    for (const [mode, headers, shows] of [
      ['ack', {}, false],
      ['ack', detailed, true],
      ['durable', {}, true],
      ['full', {}, true],
    ] as const) {
      const answer = await one.post(orders, batchOf([spot()]), {
        'x-bsl-result-mode': mode,
        ...headers,
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ requestedResultMode: mode, resolvedResultMode: mode });
      expect(Array.isArray(answer.body.actionResults)).toBe(shows);
      expect(answer.body.derivedOrderIds).toHaveLength(1);
    }
    const other = await one.post(orders, batchOf([spot()]), { 'x-bsl-result-mode': 'fast' });
    expect(other.status).toBe(400);
  });

  test('R9: children of a group are named by payload and leg index, cancel-only legs by null', async () => {
    const placed = await one.act(outcome());
    const cancel = leg({
      cancel_order_id: placed.body.derivedOrderId,
      book: 'YES',
      price: 500_000,
      qty: 0,
    });
    const ask = leg({ book: 'NO', side: 'Ask', price: 900_000, qty: 10_000 });
    const bid = leg({ book: 'YES', price: 100_000, qty: 10_000 });
    const batch = batchOf([{ QuoteReplace: { market: 7, legs: [cancel, ask, bid] } }]);
    const { body } = await one.post(orders, batch, detailed);
    const canonical = JSON.stringify(batch.actions[0].payload);
    const child = (index: number) => orderIdOf(canonical, Buffer.of(index, 0, 0, 0));
    expect(body.actionResults[0]).toMatchObject({ status: 'applied' });
    expect(body.derivedOrderIds).toEqual([[null, child(1), child(2)]]);
    const kinds = (await one.events())
      .slice(-3)
      .map(({ orderId, legIndex }) => [orderId, legIndex]);
    expect(kinds).toContainEqual([child(1), 1]);
  });

  test('an item without the scope fails alone', async () => {
    await venue.admin(`/credentials/${one.facts.apiKey}`, { scopes: ['cancel'] });
    const batch = batchOf([spot(), { Cancel: { order_id: nobody } }]);
    const { body, status } = await one.post(orders, batch, detailed);
    expect(status).toBe(200);
    expect(body.actionResults.map(({ rejectReason }: Loose) => rejectReason)).toEqual([
      'INVALID_SCOPE',
      'order_not_found',
    ]);
  });
});
