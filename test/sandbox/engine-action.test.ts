import { describe, expect, test } from 'vitest';
import { ActionReader } from '../../src/sandbox/action-input.ts';
import { actionIds, engineAction, places, reduces } from '../../src/sandbox/engine-action.ts';
import { hex, idsOf } from '../../src/sandbox/ids.ts';
import { parseJson } from '../../src/sandbox/strict-json.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { nobleEcdsa } from '../../src/signer/ecdsa.ts';
import { sandboxProfile as profile } from '../support/quick-files.ts';
import { conditionalFields, type Loose, leg, outcome, signatureOf, spot } from './client.ts';

const reader = new ActionReader(profile);
const ids = idsOf(profile, referenceBlake3, nobleEcdsa());
const named = `0x${'ab'.repeat(32)}`;

function payloadOf(action: Loose, over: Loose = {}) {
  const envelope = { account: `0x${'1'.repeat(40)}`, nonce: 5, ts: 1, action, ...over };
  return reader.payload(parseJson(JSON.stringify(envelope)));
}

const idsFor = (action: Loose, over: Loose = {}) => {
  const payload = payloadOf(action, over);
  return { payload, made: actionIds(payload, ids.actionHash(payload.canonical), ids) };
};

const nestedPayload = {
  account: `0x${'1'.repeat(40)}`,
  nonce: 4,
  nonce_reservation_id: null,
  ts: 1,
  action: spot({ side: 'Ask', price: 60_000_000_000, reduce_only: true }),
};
const nested = JSON.stringify(nestedPayload);
const conditional = {
  PlaceConditionalOrder: {
    ...conditionalFields,
    signed_trigger_order: {
      payload: nestedPayload,
      signature: signatureOf(nested, '11'.repeat(32)),
    },
  },
};
const algo = {
  PlaceAlgoOrder: {
    market: 1,
    book: null,
    side: 'Bid',
    total_qty: 1_000_000,
    limit_price: 50_000_000_000,
    time_in_force: 'gtc',
    strategy: { kind: 'twap', slice_qty: 100_000, interval_ms: 1000 },
  },
};
const replace = (...legs: Loose[]) => ({ SpotQuoteReplace: { market: 1, legs } });
const cancelOnly = leg({ cancel_order_id: named, qty: 0 });

test.each([
  ['a spot order', spot(), { kind: 'place', market: 1, book: null, side: 'Bid', isMarket: false }],
  ['an outcome order', outcome(), { kind: 'place', market: 7, book: 'YES', qty: 10_000_000 }],
  ['a cancel', { Cancel: { order_id: named } }, { kind: 'cancel', orderId: named }],
  [
    'an amend',
    { AmendOrder: { order_id: named, new_qty: 3 } },
    { kind: 'amend', orderId: named, newQty: 3 },
  ],
  [
    'a quote replace',
    replace(leg({ cancel_order_id: named })),
    { kind: 'replace', market: 1, legs: [{ cancelOrderId: named, side: 'Bid' }] },
  ],
  [
    'an algo',
    algo,
    { kind: 'place_algo', strategy: { kind: 'twap', sliceQty: 100_000, intervalMs: 1000 } },
  ],
  ['a cancel of an algo', { CancelAlgoOrder: { order_id: named } }, { kind: 'cancel_algo' }],
  [
    'a cancel of a conditional',
    { CancelConditionalOrder: { order_id: named } },
    { kind: 'cancel_conditional', orderId: named },
  ],
])('%s reaches the engine with its fields', (_, action, expected) => {
  expect(engineAction(payloadOf(action), ids)).toMatchObject(expected);
});

test('a stored conditional carries its nested order, with ids over the nested bytes', () => {
  const action = engineAction(payloadOf(conditional), ids);
  expect(action).toMatchObject({
    kind: 'place_conditional',
    nested: {
      action: { kind: 'place', side: 'Ask', reduceOnly: true },
      ids: { nonce: 4, orderId: ids.orderId(nested), actionHash: hex(ids.actionHash(nested)) },
    },
  });
  expect(action).not.toHaveProperty('signedTriggerOrder');
  expect(engineAction(payloadOf(spot()), ids)).not.toHaveProperty('nested');
});

describe('ids', () => {
  test('what places an order, now or later, has an id over its own bytes; nothing else has one', () => {
    for (const action of [spot(), outcome(), algo, conditional]) {
      const { made, payload } = idsFor(action);
      expect(made.orderId).toBe(ids.orderId(payload.canonical));
    }
    const others = ['Cancel', 'CancelAlgoOrder', 'CancelConditionalOrder'];
    for (const name of others)
      expect(idsFor({ [name]: { order_id: named } }).made.orderId).toBeNull();
    expect(idsFor(replace(leg())).made.orderId).toBeNull();
    expect(idsFor({ AmendOrder: { order_id: named, new_qty: 3 } }).made.orderId).toBeNull();
  });

  test('G02: legs are counted with those that only cancel, which have no id', () => {
    const { made, payload } = idsFor(replace(leg(), cancelOnly, leg({ cancel_order_id: named })));
    const { canonical } = payload;
    expect(made.legIds).toEqual([ids.legId(canonical, 0), null, ids.legId(canonical, 2)]);
    expect(idsFor(spot()).made.legIds).toEqual([]);
  });

  test('the envelope is kept: hash, nonce and client order id', () => {
    const { made, payload } = idsFor(spot(), { client_order_id: 'ORD-1' });
    expect(made).toMatchObject({ nonce: 5, clientOrderId: 'ORD-1', canonical: payload.canonical });
    expect(made.actionHash).toBe(hex(ids.actionHash(payload.canonical)));
  });
});

test.each([
  ['an order', spot(), true, false],
  ['an order that may only reduce', spot({ side: 'Ask', reduce_only: true }), true, true],
  ['a cancel', { Cancel: { order_id: named } }, false, true],
  ['an amend', { AmendOrder: { order_id: named, new_qty: 3 } }, false, true],
  ['a group that only cancels', replace(cancelOnly, cancelOnly), false, true],
  ['a group with one leg that places', replace(cancelOnly, leg()), true, false],
  ['a leg that cancels and places', replace(leg({ cancel_order_id: named })), true, false],
  ['a leg without an order to cancel and without quantity', replace(leg({ qty: 0 })), true, false],
  ['an algo', algo, true, false],
  ['a cancel of an algo', { CancelAlgoOrder: { order_id: named } }, false, true],
  ['a conditional', conditional, true, false],
])(
  '%s: whether it can place an order, and whether it can only reduce',
  (_, action, place, reduce) => {
    const payload = payloadOf(action);
    expect([places(payload), reduces(payload)]).toEqual([place, reduce]);
  },
);
