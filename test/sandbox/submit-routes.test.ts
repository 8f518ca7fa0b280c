import { afterAll, beforeEach, expect, test } from 'vitest';
import { actionHash, type Loose, open, outcome, spot } from './client.ts';
import { encodeCompact } from './encode-compact.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const two = venue.client(1);
const lane = '/api/v1/order-entry';
const actions = '/api/v1/trading/actions';
const orders = '/api/v1/order-entry/orders';
const detailed = { 'x-sandbox-response-mode': 'detailed' };
const nobody = `0x${'00'.repeat(32)}`;

function batchOf(actions: Loose[], more: Loose = {}): Loose {
  return { version: 1, actions: actions.map((action) => one.sign(one.payload(action))), ...more };
}

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

test('R16: the hash route answers sorted, puts the current nonce in, and keeps nothing', async () => {
  const { floor } = await nonces(one.account);
  const { body } = await one.post(`${actions}/hash`, one.payload(spot(), { nonce: 0 }));
  expect(Object.keys(body.canonicalPayload)).toEqual(
    [...Object.keys(body.canonicalPayload)].sort(),
  );
  expect(body.canonicalPayload.nonce).toBe(floor);
  const canonical = JSON.stringify(one.payload(spot(), { nonce: floor }));
  expect(body.signingHash).toBe(`0x${Buffer.from(actionHash(canonical)).toString('hex')}`);
  expect(await nonces(one.account)).toMatchObject({ floor });
  // An account that nobody opened would be remembered for its nonces.
  const unknown = one.payload(spot(), { nonce: 0, account: `0x${'9'.repeat(40)}` });
  expect((await one.post(`${actions}/hash`, unknown)).body.code).toBe('ACCOUNT_MISMATCH');
});

test('R107: cancel-all is answered by 200, and only the stream says what was cancelled', async () => {
  await one.act(spot());
  await one.act(outcome());
  await one.act(outcome({ side: 'Ask', price: 900_000 }));
  const stream = await one.stream();
  const narrow = await one.post(`${lane}/orders/cancel-all`, {
    market: 7,
    book: 'YES',
    side: 'Ask',
  });
  expect([narrow.status, narrow.body]).toEqual([200, { ok: true, accepted: true }]);
  const [first] = await stream.events(1);
  expect(first).toMatchObject({ kind: 'canceled', market: 7, side: 'Ask' });
  expect(await one.openOrders()).toHaveLength(2);
  await one.post(`${lane}/orders/cancel-all`, '');
  expect(await stream.events(3)).toHaveLength(3);
  for (const wrong of [{ market: 'x' }, { book: 'MAYBE' }, { side: 'Buy' }, { all: true }]) {
    expect((await one.post(`${lane}/orders/cancel-all`, wrong)).status).toBe(422);
  }
  stream.close();
});

test('cancel-on-disconnect cancels the orders of the account and of no other', async () => {
  await one.act(spot());
  await two.act(spot());
  await one.post(`${lane}/sessions/cancel-on-disconnect`, {});
  expect(await one.openOrders()).toEqual([]);
  expect(await two.openOrders()).toHaveLength(1);
});

