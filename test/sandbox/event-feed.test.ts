import { describe, expect, test } from 'vitest';
import { eventFeed, newFeed } from '../../src/sandbox/event-feed.ts';
import { sandboxProfile as profile } from '../support/quick-files.ts';
import { coin, Floor, usd } from './engine/floor.ts';

const price = 100 * usd;

function feedOf(change: Partial<typeof profile> = {}) {
  const floor = new Floor();
  const records = newFeed();
  const feed = eventFeed(floor.exchange, { ...profile, ...change }, records);
  // Each of these is one event of ann.
  const rest = (count: number) => {
    for (let i = 0; i < count; i += 1) floor.bid('ann', price - i * 100, coin);
  };
  const seqs = (fromSeq: number, limit = 100) =>
    feed.read('ann', fromSeq, limit)?.events.map(({ seq, prevSeq }) => [prevSeq, seq]);
  return { floor, feed, records, rest, seqs };
}

test('events are read in pages from a number on, which names where the next page begins', () => {
  const { feed, rest, seqs } = feedOf();
  rest(5);
  expect(seqs(1)).toEqual([
    [null, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ]);
  expect(feed.read('ann', 2, 2)).toMatchObject({ nextSeq: 4, lastSeq: 5, complete: false });
  expect(feed.read('ann', 4, 2)).toMatchObject({ nextSeq: 6, lastSeq: 5, complete: true });
  expect(feed.read('ann', 6, 2)).toMatchObject({ events: [], nextSeq: 6, complete: true });
  expect(feed.read('bob', 1, 2)).toMatchObject({
    events: [],
    nextSeq: 1,
    lastSeq: 0,
    complete: true,
  });
});

test('a fill is told to both sides, each with its own part', () => {
  const { feed, floor } = feedOf();
  floor.bid('ann', price, coin);
  floor.ask('bob', price, coin);
  const fillOf = (account: string) => feed.read(account, 1, 100)?.events.at(-1);
  expect(fillOf('ann')).toMatchObject({
    kind: 'fill',
    reason: { code: null, number: null, text: null },
    fill: { price, qty: coin, liquidity: 'maker' },
  });
  expect(fillOf('bob')).toMatchObject({ kind: 'fill', fill: { qty: coin, liquidity: 'taker' } });
});

describe('a venue that lost its state', () => {
  test('numbers the next event 1 again, for this account alone', () => {
    const { feed, floor, rest, seqs } = feedOf();
    rest(3);
    floor.bid('bob', price, coin);
    feed.resetSeq('ann');
    expect(feed.lastSeq('ann')).toBe(0);
    rest(2);
    expect(seqs(1)).toEqual([
      [null, 1],
      [1, 2],
    ]);
    expect(feed.read('ann', 2, 9)).toMatchObject({ nextSeq: 3, lastSeq: 2, complete: true });
    expect(feed.lastSeq('bob')).toBe(1);
    expect([feed.wireSeq('ann', 5), feed.wireSeq('ann', null)]).toEqual([2, null]);
  });

  test('can lose it again', () => {
    const { feed, rest, seqs } = feedOf();
    rest(3);
    feed.resetSeq('ann');
    rest(2);
    feed.resetSeq('ann');
    rest(1);
    expect(seqs(1)).toEqual([[null, 1]]);
  });
});

describe('events that are forgotten', () => {
  test('are too old to read, and those after them are not', () => {
    const { feed, rest, seqs } = feedOf();
    rest(3);
    feed.forget('ann');
    rest(2);
    expect([seqs(1), seqs(3)]).toEqual([undefined, undefined]);
    expect(seqs(4)?.length).toBe(2);
    expect(feed.read('ann', 4, 9)?.lastSeq).toBe(5);
  });

  test('are not those of the numbers that begin again', () => {
    const { feed, rest, seqs } = feedOf();
    rest(3);
    feed.forget('ann');
    feed.resetSeq('ann');
    rest(2);
    expect(seqs(1)?.length).toBe(2);
    feed.forget('ann');
    expect(seqs(2)).toBeUndefined();
    expect(seqs(3)).toEqual([]);
  });

  test('remain so in a copy of the records', () => {
    const { feed, floor, records, rest } = feedOf();
    rest(3);
    feed.resetSeq('ann');
    rest(2);
    feed.forget('ann');
    rest(1);
    const copy = eventFeed(floor.exchange, profile, structuredClone(records));
    expect(copy.read('ann', 2, 9)).toBeUndefined();
    expect(copy.read('ann', 3, 9)).toEqual(feed.read('ann', 3, 9));
  });
});

test('a receipt has the coarse label, and the code as its reason', () => {
  const { feed, floor } = feedOf();
  floor.bid('ann', price, coin);
  floor.bid('ann', 0, coin);
  const [good, bad] = floor.exchange
    .receipts('ann', { limit: 2 })
    .map((receipt) => feed.receipt('ann', receipt));
  expect(good).toMatchObject({ seq: 1, orderId: 'o1', rejectCode: null, rejectReason: null });
  expect(bad).toMatchObject({
    seq: 2,
    status: 'rejected',
    rejectCode: 'ENGINE_REJECTED',
    rejectReason: 'price_must_be_positive',
  });
});

test('R134: members and kinds have the names of the profile', () => {
  const { stream } = profile;
  const { feed, rest } = feedOf({
    stream: {
      ...stream,
      kinds: { ...stream.kinds, resting: 'on_book' },
      event: { ...stream.event, seq: '/head/no', kind: '/head/what' },
    },
  });
  rest(1);
  expect(feed.read('ann', 1, 9)?.events).toMatchObject([{ head: { no: 1, what: 'on_book' } }]);
});
