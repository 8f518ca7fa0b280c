import { expect, test } from 'vitest';
import { deny } from '../../../src/domain/denial.ts';
import type { SentOrder } from '../../../src/domain/sent-order.ts';
import { Refusals } from '../../../src/gateway/view/refusals.ts';

const refusal = (at: number, key?: string) => ({
  denial: deny('bridge.limit', `text ${at}`),
  session: 'S',
  clOrdId: `C${at}`,
  atMs: at,
  ...(key !== undefined && { key }),
});

const sent: SentOrder = {
  ...{ clOrdId: 'C', account: 'desk', symbol: 'BTC-USDC', side: 'Buy', qty: '1', price: '10' },
  ...{ ordType: 'limit', timeInForce: 'GTC' },
};

test('refusals are counted by code, and the latest 200 are kept with their text', () => {
  const refusals = new Refusals();
  for (let at = 1; at <= 500; at += 1) refusals.add(refusal(at));
  refusals.add({ ...refusal(501), denial: deny('bridge.throttled') });
  expect([...refusals.counts]).toEqual([
    ['bridge.limit', 500],
    ['bridge.throttled', 1],
  ]);
  expect(refusals.latest).toHaveLength(200);
  expect(refusals.latest.slice(0, 2)).toMatchObject([
    { clOrdId: 'C501', code: 'bridge.throttled', text: '' },
    { clOrdId: 'C500', code: 'bridge.limit', text: 'text 500' },
  ]);
});

test('the latest 5,000 refused new orders are kept as rows, under the ExecID of the refusal', () => {
  const refusals = new Refusals();
  for (let at = 0; at <= 5_000; at += 1) refusals.addOrder(sent, `X-${at}`, refusal(at));
  expect(refusals.orders.size).toBe(5_000);
  expect(refusals.orders.get('X-0')).toBeUndefined();
  expect(refusals.orders.get('X-5000')).toMatchObject({
    ...{ key: 'X-5000', session: 'S', clOrdId: 'C', qty: '1', changedMs: 5_000 },
    ...{ status: 'rejected', isOpen: false, reason: 'bridge.limit: text 5000' },
  });
});

test('the mark changes with every refusal', () => {
  const refusals = new Refusals();
  const before = refusals.mark;
  refusals.add(refusal(1));
  expect(refusals.mark).not.toBe(before);
});

test('the reason of an order is that of its last refusal, for 20,000 orders', () => {
  const refusals = new Refusals();
  refusals.add(refusal(1, 'K'));
  refusals.add(refusal(2, 'K'));
  expect(refusals.reasonOf('K')).toBe('bridge.limit: text 2');
  for (let at = 0; at < 20_000; at += 1) refusals.add(refusal(at, `other ${at}`));
  expect(refusals.reasonOf('K')).toBeUndefined();
  expect(refusals.reasonOf('other 0')).toBe('bridge.limit: text 0');
});
