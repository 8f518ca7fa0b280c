import { beforeEach, describe, expect, test } from 'vitest';
import { type Instrument, InstrumentList } from '../../src/domain/instrument.ts';
import type { Price, Qty } from '../../src/domain/units.ts';
import { BookWatch } from '../../src/gateway/book-watch.ts';
import { profileMarkets } from '../../src/gateway/profile-markets.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import type { OrderBook } from '../../src/venue/records.ts';

const list = [
  ...new InstrumentList(profileMarkets(loadProfile('dictionaries/venue.sandbox.yaml'))),
].slice(0, 2);
const [followed, idle] = list as [Instrument, Instrument];

let clock: ManualClock;
let asked: string[];
let told: string[];
let isDown: boolean;
let watch: BookWatch;

/** Lets promises that are already decided go on. */
const settled = () => new Promise((done) => setImmediate(done));

function bookAt(bid: bigint): OrderBook {
  return { bids: [{ price: bid as Price, qty: 1n as Qty }], asks: [] } as unknown as OrderBook;
}

beforeEach(async () => {
  clock = new ManualClock();
  [asked, told, isDown] = [[], [], false];
  watch = new BookWatch({
    reads: {
      orderBook: async (marketId) => {
        asked.push(`${marketId}`);
        if (isDown) throw new Error('the venue is down');
        return bookAt(BigInt(asked.length));
      },
    },
    clock,
    followedMs: 500,
    idleMs: 5_000,
    staleMs: 15_000,
    instruments: () => list,
    followed: () => [followed],
    read: ({ symbol }) => told.push(`read ${symbol}`),
    failed: ({ symbol }) => told.push(`failed ${symbol}`),
  });
  await watch.start();
  asked = [];
  told = [];
});

async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 500) {
    clock.advance(500);
    await settled();
  }
}

describe('books by polling', () => {
  test('a book that is followed is read at every poll, another one now and then', async () => {
    await pass(5_000);
    expect(asked.filter((id) => id === `${followed.market.marketId}`)).toHaveLength(10);
    expect(asked.filter((id) => id === `${idle.market.marketId}`)).toHaveLength(1);
  });

  test('a young book is fresh, an older one is read at once', async () => {
    expect(watch.fresh(idle)).toBeDefined();
    await pass(1_000);
    [asked, told] = [[], []];
    expect(watch.fresh(idle)).toBeUndefined();
    expect(watch.book(idle)).toBeDefined();
    await settled();
    expect(asked).toEqual([`${idle.market.marketId}`]);
    expect(told).toEqual([`read ${idle.symbol}`]);
    expect(watch.fresh(idle)).toBeDefined();
  });

  test('a book is asked for once however often it is wanted', async () => {
    await pass(1_000);
    asked = [];
    for (let i = 0; i < 50; i += 1) watch.fresh(idle);
    await settled();
    expect(asked).toHaveLength(1);
  });

  test('a venue that is down fails each question and leaves the book to grow stale', async () => {
    isDown = true;
    await pass(1_000);
    expect(told).toContain(`failed ${followed.symbol}`);
    expect(watch.top(followed).bid).not.toBeNull();
    await pass(15_000);
    expect(watch.book(followed)).toBeUndefined();
    expect(watch.top(followed)).toEqual({ bid: null, ask: null });
  });

  test('nothing is told after the stop', async () => {
    watch.fresh(idle);
    watch.stop();
    await pass(10_000);
    expect(told).toEqual([]);
  });
});
