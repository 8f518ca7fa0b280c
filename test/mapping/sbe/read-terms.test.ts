/** The terms of an order as SBE states them: exact amounts, and no option that is not understood (contract C.5). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as messages from '../../../src/mapping/sbe/generated/messages.ts';
import { readTerms } from '../../../src/mapping/sbe/read-terms.ts';
import { RequestValues } from '../../../src/mapping/sbe/request-values.ts';
import { encodeMessage } from '../../../src/sbe/generic-encoder.ts';
import type { JsonObject } from '../../../src/sbe/json.ts';
import { orders } from '../../acceptance/parity/fixp-words.ts';

const plain = {
  Side: 'Buy',
  OrdType: 'Limit',
  TimeInForce: 'GoodTillCancel',
  StpMode: 0,
  Flags: [],
  TriggerDirection: 0,
  ConditionalKind: 0,
  AlgoKind: 0,
  Currency: '',
  PriceExponent: -6,
  QtyExponent: -8,
  OrderQty: 1,
  Price: 2,
};

const newOrder = new messages.NewOrderSingle();
const newTerms = new messages.OrderCancelReplaceRequest();

function read(terms: JsonObject, message: 'NewOrderSingle' | 'OrderCancelReplaceRequest') {
  const own = { ClOrdID: 'a', TransactTime: 1, Instrument: { MarketId: 1, Book: 0 } };
  const flags = message === 'NewOrderSingle' ? { Flags: [] } : { OrderID: new Array(32).fill(0) };
  const fields = { ...own, ...flags, Terms: { ...plain, ...terms } };
  const view = message === 'NewOrderSingle' ? newOrder : newTerms;
  const fault = view.wrap(encodeMessage(orders, { message, fields }));
  if (fault !== undefined) throw new Error(fault);
  const values = new RequestValues({ session: 'FIXP:A', seq: 7 });
  const told = readTerms(view, values);
  return { told, fault: values.fault && `${values.fault.refusal.name}: ${values.fault.text}` };
}

const termsOf = (terms: JsonObject) => {
  const { told, fault } = read(terms, 'NewOrderSingle');
  expect(fault).toBeUndefined();
  return told;
};
const faultOf = (terms: JsonObject) => read(terms, 'NewOrderSingle').fault;

test('an order without options has nothing special', () => {
  expect(termsOf({})).toEqual({
    side: 'Bid',
    ordType: 'limit',
    lifetime: 'gtc',
    qty: { mantissa: 1n, scale: 8 },
    price: { mantissa: 2n, scale: 6 },
    stopPrice: null,
    maxFloor: null,
    expireTimeMs: null,
    postOnly: false,
    reduceOnly: false,
    stp: undefined,
    algo: null,
    triggerDirection: null,
    conditionalKind: null,
    currency: null,
  });
  expect(termsOf({ TimeInForce: 0, Price: null })).toMatchObject({ lifetime: 'day', price: null });
});

const full = {
  Side: 'Sell',
  OrdType: 'StopLimit',
  TimeInForce: 'GoodTillDate',
  StpMode: 'CancelTaker',
  Flags: ['PostOnly', 'ReduceOnly'],
  TriggerDirection: 'AtOrBelow',
  ConditionalKind: 'StopLoss',
  AlgoKind: 'Twap',
  Currency: 'USDC',
  PriceExponent: -2,
  QtyExponent: 0,
  OrderQty: 100,
  Price: 200,
  StopPx: 300,
  MaxFloor: 40,
  SliceQty: 5,
  SliceIntervalMs: 6,
  ExpireTime: 7,
};

test('each option is read from its own field, in an order and in new terms alike', () => {
  const expected = {
    side: 'Ask',
    ordType: 'stop_limit',
    lifetime: 'gtd',
    qty: { mantissa: 100n, scale: 0 },
    price: { mantissa: 200n, scale: 2 },
    stopPrice: { mantissa: 300n, scale: 2 },
    maxFloor: { mantissa: 40n, scale: 0 },
    expireTimeMs: 7,
    postOnly: true,
    reduceOnly: true,
    stp: 'cancel_taker',
    algo: { kind: 'twap', sliceQty: { mantissa: 5n, scale: 0 }, intervalMs: 6 },
    triggerDirection: 'at_or_below',
    conditionalKind: 'stop_loss',
    currency: 'USDC',
  };
  expect(read(full, 'NewOrderSingle')).toEqual({ told: expected, fault: undefined });
  expect(read(full, 'OrderCancelReplaceRequest')).toEqual({ told: expected, fault: undefined });
});

test('amounts are what the integers and exponents say, to the last digit', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 2n });
  const exponent = fc.integer({ min: -18, max: 0 });
  fc.assert(
    fc.property(amount, amount, exponent, exponent, (qty, price, qtyExponent, priceExponent) => {
      const amounts = { OrderQty: `${qty}`, Price: `${price}` };
      const exponents = { PriceExponent: priceExponent, QtyExponent: qtyExponent };
      const told = termsOf({ ...amounts, ...exponents });
      expect(told.qty).toEqual({ mantissa: qty, scale: 0 - qtyExponent });
      expect(told.price).toEqual({ mantissa: price, scale: 0 - priceExponent });
    }),
  );
});

test('each flag means one thing', () => {
  const flags = (...Flags: string[]) => {
    const { postOnly, reduceOnly } = termsOf({ Flags });
    return { postOnly, reduceOnly };
  };
  expect(flags('PostOnly')).toEqual({ postOnly: true, reduceOnly: false });
  expect(flags('ReduceOnly')).toEqual({ postOnly: false, reduceOnly: true });
});

test("self-trade prevention is the client's, none at all, or left to the configuration", () => {
  expect(termsOf({ StpMode: 'Reject' }).stp).toBe('reject');
  expect(termsOf({ StpMode: 'None' }).stp).toBeNull();
  for (const unset of [0, 255]) expect(termsOf({ StpMode: unset }).stp).toBeUndefined();
});

test('a strategy may leave its slices to the venue', () => {
  expect(termsOf({ AlgoKind: 'Vwap' }).algo).toEqual({
    kind: 'vwap',
    sliceQty: null,
    intervalMs: null,
  });
});

describe('what an order cannot say is refused with the field:', () => {
  test.each([
    ['a side that is none', { Side: 0x37 }, 'bridge.unsupported: Side(54)=7'],
    ['no side', { Side: 0 }, 'field_missing: Side(54)'],
    ['a type that is none', { OrdType: 0x50 }, 'bridge.unsupported: OrdType(40)=P'],
    ['no type', { OrdType: 0 }, 'field_missing: OrdType(40)'],
    ['a lifetime that is none', { TimeInForce: 0x39 }, 'bridge.unsupported: TimeInForce(59)=9'],
    ['a mode that is none', { StpMode: 77 }, 'bridge.invalid_stp_mode: 77'],
    [
      'a direction that is none',
      { TriggerDirection: 9 },
      'bridge.unsupported: TriggerDirection(9105)=9',
    ],
    ['a kind that is none', { ConditionalKind: 9 }, 'bridge.unsupported: ConditionalKind(9106)=9'],
    ['a strategy that is none', { AlgoKind: 9 }, 'bridge.unsupported: AlgoKind(9107)=9'],
    ['a slice of no algo', { SliceQty: 5 }, 'bridge.unsupported: a slice without AlgoKind(9107)'],
    [
      'a pace of no algo',
      { SliceIntervalMs: 0 },
      'bridge.unsupported: a slice without AlgoKind(9107)',
    ],
    ['an unknown flag', { Flags: ['PostOnly', 2] }, 'bridge.unsupported: OrderFlags=5'],
    [
      'a time beyond all dates',
      { ExpireTime: '9999999999999999999' },
      'bridge.value_out_of_range: ExpireTime(126)=9999999999999999999',
    ],
    [
      'a currency with control characters',
      { Currency: 'US\u001b' },
      'bridge.value_out_of_range: Currency(15): not printable ASCII',
    ],
  ])('%s', (_, terms, wanted) => {
    expect(faultOf(terms)).toBe(wanted);
  });

  test.each(['PriceExponent', 'QtyExponent'])('%s beyond what an amount can have', (exponent) => {
    const bytes = encodeMessage(orders, {
      message: 'NewOrderSingle',
      fields: {
        ClOrdID: 'a',
        TransactTime: 1,
        Flags: [],
        Instrument: { MarketId: 1, Book: 0 },
        Terms: plain,
      },
    });
    const from = Buffer.from(bytes);
    const at =
      from.indexOf(Buffer.from([-6 & 255, -8 & 255])) + (exponent === 'QtyExponent' ? 1 : 0);
    for (const [value, fault] of [
      [-18, undefined],
      [-19, `${exponent}=-19`],
      [1, `${exponent}=1`],
    ] as const) {
      from.writeInt8(value, at);
      newOrder.wrap(from);
      const values = new RequestValues({ session: 'FIXP:A', seq: 7 });
      readTerms(newOrder, values);
      expect(values.fault?.text ?? undefined).toBe(fault);
    }
  });
});
