/** An intent and the venue's action for it: the same facts under the venue's names. */
import { expect, test } from 'vitest';
import type { Intent, Leg, PlaceIntent } from '../../../src/domain/intent.ts';
import type { MarketId, OrderId, Price, Qty } from '../../../src/domain/units.ts';
import type { SignedAction } from '../../../src/signer/action.ts';
import { actionOf } from '../../../src/venue/outbox/action-of.ts';

const place: PlaceIntent = {
  kind: 'place',
  market: 3 as MarketId,
  book: null,
  side: 'Ask',
  price: 10n as Price,
  qty: 4n as Qty,
  stp: 'reject',
  timeInForce: 'ioc',
  isMarket: true,
  reduceOnly: true,
  expiresAtMs: 9,
};
const terms = {
  side: 'Ask',
  price: 10n,
  qty: 4n,
  stp_mode: 'reject',
  time_in_force: 'ioc',
  is_market: true,
  reduce_only: true,
  expires_at: 9,
};
const { kind: _, market: __, ...legTerms } = place;
const leg: Leg = { ...legTerms, cancelOrderId: 'v1' as OrderId };
const nested = { payload: {}, signature: {} } as unknown as SignedAction;

test('an order of a spot market has no book, and one of an outcome market names it', () => {
  expect(actionOf(place)).toEqual({ kind: 'SpotPlaceOrder', market: 3, ...terms });
  expect(actionOf({ ...place, book: 'NO' })).toEqual({
    kind: 'PlaceOrder',
    market: 3,
    book: 'NO',
    ...terms,
  });
});

test.each([
  ['order', 'Cancel'],
  ['algo', 'CancelAlgoOrder'],
  ['conditional', 'CancelConditionalOrder'],
] as const)('a cancel of an %s is a %s', (target, kind) => {
  const orderId = 'v1' as OrderId;
  expect(actionOf({ kind: 'cancel', target, orderId } as Intent)).toEqual({ kind, order_id: 'v1' });
});

test('an amend states the new quantity', () => {
  const amend = { kind: 'amend', orderId: 'v1' as OrderId, newQty: 2n as Qty } as Intent;
  expect(actionOf(amend)).toEqual({ kind: 'AmendOrder', order_id: 'v1', new_qty: 2n });
});

test('a group is of one kind of market, in the order of its legs', () => {
  const group = (...legs: Leg[]): Intent => ({ kind: 'group', market: 3 as MarketId, legs });
  const other = { ...leg, cancelOrderId: null, side: 'Bid' } as unknown as Leg;
  expect(actionOf(group(leg, other))).toEqual({
    kind: 'SpotQuoteReplace',
    market: 3,
    legs: [
      { cancel_order_id: 'v1', ...terms },
      { cancel_order_id: null, ...terms, side: 'Bid' },
    ],
  });
  expect(actionOf(group({ ...leg, book: 'YES' }))).toEqual({
    kind: 'QuoteReplace',
    market: 3,
    legs: [{ cancel_order_id: 'v1', ...terms, book: 'YES' }],
  });
  expect(() => actionOf(group(leg, { ...leg, book: 'YES' }))).toThrow('with and without book');
});

test('an algo order has an interval only if one was asked for', () => {
  const algo = (intervalMs: number | null): Intent => ({
    kind: 'algo',
    market: 3 as MarketId,
    book: 'YES',
    side: 'Bid',
    totalQty: 9n as Qty,
    limitPrice: 7n as Price,
    timeInForce: 'gtc',
    strategy: { kind: 'twap', sliceQty: 2n as Qty, intervalMs },
  });
  expect(actionOf(algo(5))).toEqual({
    kind: 'PlaceAlgoOrder',
    market: 3,
    book: 'YES',
    side: 'Bid',
    total_qty: 9n,
    limit_price: 7n,
    time_in_force: 'gtc',
    strategy: { kind: 'twap', slice_qty: 2n, interval_ms: 5 },
  });
  expect(actionOf(algo(null))).toMatchObject({ strategy: { kind: 'twap', slice_qty: 2n } });
  expect(Object.keys((actionOf(algo(null)) as { strategy: object }).strategy)).toHaveLength(2);
});

test('a conditional order repeats the terms of the signed order inside it, and never goes without it', () => {
  const conditional: Intent = {
    kind: 'conditional',
    triggerPrice: 8n as Price,
    triggerDirection: 'at_or_below',
    conditionalKind: 'stop_loss',
    nested: place,
  };
  expect(actionOf(conditional, nested)).toEqual({
    kind: 'PlaceConditionalOrder',
    market: 3,
    book: null,
    side: 'Ask',
    qty: 4n,
    limit_price: 10n,
    trigger_price: 8n,
    trigger_direction: 'at_or_below',
    conditional_kind: 'stop_loss',
    reduce_only: true,
    signed_trigger_order: nested,
  });
  expect(() => actionOf(conditional)).toThrow('without its nested signed order');
});
