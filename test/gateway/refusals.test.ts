import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import { Refusals } from '../../src/gateway/refusals.ts';

const refusal = (at: number, key?: string) => ({
  denial: deny('bridge.limit', `text ${at}`),
  session: 'S',
  clOrdId: `C${at}`,
  atMs: at,
  ...(key !== undefined && { key }),
});

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

test('the reason of an order is that of its last refusal, for 20,000 orders', () => {
  const refusals = new Refusals();
  refusals.add(refusal(1, 'K'));
  refusals.add(refusal(2, 'K'));
  expect(refusals.reasonOf('K')).toBe('bridge.limit: text 2');
  for (let at = 0; at < 20_000; at += 1) refusals.add(refusal(at, `other ${at}`));
  expect(refusals.reasonOf('K')).toBeUndefined();
  expect(refusals.reasonOf('other 0')).toBe('bridge.limit: text 0');
});
