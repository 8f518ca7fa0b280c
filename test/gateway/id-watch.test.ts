import { expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/units.ts';
import { IdWatch } from '../../src/gateway/id-watch.ts';

const [ours, theirs] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`] as [OrderId, OrderId];
const placed = { kind: 'order', orderId: ours } as const;

test('R10: another order id of the venue is alarmed with both, and stops that kind alone', () => {
  const alarms: string[] = [];
  const ids = new IdWatch((text) => alarms.push(text));
  ids.compare('PlaceOrder', placed, [theirs]);
  expect(alarms).toHaveLength(1);
  expect(alarms[0]).toContain(ours);
  expect(alarms[0]).toContain(theirs);
  expect(ids.denial('PlaceOrder')).toMatchObject({ text: expect.stringContaining('PlaceOrder') });
  expect(ids.denial('SpotPlaceOrder')).toBeUndefined();
});

test('ids that agree, and answers that name none, stop nothing', () => {
  const alarms: string[] = [];
  const ids = new IdWatch((text) => alarms.push(text));
  ids.compare('PlaceOrder', placed, [ours]);
  ids.compare('PlaceOrder', placed, []);
  ids.compare('Cancel', { kind: 'none' }, [theirs]);
  expect(alarms).toEqual([]);
  expect(ids.denial('PlaceOrder')).toBeUndefined();
});
