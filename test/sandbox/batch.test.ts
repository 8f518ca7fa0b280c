import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Loose, leg, open, orderIdOf, outcome, spot } from './client.ts';
import { encodeCompact } from './encode-compact.ts';

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

  test('a batch is bounded, and closed when ingress.jsonEnabled is false', async () => {
    const many = Array.from({ length: 33 }, () => ({}));
    const long = await one.post(orders, { version: 1, actions: many });
    expect([long.status, long.body.error.code]).toEqual([422, 'BAD_REQUEST']);
    await venue.admin('/limits', { jsonEnabled: false });
    const limits = await one.get('/api/v1/order-entry/limits');
    expect(limits.body.ingress.jsonEnabled).toBe(false);
    expect((await one.post(orders, batchOf([spot()]))).status).toBe(403);
  });

  test('R45: the key of the body counts like the header, and differs from it never', async () => {
    const batch = batchOf([spot()], { idempotencyKey: 'batch-1' });
    const first = await one.post(orders, batch);
    const again = await one.post(orders, batch);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    const both = await one.post(orders, batch, { 'Idempotency-Key': 'other' });
    expect(both.status).toBe(422);
  });

  test('a durable timeout answers 503 with part of the results', async () => {
    await venue.admin('/faults', { kind: 'durable_timeout' });
    const answer = await one.post(orders, batchOf([spot(), spot({ qty: 2_000_000 })]), detailed);
    expect([answer.status, answer.body.actionResults.length]).toEqual([503, 1]);
    const facts = await venue.admin(`/accounts/${one.account}`, undefined, 'GET');
    expect(facts.body.openOrders).toHaveLength(2);
  });

  test('a durable timeout of a single action says nothing about its outcome', async () => {
    await venue.admin('/faults', { kind: 'durable_timeout' });
    const { body, status } = await one.act(spot());
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(body.accepted).toBeUndefined();
    expect(await one.openOrders()).toHaveLength(1);
  });

  test('a durable timeout leaves an answer as it is where nothing was applied', async () => {
    await venue.admin('/limits', { edgeRequestsPerSecond: 1 });
    await venue.admin('/faults', { kind: 'durable_timeout', times: null });
    const post = () => one.post(orders, batchOf([spot()]));
    const statuses = [(await post()).status, (await post()).status];
    expect(statuses).toEqual([503, 429]);
  });
});

describe('the batch of the trading routes', () => {
  test('each item has its own result, and its scope is asked for itself', async () => {
    const item = (type: string, action: Loose) => ({ type, action: one.sign(one.payload(action)) });
    await venue.admin(`/credentials/${one.facts.apiKey}`, { scopes: ['trade', 'quote', 'cancel'] });
    const items = [
      item('trade', spot()),
      item('mint_redeem', { Mint: {} }),
      item('cancel', { Cancel: { order_id: nobody } }),
    ];
    const { body, status } = await one.post('/api/v1/trading/orders/batch', { items });
    expect(status).toBe(200);
    expect(body.results.map(({ code }: Loose) => code)).toEqual([
      null,
      'INVALID_SCOPE',
      'order_not_found',
    ]);
    const wrong = await one.post('/api/v1/trading/orders/batch', {
      items: [items[0], { type: 'x' }],
    });
    expect(wrong.status).toBe(422);
  });

  test('R56: an unknown field in an item refuses the batch before anything is applied', async () => {
    const items = [{ type: 'trade', action: one.sign(one.payload(spot())), memo: 1 }];
    const { body, status } = await one.post('/api/v1/trading/orders/batch', { items });
    expect([status, body.error.details.cause]).toEqual([422, 'unknown_field']);
    expect(await one.openOrders()).toEqual([]);
  });
});

describe('byte batches', () => {
  const compact = (actions: Loose[], idempotencyKey = '') =>
    encodeCompact({
      idempotencyKey,
      actions: actions.map((action) => {
        const { payload, signature } = one.sign(one.payload(action));
        return {
          canonical: Buffer.from(JSON.stringify(payload)),
          scheme: 'ecdsa',
          signature: Uint8Array.from(signature.bytes),
        };
      }),
    });

  test('R54: every byte batch route answers like the canonical one', async () => {
    const routes = [
      '/api/v1/order-entry/orders/compact',
      '/api/v1/bsl/orders/compact',
      '/api/v1/mm/orders/compact',
      '/api/v1/bsl/orders/batch',
      '/api/v1/mm/orders/batch.bin',
      '/api/order-entry/binary',
    ];
    for (const route of routes) {
      const { body, status } = await one.postBytes(
        route,
        compact([spot(), outcome()], `key-${route.length}`),
        detailed,
      );
      expect([route, status]).toEqual([route, 200]);
      expect(body.actionResults.map(({ status: state }: Loose) => state)).toEqual([
        'resting',
        'resting',
      ]);
      expect(body.derivedOrderIds).toHaveLength(2);
    }
  });

  test('R55: the route is for an institutional agent with quote, or a lane key', async () => {
    const post = async () => one.postBytes('/api/v1/order-entry/orders/compact', compact([spot()]));
    const set = (change: Loose) => venue.admin(`/credentials/${one.facts.apiKey}`, change);
    await set({ scopes: ['trade', 'cancel'] });
    const noScope = await post();
    expect([noScope.status, noScope.body.code]).toEqual([403, 'INVALID_SCOPE']);
    await set({ scopes: ['trade', 'quote'], agentType: 'retail_agent' });
    const noType = await post();
    expect([noType.status, noType.body.error.code]).toEqual([403, 'FORBIDDEN']);
    await set({ scopes: ['trade'], laneKey: true });
    expect((await post()).status).toBe(200);
  });

  test('wrong bytes are refused with the number that names the fault', async () => {
    const good = compact([spot()]);
    const magic = Buffer.from(good);
    magic[0] = 0;
    const version = Buffer.from(good);
    version[4] = 9;
    for (const [bytes, words] of [
      [magic, 'number 1'],
      [version, 'number 2'],
      [good.subarray(0, good.length - 1), 'end inside'],
      [Buffer.concat([good, Buffer.of(0)]), '1 bytes after'],
      [Buffer.alloc(0), 'magic'],
    ] as const) {
      const { body, status } = await one.postBytes(
        '/api/v1/order-entry/orders/compact',
        Buffer.from(bytes),
      );
      expect(status).toBe(400);
      expect(body.error.message).toContain(words);
    }
  });

  test('canonical bytes that are not canonical do not carry the signature', async () => {
    const { payload, signature } = one.sign(one.payload(spot()));
    const bytes = encodeCompact({
      idempotencyKey: '',
      actions: [
        {
          canonical: Buffer.from(JSON.stringify(payload).replace(/"nonce":/, '"nonce": ')),
          scheme: 'ecdsa',
          signature: Uint8Array.from(signature.bytes),
        },
      ],
    });
    const { body } = await one.postBytes('/api/v1/order-entry/orders/compact', bytes, detailed);
    expect(body.actionResults[0].rejectReason).toBe('schema_violation');
  });
});
