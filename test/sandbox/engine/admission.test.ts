import { expect, test } from 'vitest';
import { coarseLabels, type EngineCode } from '../../../src/sandbox/engine/refusal.ts';
import type { ActionResult } from '../../../src/sandbox/engine/view.ts';
import { coin, defaultCaps, Floor, usd } from './floor.ts';

/** Makes the exchange refuse with the code that the row names. */
type Provocation = (floor: Floor) => ActionResult;

const price = 100 * usd;
const capped = (caps: Partial<typeof defaultCaps>) =>
  new Floor({ caps: { ...defaultCaps, ...caps } });
const on = { mode: 'on', accountCapMicro: 10 ** 12, marketCapMicro: 10 ** 12 } as const;

const provocations: Record<EngineCode, Provocation> = {
  insufficient_balance: (floor) => {
    floor.exchange.openAccount('poor');
    return floor.bid('poor', price, coin);
  },
  risk_would_exceed_available_usdc: (floor) => {
    floor.bid('ann', price, 9_000 * coin);
    return floor.bid('ann', price, 2_000 * coin);
  },
  insufficient_usdc: (floor) => floor.bid('ann', price, 10_000 * coin),
  insufficient_spot_asset: (floor) => floor.ask('ann', price, 1_001 * coin),
  insufficient_shares: (floor) => floor.ask('ann', 500_000, 100_001 * usd, { market: 7 }),
  cross_shard_credit_kill_switch: (floor) => {
    floor.exchange.setCredit({ ...on, mode: 'killed' });
    return floor.bid('ann', price, coin);
  },
  cross_shard_account_cap_exceeded: (floor) => {
    floor.exchange.setCredit({ ...on, accountCapMicro: 201 * usd });
    floor.bid('ann', price, 2 * coin);
    return floor.bid('ann', price, coin);
  },
  cross_shard_market_cap_exceeded: (floor) => {
    floor.exchange.setCredit({ ...on, marketCapMicro: 201 * usd });
    floor.bid('ann', price, 2 * coin);
    return floor.bid('bob', price, coin);
  },
  cross_shard_credit_rejected: (floor) => {
    floor.exchange.setCredit({ ...on, mode: 'rejecting' });
    return floor.bid('ann', price, coin);
  },
  post_only_requires_passive_limit_order: (floor) =>
    floor.bid('ann', price, coin, { timeInForce: 'post_only', isMarket: true }),
  post_only_would_cross: (floor) => {
    floor.ask('ann', price, coin);
    return floor.bid('bob', price, coin, { timeInForce: 'post_only' });
  },
  fok_not_filled: (floor) => floor.bid('ann', price, coin, { timeInForce: 'fok' }),
  reduce_only_qty_exceeds_position: (floor) =>
    floor.ask('ann', 500_000, 100_001 * usd, { market: 7, reduceOnly: true }),
  reduce_only_invalid_side: (floor) =>
    floor.bid('ann', 500_000, usd, { market: 7, reduceOnly: true }),
  invalid_stp_mode: (floor) => floor.bid('ann', price, coin, { stpMode: 'toString' }),
  spot_notional_below_minimum: (floor) => floor.bid('ann', price, 990),
  price_must_be_positive: (floor) => floor.bid('ann', 0, coin),
  qty_must_be_positive: (floor) => floor.bid('ann', price, 0),
  price_not_aligned_to_tick: (floor) => floor.bid('ann', price + 1, coin),
  qty_not_aligned_to_lot: (floor) => floor.bid('ann', price, coin + 1),
  qty_exceeds_max: (floor) => floor.bid('ann', 100, 1_000_000_000_010),
  fee_exceeds_notional: (floor) => {
    floor.exchange.setFees({ takerBps: 10_001, makerBps: 0, tiers: [] });
    return floor.bid('ann', price, coin);
  },
  duplicate_order_id: (floor) => {
    floor.bid('ann', price, coin, {});
    return floor.place('ann', { side: 'Bid', price, qty: coin }, { orderId: 'o1' });
  },
  trading_halted: (floor) => {
    floor.exchange.haltTrading(true, floor.nowMs);
    return floor.bid('ann', price, coin);
  },
  unauthorized_cancel: (floor) => {
    floor.bid('ann', price, coin);
    return floor.cancel('bob', 'o1');
  },
  order_not_open: (floor) => {
    floor.bid('ann', price, coin);
    floor.cancel('ann', 'o1');
    return floor.cancel('ann', 'o1');
  },
  invalid_amend: (floor) => {
    floor.bid('ann', price, coin);
    return floor.amend('ann', 'o1', coin);
  },
  account_market_open_order_cap_exceeded: () => {
    const floor = capped({ openOrdersPerMarket: 1 });
    floor.bid('ann', price, coin);
    return floor.bid('ann', price - 100, coin);
  },
  account_open_order_cap_exceeded: () => {
    const floor = capped({ openOrders: 1 });
    floor.bid('ann', 500_000, usd, { market: 7 });
    return floor.bid('ann', price, coin);
  },
  price_level_order_cap_exceeded: () => {
    const floor = capped({ ordersPerLevel: 1 });
    floor.bid('ann', price, coin);
    return floor.bid('bob', price, coin);
  },
  book_depth_exceeded: () => {
    const floor = capped({ levelsPerSide: 1 });
    floor.bid('ann', price, coin);
    return floor.bid('bob', price - 100, coin);
  },
  self_trade_prevented: (floor) => {
    floor.ask('ann', price, coin);
    return floor.bid('ann', price, coin, { stpMode: 'reject' });
  },
  order_not_found: (floor) => floor.cancel('ann', 'o99'),
  market_not_found: (floor) => floor.bid('ann', price, coin, { market: 99 }),
  expired: (floor) => floor.bid('ann', price, coin, { expiresAt: floor.nowMs }),
  schema_violation: (floor) => floor.algo('ann', { kind: 'twap', sliceQty: coin, intervalMs: 0 }),
  KILL_SWITCH: (floor) => {
    floor.exchange.setKillSwitch({ kind: 'venue' }, true);
    return floor.bid('ann', price, coin);
  },
  MARKET_HALTED: (floor) => {
    floor.exchange.changeMarket(1, 'halt', floor.nowMs);
    return floor.bid('ann', price, coin);
  },
};

