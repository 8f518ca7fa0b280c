/** Quotes in the desk: slots change hands with the stream, groups of cancels have no order to speak for them. */
import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { Order, Phase } from '../../src/domain/order.ts';
import type { GroupInFlight } from '../../src/domain/quote-group.ts';
import { statusReport } from '../../src/domain/status.ts';
import type { Outcome } from '../../src/domain/transition.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { QuoteDesk, type QuotesInput } from '../../src/gateway/quote-desk.ts';
import { account, Ladder, spot, terms } from '../domain/ladder.ts';

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
  const denial = phase === 'rejected' ? deny('post_only_would_cross') : null;
  return { ...report, execType, denial } as const;
}

const answered = (outcome: Outcome) =>
  ({ kind: 'answered', requestId: 'new', outcome, nowMs: 0 }) as const;
const sent = (legIds: string[]) =>
  ({
    kind: 'sent',
    requestId: 'new',
    actionHash: 'h',
    orderId: null,
    legIds: legIds as OrderId[],
    nowMs: 0,
  }) as const;

test('a slot is of the new quote once the stream shows it', () => {
  const desk = new QuoteDesk();
  desk.enter(group('g1', ['a']));
  expect(desk.keyOf('S', 'slot')).toBe('a');
  desk.hear(reportOf('a', 'live'));
  desk.enter(group('g2', ['b']));
  expect(desk.keyOf('S', 'slot')).toBe('b');
  desk.hear(reportOf('b', 'live'));
  desk.hear(reportOf('a', 'canceled'));
  expect(desk.keyOf('S', 'slot')).toBe('b');
  desk.hear(reportOf('b', 'canceled'));
  expect(desk.keyOf('S', 'slot')).toBeUndefined();
});

test('a refused quote leaves its slot to the order before', () => {
  const desk = new QuoteDesk();
  desk.enter(group('g1', ['a']));
  desk.hear(reportOf('a', 'live'));
  desk.enter(group('g2', ['b']));
  const [said] = desk.hear(reportOf('b', 'rejected'));
  expect(said?.answer).toMatchObject({ quoteId: 'g2', status: 'rejected' });
  expect(desk.keyOf('S', 'slot')).toBe('a');
});

test('what is said of a group is said to each of its orders, with the id of its own leg', () => {
  const desk = new QuoteDesk();
  desk.enter(group('g1', ['a', 'b']));
  expect(desk.fan('g1', sent(['v1', 'v2']))).toMatchObject([
    ['a', { orderId: 'v1', actionHash: 'h' }],
    ['b', { orderId: 'v2', actionHash: 'h' }],
  ]);
  const outcome = { kind: 'accepted', orderId: 'v1' as OrderId } as const;
  expect(desk.fan('g1', answered(outcome))).toMatchObject([
    ['a', { outcome: { kind: 'accepted', orderId: null } }],
    ['b', { outcome: { kind: 'accepted', orderId: null } }],
  ]);
  expect(desk.group('g1')).toBeUndefined();
});

test('a group of cancels is answered by its refusal, from HTTP or from the stream, once', () => {
  const desk = new QuoteDesk();
  desk.enter(group('g1', [], ['a']));
  desk.fan('g1', sent([]));
  desk.fan('g1', answered({ kind: 'accepted', orderId: null }));
  expect(desk.refused('g1', deny('order_not_open'))).toMatchObject([
    { session: 'S', answer: { status: 'rejected', oldQuotesStand: true } },
  ]);
  expect(desk.refused('g1', deny('order_not_open'))).toEqual([]);
});

test('a group of cancels is over when its orders have ended and HTTP has answered', () => {
  const desk = new QuoteDesk();
  desk.enter(group('g1', [], ['a']));
  expect(desk.hear(reportOf('a', 'canceled'))).toMatchObject([{ answer: { status: 'accepted' } }]);
  expect(desk.group('g1')).toBeDefined();
  desk.fan('g1', answered({ kind: 'accepted', orderId: null }));
  expect(desk.group('g1')).toBeUndefined();
});

test('a restored desk goes on where the other was', () => {
  const desk = new QuoteDesk();
  desk.enter(group('g1', ['a']));
  desk.fan('g1', sent(['v1']));
  const restored = new QuoteDesk();
  restored.restore(desk.state());
  expect(restored.state()).toEqual(desk.state());
  expect(restored.keyOf('S', 'slot')).toBe('a');
  expect(restored.hear(reportOf('a', 'live'))).toHaveLength(1);
});

test('a group of cancels is in flight until its orders have ended, over a restart, too', () => {
  const before = new QuoteDesk();
  before.enter(group('g1', ['a']));
  before.hear(reportOf('a', 'live'));
  before.enter(group('g2', [], ['a']));
  before.fan('g2', sent([]));
  const desk = new QuoteDesk();
  desk.restore(before.state());
  expect(desk.isInFlight('g2')).toBe(true);
  desk.hear(reportOf('a', 'canceled'));
  expect(desk.isInFlight('g2')).toBe(false);
});
