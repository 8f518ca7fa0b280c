/** Quotes in the desk: slots change hands with the stream, groups of cancels have no order to speak for them. */
import { expect, test } from 'vitest';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { Order, Phase } from '../../src/domain/order.ts';
import type { GroupInFlight } from '../../src/domain/quote-group.ts';
import { statusReport } from '../../src/domain/status.ts';
import type { Outcome } from '../../src/domain/transition.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { QuoteGroups, type QuotesInput } from '../../src/engine/quote-groups.ts';
import { account, Ladder, spot, terms } from '../domain/ladder.ts';
import { denied } from '../support/venue-denial.ts';

const instrument = instrumentsOf(spot)[0]!;
const wanted = terms({ qty: 10n as Qty });

function group(key: string, places: string[], cancels: string[] = []): QuotesInput {
  const flight: GroupInFlight = {
    key,
    quoteId: key,
    accountName: 'desk',
    response: 'all',
    single: null,
    setId: 's',
    entries: [],
    places,
    cancels,
    olds: cancels,
  };
  const orders = places.map((place, legIndex) => ({
    owner: ownerOf(place),
    clOrdId: place,
    instrument,
    terms: wanted,
    legIndex,
  }));
  const intent = { kind: 'group', market: spot.marketId, legs: [] } as const;
  return { kind: 'quotes', key, session: 'S', flight, orders, intent, nowMs: 0 };
}

function ownerOf(key: string) {
  return { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: 'Q', slot: 'slot' };
}

/** A report that leaves the order in this phase. */
function reportOf(key: string, phase: Phase) {
  const order: Order = { ...new Ladder(wanted).order, owner: ownerOf(key), phase };
  const report = statusReport(order, { pendingStates: true }, 0);
  const execType = phase === 'canceled' || phase === 'rejected' ? phase : 'new';
  const denial = phase === 'rejected' ? denied('post_only_would_cross') : null;
  return { ...report, execType, denial } as const;
}

const answered = (outcome: Outcome) =>
  ({ kind: 'answered', requestId: 'new', outcome, nowMs: 0 }) as const;
const sent = (legIds: string[]) =>
  ({
    kind: 'sent',
    requestId: 'new',
    venueRef: 'h',
    orderId: null,
    legIds: legIds as OrderId[],
    nowMs: 0,
  }) as const;

test('a slot is of the new quote once the stream shows it', () => {
  const orders = new QuoteGroups(() => true);
  orders.enter(group('g1', ['a']));
  expect(orders.keysOf('S', 'slot').at(-1)).toBe('a');
  orders.onReport(reportOf('a', 'live'));
  orders.enter(group('g2', ['b']));
  expect(orders.keysOf('S', 'slot').at(-1)).toBe('b');
  orders.onReport(reportOf('b', 'live'));
  orders.onReport(reportOf('a', 'canceled'));
  expect(orders.keysOf('S', 'slot').at(-1)).toBe('b');
  orders.onReport(reportOf('b', 'canceled'));
  expect(orders.keysOf('S', 'slot').at(-1)).toBeUndefined();
});

test('a refused quote leaves its slot to the order before', () => {
  const orders = new QuoteGroups(() => true);
  orders.enter(group('g1', ['a']));
  orders.onReport(reportOf('a', 'live'));
  orders.enter(group('g2', ['b']));
  const [said] = orders.onReport(reportOf('b', 'rejected'));
  expect(said?.answer).toMatchObject({ quoteId: 'g2', status: 'rejected' });
  expect(orders.keysOf('S', 'slot').at(-1)).toBe('a');
});

test('a quote that is withdrawn leaves its slot to all orders that were there before, also those on their way', () => {
  const orders = new QuoteGroups(() => true);
  orders.enter(group('g1', ['a']));
  orders.enter(group('g2', ['b']));
  orders.onReport(reportOf('b', 'rejected'));
  expect(orders.keysOf('S', 'slot')).toEqual(['a']);
  orders.onReport(reportOf('a', 'live'));
  expect(orders.keysOf('S', 'slot')).toEqual(['a']);
});

