import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultRetention } from '../../../src/sandbox/engine/config.ts';
import type { ExecutionEvent } from '../../../src/sandbox/engine/event.ts';
import { coin, Floor, usd } from './floor.ts';
import { step, take } from './random-day.ts';

const price = 100 * usd;
const keeping = (retention: Partial<typeof defaultRetention>) =>
  new Floor({ retention: { ...defaultRetention, ...retention } });

test('a page starts at the seq asked for, ends at its limit, and says whether it is complete', () => {
  const floor = new Floor();
  for (let index = 0; index < 5; index += 1) floor.bid('ann', price, coin);
  const page = floor.exchange.events('ann', 2, 3);
  expect(page).toMatchObject({ kind: 'page', lastSeq: 5, complete: false });
  expect(page.kind === 'page' && page.events.map(({ seq }) => seq)).toEqual([2, 3, 4]);
  expect(floor.exchange.events('ann', 5, 3)).toMatchObject({ complete: true });
  expect(floor.exchange.events('ann', 6, 3)).toMatchObject({ events: [], complete: true });
  expect(floor.exchange.events('ann', 0, 9)).toEqual(floor.exchange.events('ann', 1, 9));
  expect(floor.exchange.events('ann', 1, 0)).toMatchObject({ events: [], complete: false });
  expect(floor.exchange.events('cid', 1, 3)).toMatchObject({ events: [], lastSeq: 0 });
});

test('an event that is read again equals the event that was sent', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const floor = new Floor();
      const told: ExecutionEvent[] = [];
      for (const one of steps) told.push(...(take(floor, one)?.events ?? []));
      for (const { account, seq } of told) {
        const page = floor.exchange.events(account, seq, 1);
        const event = told.find((other) => other.account === account && other.seq === seq);
        expect(page).toMatchObject({ kind: 'page', events: [event] });
      }
    }),
    { numRuns: 40 },
  );
});

test('events beyond the count or the age that is kept are too old', () => {
  const floor = keeping({ eventsPerAccount: 3, eventAgeMs: 1000 });
  for (let index = 0; index < 5; index += 1) floor.bid('ann', price, coin);
  expect(floor.exchange.events('ann', 2, 9)).toEqual({ kind: 'seq_too_old', oldestSeq: 3 });
  expect(floor.exchange.events('ann', 3, 9)).toMatchObject({ kind: 'page', complete: true });
  floor.advance(600);
  floor.bid('ann', price, coin);
  floor.advance(600);
  expect(floor.exchange.events('ann', 5, 9)).toEqual({ kind: 'seq_too_old', oldestSeq: 6 });
  expect(floor.exchange.events('ann', 6, 9)).toMatchObject({ events: [{ seq: 6 }] });
  floor.advance(5000);
  expect(floor.exchange.events('ann', 6, 9)).toEqual({ kind: 'seq_too_old', oldestSeq: 7 });
});

test('a receipt joins the action with what became of its order', () => {
  const floor = new Floor();
  floor.ask('ann', price, 2 * coin);
  floor.bid('bob', price, coin);
  expect(floor.exchange.receipts('ann', { orderId: 'o1', limit: 9 })).toMatchObject([
    {
      seq: 1,
      actionHash: 'hash1',
      clientOrderId: 'client1',
      nonce: 1,
      status: 'partially_filled',
      rejectCode: null,
      filledQty: coin,
      leavesQty: coin,
      fills: [{ qty: coin, liquidity: 'maker' }],
    },
  ]);
  floor.cancel('ann', 'o9');
  floor.amend('ann', 'o1', 1.5 * coin);
  expect(floor.exchange.receipts('ann', { limit: 2 })).toMatchObject([
    { status: 'rejected', rejectCode: 'order_not_found', rejectReason: 'no order o9' },
    { status: 'applied', orderId: 'o1', leavesQty: coin / 2 },
  ]);
  expect(floor.exchange.receipts('ann', { actionHash: 'hash3', limit: 9 })).toHaveLength(1);
  expect(floor.exchange.receipts('bob', { actionHash: 'hash1', limit: 9 })).toEqual([]);
});

