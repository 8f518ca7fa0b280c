/** The bytes of an action, and the ids under which the orders find what it places. */
import { expect, test } from 'vitest';

import type { ConditionalIntent } from '../../../src/domain/intent.ts';
import type { Account, MarketId, OrderId, Price, Qty } from '../../../src/domain/units.ts';
import { fastestBlake3 } from '../../../src/signer/blake3.ts';
import { MadeAction } from '../../../src/signer/made-action.ts';
import { ActionBytes, idsOf } from '../../../src/venue/outbox/action-bytes.ts';
import { placeAction } from '../../../src/venue/outbox/action-of.ts';
import { newSubmission, type Submission } from '../../../src/venue/outbox/submission.ts';
import { shippedProfile } from '../../../src/venue/profile.ts';

const account = `0x${'11'.repeat(20)}` as Account;
const { blake3 } = await fastestBlake3();
const bytes = new ActionBytes(account, MadeAction.maker(shippedProfile(), blake3));
const place = {
  kind: 'place',
  market: 1 as MarketId,
  book: null,
  side: 'Bid',
  price: 10n as Price,
  qty: 4n as Qty,
  stp: 'cancel_taker',
  timeInForce: 'gtc',
  isMarket: false,
  reduceOnly: false,
  expiresAtMs: null,
} as const;
const head = { nonce: 7, clientOrderId: 'c-1', madeMs: 1_000 };
const action = placeAction(place);

test('the same action with the same head has the same bytes, and each part of the head changes them', () => {
  const first = bytes.of(head, action);
  expect(bytes.of({ ...head }, placeAction({ ...place }))).toEqual(first);
  const others = [
    bytes.of({ ...head, nonce: 8 }, action),
    bytes.of({ ...head, clientOrderId: 'c-2' }, action),
    bytes.of({ ...head, clientOrderId: null }, action),
    bytes.of({ ...head, madeMs: 1_001 }, action),
    new ActionBytes(
      `0x${'22'.repeat(20)}` as Account,
      MadeAction.maker(shippedProfile(), blake3),
    ).of(head, action),
  ];
  expect(new Set([first, ...others].map(({ hash }) => hash)).size).toBe(6);
});

test('the bytes state account, nonce, name and time, and an order without a name has no member for it', () => {
  const text = (clientOrderId: string | null) => bytes.of({ ...head, clientOrderId }, action).text;
  expect(JSON.parse(text('c-1'))).toMatchObject({ account, client_order_id: 'c-1', ts: 1_000 });
  expect(`${JSON.parse(text('c-1')).nonce}`).toBe('7');
  expect(JSON.parse(text(null))).not.toHaveProperty('client_order_id');
});

test('an order has the id that the venue derives, and a cancel places nothing', () => {
  const { placed } = bytes.of(head, action);
  expect(idsOf(placed)).toEqual({
    orderId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    firedOrderId: null,
  });
  const cancel = bytes.of(head, { kind: 'Cancel', order_id: `0x${'0'.repeat(64)}` as OrderId });
  expect(idsOf(cancel.placed)).toEqual({ orderId: null, firedOrderId: null });
});

test('a group has the id of each leg, and a conditional order also that of the order that it fires', () => {
  const [one, two] = ['0x01', '0x02'] as OrderId[];
  expect(idsOf({ kind: 'legs', legIds: [one ?? null, null] })).toEqual({
    orderId: one,
    firedOrderId: null,
    legIds: [one, null],
  });
  expect(idsOf({ kind: 'legs', legIds: [] }).orderId).toBeNull();
  const conditional = { kind: 'conditional', orderId: one, triggeredId: two } as never;
  expect(idsOf(conditional)).toEqual({ orderId: one, firedOrderId: two });
});

test('the order inside a conditional one is the same envelope as was signed, once it has its signature', () => {
  const intent = { kind: 'conditional', nested: place } as unknown as ConditionalIntent;
  const own = newSubmission(
    1,
    { asked: null, intent, clientOrderId: null, fencedId: null },
    0,
  ) as Submission;
  expect(bytes.nested(own)).toBeUndefined();
  const signed = bytes.of({ nonce: 9, clientOrderId: null, madeMs: 5 }, action);
  own.nested = { nonce: 9, bytes: signed, signature: null };
  expect(bytes.nested(own)).toBeUndefined();
  own.nested = { ...own.nested, signature: { scheme: 'ecdsa', hex: 'ab'.repeat(65) } };
  const nested = bytes.nested(own);
  expect(nested?.payload).toEqual(signed.made?.envelope);
  expect(Buffer.from(nested?.signature.bytes ?? []).toString('hex')).toBe('ab'.repeat(65));
});
