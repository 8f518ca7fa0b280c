import { afterAll, beforeEach, expect, test } from 'vitest';
import { loadProfile } from '../../src/venue/profile.ts';
import { type Loose, open, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);

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

test('version tells the build, or nothing on command', async () => {
  expect((await one.get('/api/v1/version')).body).toMatchObject({ version: '0.1.3' });
  await venue.admin('/build', { hidden: true });
  expect((await one.get('/api/v1/version')).body).toEqual({ version: 'unknown' });
  await venue.admin('/build', { hidden: false });
  expect((await one.get('/api/v1/status/changelog')).status).toBe(200);
});

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

test('a book shows its best levels first, no more than were asked for, with all that waits at each', async () => {
  for (const price of [100, 300, 200]) await one.act(spot({ price: price * 1_000_000 }));
  await one.act(spot({ price: 300_000_000, qty: 2_000_000 }));
  for (const price of [500, 400]) {
    await one.act(spot({ side: 'Ask', price: price * 1_000_000 }));
  }
  const read = async (query: string) =>
    (await one.get(`/api/v1/markets/1/orderbook${query}`, { 'X-API-Key': '' })).body;
  const whole = await read('');
  expect(whole.bids).toEqual([
    [300_000_000, 3_000_000],
    [200_000_000, 1_000_000],
    [100_000_000, 1_000_000],
  ]);
  expect(whole.asks.map(([price]: number[]) => price)).toEqual([400_000_000, 500_000_000]);
  const top = await read('?depth=1');
  expect([top.bids, top.asks]).toEqual([whole.bids.slice(0, 1), whole.asks.slice(0, 1)]);
  expect(await read('?depth=1000')).toEqual(whole);
  expect((await read('?depth=1001')).error.details.cause).toBe('bad_enum');
});

test('of several reasons against placing, readiness and status give the same one', async () => {
  await venue.admin('/gates', { tradingHalted: true, ledgerDegraded: true, recovering: true });
  const [ready, status] = [await one.get('/api/v1/readiness'), await one.get('/api/v1/status')];
  expect(ready.body).toEqual({ ready: false, reason: status.body.placementReason });
  expect(status.body).toMatchObject({ sequencerCoreReachable: false, tradingHalted: true });
});
