/** When a quote is acknowledged (contract C.7). */
import { describe, expect, test } from 'vitest';
import {
  applyReport,
  type GroupAnswer,
  type GroupInFlight,
  isQuoteReportWanted,
  type Stands,
} from '../../src/domain/quote-group.ts';
import type { Qty } from '../../src/domain/units.ts';
import { denied } from '../support/venue-denial.ts';
import { Ladder, lineOf, terms } from './ladder.ts';

const entry = {
  entryId: 'e1',
  instrument: { symbol: 'RAIN', securityId: null, book: 'YES' },
  denial: null,
} as const;

/** A group that places the ladder's order `o1`. */
const placing: GroupInFlight = {
  key: 'g1',
  quoteId: 'Q1',
  accountName: 'desk',
  response: 'all',
  single: null,
  setId: 's',
  entries: [entry],
  places: ['o1'],
  cancels: [],
};

const quote = () => new Ladder(terms({ qty: 10n as Qty }), {}, 'Q1');

/** The answers to a group while the ladder's reports come in. */
function heard(
  group: GroupInFlight,
  order: Ladder,
  stands: Stands = () => true,
): readonly GroupAnswer[] {
  let groups: readonly GroupInFlight[] = [group];
  const answers: GroupAnswer[] = [];
  for (const report of order.reports) {
    const step = applyReport(groups, report, stands);
    groups = step.groups;
    answers.push(...step.answers);
  }
  return answers;
}

describe('R103: the acknowledgement of a group', () => {
  test('comes with the stream, not with the HTTP answer', () => {
    const order = quote();
    order.sent();
    order.accept();
    expect(heard(placing, order)).toEqual([]);
    order.event('resting');
    expect(heard(placing, order)).toMatchObject([
      { status: 'accepted', denial: null, oldQuotesStand: null, sets: [{ setId: 's' }] },
    ]);
  });

  test('waits for every order that is placed or canceled', () => {
    const order = quote();
    order.sent();
    order.event('resting');
    expect(heard({ ...placing, places: ['o1', 'o2'] }, order)).toEqual([]);
    expect(heard({ ...placing, places: [], cancels: ['o1'] }, order)).toEqual([]);
    order.event('canceled');
    expect(heard({ ...placing, places: [], cancels: ['o1'] }, order)).toMatchObject([
      { status: 'accepted' },
    ]);
  });

  test('does not wait for an order that is refused, or that ends with what was asked of it before', () => {
    const withdrawing = { ...placing, places: [], cancels: ['o1'] };
    const refused = quote();
    refused.sent();
    refused.refuse('new', denied('post_only_would_cross'));
    expect(heard(withdrawing, refused)).toMatchObject([{ status: 'accepted' }]);
    // A replace to what is filled cancels the rest, and a trade is busted meanwhile.
    const reduced = quote();
    reduced.sent();
    reduced.event('resting');
    reduced.fill(8);
    reduced.replace('R', 8);
    reduced.requestSent('R');
    const execId = reduced.order.executions[0]?.execId ?? '';
    reduced.step({ kind: 'bust', execId, nowMs: 3000 });
    expect(reduced.event('canceled')).toEqual(['8 150=5 39=4 11=R 41=X 38=8 14=0 151=0 638=0']);
    expect(heard(withdrawing, reduced)).toMatchObject([{ status: 'accepted' }]);
  });

  test('says once that a refused group left the old quotes', () => {
    const order = quote();
    order.sent();
    order.refuse('new', denied('post_only_would_cross'));
    expect(heard({ ...placing, places: ['o1', 'o2'], olds: ['old1'] }, order)).toMatchObject([
      {
        status: 'rejected',
        oldQuotesStand: true,
        sets: [{ entries: [{ denial: { refusal: { name: 'post_only_would_cross' } } }] }],
      },
    ]);
  });

  test.each([
    [[true, true], true],
    [[false, false], false],
    [[false, true], null],
    [[null, null], null],
    [[false, null], null],
    [[], null],
  ] as const)('says of old quotes that stand or not, or may end, as %j: %j', (standing, said) => {
    const order = quote();
    order.sent();
    order.refuse('new', denied('post_only_would_cross'));
    const olds = standing.map((_, index) => `${index}`);
    const stands = (key: string) => standing[Number(key)] ?? null;
    expect(heard({ ...placing, olds }, order, stands)).toMatchObject([{ oldQuotesStand: said }]);
  });

  test('level 0 says nothing, level 1 only refusals', () => {
    const good = quote();
    good.sent();
    good.event('resting');
    const bad = quote();
    bad.sent();
    bad.refuse('new', denied('insufficient_usdc'));
    expect(heard({ ...placing, response: 'none' }, bad)).toEqual([]);
    expect(heard({ ...placing, response: 'refusals' }, good)).toEqual([]);
    expect(heard({ ...placing, response: 'refusals' }, bad)).toHaveLength(1);
  });
});

