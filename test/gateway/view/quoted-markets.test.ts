/** Best prices and depth of very many quotes. */
import { expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order.ts';
import { QuotedMarkets } from '../../../src/gateway/view/quoted-markets.ts';

const instrument = {
  symbol: 'BTC-USDC',
  securityId: '1',
  market: { priceScale: 1, qtyScale: 2 },
};

function quote(side: 'Bid' | 'Ask', price: bigint, more: object = {}): Order {
  const terms = { side, price, limitPrice: price };
  const owner = { session: 'S', key: 'k' };
  return { instrument, owner, terms, leavesQty: 100n, phase: 'live', ...more } as unknown as Order;
}

test('the best of each side, all of its depth, and the spread of the middle', () => {
  const quoted = new QuotedMarkets();
  for (const price of [400n, 402n, 401n]) quoted.add('a', quote('Bid', price));
  for (const price of [410n, 408n, 409n]) quoted.add('a', quote('Ask', price));
  quoted.add('b', quote('Ask', 500n));
  expect(quoted.rows).toEqual([
    {
      account: 'a',
      symbol: 'BTC-USDC',
      securityId: '1',
      bid: '40.2',
      ask: '40.8',
      bidQty: '3',
      askQty: '3',
      spreadBps: 148,
    },
    {
      account: 'b',
      symbol: 'BTC-USDC',
      securityId: '1',
      bid: null,
      ask: '50',
      bidQty: '0',
      askQty: '1',
      spreadBps: null,
    },
  ]);
});

test('two markets with one symbol, such as one that is over and its successor, are two rows', () => {
  const quoted = new QuotedMarkets();
  quoted.add('a', quote('Bid', 400n));
  const successor = { ...instrument, securityId: '2', market: { priceScale: 2, qtyScale: 2 } };
  quoted.add('a', quote('Bid', 4000n, { instrument: successor }));
  expect(quoted.rows).toMatchObject([
    { symbol: 'BTC-USDC', bid: '40', bidQty: '1' },
    { symbol: 'BTC-USDC', bid: '40', bidQty: '1' },
  ]);
});

test('what has ended, is not at the venue yet or came by another channel is no quote', () => {
  const quoted = new QuotedMarkets();
  quoted.add('a', quote('Bid', 400n, { phase: 'canceled' }));
  quoted.add('a', quote('Bid', 400n, { phase: 'pending_new' }));
  quoted.add('a', quote('Bid', 400n, { owner: { session: '', key: 'k' } }));
  quoted.add('a', quote('Bid', 400n, { terms: { side: 'Bid', price: null, limitPrice: 1n } }));
  expect(quoted.rows).toEqual([]);
});

test('quotes at a price of zero, which a venue may state, have no spread', () => {
  const quoted = new QuotedMarkets();
  quoted.add('a', quote('Bid', 0n));
  quoted.add('a', quote('Ask', 0n));
  expect(quoted.rows).toMatchObject([{ bid: '0', ask: '0', spreadBps: null }]);
});