test('a group has a receipt for each order that it places or would have placed', () => {
  const floor = new Floor();
  const sides = (askPrice: number) => [
    { side: 'Bid', price, qty: coin, timeInForce: 'post_only' } as const,
    { side: 'Ask', price: askPrice, qty: coin, timeInForce: 'post_only' } as const,
  ];
  floor.replace('ann', sides(2 * price));
  floor.bid('bob', 2 * price, coin);
  floor.replace('ann', sides(price));
  const receipt = (orderId: string) => floor.exchange.receipts('ann', { orderId, limit: 9 });
  expect(receipt('o1/leg0')).toMatchObject([{ status: 'resting', fills: [] }]);
  expect(receipt('o1/leg1')).toMatchObject([{ status: 'filled', filledQty: coin }]);
  expect(receipt('o3/leg0')).toMatchObject([
    { status: 'rejected', rejectCode: 'post_only_would_cross' },
  ]);
  expect(receipt('o3/leg1')).toMatchObject([{ status: 'rejected', fills: [] }]);
});

test('a refused duplicate does not borrow the state of the order whose id it has', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.place('ann', { side: 'Bid', price, qty: coin }, { orderId: 'o1' });
  expect(floor.exchange.receipts('ann', { orderId: 'o1', limit: 9 })).toMatchObject([
    { status: 'resting' },
    { status: 'rejected', rejectCode: 'duplicate_order_id', leavesQty: 0 },
  ]);
});

test('closed orders, trades and receipts are kept up to their limits, open orders always', () => {
  const floor = keeping({ closedOrders: 2, trades: 1, receipts: 3 });
  floor.bid('ann', price, coin);
  for (let index = 0; index < 3; index += 1) {
    floor.ask('bob', 2 * price, coin);
    floor.bid('cid', 2 * price, coin);
  }
  expect(floor.exchange.order('o1')?.state).toBe('open');
  expect(floor.exchange.order('o2')).toBeNull();
  expect(floor.cancel('bob', 'o2').refusal?.code).toBe('order_not_found');
  const ledger = floor.exchange.ledger();
  expect(ledger.forgotten).toEqual({ orders: 4, trades: 2 });
  expect(ledger.orders.map(({ orderId }) => orderId)).toEqual(['o1', 'o6', 'o7']);
  expect(ledger.trades.map(({ tradeId }) => tradeId)).toEqual(['t3']);
  expect(floor.exchange.receipts('bob', { limit: 9 })).toHaveLength(3);
});

test('R95: the depth of a book sums each level, best first, and its seq grows with every change', () => {
  const floor = new Floor();
  const depth = (levels: number) => floor.exchange.depth(1, null, levels);
  floor.bid('ann', price, coin);
  floor.bid('bob', price, coin);
  floor.bid('bob', price - 100, coin);
  floor.ask('bob', price + 100, coin);
  expect(depth(1)).toEqual({
    marketId: 1,
    book: null,
    seq: 4,
    bids: [[price, 2 * coin]],
    asks: [[price + 100, coin]],
  });
  floor.amend('ann', 'o1', coin / 2);
  expect(depth(9)).toMatchObject({
    seq: 5,
    bids: [
      [price, 1.5 * coin],
      [price - 100, coin],
    ],
  });
  floor.ask('cid', price, coin / 4);
  expect(depth(1)).toMatchObject({ seq: 6, bids: [[price, 1.25 * coin]] });
  expect(depth(0)).toMatchObject({ bids: [], asks: [] });
  expect(floor.exchange.depth(1, 'YES', 1)).toBeNull();
  expect(floor.exchange.depth(99, null, 1)).toBeNull();
});

test('open orders are listed oldest first, with algos and conditionals, narrowed by scope', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.algo('ann', { kind: 'iceberg', sliceQty: coin }, { limitPrice: 3 * price });
  floor.conditional('ann', 2 * price, 'at_or_above', { side: 'Ask', price, qty: coin });
  floor.bid('ann', 500_000, usd, { market: 7 });
  const listed = (scope = {}) =>
    floor.exchange.openOrders('ann', scope).map(({ kind, orderId }) => `${kind} ${orderId}`);
  expect(listed()).toEqual([
    'order o1',
    'algo o2',
    'order o2/slice0',
    'conditional o4',
    'order o5',
  ]);
  expect(listed({ market: 7 })).toEqual(['order o5']);
  expect(listed({ side: 'Bid', market: 1 })).toEqual(['order o1']);
  expect(floor.exchange.ledger().accounts.map(({ account }) => account)).toEqual([
    'ann',
    'bob',
    'cid',
  ]);
});
