/** The terms of an order as FIX states them: each option is understood completely, or the order is refused (contract C.5). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FieldValues } from '../../../src/mapping/fix/field-values.ts';
import { readTerms } from '../../../src/mapping/fix/read-terms.ts';
import { readSettings, received } from './wire.ts';

const order = '11=A|55=BTC-USDC|54=1|60=20260105-12:00:00|38=1.5|40=2|44=10';

function read(more: string, base = order) {
  const values = new FieldValues();
  const terms = readTerms(received('D', `${base}|${more}`), readSettings.tags, values);
  const { fault } = values;
  return { ...terms, fault: fault && `${fault.refusal.name}: ${fault.text}` };
}

test('an order without options is a day order with nothing special', () => {
  expect(read('1=desk')).toEqual({
    side: 'Bid',
    ordType: 'limit',
    lifetime: 'day',
    qty: { mantissa: 15n, scale: 1 },
    price: { mantissa: 10n, scale: 0 },
    currency: null,
    stopPrice: null,
    maxFloor: null,
    expireTimeMs: null,
    postOnly: false,
    reduceOnly: false,
    stp: undefined,
    algo: null,
    triggerDirection: null,
    conditionalKind: null,
    fault: undefined,
  });
});

test('an order without a quantity is refused and names the field', () => {
  const withoutQty = order.replace('|38=1.5', '|152=10');
  expect(read('1=desk', withoutQty).fault).toBe('field_missing: OrderQty(38)');
});

test('an order with options keeps its side, type, quantity and price', () => {
  const sell = order.replace('54=1', '54=2').replace('40=2', '40=4');
  expect(read('18=6|99=9|111=0.5|59=1|15=USDC', sell)).toMatchObject({
    side: 'Ask',
    ordType: 'stop_limit',
    lifetime: 'gtc',
    stopPrice: { mantissa: 9n, scale: 0 },
    maxFloor: { mantissa: 5n, scale: 1 },
    postOnly: true,
    currency: 'USDC',
    fault: undefined,
  });
});

test.each([
  ['423=1', 'bridge.unsupported: PriceType(423)=1'],
  ['21=3', 'bridge.unsupported: HandlInst(21)=3'],
  ['18=6 G', 'bridge.unsupported: ExecInst(18)=G'],
  ['9104=maybe', 'bridge.invalid_stp_mode: maybe'],
  ['9107=sniper', 'bridge.unsupported: AlgoKind(9107)=sniper'],
  ['9107=twap|847=1', 'bridge.unsupported: AlgoKind(9107) contradicts TargetStrategy(847)'],
  ['9108=1', 'bridge.unsupported: a slice without AlgoKind(9107)'],
  ['848=interval_ms=5', 'bridge.unsupported: a slice without AlgoKind(9107)'],
  ['77=C|9114=N', 'bridge.unsupported: PositionEffect(77)=C contradicts ReduceOnly(9114)'],
  ['77=O|9114=Y', 'bridge.unsupported: PositionEffect(77)=O contradicts ReduceOnly(9114)'],
])('%s is refused', (more, fault) => expect(read(more).fault).toBe(fault));

test.each<[string, boolean]>([
  ['77=C', true],
  ['9114=Y', true],
  ['77=C|9114=Y', true],
  ['77=O', false],
  ['77=O|9114=N', false],
  ['9114=N', false],
])('by %s it is %s that the order may only reduce', (more, reduceOnly) => {
  expect(read(more)).toMatchObject({ reduceOnly, fault: undefined });
});

test("self-trade prevention is the client's, none at all, or left to the configuration", () => {
  expect(read('9104=reject').stp).toBe('reject');
  expect(read('9104=none')).toMatchObject({ stp: null, fault: undefined });
  expect(read('18=6').stp).toBeUndefined();
});

describe('the time at which an order expires', () => {
  const noon = Date.UTC(2026, 0, 6, 12);
  const endOfDay = Date.UTC(2026, 0, 7);

  test('is ExpireTime(126) where there is one', () => {
    const read126 = read('59=6|126=20260106-12:00:00|432=20260106');
    expect(read126.expireTimeMs).toBe(noon);
    expect(read126).not.toHaveProperty('isExpireDate');
  });

  test('is the end of ExpireDate(432) in UTC, and known to be a date', () => {
    expect(read('59=6|432=20260106')).toMatchObject({ expireTimeMs: endOfDay, isExpireDate: true });
    expect(read('59=1|432=20260106').expireTimeMs).toBe(endOfDay);
  });

  test('is never later than what a report can have', () => {
    expect(read('59=6|432=99991231').expireTimeMs).toBe(Date.parse('9999-12-31T23:59:59.999Z'));
  });

  test('is none without either', () => {
    expect(read('59=6|18=6')).toMatchObject({ expireTimeMs: null });
  });
});

describe('TargetStrategyParameters(848)', () => {
  const parameters = (text: string) => read(`847=1001|848=${text}`);

  test('names the slice and its interval, in any order', () => {
    const slice = fc.integer({ min: 1, max: 10 ** 9 });
    const interval = fc.integer({ min: 0, max: 10 ** 12 - 1 });
    fc.assert(
      fc.property(slice, interval, fc.boolean(), (qty, intervalMs, isTurned) => {
        const parts = [`slice_qty=${qty}`, `interval_ms=${intervalMs}`];
        const { algo, fault } = parameters((isTurned ? parts.reverse() : parts).join(';'));
        expect(fault).toBeUndefined();
        const sliceQty = { mantissa: BigInt(qty), scale: 0 };
        expect(algo).toEqual({ kind: 'twap', sliceQty, intervalMs });
      }),
      { numRuns: 30 },
    );
  });

  test('give way to the fields that are there for them', () => {
    const algo = read('9107=vwap|9108=2|9109=7|848=slice_qty=1;interval_ms=3').algo;
    expect(algo).toEqual({ kind: 'vwap', sliceQty: { mantissa: 2n, scale: 0 }, intervalMs: 7 });
  });

  test.each([
    ['speed=9', 'speed=9'],
    ['interval_ms=1000;limit_price=9', 'limit_price=9'],
    ['slice_qty=1;speed', 'speed'],
    ['slice_qty=1;slice_qty=x', 'slice_qty=x'],
    ['slice_qty=1=2', 'slice_qty=1=2'],
    ['interval_ms=1e3', 'interval_ms=1e3'],
    ['interval_ms=1000000000000', 'interval_ms=1000000000000'],
    ['interval_ms=', 'interval_ms='],
    ['INTERVAL_MS=5', 'INTERVAL_MS=5'],
  ])(
    'are refused as %s, because a part that is not understood must not be left out',
    (text, part) => {
      const fault = `bridge.unsupported: TargetStrategyParameters(848): ${part}`;
      expect(parameters(text).fault).toBe(fault);
    },
  );
});
