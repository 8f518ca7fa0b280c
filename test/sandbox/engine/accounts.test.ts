import { expect, test } from 'vitest';
import { coin, configOf, Floor, startMs, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';

test('a bid holds its cost and gives back to the atom what a better price left', () => {
  const floor = new Floor({ fees: { takerBps: 0, makerBps: 0, tiers: [] } });
  const before = floor.free('bob', 'USDC');
  floor.bid('bob', 100 * usd, 2 * coin);
  expect([floor.free('bob', 'USDC'), floor.held('bob', 'USDC')]).toEqual([
    before - 200 * usd,
    200 * usd,
  ]);
  floor.ask('ann', 90 * usd, coin);
  expect([floor.free('bob', 'USDC'), floor.held('bob', 'USDC')]).toEqual([
    before - 200 * usd,
    100 * usd,
  ]);
  floor.cancel('bob', 'o1');
  expect([floor.free('bob', 'USDC'), floor.held('bob', 'USDC')]).toEqual([before - 100 * usd, 0]);
  assertInvariants(floor.exchange);
});

test('an ask holds its inventory', () => {
  const floor = new Floor();
  floor.ask('ann', 100 * usd, 3 * coin);
  expect(floor.held('ann', 'BTC')).toBe(3 * coin);
  floor.bid('bob', 100 * usd, coin);
  expect([floor.free('ann', 'BTC'), floor.held('ann', 'BTC')]).toEqual([997 * coin, 2 * coin]);
  floor.cancel('ann', 'o1');
  expect([floor.free('ann', 'BTC'), floor.held('ann', 'BTC')]).toEqual([999 * coin, 0]);
});

test('the taker pays, the maker may be paid, each rounded towards zero; the venue keeps the rest', () => {
  const floor = new Floor({ fees: { takerBps: 5, makerBps: -2, tiers: [] } });
  floor.ask('ann', 100_000_100, 1_010);
  const taken = floor.bid('bob', 100_000_100, 1_010);
  // 100.0001 * 0.0000101 coins is 1010.00101 micro.
  expect(taken.fills).toMatchObject([{ feeMicro: 0, liquidity: 'taker' }]);
  floor.ask('ann', 100 * usd, coin);
  const big = floor.bid('bob', 100 * usd, coin);
  expect(big.fills).toMatchObject([{ feeMicro: 50_000, liquidity: 'taker' }]);
  expect(floor.exchange.order('o3')?.fills).toMatchObject([
    { feeMicro: -20_000, liquidity: 'maker' },
  ]);
  expect(floor.exchange.ledger().feesMicro).toBe(30_000);
  assertInvariants(floor.exchange);
});

test('a rebate tier begins at its own volume, counts by month, and outranks the maker rate', () => {
  const tiers = [
    { minVolumeMicro: 0, rebateBps: 0 },
    { minVolumeMicro: 100 * usd, rebateBps: 2 },
  ];
  const floor = new Floor({ fees: { takerBps: 5, makerBps: 1, tiers } });
  const feeOfMaker = () => {
    const maker = floor.ask('ann', 100 * usd, coin).orderId ?? '';
    floor.bid('bob', 100 * usd, coin);
    return floor.exchange.order(maker)?.feeMicro;
  };
  expect([feeOfMaker(), feeOfMaker()]).toEqual([0, -20_000]);
  floor.advance(40 * 24 * 3_600_000);
  expect([feeOfMaker(), feeOfMaker()]).toEqual([0, -20_000]);
  assertInvariants(floor.exchange);
});

test('a maker rate above the taker rate is held in advance', () => {
  const floor = new Floor({ fees: { takerBps: 1, makerBps: 50, tiers: [] } });
  floor.bid('bob', 100 * usd, 2 * coin);
  expect(floor.held('bob', 'USDC')).toBe(201 * usd);
  floor.ask('ann', 100 * usd, coin);
  expect(floor.held('bob', 'USDC')).toBe(100_500_000);
  floor.exchange.setFees({ takerBps: 1, makerBps: 900, tiers: [] });
  floor.ask('ann', 100 * usd, coin);
  expect(floor.exchange.order('o1')?.feeMicro).toBe(usd);
  assertInvariants(floor.exchange);
});

test('what is paid in or out is bounded by what is free and by the exact range', () => {
  const floor = new Floor();
  const pay = (asset: string, amount: number) => () => floor.exchange.deposit('ann', asset, amount);
  expect(pay('USDC', -1_000_000 * usd - 1)).toThrow('account ann has 1000000000000 USDC free');
  expect(pay('GOLD', 1)).toThrow('no asset GOLD');
  expect(pay('USDC', 0.5)).toThrow('amount 0.5 is not a safe integer');
  expect(pay('USDC', Number.MAX_SAFE_INTEGER)).toThrow(
    'supply of USDC would leave the exact range',
  );
  floor.bid('ann', 100 * usd, coin);
  expect(pay('USDC', -1_000_000 * usd)).toThrow('USDC free');
  assertInvariants(floor.exchange);
});

test('the exchange holds a bounded number of accounts, and opening one twice is one', () => {
  const floor = new Floor({ caps: { ...configOf().caps, accounts: 3 } });
  floor.exchange.openAccount('ann');
  expect(() => floor.exchange.openAccount('dan')).toThrow('at most 3 accounts');
  expect(() => floor.exchange.balances('dan')).toThrow('no account dan');
  const action = { kind: 'cancel', orderId: 'x' } as const;
  const ids = floor.ids(action);
  const request = { account: 'dan', action, ids, nowMs: startMs };
  expect(() => floor.exchange.apply(request)).toThrow('no account dan');
});
