import { afterAll, expect, test } from 'vitest';
import { type Loose, open } from './client.ts';

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
  const { body } = await venue.admin('/ledger', undefined, 'GET');
  expect(body.trades.length).toBeGreaterThan(10);
  venue.venue.state.exchange.assertInvariants();
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
