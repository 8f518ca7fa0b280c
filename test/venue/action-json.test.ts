/** A signed action in the names of the venue's HTTP parsers (contract A.9, G68). */
import { expect, test } from 'vitest';
import type { MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import type { Action } from '../../src/signer/action.ts';
import { batchJson, signedActionJson } from '../../src/venue/action-json.ts';
import { signed, spotOrder } from './samples.ts';

const body = (action: Action, names: 'documented' | 'canonical' = 'documented') =>
  JSON.parse(signedActionJson(signed(7, action), names));
const orderId = `0x${'ab'.repeat(32)}` as OrderId;

test('R19: payload and a signature of 65 integers', () => {
  const { payload, signature } = body(spotOrder);
  expect(Object.keys(payload)).toEqual([
    'account',
    'nonce',
    'nonce_reservation_id',
    'client_order_id',
    'ts',
    'action',
  ]);
  expect(signature).toEqual({ scheme: 'EcdsaSecp256k1', bytes: new Array(65).fill(7) });
});

test('R6: a spot order has its public input names', () => {
  expect(body(spotOrder).payload.action).toEqual({
    SpotPlaceOrder: {
      marketId: 1,
      side: 'Bid',
      price: 50_000_000_000,
      qty: 1_000_000,
      stpMode: 'cancel_taker',
      timeInForce: 'gtc',
      isMarket: false,
      reduceOnly: false,
      expiresAt: null,
    },
  });
});

test('R5: an outcome order is OutcomePlaceOrder with outcome', () => {
  const action: Action = { ...spotOrder, kind: 'PlaceOrder', market: 7 as MarketId, book: 'NO' };
  expect(body(action).payload.action.OutcomePlaceOrder).toMatchObject({
    marketId: 7,
    outcome: 'NO',
  });
});

test('raw envelopes keep canonical names, a nested order gets its public ones', () => {
  expect(body({ kind: 'Cancel', order_id: orderId }).payload.action).toEqual({
    Cancel: { order_id: orderId },
  });
  const nested = signed(6);
  const conditional: Action = {
    kind: 'PlaceConditionalOrder',
    market: 1 as MarketId,
    book: null,
    side: 'Bid',
    qty: 5n as Qty,
    limit_price: 6n as Price,
    trigger_price: 7n as Price,
    trigger_direction: 'at_or_above',
    conditional_kind: 'take_profit',
    reduce_only: false,
    signed_trigger_order: { payload: payloadOf(6), signature: nested.signature },
  };
  const { PlaceConditionalOrder: outer } = body(conditional).payload.action;
  expect(outer).toMatchObject({ market: 1, book: null, reduce_only: false });
  expect(outer.signed_trigger_order.payload.action.SpotPlaceOrder).toMatchObject({ marketId: 1 });
});

test('R134: with canonical names in the profile nothing is renamed', () => {
  expect(body(spotOrder, 'canonical').payload.action.SpotPlaceOrder).toMatchObject({ market: 1 });
});

test('R49: a batch has version 1 and its actions one by one', () => {
  const actions = [signed(1), signed(2)].map((send) => signedActionJson(send, 'documented'));
  const batch = JSON.parse(batchJson(actions, 'key'));
  expect(batch).toMatchObject({ version: 1, idempotencyKey: 'key' });
  expect(batch.actions.map((one: { payload: { nonce: number } }) => one.payload.nonce)).toEqual([
    1, 2,
  ]);
});

function payloadOf(nonce: number) {
  const { account } = signed(nonce);
  return {
    account,
    nonce: BigInt(nonce),
    nonce_reservation_id: null,
    ts: 1_700_000_000_000,
    action: spotOrder,
  };
}
