import { expect, test } from 'vitest';
import {
  bookOf,
  crosses,
  leavesOf,
  oppositeSide,
  ownSide,
  State,
  saveOrder,
} from '../../../src/sandbox/engine/state.ts';
import { coin, configOf, Floor, prediction, spot, usd } from './floor.ts';

test('a spot market has one book without a name, an outcome market a YES and a NO', () => {
  const state = new State(configOf());
  const names = [...state.markets.values()].map(({ books }) => books.map(({ book }) => book));
  expect(names).toEqual([[null], ['YES', 'NO']]);
  const [first, second] = [...state.markets.values()];
  expect(bookOf(first!, 'YES')).toBeUndefined();
  expect(bookOf(second!, null)).toBeUndefined();
  expect(bookOf(second!, 'NO')).toBe(second!.books[1]);
});

test('markets share the assets that have one name, and each outcome book has its own', () => {
  const state = new State(configOf({ markets: [spot, { ...spot, marketId: 2 }, prediction] }));
  const [one, two, three] = [...state.markets.values()];
  expect(state.assetNames).toEqual(['USDC', 'BTC', '7:YES', '7:NO']);
  expect(one!.books[0]!.baseAsset).toBe(two!.books[0]!.baseAsset);
  expect(three!.books.map(({ baseAsset }) => state.assetNames[baseAsset])).toEqual([
    '7:YES',
    '7:NO',
  ]);
  expect([one, two, three].map((market) => market!.quoteAsset)).toEqual([0, 0, 0]);
});

test('price times quantity over the divisor is quote currency', () => {
  const state = new State(configOf());
  const [first, second] = [...state.markets.values()];
  expect((100 * usd * coin) / first!.divisor).toBe(100 * usd);
  expect((500_000 * 1_000_000) / second!.divisor).toBe(500_000);
});

test.each([
  ['the same market twice', [spot, spot], 'duplicate market 1'],
  [
    'another quote currency',
    [spot, { ...prediction, quote: 'EUR' }],
    'market 7 is quoted in EUR, the others in USDC',
  ],
  ['a divisor below one', [{ ...spot, priceScale: 2, qtyScale: 2 }], 'market 1 has unfit scales'],
  ['a divisor beyond 2^53', [{ ...spot, priceScale: 12, qtyScale: 11 }], 'has unfit scales'],
])('%s is refused at the start', (_, markets, words) => {
  expect(() => new State(configOf({ markets }))).toThrow(words);
});

test('the end of a market precedes orders that are due at the same time, in the order of the markets', () => {
  const expiryMs = 5_000;
  const ending = { ...prediction, expiryMs };
  const state = new State(configOf({ markets: [spot, ending, { ...ending, marketId: 8 }] }));
  const last = state.timers.start(expiryMs, 1, state.markets.get(1)!);
  const order: unknown[] = [];
  for (let first = state.timers.first(); first !== undefined; first = state.timers.first()) {
    state.timers.remove(first);
    order.push(first === last ? 'order' : first.target);
  }
  expect(order).toHaveLength(3);
  expect(order.at(-1)).toBe('order');
  expect(state.markets.get(1)!.timer).toBeNull();
});

test('each side trades against the other, at its own price or a better one', () => {
  const at = new State(configOf()).markets.get(1)!.books[0]!;
  expect([ownSide(at, 'Bid'), oppositeSide(at, 'Bid')]).toEqual([at.bids, at.asks]);
  expect(ownSide(at, 'Bid')).toBe(oppositeSide(at, 'Ask'));
  expect(ownSide(at, 'Ask')).toBe(oppositeSide(at, 'Bid'));
  const trades = (side: 'Bid' | 'Ask') => [9, 10, 11].map((other) => crosses(side, 10, other));
  expect(trades('Bid')).toEqual([true, true, false]);
  expect(trades('Ask')).toEqual([false, true, true]);
});

test('an ended order leaves nothing, whatever it had not filled; a waiting conditional leaves all', () => {
  const floor = new Floor();
  floor.bid('ann', usd, 2 * coin);
  const order = floor.exchange.state.orders.get('o1')!;
  expect(leavesOf(order)).toBe(2 * coin);
  floor.ask('bob', usd, coin);
  expect(leavesOf(order)).toBe(coin);
  floor.cancel('ann', 'o1');
  expect([order.filledQty, leavesOf(order)]).toEqual([coin, 0]);
  floor.conditional('ann', 5 * usd, 'at_or_above', { side: 'Ask', price: usd, qty: coin });
  const [parent] = [...floor.exchange.state.parents.values()];
  expect(leavesOf(parent!)).toBe(coin);
});

test('an order that was saved is as before when the change is undone, and only then', () => {
  const floor = new Floor();
  floor.bid('ann', usd, 2 * coin);
  const { state } = floor.exchange;
  const order = state.orders.get('o1')!;
  const before = { ...order };
  const change = () => {
    saveOrder(state, order);
    Object.assign(order, { qty: 1, filledQty: 1, held: 1, feeMicro: 1, state: 'filled' });
  };
  state.undo.begin();
  change();
  state.undo.rollback();
  expect({ ...order }).toEqual(before);
  change();
  expect(order.state).toBe('filled');
  expect(state.undo.active).toBe(false);
});

test('an account without history keeps one event and one receipt, so that numbers continue', () => {
  const { exchange } = new Floor();
  exchange.openAccount('bot', false);
  const { events, keepsHistory, openByMarket } = exchange.state.accounts.get('bot')!;
  expect(keepsHistory).toBe(false);
  expect(openByMarket).toEqual([0, 0]);
  exchange.deposit('bot', 'USDC', 1_000 * usd);
  for (const on of [true, false, true]) exchange.haltTrading(on, 1);
  expect(events.length).toBe(1);
  expect(exchange.lastSeq('bot')).toBe(3);
});
