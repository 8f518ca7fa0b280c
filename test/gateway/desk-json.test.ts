/** The journal's text of what every order leaves is written by hand; it says what `exactJson` says, whatever it holds. */
import { expect, test } from 'vitest';
import type { StreamEvent } from '../../src/domain/event.ts';
import { exactJson } from '../../src/domain/exact-json.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { Owner } from '../../src/domain/order.ts';
import type { Terms } from '../../src/domain/terms.ts';
import type { FeeMicro, MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import type { DeskInput } from '../../src/gateway/desk.ts';
import { actionJson, inputJson } from '../../src/gateway/desk-json.ts';
import type { PreparedAction } from '../../src/gateway/prepared-action.ts';
import { account, silentEvent, spot, terms } from '../domain/ladder.ts';

/** What a client may choose, as far as its protocol lets it. */
const wild = 'a"b\\c\u0001d\u00e9\ud800';
const id = `0x${'ab'.repeat(32)}` as OrderId;
const instrument = instrumentsOf(spot)[0]!;

/** All members, so that one that is added to a type fails here until it is added. */
const owner: Required<Owner> = {
  session: wild,
  account,
  accountName: wild,
  tag: wild,
  key: wild,
  quoteId: wild,
  slot: wild,
};
const { slot: _, ...unquoted } = owner;
const conditional: Partial<Terms> = {
  price: null,
  expiresAtMs: 5,
  cancelAtMs: 6,
  isMarket: true,
  reduceOnly: true,
  stp: 'cancel_maker',
  strategy: { kind: 'twap', sliceQty: 5n as Qty, intervalMs: 60_000 },
  trigger: { price: 3n as Price, direction: 'at_or_above', kind: 'stop_loss' },
};
const fill: StreamEvent = {
  seq: 8,
  prevSeq: 7,
  kind: 'fill',
  account,
  market: 3 as MarketId,
  book: 'YES',
  orderId: id,
  parentOrderId: id,
  legIndex: 2,
  clientOrderId: wild,
  nonce: 2n ** 53n,
  actionHash: id,
  side: 'Ask',
  price: 1n as Price,
  qty: 2n as Qty,
  filledQty: 3n as Qty,
  leavesQty: 4n as Qty,
  status: 'partially_filled',
  reason: null,
  fill: {
    fillId: wild,
    price: 5n as Price,
    qty: 6n as Qty,
    feeMicro: -7n as FeeMicro,
    liquidity: 'maker',
    tsMs: 9,
  },
  nonceConsumed: true,
  engineTsMs: 10,
  serverTsMs: 11,
};
const reason = { code: wild, number: null, text: wild };

function entry(of: Owner, changes: Partial<Terms> = {}): DeskInput {
  const wanted = terms({ qty: (2n ** 60n) as Qty, ...changes });
  return { kind: 'entry', owner: of, clOrdId: wild, terms: wanted, nowMs: 7, instrument };
}

function sent(more: object): DeskInput {
  const input = { kind: 'sent', requestId: wild, actionHash: id, orderId: id, ...more, nowMs: 9 };
  return { kind: 'order', key: wild, input: input as never };
}

const inputs: Readonly<Record<string, DeskInput>> = {
  'an entry': entry({ ...unquoted, quoteId: null }),
  'an entry with all that there is': entry(owner, conditional),
  'an order that is sent': sent({}),
  'a conditional order that is sent': sent({ orderId: null, firedOrderId: id }),
  'a group that is sent': sent({ legIds: [id, null] }),
  'another input of an order': {
    kind: 'order',
    key: wild,
    input: { kind: 'cancel', clOrdId: wild, origModTimeMs: null, nowMs: 1 },
  },
  'a fill': { kind: 'event', event: fill },
  'an event that says little': { kind: 'event', event: silentEvent },
  'a refusal': { kind: 'event', event: { ...silentEvent, kind: 'rejected', reason } },
  'a ClOrdID that is spent': { kind: 'spent', session: wild, clOrdId: wild },
};

test.each(Object.entries(inputs))('%s says what exactJson says of it', (_, input) => {
  expect(JSON.parse(inputJson(input))).toStrictEqual(JSON.parse(exactJson(input)));
});

test.each([id, null])(
  'an action with the order id %s says what exactJson says of it',
  (orderId) => {
    const action: PreparedAction = {
      key: wild,
      requestId: wild,
      nonce: 2n ** 53n - 1n,
      actionHash: id,
      orderId,
      canonical: `{"client_order_id":"${wild}"}`,
    };
    expect(JSON.parse(actionJson(action))).toStrictEqual(JSON.parse(exactJson(action)));
  },
);
