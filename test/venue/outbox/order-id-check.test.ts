/** Our order ids against the venue's (R10), and answers that were delivered to the wrong request (decision 0255). */
import { expect, test } from 'vitest';
import type { OrderId } from '../../../src/domain/units.ts';
import type { NewOrders } from '../../../src/signer/digest.ts';
import { OrderIdCheck } from '../../../src/venue/outbox/order-id-check.ts';
import { newSubmission, type Submission } from '../../../src/venue/outbox/submission.ts';
import { cancel, place } from './life-run.ts';

const [ours, theirs] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`] as [OrderId, OrderId];
const placed = { kind: 'order', orderId: ours } as const;

function checked() {
  const alarms: string[] = [];
  return { alarms, ids: new OrderIdCheck((code, text) => alarms.push(`${code}: ${text}`)) };
}

test('R10: another order id of the venue is alarmed with both, and stops that kind alone', () => {
  const { alarms, ids } = checked();
  ids.compare(sent(placed), [theirs]);
  expect(alarms).toHaveLength(1);
  expect(alarms[0]).toContain(ours);
  expect(alarms[0]).toContain(theirs);
  expect(ids.stopped(place)).toContain('kind place');
  expect(ids.stopped(cancel)).toBeUndefined();
});

test('a start of the bridge lets it try again', () => {
  const { ids } = checked();
  ids.compare(sent(placed), [theirs]);
  ids.reset();
  expect(ids.stopped(place)).toBeUndefined();
});

test('ids that agree, and answers that name none, stop nothing', () => {
  const { alarms, ids } = checked();
  ids.compare(sent(placed), [ours]);
  ids.compare(sent(placed), []);
  ids.compare(sent({ kind: 'none' }), [theirs]);
  expect(alarms).toEqual([]);
  expect(ids.stopped(place)).toBeUndefined();
});

test('R10: a single submit names the first placing leg, and a batch each leg', () => {
  const [first, second] = [ours, `0x${'c'.repeat(64)}` as OrderId];
  const quote = sent({ kind: 'legs', legIds: [null, first, second] });
  const isOdd = (answered: readonly (OrderId | null)[]) => {
    const { alarms, ids } = checked();
    ids.compare(quote, answered);
    return alarms.length > 0;
  };
  expect([[first], [null, first, second], [null, null, second]].map(isOdd)).toEqual([
    false,
    false,
    false,
  ]);
  expect([[second], [null, theirs, second], [null, null, theirs]].map(isOdd)).toEqual([
    true,
    true,
    true,
  ]);
});

test('an acceptance is of another action where it names an order and this one places none, or where it names another’s', () => {
  const { alarms, ids } = checked();
  const orders = { isOfAnother: (key: string, id: OrderId) => key === 'k' && id === theirs };
  const isOfAnother = (made: NewOrders, named: OrderId | null) =>
    ids.isOfAnother(sent(made, 'k'), [named], orders);
  expect(isOfAnother({ kind: 'none' }, ours)).toBe(true);
  expect(isOfAnother({ kind: 'legs', legIds: [null, null] }, ours)).toBe(true);
  // The quote withdraws its bid and places its offer.
  expect(isOfAnother({ kind: 'legs', legIds: [null, ours] }, ours)).toBe(false);
  expect(isOfAnother({ kind: 'legs', legIds: [null, ours] }, theirs)).toBe(true);
  expect(isOfAnother(placed, ours)).toBe(false);
  expect(isOfAnother(placed, null)).toBe(false);
  expect(alarms).toHaveLength(3);
  expect(alarms[2]).toContain(`new names ${theirs}, the order of another action`);
});

test('a cancel of the bridge’s own places nothing, so any order in its answer is that of another', () => {
  const { alarms, ids } = checked();
  const isOfAnother = ids.isOfAnother(sent({ kind: 'none' }, null), [ours], {
    isOfAnother: () => false,
  });
  expect(isOfAnother).toBe(true);
  expect(alarms[0]).toContain('nonce 4');
});

function sent(made: NewOrders, key: string | null = 'k'): Submission {
  const asked = key === null ? null : { key, requestId: 'new' };
  const wanted = { asked, intent: place, clientOrderId: null, fencedId: null };
  const bytes = { text: '{}', hash: '01', madeMs: 0, placed: made };
  return Object.assign(newSubmission(1, wanted, 0), { bytes, nonce: 4 });
}
