/** Random actions of three accounts from one seed, over every kind of action that the engine knows. */
import fc from 'fast-check';
import type { EngineAction } from '../../../src/sandbox/engine/action.ts';
import type { ActionResult } from '../../../src/sandbox/engine/view.ts';
import { coin, type Floor, legOf, placeOf, usd } from './floor.ts';

export interface Step {
  readonly account: 'ann' | 'bob' | 'cid';
  readonly kind:
    | 'place'
    | 'cancel'
    | 'amend'
    | 'replace'
    | 'algo'
    | 'conditional'
    | 'cancel_parent'
    | 'wait';
  readonly onOutcome: boolean;
  readonly side: 'Bid' | 'Ask';
  /** Steps of the price around the middle. */
  readonly away: number;
  readonly lots: number;
  readonly target: number;
  readonly timeInForce: 'gtc' | 'ioc' | 'fok' | 'post_only';
  readonly stpMode: 'cancel_maker' | 'cancel_taker' | 'reject' | 'skip_self' | null;
  readonly isMarket: boolean;
  readonly expiresInMs: number | null;
}

export const step: fc.Arbitrary<Step> = fc.record({
  account: fc.constantFrom('ann', 'bob', 'cid'),
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('place' as const) },
    { weight: 2, arbitrary: fc.constantFrom('cancel' as const, 'amend' as const) },
    { weight: 2, arbitrary: fc.constant('replace' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'algo' as const,
        'conditional' as const,
        'cancel_parent' as const,
        'wait' as const,
      ),
    },
  ),
  onOutcome: fc.boolean(),
  side: fc.constantFrom('Bid', 'Ask'),
  away: fc.integer({ min: -4, max: 4 }),
  lots: fc.integer({ min: 0, max: 6 }),
  target: fc.nat(30),
  timeInForce: fc.constantFrom('gtc', 'gtc', 'gtc', 'ioc', 'fok', 'post_only'),
  stpMode: fc.constantFrom('cancel_maker', 'cancel_taker', 'reject', 'skip_self', null),
  isMarket: fc.constantFrom(false, false, false, true),
  expiresInMs: fc.option(fc.integer({ min: 1, max: 3000 }), { nil: null, freq: 3 }),
});

/** Does one step; null when the step only lets time pass. */
export function take(floor: Floor, step: Step): ActionResult | null {
  if (step.kind === 'wait') {
    floor.advance(step.lots * 300);
    return null;
  }
  return floor.do(step.account, actionOf(floor, step));
}

function actionOf(floor: Floor, step: Step): EngineAction {
  const { side, lots, timeInForce, target, kind } = step;
  const place = placeAction(floor, step);
  const { market, book, qty, price } = place;
  // Two of three targets could succeed; the others test the refusals.
  const known = floor.exchange
    .ledger()
    .orders.filter((order) =>
      target % 3 === 0
        ? order.market === market
        : order.account === step.account && order.state === 'open',
    );
  const found = known[known.length - 1 - (target % Math.max(1, known.length))];
  const orderId = found?.orderId ?? 'o0';
  switch (kind) {
    case 'cancel':
      return { kind, orderId };
    case 'amend':
      return { kind, orderId, newQty: qty };
    case 'replace': {
      const second = { ...place, side, price: price + (side === 'Bid' ? -100_000 : 100_000) };
      const legs = [legOf({ ...place, cancelOrderId: orderId }), legOf(second)];
      return { kind, market, legs: lots % 2 === 0 ? legs : legs.slice(0, 1) };
    }
    case 'algo': {
      const strategy =
        target % 2 === 0
          ? ({ kind: 'iceberg', sliceQty: coin } as const)
          : ({ kind: 'twap', sliceQty: coin, intervalMs: 400 } as const);
      const amounts = { totalQty: qty, limitPrice: price };
      return { kind: 'place_algo', market, book, side, timeInForce, strategy, ...amounts };
    }
    case 'conditional': {
      const nested = { action: place, ids: floor.ids(place) };
      const trigger = { triggerPrice: price, triggerDirection: 'at_or_above' } as const;
      const outer = { market, book, side, qty, limitPrice: price, reduceOnly: false };
      return { kind: 'place_conditional', ...outer, ...trigger, nested };
    }
    case 'cancel_parent':
      return { kind: target % 2 === 0 ? 'cancel_algo' : 'cancel_conditional', orderId };
    default:
      return place;
  }
}

function placeAction(floor: Floor, step: Step) {
  const { onOutcome, side, away, lots, timeInForce, stpMode, isMarket, expiresInMs } = step;
  return placeOf({
    market: onOutcome ? 7 : 1,
    side,
    price: onOutcome ? 500_000 + away * 1000 : 100 * usd + away * 100_000,
    qty: lots * coin,
    timeInForce,
    stpMode,
    isMarket,
    expiresAt: expiresInMs === null ? null : floor.nowMs + expiresInMs,
  });
}