test('replace takes one signed group of one leg', async () => {
  const { body } = await one.act(spot());
  const leg = {
    cancel_order_id: body.derivedOrderId,
    ...spot({ price: 49_990_000_000 }).SpotPlaceOrder,
  };
  const { market, ...rest } = leg;
  const action = { SpotQuoteReplace: { market, legs: [rest] } };
  const answer = await one.post(`${lane}/orders/replace`, one.sign(one.payload(action)));
  expect(answer.body).toMatchObject({ accepted: true, code: null });
  expect(await one.openOrders()).toMatchObject([{ orderId: answer.body.derivedOrderId }]);
  const plain = await one.post(`${lane}/orders/cancel-replace`, one.sign(one.payload(spot())));
  expect(plain.status).toBe(422);
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

test('R16: nonce 0 is replaced only where there is no reservation', async () => {
  await one.act(spot());
  const hash = async (over: Loose) =>
    (await one.post(`${actions}/hash`, one.payload(spot(), { nonce: 0, ...over }))).body;
  expect((await hash({})).canonicalPayload.nonce).toBeGreaterThan(0);
  expect((await hash({ nonce_reservation_id: 'res-1' })).canonicalPayload.nonce).toBe(0);
});

test('a single action tells its result in the modes that ask for it, and refuses another mode', async () => {
  const consumed = async (mode: string) =>
    (await one.act(spot(), {}, { 'x-bsl-result-mode': mode })).body.nonceConsumed;
  expect([await consumed('ack'), await consumed('durable'), await consumed('full')]).toEqual([
    null,
    true,
    true,
  ]);
  const other = await one.act(spot(), {}, { 'x-bsl-result-mode': 'FULL' });
  expect([other.status, other.body.error.details.cause]).toEqual([400, 'bad_enum']);
});

test('what is wrong with a batch is told before any of it is applied', async () => {
  const good = one.sign(one.payload(spot()));
  const cause = async (route: string, body: Loose) => {
    const { body: answer, status } = await one.post(route, body);
    return [status, answer.error.details.cause];
  };
  const trading = '/api/v1/trading/orders/batch';
  for (const [route, body, expected] of [
    [orders, { actions: [good] }, 'missing_field'],
    [orders, { version: 2, actions: [good] }, 'schema_violation'],
    [orders, { version: 1, actions: [] }, 'schema_violation'],
    [orders, { version: 1, actions: good }, 'schema_violation'],
    [orders, { version: 1, actions: [good], idempotencyKey: 5 }, 'schema_violation'],
    [trading, { items: [] }, 'schema_violation'],
    [trading, { items: Array.from({ length: 33 }, () => ({})) }, 'schema_violation'],
    [trading, { items: [{ type: 'trade' }] }, 'missing_field'],
    [trading, { items: [{ type: 'trade', action: good }, 5] }, 'schema_violation'],
  ] as const) {
    expect([body, await cause(route, body)]).toEqual([body, [422, expected]]);
  }
  expect(await one.openOrders()).toEqual([]);
});

test('R58: the mass cancels need the scope for cancels', async () => {
  await one.act(spot());
  await venue.admin(`/credentials/${one.facts.apiKey}`, { scopes: ['trade', 'quote'] });
  for (const route of ['orders/cancel-all', 'sessions/cancel-on-disconnect']) {
    const { body, status } = await one.post(`${lane}/${route}`, '');
    expect([status, body.code]).toEqual([403, 'INVALID_SCOPE']);
  }
  expect(await one.openOrders()).toHaveLength(1);
});

test('R45: a mass cancel with the same key cancels only once', async () => {
  const key = { 'Idempotency-Key': 'all' };
  const cancel = () => one.post(`${lane}/orders/cancel-all`, {}, key);
  await cancel();
  await one.act(spot());
  expect((await cancel()).headers.get('idempotent-replay')).toBe('true');
  expect(await one.openOrders()).toHaveLength(1);
});

test('replace refuses a group of two legs, which it would not apply as one order', async () => {
  const { market, ...leg } = spot().SpotPlaceOrder;
  const place = { cancel_order_id: null, ...leg };
  const action = { SpotQuoteReplace: { market, legs: [place, place] } };
  const answer = await one.post(`${lane}/orders/replace`, one.sign(one.payload(action)));
  expect([answer.status, answer.body.error.message]).toEqual([
    422,
    'replace takes one signed quote replace with one leg',
  ]);
  expect(await one.openOrders()).toEqual([]);
});

async function nonces(account: string): Promise<Loose> {
  return (await venue.admin(`/accounts/${account}`, undefined, 'GET')).body.nonces;
}
