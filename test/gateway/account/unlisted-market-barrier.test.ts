import { expect, test } from 'vitest';
import { InstrumentList, type Market } from '../../../src/domain/instrument.ts';
import type { MarketId, OrderId } from '../../../src/domain/units.ts';
import { unlistedMarketBarrier } from '../../../src/gateway/account/unlisted-market-barrier.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { spot } from '../../domain/ladder.ts';

const orderId = '0xab' as OrderId;
const later = { ...spot, marketId: 2 as MarketId, symbol: 'LATER' };
const of = ({ marketId }: Market) => ({ market: marketId, book: null, orderId });

function listing(reading = Promise.resolve()) {
  const clock = new ManualClock();
  let markets: Market[] = [spot];
  let asked = 0;
  const made = unlistedMarketBarrier({
    clock,
    instruments: () => new InstrumentList(markets),
    relist: () => {
      asked += 1;
      return reading;
    },
  });
  const list = (all: Market[]) => {
    markets = all;
  };
  return { clock, listing: made, asked: () => asked, list };
}

test('events of markets that are listed, or of no order, wait for nothing', () => {
  const { asked, listing: before } = listing();
  expect(before([of(spot), { market: null, book: null, orderId: null }])).toBeUndefined();
  expect(before([{ ...of(later), orderId: null }])).toBeUndefined();
  expect(asked()).toBe(0);
});

test('a market that is not listed is requested once a second, and the events behind it are delivered', async () => {
  const { asked, clock, list, listing: before } = listing();
  await before([of(spot), of(later)]);
  expect(before([of(later)])).toBeUndefined();
  clock.advance(1_000);
  await before([of(later)]);
  expect(asked()).toBe(2);
  list([spot, later]);
  clock.advance(1_000);
  expect(before([of(later)])).toBeUndefined();
  expect(asked()).toBe(2);
});

test('events of another account wait for the read under way, and the second begins when it ends', async () => {
  const { promise, resolve: read } = Promise.withResolvers<void>();
  const { asked, clock, listing: before } = listing(promise);
  const first = before([of(later)]);
  expect(first).toBeInstanceOf(Promise);
  expect(before([of(later)])).toBe(first);
  clock.advance(5_000);
  expect(before([of(later)])).toBe(first);
  expect(before([of(spot)])).toBeUndefined();
  read();
  await first;
  clock.advance(999);
  expect(before([of(later)])).toBeUndefined();
  clock.advance(1);
  expect(before([of(later)])).toBeInstanceOf(Promise);
  expect(asked()).toBe(2);
});