const gates = ['trading_halted', 'KILL_SWITCH', 'MARKET_HALTED'];

test.each(Object.keys(coarseLabels) as EngineCode[])('R114: %s can be provoked', (code) => {
  const result = provocations[code](new Floor());
  expect(result.refusal?.code).toBe(code);
  expect(result.status).toBe('rejected');
  const gate = gates.includes(code);
  expect(result.nonceConsumed).toBe(!gate);
  const rejected = result.events.filter(({ kind }) => kind === 'rejected');
  expect(rejected.length).toBe(gate ? 0 : 1);
  if (!gate) expect(rejected[0]?.reason).toMatchObject({ code, number: null });
});

test('a refusal names what was wrong and with which limit', () => {
  const floor = new Floor();
  expect(floor.bid('ann', price + 1, coin).refusal?.text).toBe(
    'price 100000001 is off the tick 100',
  );
  expect(floor.bid('ann', price, 10_000 * coin).refusal?.text).toBe(
    'the order may cost 1000500000000, the account has 1000000000000',
  );
});

test('an outcome price must lie below the payout', () => {
  const floor = new Floor();
  const refused = floor.bid('ann', 1_000_000, usd, { market: 7 });
  expect(refused.refusal).toMatchObject({ code: 'price_not_aligned_to_tick' });
  expect(floor.bid('ann', 999_000, usd, { market: 7 }).status).toBe('resting');
});

test('the wrong envelope is identified: shares on spot, no market on an outcome', () => {
  const floor = new Floor();
  expect(floor.bid('ann', price, coin, { book: 'YES' }).refusal?.code).toBe('insufficient_shares');
  const spotOnOutcome = floor.place('ann', {
    side: 'Bid',
    price,
    qty: coin,
    market: 7,
    book: null,
  });
  expect(spotOnOutcome.refusal?.code).toBe('market_not_found');
});

test('R91: reduce-only sells up to the free position; on spot it is a plain sell or refused', () => {
  const floor = new Floor();
  floor.ask('ann', 500_000, 60_000 * usd, { market: 7 });
  const sell = (qty: number) =>
    floor.ask('ann', 500_000, qty, { market: 7, reduceOnly: true }).refusal?.code;
  expect(sell(40_001 * usd)).toBe('reduce_only_qty_exceeds_position');
  expect(sell(40_000 * usd)).toBeUndefined();
  expect(floor.ask('ann', price, coin, { reduceOnly: true }).status).toBe('resting');
  const strict = new Floor({ spotReduceOnly: 'refuse' });
  const refused = strict.ask('ann', price, coin, { reduceOnly: true });
  expect(refused.refusal?.code).toBe('reduce_only_invalid_side');
});

test('gates stop placements of their scope only, and never cancels or amends', () => {
  const floor = new Floor();
  floor.bid('ann', price, 2 * coin);
  floor.bid('ann', price, 2 * coin);
  const tries = () => [
    floor.bid('ann', price, coin).refusal?.code,
    floor.bid('bob', price, coin).refusal?.code,
    floor.bid('bob', 500_000, usd, { market: 7 }).refusal?.code,
  ];
  floor.exchange.setKillSwitch({ kind: 'account', account: 'ann' }, true);
  expect(tries()).toEqual(['KILL_SWITCH', undefined, undefined]);
  expect(floor.amend('ann', 'o1', coin).status).toBe('applied');
  expect(floor.cancel('ann', 'o1').status).toBe('canceled');
  floor.exchange.setKillSwitch({ kind: 'account', account: 'ann' }, false);
  floor.exchange.setKillSwitch({ kind: 'market', market: 1 }, true);
  expect(tries()).toEqual(['KILL_SWITCH', 'KILL_SWITCH', undefined]);
  floor.exchange.setKillSwitch({ kind: 'market', market: 1 }, false);
  floor.exchange.changeMarket(1, 'halt', floor.nowMs);
  expect(tries()).toEqual(['MARKET_HALTED', 'MARKET_HALTED', undefined]);
  const cancelOnly = { side: 'Bid', price, qty: 0, cancelOrderId: 'o2' } as const;
  expect(floor.replace('ann', [cancelOnly]).status).toBe('applied');
  floor.exchange.changeMarket(1, 'resume', floor.nowMs);
  expect(tries()).toEqual([undefined, undefined, undefined]);
});