test('a slot of a journal that named its orders by their place is read', () => {
  const orders = new QuoteGroups(() => true);
  const former = { live: 'a', next: 'b' };
  orders.restore({ groups: [], flights: [], slots: [['S/slot', former]] });
  expect(orders.keysOf('S', 'slot')).toEqual(['a', 'b']);
});

test('an answer for a group is applied to each of its orders, with the id of its leg', () => {
  const orders = new QuoteGroups(() => true);
  orders.enter(group('g1', ['a', 'b']));
  expect(orders.fan('g1', sent(['v1', 'v2']))).toMatchObject([
    ['a', { orderId: 'v1', venueRef: 'h' }],
    ['b', { orderId: 'v2', venueRef: 'h' }],
  ]);
  const outcome = { kind: 'accepted', orderId: 'v1' as OrderId } as const;
  expect(orders.fan('g1', answered(outcome))).toMatchObject([
    ['a', { outcome: { kind: 'accepted', orderId: null } }],
    ['b', { outcome: { kind: 'accepted', orderId: null } }],
  ]);
  for (const key of ['a', 'b']) {
    expect(orders.group('g1')).toBeDefined();
    orders.onReport(reportOf(key, 'live'));
  }
  expect(orders.group('g1')).toBeUndefined();
});

test('a group of cancels is answered by its refusal, from HTTP or from the stream, once', () => {
  const orders = new QuoteGroups(() => true);
  orders.enter(group('g1', [], ['a']));
  orders.fan('g1', sent([]));
  orders.fan('g1', answered({ kind: 'accepted', orderId: null }));
  expect(orders.refused('g1', denied('order_not_open'))).toMatchObject([
    { session: 'S', answer: { status: 'rejected', oldQuotesStand: true } },
  ]);
  expect(orders.refused('g1', denied('order_not_open'))).toEqual([]);
});

test('a group of cancels is over when its orders have ended and HTTP has answered', () => {
  const orders = new QuoteGroups(() => true);
  orders.enter(group('g1', [], ['a']));
  expect(orders.onReport(reportOf('a', 'canceled'))).toMatchObject([
    { answer: { status: 'accepted' } },
  ]);
  expect(orders.group('g1')).toBeDefined();
  orders.fan('g1', answered({ kind: 'accepted', orderId: null }));
  expect(orders.group('g1')).toBeUndefined();
});

test('a group whose HTTP answer was lost with its process is over at a start, or once its client is answered', () => {
  const before = new QuoteGroups(() => true);
  for (const [key, member] of [
    ['shown', 'a'],
    ['sent again', 'b'],
    ['silent', 'c'],
  ] as const) {
    before.enter(group(key, [member]));
    before.fan(key, sent([`v${member}`]));
  }
  for (const member of ['a', 'b']) before.onReport(reportOf(member, 'live'));
  const orders = new QuoteGroups(() => true);
  orders.restore(before.state());
  orders.started((key) => key === 'sent again');
  const left = () => orders.state().groups.map(({ key }) => key);
  expect(left()).toEqual(['sent again', 'silent']);
  orders.onReport(reportOf('c', 'live'));
  expect(left()).toEqual(['sent again']);
});

test('a restored account continues where the other one was', () => {
  const orders = new QuoteGroups(() => true);
  orders.enter(group('g1', ['a']));
  orders.fan('g1', sent(['v1']));
  const restored = new QuoteGroups(() => true);
  restored.restore(orders.state());
  expect(restored.state()).toEqual(orders.state());
  expect(restored.keysOf('S', 'slot').at(-1)).toBe('a');
  expect(restored.onReport(reportOf('a', 'live'))).toHaveLength(1);
});

test('a group of cancels is in flight until its orders have ended, over a restart, too', () => {
  const before = new QuoteGroups(() => true);
  before.enter(group('g1', ['a']));
  before.onReport(reportOf('a', 'live'));
  before.enter(group('g2', [], ['a']));
  before.fan('g2', sent([]));
  const orders = new QuoteGroups(() => true);
  orders.restore(before.state());
  expect(orders.isInFlight('g2')).toBe(true);
  orders.onReport(reportOf('a', 'canceled'));
  expect(orders.isInFlight('g2')).toBe(false);
});