test('a side of a quote ends when another quote takes its place, and only then', () => {
  const order = quote();
  order.sent('v1');
  expect(order.event('replaced', { id: 'v1', parent: 'v0' })).toContain(
    '8 150=0 39=0 11=X 38=10 14=0 151=10',
  );
  expect(order.event('replaced', { id: 'v9', parent: 'v8' })).toEqual([]);
  expect(order.event('replaced', { id: 'v2', parent: 'v1', isDisplaced: true })).toEqual([
    '8 150=4 39=4 11=X 38=10 14=0 151=0 378=market_option',
  ]);
});

test('the quote that takes the place of a side is not taken for the child of a replace of that side', () => {
  const order = quote();
  order.sent('v1');
  order.event('resting', { id: 'v1' });
  order.replace('R', 5, 11);
  order.requestSent('R', 'v2');
  // The venue may leave out the action.
  order.event('replaced', { id: 'v9', parent: 'v1', isDisplaced: true });
  expect(order.order).toMatchObject({ phase: 'canceled', orderId: 'v1', pending: null });
  expect(order.reports.map(lineOf).slice(-2)).toEqual([
    '8 150=4 39=4 11=X 38=10 14=0 151=0 378=market_option',
    '9 434=2 11=R 41=X 39=4 102=0 bridge.too_late',
  ]);
});

test('a side of a quote that somebody else replaces goes on under the new id', () => {
  const order = quote();
  order.sent('v1');
  order.event('resting', { id: 'v1' });
  order.event('replaced', { id: 'v2', parent: 'v1', qty: 4, price: 11 });
  expect(order.order).toMatchObject({ phase: 'live', orderId: 'v2', leavesQty: 4n });
  order.event('canceled', { id: 'v2' });
  expect(order.order.phase).toBe('canceled');
  // Also if it was told to be over before, which the event disproves.
  order.event('replaced', { id: 'v3', parent: 'v2', qty: 4, price: 11 });
  expect(order.order).toMatchObject({ phase: 'live', orderId: 'v3' });
});

describe('of the orders behind quotes a client hears', () => {
  const told = (order: Ladder, all: boolean) =>
    order.reports.filter((report) => isQuoteReportWanted(report, all)).map(lineOf);
  const resting = () => {
    const order = quote();
    order.sent();
    order.accept();
    order.event('resting');
    return order;
  };

  test('the trades, and the rest on request', () => {
    const order = resting();
    order.fill(4);
    order.event('canceled');
    expect(told(order, false)).toEqual([expect.stringContaining('8 150=F')]);
    expect(told(order, true)).toEqual(order.reports.map(lineOf));
  });

  test('that an order is live although its quote was refused', () => {
    const order = quote();
    order.sent();
    order.refuse('new', denied('post_only_would_cross'));
    order.event('resting');
    expect(told(order, false)).toEqual([expect.stringContaining('8 150=D 39=0')]);
  });

  test('what became of its own cancels and replaces', () => {
    const order = resting();
    order.replace('R', 5);
    order.requestSent('R');
    order.event('amended', { leaves: 5, hash: 'h-R' });
    order.cancel('C');
    order.event('canceled');
    order.cancel('D');
    expect(told(order, false)).toEqual([
      expect.stringContaining('8 150=E 39=E 11=R 41=X'),
      expect.stringContaining('8 150=5 39=0 11=R 41=X'),
      expect.stringContaining('8 150=6 39=6 11=C 41=R'),
      expect.stringContaining('8 150=4 39=4 11=C 41=R'),
      expect.stringContaining('9 434=1 11=D 41=R 39=4 102=0'),
    ]);
  });

  test('that the excess of its replace is gone', () => {
    const order = resting();
    order.replace('R', 12);
    order.requestSent('R', 'v2');
    order.fill(3);
    order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-R', qty: 12 });
    order.requestSent('trim-1');
    order.event('amended', { id: 'v2', hash: 'h-trim-1', leaves: 9 });
    expect(told(order, false).at(-1)).toBe(
      '8 150=D 39=1 11=R 38=12 14=3 151=9 378=partial_decline',
    );
  });

  test('nothing of a cancel by the bridge, or of an end that another quote causes', () => {
    const canceled = resting();
    canceled.step({ kind: 'own_cancel', text: 'mass cancel', nowMs: 2000 });
    canceled.event('canceled');
    const replaced = resting();
    replaced.event('replaced', { id: 'v2', parent: 'v1', isDisplaced: true });
    for (const order of [canceled, replaced]) {
      expect(order.order.phase).toBe('canceled');
      expect(told(order, false)).toEqual([]);
    }
  });
});
