import { expect, test } from 'vitest';
import { coin, configOf, Floor, prediction, spot, told, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';

const price = 100 * usd;

test('R86: an order expires once its time has come, in order of time, and frees its funds', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin, { expiresAt: floor.nowMs + 2000 });
  floor.bid('bob', price, coin, { expiresAt: floor.nowMs + 1000 });
  expect(floor.exchange.nextDueMs()).toBe(floor.nowMs + 1000);
  expect(floor.advance(999)).toEqual([]);
  const events = floor.advance(5000);
  expect(told(events)).toEqual(['expired o2', 'expired o1']);
  expect(events[0]).toMatchObject({
    status: 'canceled',
    reason: { code: 'expired' },
    nonce: null,
    leavesQty: 0,
  });
  expect(floor.held('ann', 'USDC')).toBe(0);
  expect(floor.exchange.order('o1')?.state).toBe('expired');
  assertInvariants(floor.exchange);
});

test('an order that is due does not trade with an action of the same moment', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin, { expiresAt: floor.nowMs + 1000 });
  floor.nowMs += 1000;
  const sold = floor.ask('bob', price, coin);
  expect(told(sold.events)).toEqual(['expired o1', 'resting o2']);
  expect(sold.seq).toBe(1);
});

test('a canceled or filled order does not expire later', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin, { expiresAt: floor.nowMs + 1000 });
  floor.bid('ann', price, coin, { expiresAt: floor.nowMs + 1000 });
  floor.ask('bob', price, coin);
  floor.cancel('ann', 'o2');
  expect(floor.exchange.nextDueMs()).toBeNull();
  expect(floor.advance(2000)).toEqual([]);
});

test('time that steps back counts as the latest time seen', () => {
  const floor = new Floor();
  floor.advance(1000);
  floor.nowMs -= 600;
  expect(floor.bid('ann', price, coin).engineTsMs).toBe(floor.nowMs + 600);
  expect(floor.exchange.nowMs).toBe(floor.nowMs + 600);
});

test('halts and resumptions are reported to every account once', () => {
  const floor = new Floor();
  const halted = floor.exchange.changeMarket(7, 'halt', floor.nowMs);
  expect(halted.map(({ account, kind, market }) => [account, kind, market])).toEqual([
    ['ann', 'halt', 7],
    ['bob', 'halt', 7],
    ['cid', 'halt', 7],
  ]);
  expect(halted[0]?.reason?.code).toBe('MARKET_HALTED');
  expect(floor.exchange.changeMarket(7, 'halt', floor.nowMs)).toEqual([]);
  expect(told(floor.exchange.changeMarket(7, 'resume', floor.nowMs), 'ann')).toEqual([
    'resume null',
  ]);
  expect(floor.exchange.changeMarket(7, 'resume', floor.nowMs)).toEqual([]);
  const all = floor.exchange.haltTrading(true, floor.nowMs);
  expect(all[0]).toMatchObject({ kind: 'halt', market: null, reason: { number: 103 } });
  expect(floor.exchange.snapshot().tradingHalted).toBe(true);
  expect(floor.exchange.haltTrading(true, floor.nowMs)).toEqual([]);
  expect(told(floor.exchange.haltTrading(false, floor.nowMs), 'bob')).toEqual(['resume null']);
});

test('a market that closes cancels all that is open in it, with reason MARKET_HALTED', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.algo(
    'bob',
    { kind: 'twap', sliceQty: coin / 2, intervalMs: 1000 },
    { limitPrice: 3 * price },
  );
  floor.conditional('cid', 2 * price, 'at_or_above', { side: 'Ask', price, qty: coin });
  floor.bid('ann', 500_000, usd, { market: 7 });
  const events = floor.exchange.changeMarket(1, 'close', floor.nowMs);
  const ends = events.filter(({ kind }) => kind !== 'halt');
  expect(told(ends)).toEqual(['canceled o1', 'canceled o2/slice0', 'algo_done o2', 'canceled o4']);
  expect(ends.every(({ reason }) => reason?.code === 'MARKET_HALTED')).toBe(true);
  expect(floor.exchange.openOrders('ann')).toMatchObject([{ orderId: 'o5' }]);
  expect(floor.bid('ann', price, coin).refusal?.code).toBe('MARKET_HALTED');
  expect(() => floor.exchange.changeMarket(1, 'resume', floor.nowMs)).toThrow(
    'market 1 (spot, closed) cannot resume',
  );
  expect(floor.exchange.changeMarket(1, 'close', floor.nowMs)).toEqual([]);
  assertInvariants(floor.exchange);
});

