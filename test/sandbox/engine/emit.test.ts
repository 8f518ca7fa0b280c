import { expect, test } from 'vitest';
import { coin, Floor, usd } from './floor.ts';

const price = 100 * usd;

test('each account has its own stream from 1 without holes, and every event names the one before', () => {
  const floor = new Floor();
  for (let index = 0; index < 20; index += 1) {
    floor.ask('ann', price, coin);
    floor.bid('bob', price, coin / 2);
    floor.cancel('ann', 'o1');
  }
  floor.exchange.haltTrading(true, floor.nowMs);
  for (const account of ['ann', 'bob', 'cid']) {
    const page = floor.exchange.events(account, 1, 10_000);
    const events = page.kind === 'page' ? page.events : [];
    expect(events.length).toBe(floor.exchange.lastSeq(account));
    for (const [index, { seq, prevSeq, account: owner }] of events.entries()) {
      expect([seq, prevSeq, owner]).toEqual([index + 1, index === 0 ? null : index, account]);
    }
  }
});

test('an event has exactly the members of the contract', () => {
  const floor = new Floor();
  floor.ask('ann', price, coin);
  const [, fill] = floor.bid('bob', price, coin).events;
  expect(fill).toEqual({
    seq: 2,
    prevSeq: 1,
    kind: 'fill',
    account: 'bob',
    market: 1,
    book: null,
    orderId: 'o2',
    parentOrderId: null,
    legIndex: null,
    clientOrderId: 'client2',
    nonce: 2,
    actionHash: 'hash2',
    side: 'Bid',
    price,
    qty: coin,
    filledQty: coin,
    leavesQty: 0,
    status: 'filled',
    reason: null,
    fill: {
      fillId: 't1',
      price,
      qty: coin,
      feeMicro: 50_000,
      liquidity: 'taker',
      tsMs: floor.nowMs,
    },
    nonceConsumed: true,
    engineTsMs: floor.nowMs,
    serverTsMs: floor.nowMs,
  });
});

test('both sides of a trade know it by the same fill id', () => {
  const floor = new Floor();
  floor.ask('ann', price, coin);
  const { events } = floor.bid('bob', price, coin);
  expect(events.map(({ fill }) => fill?.fillId)).toEqual([undefined, 't1', 't1']);
  expect(floor.exchange.ledger().trades.at(-1)).toMatchObject({
    tradeId: 't1',
    takerSide: 'Bid',
    makerOrderId: 'o1',
    takerOrderId: 'o2',
  });
});
