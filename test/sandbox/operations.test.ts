import { request } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { loadProfile } from '../../src/venue/profile.ts';
import { type Loose, open, outcome, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const two = venue.client(1);
const lane = '/api/v1/order-entry';
const actions = '/api/v1/trading/actions';

describe('operational routes', () => {
  test('R82: readiness is 503 exactly while placing is impossible, and status is always 200', async () => {
    const switches = {
      tradingHalted: ['trading_halted', 'trading_halted', 503],
      placementOff: ['placement_off', 'runtime_unavailable', 503],
      ledgerDegraded: ['ledger_degraded', 'runtime_unavailable', 503],
      recovering: ['runtime_recovering', 'runtime_unavailable', 503],
      venueKilled: ['kill_switch', 'KILL_SWITCH', 400],
    } as const;
    for (const [name, [reason, code, status]] of Object.entries(switches)) {
      expect((await one.get('/api/v1/readiness')).status).toBe(200);
      expect((await one.act(spot())).status).toBe(200);
      await venue.admin('/gates', { [name]: true });
      const readiness = await one.get('/api/v1/readiness');
      expect([readiness.status, readiness.body.reason]).toEqual([503, reason]);
      expect(readiness.headers.get('retry-after')).toBe('1');
      const overview = await one.get('/api/v1/status');
      expect(overview.status).toBe(200);
      expect(overview.body).toEqual({
        placementReady: false,
        placementReason: reason,
        sequencerCoreReachable: name !== 'recovering',
        tradingHalted: name === 'tradingHalted',
      });
      const refused = await one.act(spot());
      expect([refused.status, refused.body.code]).toEqual([status, code]);
      expect((await one.get('/api/v1/health')).status).toBe(200);
      await venue.admin('/gates', { [name]: false });
    }
  });

  test('cancels and amendments downward pass every gate but recovery', async () => {
    for (const name of ['tradingHalted', 'placementOff', 'ledgerDegraded', 'venueKilled']) {
      const { body } = await one.act(spot({ qty: 2_000_000 }));
      await venue.admin('/gates', { [name]: true });
      const order_id = body.derivedOrderId;
      expect(
        (await one.act({ AmendOrder: { order_id, new_qty: 1_000_000 } })).body.code,
      ).toBeNull();
      expect((await one.act({ Cancel: { order_id } })).body.code).toBeNull();
      await venue.admin('/gates', { [name]: false });
    }
  });

  test('a halt and its end are reported to every account', async () => {
    const stream = await one.stream();
    await venue.admin('/gates', { tradingHalted: true });
    await venue.admin('/gates', { tradingHalted: false });
    await venue.admin('/markets/7', { status: 'halt' });
    await venue.admin('/markets/7', { status: 'resume' });
    const events = await stream.events(4);
    expect(events.map(({ kind, market }) => [kind, market])).toEqual([
      ['halt', null],
      ['resume', null],
      ['halt', 7],
      ['resume', 7],
    ]);
    expect(events[0].reason).toMatchObject({ code: 'trading_halted', number: 103 });
    stream.close();
  });

  test('version tells the build, or nothing on command', async () => {
    expect((await one.get('/api/v1/version')).body).toMatchObject({ version: '0.1.3' });
    await venue.admin('/build', { hidden: true });
    expect((await one.get('/api/v1/version')).body).toEqual({ version: 'unknown' });
    await venue.admin('/build', { hidden: false });
    expect((await one.get('/api/v1/status/changelog')).status).toBe(200);
  });
});

describe('the order-entry lane', () => {
  test('R132: limits carry the contract header and the live values', async () => {
    const { body, headers } = await one.get(`${lane}/limits`);
    expect(headers.get('x-bsl-contract')).toBe('bsl-order-entry-v1');
    expect(body).toMatchObject({
      ingress: { jsonEnabled: true },
      batch: { maxActions: 32, maxLegs: 32 },
      nonceModel: { nonceWindow: 256 },
    });
    for (const name of [
      'credit',
      'action',
      'backlog',
      'orderBook',
      'errorGuidance',
      'quoteReplaceRecovery',
    ]) {
      expect(body).toHaveProperty(name);
    }
  });

  test('the bundle names the ports that are open, and the drop-copy record its transport', async () => {
    const port = Number(new URL(venue.info.baseUrl).port);
    const bundle = async () => (await one.get(`${lane}/connectivity`)).body;
    const bsl = { host: '127.0.0.1', port, tlsSni: null };
    expect(await bundle()).toMatchObject({ hosts: { bsl, fix: null, fixp: null } });
    const fix = { host: '127.0.0.1', port: 9880, tlsSni: null };
    venue.venue.state.lanes.fix = fix;
    expect(await bundle()).toMatchObject({ hosts: { bsl, fix, fixp: null } });
    expect((await one.get(`${lane}/drop-copy`)).body).toMatchObject({ transport: 'stream' });
  });

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

  test('a receipt joins an action with the state of its order', async () => {
    const { body } = await one.act(spot(), { client_order_id: 'ORD-1' });
    await two.act(spot({ side: 'Ask', qty: 400_000 }));
    const answer = await one.get(`${lane}/receipts?orderId=${body.derivedOrderId}`);
    expect(answer.body.receipts).toEqual([
      {
        seq: body.seq,
        actionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        orderId: body.derivedOrderId,
        clientOrderId: 'ORD-1',
        nonce: expect.any(Number),
        status: 'partially_filled',
        rejectCode: null,
        rejectReason: null,
        filledQty: 400_000,
        leavesQty: 600_000,
        feeMicro: 0,
        fills: [expect.objectContaining({ qty: 400_000, liquidity: 'maker' })],
        engineTsMs: expect.any(Number),
      },
    ]);
    const { actionHash } = answer.body.receipts[0];
    const same = await one.get(`${lane}/receipts?actionHash=${actionHash}`);
    expect(same.body.receipts).toEqual(answer.body.receipts);
    expect((await two.get(`${lane}/receipts?account=${one.account}`)).status).toBe(403);
    await one.act(spot({ price: 0 }));
    const refused = await one.get(`${lane}/receipts?limit=1`);
    expect(refused.body.receipts[0]).toMatchObject({
      status: 'rejected',
      rejectCode: 'ENGINE_REJECTED',
      rejectReason: 'price_must_be_positive',
    });
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
});

describe('public market data', () => {
  test('R113: twelve markets are seeded: five spot, one binary option, six prediction', async () => {
    const { body } = await one.get('/api/v1/markets', { 'X-API-Key': '' });
    const kinds = body.markets.map(({ kind }: Loose) => kind);
    const count = (kind: string) => kinds.filter((one: string) => one === kind).length;
    expect(['spot', 'binary', 'prediction'].map(count)).toEqual([5, 1, 6]);
    expect(Object.keys(body.markets[0]).sort()).toEqual(
      Object.keys(loadProfile('dictionaries/venue.sandbox.yaml').records.market).sort(),
    );
    for (const { kind, marketId } of body.markets) {
      const books = kind === 'spot' ? [''] : ['?book=YES', '?book=NO'];
      for (const book of books) {
        const depth = await one.get(`/api/v1/markets/${marketId}/orderbook${book}`);
        expect(depth.body).toMatchObject({ marketId, bids: [], asks: [] });
      }
    }
  });

  test('a book that is not there is refused', async () => {
    expect((await one.get('/api/v1/markets/99/orderbook')).status).toBe(404);
    expect((await one.get('/api/v1/markets/7/orderbook')).status).toBe(400);
    expect((await one.get('/api/v1/markets/1/orderbook?book=YES')).status).toBe(400);
    expect((await one.get('/api/v1/markets/7/orderbook?book=yes')).status).toBe(400);
    expect((await one.get('/api/v1/markets/7/orderbook?book=YES&depth=0')).status).toBe(400);
  });
});

describe('requests that are none', () => {
  test('what is too long or too deep is refused in the envelope', async () => {
    const long = await one.post(actions, `"${'x'.repeat(1_100_000)}"`);
    expect([long.status, long.body.error.details.cause]).toEqual([400, 'body_too_long']);
    const deep = await one.post(actions, `${'['.repeat(50)}${']'.repeat(50)}`);
    expect([deep.status, deep.body.error.details.cause]).toEqual([400, 'malformed_json']);
    expect((await one.get(`/api/v1/markets?x=${'x'.repeat(5000)}`)).status).toBe(400);
    expect((await one.get('/api/v1/trading/actions')).status).toBe(404);
  });
});

describe("the operator's routes", () => {
  test.each([
    ['a page of another origin', { origin: 'https://example.org' }],
    ['a page that has taken a name for loopback', { host: 'rebound.example.org:80' }],
  ])('are not for %s', async (_, headers) => {
    const { port } = new URL(venue.info.adminUrl);
    const status = await new Promise((done) => {
      request({ port, method: 'POST', path: '/admin/reset', headers }, (answer) => {
        answer.resume();
        done(answer.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });
});

describe("the operator's other switches", () => {
  test('the kill switch of a market refuses its placements and no others, and lets cancels pass', async () => {
    const { body } = await one.act(outcome());
    await venue.admin('/kill', { kind: 'market', market: 7, on: true });
    expect((await one.act(outcome())).body.code).toBe('KILL_SWITCH');
    expect((await one.act(outcome({ market: 8 }))).body.code).toBeNull();
    expect((await one.act({ Cancel: { order_id: body.derivedOrderId } })).body.code).toBeNull();
    expect((await one.get('/api/v1/readiness')).status).toBe(200);
  });

  test('a fenced lease is reported with number 105, and the socket is closed', async () => {
    const stream = await one.stream();
    await venue.admin(`/streams/${one.account}`, { number: 105, message: 'write lease fenced' });
    expect(await stream.closed()).toBe(4105);
  });

  test('a market that closes cancels its orders, a settled one pays', async () => {
    const other = await open();
    const client = other.client(0);
    await client.act(outcome());
    await other.admin('/markets/7', { status: 'close' });
    const events = await client.events();
    expect(events.at(-1)).toMatchObject({ kind: 'canceled', reason: { code: 'MARKET_HALTED' } });
    expect((await client.act(outcome())).body.code).toBe('MARKET_HALTED');
    expect((await other.admin('/markets/7', { status: 'settle', outcome: 'YES' })).status).toBe(
      200,
    );
    expect((await other.admin('/markets/1', { status: 'settle', outcome: 'YES' })).status).toBe(
      400,
    );
    const { body } = await client.get('/api/v1/markets');
    expect(body.markets[6].status).toBe('settled');
    await other.stop();
  });

  test('what the operator sends is checked', async () => {
    for (const [path, body] of [
      ['/gates', { halted: true }],
      ['/markets/99', { status: 'halt' }],
      ['/faults', { kind: 'meteor' }],
      ['/accounts/0x1', {}],
      ['/agents/nobody', {}],
      ['/deposits', { account: one.account, asset: 'USDC', amount: 1.5 }],
    ] as const) {
      const answer = await venue.admin(path, body);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.body.error).not.toMatch(/\.[tj]s:/);
    }
    expect((await venue.admin('/nothing')).status).toBe(404);
  });
});
