/** Messages of the second lane at a glance. */
import { expect, test } from 'vitest';
import { summaryOf } from '../../src/console/sbe-message.ts';
import type { JsonObject } from '../../src/sbe/json.ts';

const seen = (fields: JsonObject) => Object.fromEntries(summaryOf(fields));

test('amounts are decimals by the exponent beside them, or by the one of the message', () => {
  expect(
    seen({
      State: {
        Terms: { PriceExponent: -6, QtyExponent: -8, OrderQty: 2_000_000, Price: '48000000000' },
        LeavesQty: 20,
        CumQty: 0,
        CumQtyExponent: -3,
        AvgPx: 1_234_567,
        AvgPxExponent: -2,
      },
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

test('what stands for nothing is left out', () => {
  const nothing = { Account: '', Terms: { StpMode: 'Unset', Price: null }, ParentOrderID: [0, 0] };
  expect(seen({ ...nothing, ClOrdID: 'a', Side: 'Buy' })).toEqual({ ClOrdID: 'a', Side: 'Buy' });
});

test('an amount without an exponent stays as it is', () => {
  expect(seen({ Price: 48, CumQty: 0 })).toEqual({ Price: '48', CumQty: '0' });
});

test('a flag has the name of its field', () => {
  expect(seen({ Terms: { Flags: ['PostOnly'] } })).toEqual({ Flags: 'PostOnly' });
});
