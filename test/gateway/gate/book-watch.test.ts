import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Instrument, InstrumentList } from '../../../src/domain/instrument.ts';
import type { MarketId, Price, Qty } from '../../../src/domain/units.ts';
import type { TopOfBook } from '../../../src/gateway/gate/authorize.ts';
import { BookWatch } from '../../../src/gateway/gate/book-watch.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { loadProfile, profileMarkets } from '../../../src/venue/profile.ts';
import type { OrderBook } from '../../../src/venue/records.ts';

const list = [
  ...new InstrumentList(profileMarkets(loadProfile('dictionaries/venue.sandbox.yaml'))),
].slice(0, 2);
const [followed, other] = list as [Instrument, Instrument];

let clock: ManualClock;
let asked: string[];
let told: string[];
let book: { bids: bigint[]; asks: bigint[] };
/** The venue answers what was asked when it is let. */
let answers: (() => void)[];
let isHeld: boolean;
let isDown: boolean;
let watch: BookWatch;

/** Lets promises that are already decided go on. */
const settled = () => new Promise((done) => setImmediate(done));

const level = (price: bigint) => ({ price: price as Price, qty: 1n as Qty });

beforeEach(() => {
  clock = new ManualClock();
  [asked, told, answers, isDown, isHeld] = [[], [], [], false, false];
  book = { bids: [10n], asks: [11n] };
  const reads = {
    orderBook: async (marketId: MarketId) => {
      asked.push(`${marketId}`);
      const { bids, asks } = book;
      if (isHeld) await new Promise<void>((resolve) => answers.push(resolve));
      if (isDown) throw new Error('the venue is down');
      return { bids: bids.map(level), asks: asks.map(level) } as unknown as OrderBook;
    },
  };
  watch = new BookWatch({
    reads,
    orderReads: reads,
    clock,
    followedMs: 500,
    staleMs: 15_000,
    followed: () => [followed],
    read: ({ symbol }) => told.push(`read ${symbol}`),
    failed: ({ symbol }) => told.push(`failed ${symbol}`),
  });
  watch.start();
});

async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 500) {
    clock.advance(500);
    await settled();
  }
}

const market = [{ instrument: other, isEnough: () => false }];
const collar = [{ instrument: other, isEnough: ({ ask }: TopOfBook) => ask !== null }];

describe('books by polling', () => {
  test('a book that is followed is read at every poll, another one when it is needed', async () => {
    await pass(5_000);
    expect(asked).toEqual(Array.from({ length: 10 }, () => `${followed.market.marketId}`));
  });

  test('a young book is fresh, an older one is read at once', async () => {
    await watch.known([other]);
    expect(watch.fresh(other)).toBeDefined();
    await pass(1_000);
    [asked, told] = [[], []];
    expect(watch.fresh(other)).toBeUndefined();
    expect(watch.book(other)).toBeDefined();
    await settled();
    expect(asked).toEqual([`${other.market.marketId}`]);
    expect(told).toEqual([`read ${other.symbol}`]);
    expect(watch.fresh(other)).toBeDefined();
  });

  test('a book that nobody follows any more is forgotten', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await watch.known([other]);
    const unused = new WeakRef(watch.book(other) as OrderBook);
    await pass(20_000);
    const used = new WeakRef(watch.book(followed) as OrderBook);
    await settled();
    collect();
    expect([unused.deref() === undefined, used.deref() === undefined]).toEqual([true, false]);
  });

  test('a book is asked for once however often it is wanted', async () => {
    for (let i = 0; i < 50; i += 1) watch.fresh(other);
    await settled();
    expect(asked).toHaveLength(1);
  });

  test('a venue that is down fails each question and leaves the book to grow stale', async () => {
    await pass(500);
    isDown = true;
    await pass(1_000);
    expect(told).toContain(`failed ${followed.symbol}`);
    expect(watch.top(followed).bid).not.toBeNull();
    await pass(1_000);
    expect(watch.top(followed)).toEqual({ bid: null, ask: null });
    expect(watch.book(followed)).toBeDefined();
    await pass(15_000);
    expect(watch.book(followed)).toBeUndefined();
  });

  test('nothing is reported after the stop', async () => {
    watch.fresh(other);
    watch.stop();
    await pass(10_000);
    expect(told).toEqual([]);
  });
});

describe('what an order needs of a book', () => {
  test('a market order needs a book that is read after it came', async () => {
    await watch.priced(market);
    expect(watch.top(other)).toEqual({ bid: 10n, ask: 11n });
    book = { bids: [20n], asks: [21n] };
    await watch.priced(market);
    expect(watch.top(other)).toEqual({ bid: 20n, ask: 21n });
    expect(asked).toHaveLength(2);
  });

  test('a collar needs a book that is two polls old at most', async () => {
    await watch.priced(collar);
    watch.stop();
    clock.advance(1_000);
    expect(watch.priced(collar)).toBeUndefined();
    clock.advance(1);
    expect(watch.priced(collar)).toBeDefined();
  });

  test('a book that an order needed is followed for half a minute', async () => {
    await watch.priced(market);
    asked = [];
    await pass(60_000);
    expect(asked.filter((id) => id === `${other.market.marketId}`)).toHaveLength(59);
  });

  test('a book that does not do is read again, however young it is', async () => {
    book = { bids: [10n], asks: [] };
    await watch.priced(collar);
    book = { bids: [10n], asks: [11n] };
    await watch.priced(collar);
    expect(watch.top(other).ask).toBe(11n);
    expect(watch.priced(collar)).toBeUndefined();
  });

  test('a read that was under way before an order came does not do for it; all that wait share the next', async () => {
    isHeld = true;
    book = { bids: [], asks: [] };
    const first = watch.priced(market);
    book = { bids: [], asks: [11n] };
    const waits = [1, 2, 3].map(() => watch.priced(market));
    for (let i = 0; i < 2; i += 1) {
      answers.shift()?.();
      await settled();
    }
    await Promise.all([first, ...waits]);
    expect(asked).toHaveLength(2);
    expect(watch.top(other).ask).toBe(11n);
  });

  test('an order does not wait for what a follower has asked for, and a late answer to that changes nothing', async () => {
    isHeld = true;
    book = { bids: [], asks: [] };
    watch.fresh(other);
    clock.advance(1);
    isHeld = false;
    book = { bids: [], asks: [11n] };
    await watch.priced(market);
    expect(watch.top(other).ask).toBe(11n);
    answers.shift()?.();
    await settled();
    expect(watch.top(other).ask).toBe(11n);
  });

  test('nothing waits longer than a second for a venue that does not answer', async () => {
    isHeld = true;
    let isOver = false;
    void watch.priced(market)?.then(() => {
      isOver = true;
    });
    clock.advance(999);
    await settled();
    expect(isOver).toBe(false);
    clock.advance(1);
    await settled();
    expect(isOver).toBe(true);
    expect(watch.top(other)).toEqual({ bid: null, ask: null });
  });

  test('a book that nobody has read lately is waited for', async () => {
    const wait = watch.known([other, followed]);
    await wait;
    expect(asked).toHaveLength(2);
    expect(watch.known([other, followed])).toBeUndefined();
  });
});
