/** The reports of one step of an order: each has its own ExecID(17), and the same event gives the same ones again. */
import { expect, test } from 'vitest';
import { change, type Draft, nextExecId, rejectRequest, report } from '../../src/domain/draft.ts';
import type { StreamEvent } from '../../src/domain/event.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { denied } from '../support/venue-denial.ts';
import { fullRules, Ladder, silentEvent } from './ladder.ts';

function draft(event: Partial<StreamEvent> | null, more: Partial<Draft['order']> = {}): Draft {
  const order = { ...Ladder.live(10).order, ...more };
  const of = event && {
    ...silentEvent,
    seq: 9,
    engineTsMs: 4000,
    orderId: order.orderId,
    ...event,
  };
  return {
    order,
    reports: [],
    requests: [],
    rules: fullRules,
    event: of,
    isDisplaced: false,
    nowMs: 7000,
  };
}
const execIds = ({ reports }: Draft) =>
  reports.map((each) => (each.kind === 'execution' ? each.execId : each.kind));

test('reports of an event are numbered within it, so that the event gives the same ones again', () => {
  const on = draft({});
  report(on, 'new');
  report(on, 'trade');
  expect(execIds(on)).toEqual(['T-9-0', 'T-9-1']);
  expect(on.order.ownReports).toBe(draft({}).order.ownReports);
});

test('a refusal of a request is no execution, and takes no ExecID', () => {
  const on = draft({});
  rejectRequest(on, { kind: 'cancel', clOrdId: 'c' }, denied('bridge.too_late'));
  report(on, 'trade');
  expect(execIds(on)).toEqual(['cancel_reject', 'T-9-0']);
});

test('the two orders of one replaced event never share an ExecID', () => {
  expect(nextExecId(draft({ kind: 'replaced' }))).toBe('T-9-0');
  expect(nextExecId(draft({ kind: 'replaced', orderId: 'v2' as OrderId }))).toBe('T-9-10');
  expect(nextExecId(draft({ kind: 'canceled', orderId: 'v2' as OrderId }))).toBe('T-9-0');
});

test('reports without an event are counted by the order itself', () => {
  const on = draft(null, { ownReports: 4 });
  report(on, 'pending_cancel');
  report(on, 'canceled');
  expect(execIds(on)).toEqual(['o1-5', 'o1-6']);
  expect(on.order.ownReports).toBe(6);
});

test('a report shows the order after the change, and the time and seq of its event', () => {
  const on = draft({ legIndex: 2 });
  change(on, { cumQty: 4n as Qty, leavesQty: 6n as Qty });
  report(on, 'trade', { clOrdId: 'other' });
  expect(on.reports[0]).toMatchObject({
    execType: 'trade',
    ordStatus: 'partially_filled',
    order: { cumQty: 4n, leavesQty: 6n },
    clOrdId: 'other',
    venueSeq: 9,
    legIndex: 2,
    transactTimeMs: 4000,
  });
});

test('a report without an event has the time of the step and no seq', () => {
  const on = draft(null);
  report(on, 'canceled');
  expect(on.reports[0]).toMatchObject({ venueSeq: null, legIndex: null, transactTimeMs: 7000 });
});

test('a change never touches the order that the step began with', () => {
  const on = draft(null);
  const { order } = on;
  change(on, { phase: 'canceled' });
  expect([order.phase, on.order.phase]).toEqual(['live', 'canceled']);
});

test('a refused request names the order as it is, and does not change it', () => {
  const on = draft(null);
  const { order } = on;
  const denial = denied('bridge.too_late');
  rejectRequest(on, { kind: 'replace', clOrdId: 'c' }, denial);
  expect(on.order).toBe(order);
  expect(on.reports).toEqual([
    {
      kind: 'cancel_reject',
      request: 'replace',
      clOrdId: 'c',
      origClOrdId: 'X',
      ordStatus: 'new',
      order,
      denial,
      transactTimeMs: 7000,
    },
  ]);
});
