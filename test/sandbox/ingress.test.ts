import { afterAll, beforeEach, expect, test } from 'vitest';
import { type Loose, open, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const lane = '/api/v1/order-entry';
const actions = '/api/v1/trading/actions';
const orders = '/api/v1/order-entry/orders';
const detailed = { 'x-sandbox-response-mode': 'detailed' };

function batchOf(actions: Loose[], more: Loose = {}): Loose {
  return { version: 1, actions: actions.map((action) => one.sign(one.payload(action))), ...more };
}

test('R54: the older names of the lane answer like the canonical ones', async () => {
  const paths = [
    'limits',
    'sessions',
    'markets/7/quote-obligations',
    'receipts',
    'connectivity',
    'account/self-verify',
    'execution/contract',
    'execution/gap-fill',
    'drop-copy',
  ];
  for (const path of paths) {
    const canonical = await one.get(`${lane}/${path}`);
    expect([path, canonical.status]).toEqual([path, 200]);
    for (const alias of ['/api/v1/bsl', '/api/v1/mm']) {
      const older = await one.get(`${alias}/${path}`);
      expect([path, older.status, older.text]).toEqual([path, 200, canonical.text]);
    }
  }
  for (const alias of [lane, '/api/v1/bsl', '/api/v1/mm']) {
    const path = `${alias}/sessions/cancel-on-disconnect`;
    expect([path, (await one.post(path, '')).status]).toEqual([path, 200]);
    expect((await one.post(`${alias}/orders/cancel-all`, {})).status).toBe(200);
  }
});

test('what is too long or too deep is refused in the envelope', async () => {
  const long = await one.post(actions, `"${'x'.repeat(1_100_000)}"`);
  expect([long.status, long.body.error.details.cause]).toEqual([400, 'body_too_long']);
  const deep = await one.post(actions, `${'['.repeat(50)}${']'.repeat(50)}`);
  expect([deep.status, deep.body.error.details.cause]).toEqual([400, 'malformed_json']);
  expect((await one.get(`/api/v1/markets?x=${'x'.repeat(5000)}`)).status).toBe(400);
  expect((await one.get('/api/v1/trading/actions')).status).toBe(404);
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

test('answers are JSON, for whoever takes that', async () => {
  const status = async (accept: string) => (await one.get('/api/v1/health', { accept })).status;
  for (const accept of ['*/*', 'application/json', 'text/html, application/*;q=0.5']) {
    expect([accept, await status(accept)]).toEqual([accept, 200]);
  }
  expect(await status('text/html')).toBe(406);
});

test('a path is one of the table, in the method of the table, and its parameters are words', async () => {
  const status = async (path: string) => (await one.get(`/api/v1/markets/${path}`)).status;
  expect(await status('1/orderbook')).toBe(200);
  for (const path of [
    '1/orderbook/',
    '1%2F/orderbook',
    '/orderbook',
    `${'1'.repeat(65)}/orderbook`,
  ]) {
    expect([path, await status(path)]).toEqual([path, 404]);
  }
  expect((await one.post('/api/v1/health', {})).status).toBe(404);
  expect((await one.get('/api/v1/HEALTH')).status).toBe(404);
});

test('a path of 4096 characters is read, and a longer one is not', async () => {
  const path = '/api/v1/markets?x=';
  const status = async (length: number) =>
    (await one.get(path + 'x'.repeat(length - path.length))).status;
  expect([await status(4096), await status(4097)]).toEqual([200, 400]);
});

test('a fault of our own costs a 500 that says nothing, and the operator is told', async () => {
  const faults: unknown[] = [];
  const other = await open({ reportFault: (error) => faults.push(error) });
  other.venue.state.exchange.markets = () => {
    throw new Error('secret words');
  };
  const { body, status, text } = await other.client(0).get('/api/v1/markets');
  expect([status, body.error.code, body.error.retriable]).toEqual([500, 'INTERNAL_ERROR', true]);
  expect(text).not.toContain('secret');
  expect(faults).toEqual([new Error('secret words')]);
  await other.stop();
});

test('a refusal on command has the status of its code, and nothing is applied', async () => {
  for (const [code, status] of [
    ['backpressure', 503],
    ['post_only_would_cross', 400],
    ['idempotency_key_conflict', 409],
  ] as const) {
    await venue.admin('/faults', { kind: 'refuse', code, path: actions });
    const answer = await one.act(spot());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
  }
  expect(await one.openOrders()).toEqual([]);
});

test('a fault may be for the requests of one account, by the key that they show', async () => {
  await venue.admin('/faults', { kind: 'fail_before', account: one.account });
  const anonymous = await one.get('/api/v1/health', { 'X-API-Key': '' });
  const other = await venue.client(1).get('/api/v1/health');
  const mine = await one.get('/api/v1/health');
  expect([anonymous, other, mine].map(({ status }) => status)).toEqual([200, 200, 503]);
});

test('a held request without a nonce of its own claims none, and is applied all the same', async () => {
  await one.act(spot());
  const hold = { kind: 'hold_fail', delayMs: null, claimsNonce: true };
  await venue.admin('/faults', { ...hold, path: 'cancel-all' });
  await venue.admin('/faults', { ...hold, path: orders });
  expect((await one.post(`${orders}/cancel-all`, 'no JSON')).status).toBe(503);
  expect((await one.post(`${orders}/cancel-all`, {})).status).toBe(503);
  expect(await one.openOrders()).toHaveLength(1);
  venue.release();
  expect(await one.openOrders()).toEqual([]);
});