test('a market with an end closes at it, before orders that are due at the same time', () => {
  const floor = new Floor({ markets: [spot, { ...prediction, expiryMs: 1_700_000_001_000 }] });
  floor.bid('ann', 500_000, usd, { market: 7, expiresAt: floor.nowMs + 1000 });
  expect(told(floor.advance(1000), 'ann')).toEqual(['halt null', 'canceled o1']);
  expect(floor.exchange.markets()[1]?.status).toBe('closed');
});

test('a settled market pays a whole unit for each share of what came true', () => {
  const floor = new Floor();
  const settle = () => floor.exchange.settleMarket(7, 'YES', floor.nowMs);
  expect(settle).toThrow('market 7 (prediction, open) cannot settle');
  floor.exchange.changeMarket(7, 'close', floor.nowMs);
  const before = floor.free('ann', 'USDC');
  settle();
  expect(floor.free('ann', 'USDC')).toBe(before + 100_000 * usd);
  expect([floor.free('ann', '7:YES'), floor.free('ann', '7:NO')]).toEqual([0, 0]);
  expect(floor.exchange.markets()[1]).toMatchObject({ status: 'settled', outcome: 'YES' });
  expect(settle).toThrow('settled) cannot settle');
  expect(() => floor.exchange.changeMarket(7, 'close', floor.nowMs)).toThrow('cannot close');
  floor.exchange.changeMarket(1, 'close', floor.nowMs);
  expect(() => floor.exchange.settleMarket(1, 'YES', floor.nowMs)).toThrow('cannot settle');
  assertInvariants(floor.exchange);
});

test('a settlement that would leave the exact range is refused whole', () => {
  const floor = new Floor();
  floor.exchange.deposit('ann', '7:YES', Number.MAX_SAFE_INTEGER - 400_000 * usd);
  floor.exchange.changeMarket(7, 'close', floor.nowMs);
  const hash = floor.exchange.hash();
  expect(() => floor.exchange.settleMarket(7, 'YES', floor.nowMs)).toThrow('leave the exact range');
  expect(floor.exchange.hash()).toBe(hash);
});

test('cancel-all cancels the open orders in its scope, and only those of its account', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.ask('ann', 2 * price, coin);
  floor.bid('ann', 400_000, usd, { market: 7 });
  floor.bid('ann', 400_000, usd, { market: 7, book: 'NO' });
  floor.bid('bob', price, coin);
  floor.algo('ann', { kind: 'iceberg', sliceQty: coin / 2 }, { limitPrice: 3 * price });
  const cancel = (scope: object) => floor.exchange.cancelAll('ann', scope, floor.nowMs);
  expect(told(cancel({ book: 'NO' }))).toEqual(['canceled o4']);
  expect(told(cancel({ market: 1, side: 'Bid' }))).toEqual(['canceled o1']);
  expect(told(cancel({}))).toEqual([
    'canceled o6/slice0',
    'algo_done o6',
    'canceled o2',
    'canceled o3',
  ]);
  expect(floor.exchange.openOrders('bob')).toHaveLength(1);
  expect(cancel({})).toEqual([]);
});

test('markets that do not fit together are refused at the start', () => {
  const twice = configOf({ markets: [spot, spot] });
  expect(() => new Floor(twice)).toThrow('duplicate market 1');
  const mixed = configOf({ markets: [spot, { ...spot, marketId: 2, quote: 'EUR' }] });
  expect(() => new Floor(mixed)).toThrow('market 2 is quoted in EUR, the others in USDC');
  const unfit = configOf({ markets: [{ ...spot, priceScale: 1, qtyScale: 1 }] });
  expect(() => new Floor(unfit)).toThrow('market 1 has unfit scales');
  expect(() => new Floor().exchange.changeMarket(9, 'halt', 0)).toThrow('no market 9');
});
