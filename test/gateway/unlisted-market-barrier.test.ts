import { expect, test } from 'vitest';
import { InstrumentList, type Market } from '../../src/domain/instrument.ts';
import type { MarketId, OrderId } from '../../src/domain/units.ts';
import { UnlistedMarketBarrier } from '../../src/gateway/unlisted-market-barrier.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { spot } from '../domain/ladder.ts';

const orderId = '0xab' as OrderId;
const later = { ...spot, marketId: 2 as MarketId, symbol: 'LATER' };
const of = ({ marketId }: Market) => ({ market: marketId, book: null, orderId });

function listing() {
  const clock = new ManualClock();
  let markets: Market[] = [spot];
  let asked = 0;
  const made = new UnlistedMarketBarrier({
    clock,
    instruments: () => new InstrumentList(markets),
    relist: async () => {
      asked += 1;
    },
  });
  const list = (all: Market[]) => {
    markets = all;
  };
  return { clock, listing: made, asked: () => asked, list };
}

test('events of markets that are listed, or of no order, wait for nothing', () => {
  const { asked, listing: of1 } = listing();
  expect(of1.before([of(spot), { market: null, book: null, orderId: null }])).toBeUndefined();
  expect(of1.before([{ ...of(later), orderId: null }])).toBeUndefined();
  expect(asked()).toBe(0);
});

test('a market that is not listed is requested once a second, and the events behind it are delivered', async () => {
  const { asked, clock, list, listing: of1 } = listing();
  expect(of1.before([of(spot), of(later)])).toBeInstanceOf(Promise);
  expect(of1.before([of(later)])).toBeUndefined();
  clock.advance(1_000);
  expect(of1.before([of(later)])).toBeInstanceOf(Promise);
  expect(asked()).toBe(2);
  list([spot, later]);
  clock.advance(1_000);
  expect(of1.before([of(later)])).toBeUndefined();
});
