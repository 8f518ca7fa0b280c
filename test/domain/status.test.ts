/** The answer to a question about an order. */
import { expect, test } from 'vitest';
import { statusReport } from '../../src/domain/status.ts';
import { Ladder } from './ladder.ts';

const { order, rules } = Ladder.live(10);

test('is no event: its ExecID is 0, its type is a status, and its time is that of the question', () => {
  expect(statusReport(order, rules, 9000)).toMatchObject({
    execType: 'order_status',
    execId: '0',
    ordStatus: 'new',
    order,
    clOrdId: 'X',
    fill: null,
    transactTimeMs: 9000,
  });
});

test('has the seq of the last event, and none before the first', () => {
  expect(statusReport({ ...order, lastSeq: 4 }, rules, 0).venueSeq).toBe(4);
  expect(statusReport({ ...order, lastSeq: 0 }, rules, 0).venueSeq).toBeNull();
});

test('has the pending states only if the client is to see them', () => {
  const canceling = { ...order, pending: { kind: 'cancel' } as never };
  expect(statusReport(canceling, { pendingStates: true }, 0).ordStatus).toBe('pending_cancel');
  expect(statusReport(canceling, { pendingStates: false }, 0).ordStatus).toBe('new');
});
