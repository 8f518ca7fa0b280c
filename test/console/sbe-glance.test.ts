/** Messages of the second lane at a glance. */
import { expect, test } from 'vitest';
import { glance } from '../../src/console/sbe-glance.ts';

const seen = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(glance(Object.entries(values).map(([name, value]) => ({ name, value }))));

test('amounts are decimals by the exponent beside them, or by the one of the message', () => {
  expect(
    seen({
      'State.Terms.PriceExponent': '-6',
      'State.Terms.QtyExponent': '-8',
      'State.Terms.OrderQty': '2000000',
      'State.Terms.Price': '48000000000',
      'State.LeavesQty': '2000000',
      'State.CumQty': '0',
      'State.CumQtyExponent': '-8',
      'State.AvgPx': '1234567',
      'State.AvgPxExponent': '-2',
      LastPx: '48000500000',
    }),
  ).toEqual({
    OrderQty: '0.02',
    Price: '48000',
    LeavesQty: '0.02',
    CumQty: '0',
    AvgPx: '12345.67',
    LastPx: '48000.5',
  });
});

test('what stands for nothing, and what every message has, is left out', () => {
  const values = { templateId: '100', Account: '', 'Terms.StpMode': '0', ParentOrderID: '0x0000' };
  expect(seen({ ...values, ClOrdID: 'a', 'Terms.Side': 'Buy' })).toEqual({
    ClOrdID: 'a',
    Side: 'Buy',
  });
});

test('an amount that nobody can place stays as it is', () => {
  expect(seen({ Price: '48', OrderQty: 'null', QtyExponent: '5' })).toEqual({
    Price: '48',
    OrderQty: 'null',
  });
});
