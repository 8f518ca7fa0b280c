import { afterAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { createVenue } from '../../src/sandbox/embedded-venue.ts';
import { type Loose, open, spot } from './client.ts';
import { assertInvariants } from './engine/invariants.ts';

const venue = await open({ makers: true, accounts: 4 });
afterAll(() => venue.stop());
const one = venue.client(0);

async function books(): Promise<Loose[]> {
  const { body } = await one.get('/api/v1/markets');
  const paths = body.markets.flatMap(({ kind, marketId }: Loose) =>
    (kind === 'spot' ? [''] : ['?book=YES', '?book=NO']).map(
      (book) => `${marketId}/orderbook${book}`,
    ),
  );
  return Promise.all(
    paths.map(async (path: string) => (await one.get(`/api/v1/markets/${path}`)).body),
  );
}

test('makers quote both sides of every book around a walk, and trade', async () => {
  venue.clock.advance(10_000);
  const first = await books();
  expect(first).toHaveLength(19);
  for (const { asks, bids } of first) {
    expect(bids.length).toBeGreaterThan(0);
    expect(asks.length).toBeGreaterThan(0);
    expect(bids[0][0]).toBeLessThan(asks[0][0]);
  }
  venue.clock.advance(60_000);
  expect(await books()).not.toEqual(first);
  expect(venue.venue.state.exchange.snapshot().counters.tradeNo).toBeGreaterThan(10);
  assertInvariants(venue.venue.state.exchange);
});

test('the same seed makes the same market, and the switch takes the quotes away', async () => {
  const twin = await open({ makers: true });
  twin.clock.advance(70_000);
  const hashes = [venue, twin].map(({ venue: { state } }) => state.exchange.hash());
  expect(hashes[0]).toBe(hashes[1]);
  await twin.stop();
  await venue.admin('/makers', { on: false });
  venue.clock.advance(5000);
  for (const book of await books()) expect(book).toMatchObject({ bids: [], asks: [] });
});

test('a book takes what a person tries, and is as deep again soon after', async () => {
  const deep = await open({ makers: true });
  const client = deep.client(0);
  deep.clock.advance(10_000);
  const asks = async () => (await client.get('/api/v1/markets/1/orderbook')).body.asks;
  const total = (levels: [number, number][]) => levels.reduce((sum, [, qty]) => sum + qty, 0);
  const before = await asks();
  expect(before[0][1]).toBeGreaterThan(10_000_000);
  const bought = await client.act(
    spot({ is_market: true, time_in_force: 'ioc', qty: 1_000_000, price: 60_000_000_000 }),
  );
  expect(bought.body).toMatchObject({ accepted: true });
  expect((await asks())[0][0]).toBe(before[0][0]);
  await client.act(spot({ time_in_force: 'ioc', qty: total(before), price: 60_000_000_000 }));
  expect(await asks()).toEqual([]);
  deep.clock.advance(4_000);
  expect(total(await asks())).toBeGreaterThan(10_000_000);
  await deep.stop();
});

test('makers leave nothing behind, and what they did with a client stays the client’s', async () => {
  const clock = new ManualClock();
  const busy = await createVenue({ seed: 3, clock, makers: true });
  const [client = ''] = busy.accounts.map(({ account }) => account);
  const pass = (steps: number) => {
    for (let i = 0; i < steps; i += 1) {
      clock.advance(200);
      busy.advance();
    }
    return JSON.stringify(busy.save()).length;
  };
  pass(100);
  busy.state.exchange.apply({
    account: client,
    action: { ...placed, market: 1, side: 'Bid', price: 90_000_000_000, qty: 1_000_000 },
    ids: { ...noIds, actionHash: '0x1', orderId: '0x2', nonce: 1 },
    nowMs: clock.now().wallMs,
  });
  const early = pass(1_000);
  const late = pass(4_000);
  expect(Math.abs(late - early)).toBeLessThan(early / 10);
  const { orders, trades } = busy.state.exchange.ledger();
  const own = orders.filter(({ account }) => account === client);
  expect(own).toMatchObject([{ orderId: '0x2', state: 'filled' }]);
  expect(trades.length).toBeGreaterThan(0);
  const isOwn = (trade: (typeof trades)[number]) =>
    [trade.makerOrderId, trade.takerOrderId].includes('0x2');
  expect(trades.every(isOwn)).toBe(true);
  assertInvariants(busy.state.exchange);
});

const placed = {
  kind: 'place',
  book: null,
  stpMode: 'cancel_taker',
  timeInForce: 'gtc',
  isMarket: false,
  reduceOnly: false,
  expiresAt: null,
} as const;
const noIds = { clientOrderId: null, legIds: [], canonical: null };
