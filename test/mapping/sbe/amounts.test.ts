import { expect, test } from 'vitest';
import { inDecimals } from '../../../src/mapping/sbe/amounts.ts';

test('every amount of a report is a decimal, by the exponent that is of it', () => {
  const report = {
    ClOrdID: 'a',
    LastPx: 4000025,
    LastQty: 50,
    State: {
      Terms: { PriceExponent: -2, QtyExponent: -3, OrderQty: 1500, Price: 4000050, StopPx: null },
      LeavesQty: 1000,
      CumQty: 5,
      CumQtyExponent: -1,
      AvgPx: '90071992547409930',
      AvgPxExponent: -4,
    },
  };
  expect(inDecimals(report)).toEqual({
    ClOrdID: 'a',
    LastPx: '40000.25',
    LastQty: '0.05',
    State: {
      Terms: { OrderQty: '1.5', Price: '40000.5', StopPx: null },
      LeavesQty: '100',
      CumQty: '0.5',
      AvgPx: '9007199254740.993',
    },
  });
});

test('entries of a group have the exponents of their message, or their own', () => {
  const book = { PriceExponent: -1, QtyExponent: 0, Entries: [{ MDEntryPx: 15, MDEntrySize: 3 }] };
  expect(inDecimals(book)).toEqual({ Entries: [{ MDEntryPx: '1.5', MDEntrySize: '3' }] });
  const list = {
    Instruments: [
      { PriceExponent: -2, Tick: 1 },
      { PriceExponent: -3, Tick: 1 },
    ],
  };
  expect(inDecimals(list)).toEqual({ Instruments: [{ Tick: '0.01' }, { Tick: '0.001' }] });
});
