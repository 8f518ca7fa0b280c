/** What an order is: its state, its average price, and the ids of its requests. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  averageOf,
  clOrdIdOf,
  hasEnded,
  isLeaving,
  isOfOtherChannel,
  type Order,
  type OrdStatus,
  otherChannel,
  type Pending,
  type Phase,
  requestIdOf,
  statusOf,
} from '../../src/domain/order.ts';
import { averageScale, type Qty } from '../../src/domain/units.ts';
import { Ladder, terms } from './ladder.ts';

const ordered = (changes: Partial<Order> = {}): Order => ({
  ...new Ladder(terms({ qty: 10n as Qty })).order,
  ...changes,
});
const pending = (kind: string) => ({ kind }) as Pending;

test('a new order owns nothing yet: all of it is left, and none is filled', () => {
  expect(ordered()).toMatchObject({
    phase: 'created',
    submission: 'open',
    leavesQty: 10n,
    cumQty: 0n,
    carriedQty: 0n,
    modTimeMs: 1000,
  });
});

test('the average price is that of the trades which the bridge saw, whatever was filled before', () => {
  const order = ordered({ notional: 120n, cumQty: 30n as Qty, unseenQty: 20n as Qty });
  expect(averageOf(order)).toBe(averageOf(ordered({ notional: 120n, cumQty: 10n as Qty })));
  expect(averageOf(ordered({ cumQty: 20n as Qty, unseenQty: 20n as Qty }))).toBe(0n);
});

test('the average price has two digits more than a price, up to the scale that SBE can express', () => {
  const average = (priceScale: number) => {
    const { instrument } = ordered();
    const market = { ...instrument.market, priceScale };
    const order = ordered({
      notional: 15n,
      cumQty: 10n as Qty,
      instrument: { ...instrument, market },
    });
    return [averageOf(order), averageScale(priceScale)];
  };
  expect([0, 16, 17, 18].map(average)).toEqual([
    [150n, 2],
    [150n, 18],
    [15n, 18],
    [2n, 18],
  ]);
});

test.each<[Phase, bigint, OrdStatus, boolean]>([
  ['created', 0n, 'pending_new', false],
  ['pending_new', 0n, 'pending_new', false],
  ['live', 0n, 'new', false],
  ['live', 1n, 'partially_filled', false],
  ['filled', 10n, 'filled', true],
  ['canceled', 3n, 'canceled', true],
  ['expired', 0n, 'expired', true],
  ['rejected', 0n, 'rejected', true],
])('an order that is %s with %d filled has the status %s', (phase, filled, status, ended) => {
  const order = ordered({ phase, cumQty: filled as Qty });
  expect(statusOf(order, { pendingStates: true })).toBe(status);
  expect(statusOf(order, { pendingStates: false })).toBe(status);
  expect(hasEnded(order)).toBe(ended);
});

test.each<[Pending['kind'], OrdStatus, boolean]>([
  ['cancel', 'pending_cancel', true],
  ['replace', 'pending_replace', false],
  ['own_cancel', 'partially_filled', true],
  ['trim', 'partially_filled', false],
])(
  'while a %s is in flight the status is %s, unless the client has no pending states',
  (kind, status, leaves) => {
    const order = ordered({ phase: 'live', cumQty: 1n as Qty, pending: pending(kind) });
    expect(statusOf(order, { pendingStates: true })).toBe(status);
    expect(statusOf(order, { pendingStates: false })).toBe('partially_filled');
    expect(isLeaving(order)).toBe(leaves);
  },
);

test('an order leaves as soon as the bridge has decided to cancel it, before the cancel is sent', () => {
  const order = ordered({ phase: 'live', pending: pending('replace'), ownCancel: 'kill switch' });
  expect(isLeaving(order)).toBe(true);
  expect(isLeaving(ordered())).toBe(false);
});

test('an order without a session came through another channel of the venue', () => {
  const { owner } = ordered();
  expect(isOfOtherChannel(ordered())).toBe(false);
  expect(isOfOtherChannel(ordered({ owner: { ...owner, session: otherChannel } }))).toBe(true);
});

/** ClOrdIDs as clients choose them, many of which look like ids of the bridge's own requests. */
const clOrdIds = fc.oneof(
  fc.stringMatching(/^(new|own-\d{1,3}|trim-\d{1,3})$/),
  fc.stringMatching(/^(new|own-|trim-)[ -~]{0,4}$/),
  fc.stringMatching(/^[ -~]{1,20}$/),
);

test('the id of a request gives its ClOrdID back, and two ClOrdIDs never share one', () => {
  fc.assert(
    fc.property(clOrdIds, clOrdIds, (one, another) => {
      expect(clOrdIdOf(requestIdOf(one))).toBe(one);
      expect(requestIdOf(one) === requestIdOf(another)).toBe(one === another);
    }),
  );
});

test.each(['new', 'own-1', 'own-12', 'trim-3', 'trim-34'])(
  "a client who calls a request %s does not get the bridge's own request",
  (clOrdId) => expect(requestIdOf(clOrdId)).not.toBe(clOrdId),
);
