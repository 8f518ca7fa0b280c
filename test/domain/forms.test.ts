/** Orders, events and reports come back from the store exactly as they were written. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  executionReportForm,
  orderForm,
  originatorForm,
  termsForm,
} from '../../src/domain/forms.ts';
import type { Order } from '../../src/domain/order.ts';
import type { ExecutionReport } from '../../src/domain/report.ts';
import { Rows } from '../../src/domain/rows.ts';
import type { Terms } from '../../src/domain/terms.ts';
import { Ladder } from './ladder.ts';

const again = <T>(
  form: { write(value: T): string | undefined; read(stored: unknown): T },
  value: T,
) => form.read(JSON.parse(form.write(value) ?? 'null'));

const amounts = fc.bigInt({ min: 0n, max: 2n ** 70n });
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const texts = fc.string({ maxLength: 8 });
const times = fc.nat();
const someTerms = fc
  .record({
    side: fc.constantFrom('Bid', 'Ask'),
    ordType: fc.constantFrom('limit', 'market', 'stop'),
    lifetime: fc.constantFrom('gtc', 'day', 'gtd'),
    qty: amounts,
    price: maybe(amounts),
    limitPrice: amounts,
    timeInForce: fc.constantFrom('gtc', 'ioc', 'post_only'),
    expiresAtMs: maybe(times),
    cancelAtMs: maybe(times),
    isMarket: fc.boolean(),
    reduceOnly: fc.boolean(),
    stp: maybe(fc.constantFrom('reject', 'cancel_taker')),
    strategy: maybe(
      fc.record({ kind: fc.constant('twap'), sliceQty: amounts, intervalMs: maybe(times) }),
    ),
    trigger: maybe(
      fc.record({
        price: amounts,
        direction: fc.constant('at_or_above'),
        kind: fc.constant('stop_loss'),
      }),
    ),
  })
  .map((each) => structuredClone(each) as unknown as Terms);
const execution = fc.record(
  {
    fillId: texts,
    execId: texts,
    price: amounts,
    qty: amounts,
    feeMicro: fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
    amendedBy: texts,
  },
  { requiredKeys: ['fillId', 'execId', 'price', 'qty', 'feeMicro'] },
);
const { order: base } = Ladder.live(10);
const someOrders = fc
  .record({
    terms: someTerms,
    clOrdId: texts,
    phase: fc.constantFrom('created', 'pending_new', 'live', 'filled', 'canceled', 'rejected'),
    submission: fc.constantFrom('open', 'answered', 'unknown'),
    orderId: maybe(texts),
    parentOrderId: maybe(texts),
    firedOrderId: maybe(texts),
    venueRef: maybe(texts),
    triggered: fc.boolean(),
    cumQty: amounts,
    leavesQty: amounts,
    notional: amounts,
    unseenQty: amounts,
    carriedQty: amounts,
    executions: fc.array(execution, { maxLength: 3 }),
    pending: maybe(
      fc.record({
        kind: fc.constant('trim'),
        requestId: texts,
        held: fc.boolean(),
        venueRef: maybe(texts),
        refused: fc.constant(null),
        qty: amounts,
      }),
    ),
    ownCancel: maybe(texts),
    lastSeq: times,
    modTimeMs: times,
    ownReports: times,
    ownRequests: times,
  })
  .map((more) => structuredClone({ ...base, ...more }) as unknown as Order);

test('every order comes back as it was, with all of its members', () => {
  fc.assert(
    fc.property(someOrders, (order) => {
      expect(again(orderForm, order)).toStrictEqual(order);
    }),
    { numRuns: 60 },
  );
});

test('orders come back from the rows of a table as they were', () => {
  const table = new Rows(orderForm);
  const owned = fc
    .tuple(someOrders, fc.option(fc.constantFrom('a', 'b'), { nil: undefined }))
    .map(([order, slot]) => {
      return slot === undefined ? order : { ...order, owner: { ...order.owner, slot } };
    });
  fc.assert(
    fc.property(fc.array(owned, { maxLength: 4 }), (orders) => {
      const { heading, rows } = table.write(orders);
      const read = table.reader(JSON.parse(heading));
      expect(rows.map((row) => read(JSON.parse(row)))).toStrictEqual(orders);
    }),
    { numRuns: 60 },
  );
});

test('every terms come back as they were', () => {
  fc.assert(
    fc.property(someTerms, (terms) => {
      expect(again(termsForm, terms)).toStrictEqual(terms);
    }),
  );
});

test('the reports of a life of an order come back as they were', () => {
  const ladder = Ladder.live(10);
  ladder.replace('R', 8);
  ladder.fill(3);
  ladder.cancel('C');
  ladder.event('canceled');
  const executions = ladder.reports.filter((each) => each.kind === 'execution');
  expect(executions.length).toBeGreaterThan(3);
  for (const report of executions as ExecutionReport[]) {
    expect(again(executionReportForm, report)).toStrictEqual(report);
  }
});

test('an originator comes back as it was', () => {
  const originator = { session: 'S', compId: 'A', users: ['u', 'v'] };
  expect(again(originatorForm, originator)).toStrictEqual(originator);
});

test('what a record leaves out means the same as in every earlier version', () => {
  const terms = { side: 'Bid', ordType: 'limit', qty: '5', limitPrice: '7' };
  expect(termsForm.read(terms)).toEqual({
    ...terms,
    lifetime: 'gtc',
    qty: 5n,
    price: null,
    limitPrice: 7n,
    timeInForce: 'gtc',
    expiresAtMs: null,
    cancelAtMs: null,
    isMarket: false,
    reduceOnly: false,
    stp: null,
    strategy: null,
    trigger: null,
  });
  const { owner, instrument } = JSON.parse(orderForm.write(base) ?? '');
  const stored = { owner, instrument, terms, clOrdId: 'A', lastSeq: 3, modTimeMs: 4 };
  expect(orderForm.read(stored)).toMatchObject({
    phase: 'live',
    submission: 'answered',
    triggered: false,
    cumQty: 0n,
    leavesQty: 0n,
    notional: 0n,
    unseenQty: 0n,
    carriedQty: 0n,
    executions: [],
    pending: null,
    ownReports: 0,
    ownRequests: 0,
    instrument: { market: { status: 'open' } },
  });
});
