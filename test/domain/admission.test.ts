/** What an order means, or why it is refused, before the venue is asked (contract C.5, C.10, C.11, C.12). */
import { describe, expect, test } from 'vitest';
import { type AdmissionRules, admit, stale } from '../../src/domain/admission.ts';
import type { RequestedTerms } from '../../src/domain/command.ts';
import { isDenial } from '../../src/domain/denial.ts';
import { InstrumentList, type Market } from '../../src/domain/instrument.ts';
import { entryIntent, type Terms } from '../../src/domain/terms.ts';
import {
  type Decimal,
  latestMs,
  type MarketId,
  maxSafeAtoms,
  type Price,
  parseDecimal,
  type Qty,
} from '../../src/domain/units.ts';

const btc: Market = {
  marketId: 1 as MarketId,
  kind: 'spot',
  symbol: 'BTC-USDC',
  base: 'BTC',
  quote: 'USDC',
  status: 'open',
  priceScale: 6,
  qtyScale: 8,
  tick: 10_000n as Price,
  lot: 1000n as Qty,
  minNotional: 1_000_000n as Price,
  maxQty: 100_000_000_000n as Qty,
  expiryMs: null,
};
const rain: Market = {
  ...btc,
  marketId: 7 as MarketId,
  kind: 'prediction',
  symbol: 'RAIN',
  qtyScale: 6,
  tick: 1000n as Price,
};
const list = new InstrumentList([btc, rain]);
const spot = list.of(1 as MarketId, null)!;
const noBook = list.of(7 as MarketId, 'NO')!;

const nowMs = Date.UTC(2026, 0, 5, 12);
const moment = { nowMs, bestBid: 49_990_000_000n as Price, bestAsk: 50_010_000_000n as Price };
const rules: AdmissionRules = {
  dayOrders: 'end_of_day',
  defaultStp: 'cancel_taker',
  acceptMarketPrice: false,
  marketOrders: true,
  goodTillDate: true,
  expiryStepMs: 1,
  collarBps: 500,
  conditionals: new Set(['at_or_above/take_profit']),
  algos: new Set(['twap', 'iceberg', 'vwap']),
  localChecks: false,
  maxAtoms: maxSafeAtoms,
};
const decimal = (text: string) => parseDecimal(text) as Decimal;

const limit: RequestedTerms = {
  side: 'Bid',
  ordType: 'limit',
  qty: decimal('1.5'),
  price: decimal('50000.25'),
  stopPrice: null,
  lifetime: 'gtc',
  expireTimeMs: null,
  postOnly: false,
  reduceOnly: false,
  stp: undefined,
  maxFloor: null,
  algo: null,
  triggerDirection: null,
  conditionalKind: null,
  currency: null,
};
const market: Partial<RequestedTerms> = { ordType: 'market', price: null };
const stop: Partial<RequestedTerms> = { ordType: 'stop', price: null, stopPrice: decimal('60000') };
const touched: Partial<RequestedTerms> = { ...stop, ordType: 'market_if_touched', side: 'Ask' };
const twap = { kind: 'twap', sliceQty: decimal('0.1'), intervalMs: 1000 } as const;

function admitted(
  changes: Partial<RequestedTerms>,
  {
    instrument = spot,
    ...ruleChanges
  }: Partial<AdmissionRules> & { instrument?: typeof spot } = {},
  at: Partial<typeof moment> | { bestAsk: null; bestBid: null } = {},
): Terms {
  const terms = admit(
    { ...limit, ...changes },
    instrument,
    { ...rules, ...ruleChanges },
    { ...moment, ...at },
  );
  if (isDenial(terms)) throw new Error(`${terms.refusal.name}: ${terms.text}`);
  return terms;
}

function refused(
  changes: Partial<RequestedTerms>,
  ruleChanges: Parameters<typeof admitted>[1] = {},
): string {
  try {
    admitted(changes, ruleChanges);
  } catch (error) {
    return (error as Error).message;
  }
  return 'admitted';
}

describe('a limit order', () => {
  test('R85: is placed with exact atoms', () => {
    expect(entryIntent(admitted({}), spot)).toEqual({
      kind: 'place',
      market: 1,
      book: null,
      side: 'Bid',
      price: 50_000_250_000n,
      qty: 150_000_000n,
      stp: 'cancel_taker',
      timeInForce: 'gtc',
      isMarket: false,
      reduceOnly: false,
      expiresAtMs: null,
    });
  });

  test('R93: carries the book of an outcome', () => {
    const terms = admitted({ price: decimal('0.42') }, { instrument: noBook });
    expect(entryIntent(terms, noBook)).toMatchObject({ market: 7, book: 'NO', price: 420_000n });
  });

  test.each([
    ['ioc', 'ioc', null],
    ['fok', 'fok', null],
    ['gtc', 'gtc', null],
    ['day', 'gtc', Date.UTC(2026, 0, 6)],
  ] as const)('R86: %s is %s at the venue', (lifetime, timeInForce, expiresAtMs) => {
    expect(admitted({ lifetime })).toMatchObject({ timeInForce, expiresAtMs });
  });

  test('R86: day orders by setting, and a date', () => {
    expect(admitted({ lifetime: 'day' }, { dayOrders: 'gtc' }).expiresAtMs).toBeNull();
    expect(refused({ lifetime: 'day' }, { dayOrders: 'reject' })).toContain('bridge.unsupported');
    const expireTimeMs = nowMs + 60_000;
    expect(admitted({ lifetime: 'gtd', expireTimeMs }).expiresAtMs).toBe(expireTimeMs);
    expect(refused({ lifetime: 'gtd', expireTimeMs: nowMs })).toContain('bridge.expired');
    // A leap second at the end of the year 9999 is the first one.
    expect(refused({ lifetime: 'gtd', expireTimeMs: latestMs + 1 })).toContain(
      'bridge.value_out_of_range',
    );
  });

  test('R87: post-only', () => {
    expect(admitted({ postOnly: true }).timeInForce).toBe('post_only');
    for (const changes of [{ lifetime: 'ioc' }, { lifetime: 'fok' }, market] as const) {
      expect(refused({ ...changes, postOnly: true })).toContain(
        'bridge.unsupported: ExecInst(18)=6',
      );
    }
  });

  test('R92: the STP mode of the client, of the session, or none', () => {
    expect(admitted({ stp: 'skip_self' }).stp).toBe('skip_self');
    expect(admitted({}).stp).toBe('cancel_taker');
    expect(admitted({ stp: null }).stp).toBeNull();
  });
});

test.each([
  [{ qty: decimal('-1') }, 'a quantity must be above zero'],
  [{ price: decimal('-5') }, 'Price(44) must be above zero'],
  [{ lifetime: 'gtd', expireTimeMs: 1 }, 'ExpireTime(126) has passed'],
  [{ lifetime: 'gtd', expireTimeMs: 1, isExpireDate: true }, 'ExpireDate(432) has passed'],
] as const)('%o is refused in words that a trader knows', (changes, text) => {
  expect(refused(changes)).toContain(text);
});

describe('R94: amounts are exact or refused', () => {
  test.each([
    ['qty', '0.000000001', 'bridge.qty_precision'],
    ['qty', '0', 'bridge.qty_must_be_positive'],
    ['qty', '-1', 'bridge.qty_must_be_positive'],
    ['qty', '90071992.54740993', 'bridge.value_out_of_range'],
    ['price', '1.0000001', 'bridge.price_precision'],
    ['price', '0', 'bridge.price_must_be_positive'],
    ['price', '-5', 'bridge.price_must_be_positive'],
    ['price', '9007199254.740992', 'bridge.value_out_of_range'],
  ])('a %s of %s is refused with %s', (field, text, name) => {
    expect(refused({ [field]: decimal(text) })).toContain(name);
  });

  test('the largest safe amount passes', () => {
    expect(admitted({ qty: decimal('90071992.54740991') }).qty).toBe(maxSafeAtoms);
  });

  test('an outcome price lies strictly between 0 and the payout', () => {
    expect(refused({ price: decimal('1') }, { instrument: noBook })).toContain(
      'bridge.value_out_of_range',
    );
    expect(admitted({ price: decimal('0.999999') }, { instrument: noBook }).price).toBe(999_999n);
  });

  test('steps and bounds of the market are checked where they are confirmed, and named in its units', () => {
    const localChecks = true;
    expect(refused({ price: decimal('1.001') }, { localChecks })).toBe(
      'bridge.price_precision: Price(44) is not a multiple of 0.01',
    );
    const offTick = { ...touched, stopPrice: decimal('1.001') };
    expect(refused(offTick, { localChecks })).toBe(
      'bridge.price_precision: StopPx(99) is not a multiple of 0.01',
    );
    expect(refused({ qty: decimal('0.00000001') }, { localChecks })).toBe(
      'bridge.qty_precision: the quantity is not a multiple of 0.00001',
    );
    expect(refused({ qty: decimal('1000.1') }, { localChecks })).toBe(
      'bridge.limit: quantity above 1000',
    );
    const small = { qty: decimal('0.00001'), price: decimal('1') };
    expect(refused(small, { localChecks })).toBe('bridge.limit: price x quantity below 1');
    expect(refused({}, { localChecks })).toBe('admitted');
  });
});

describe('R90: a market order has a price that protects', () => {
  test.each([
    ['Bid', 52_510_500_000n],
    ['Ask', 47_490_500_000n],
  ] as const)(
    'a %s pays at most the collar from the opposite side, on the tick',
    (side, limitPrice) => {
      expect(admitted({ ...market, side })).toMatchObject({
        price: null,
        limitPrice,
        isMarket: true,
        timeInForce: 'ioc',
      });
    },
  );

  test('the price is rounded outwards to the tick', () => {
    const at = { bestBid: 100_003n as Price, bestAsk: 100_003n as Price };
    expect(admitted({ ...market, side: 'Bid' }, {}, at).limitPrice).toBe(110_000n);
    expect(admitted({ ...market, side: 'Ask' }, {}, at).limitPrice).toBe(90_000n);
  });

  test('without an opposite side it is refused, and never priced at 0', () => {
    const empty = { bestBid: null, bestAsk: null };
    expect(() => admitted(market, {}, empty)).toThrow('bridge.no_reference_price');
    const low = { bestBid: 1n as Price, bestAsk: 1n as Price };
    expect(admitted({ ...market, side: 'Ask' }, {}, low).limitPrice).toBe(10_000n);
  });

  test('on an outcome book it stays inside the payout', () => {
    const at = { bestBid: 990_000n as Price, bestAsk: 990_000n as Price };
    expect(admitted(market, { instrument: noBook }, at).limitPrice).toBe(999_000n);
  });

  test('Price(44) is refused, or is the cap where that is switched on', () => {
    const capped = { ...market, price: decimal('51000') };
    expect(refused(capped)).toContain('bridge.unsupported: Price(44)');
    expect(admitted(capped, { acceptMarketPrice: true }).limitPrice).toBe(51_000_000_000n);
  });

  test('fok stays fok, a date means nothing', () => {
    expect(admitted({ ...market, lifetime: 'fok' }).timeInForce).toBe('fok');
    expect(refused({ ...market, lifetime: 'gtd', expireTimeMs: nowMs + 1 })).toContain(
      'bridge.unsupported',
    );
  });
});

test('R135: what the profile does not confirm is refused, whichever way it is asked for', () => {
  expect(refused(market, { marketOrders: false })).toContain('confirms market orders');
  const gtd = { lifetime: 'gtd', expireTimeMs: nowMs + 60_000 } as const;
  expect(refused(gtd, { goodTillDate: false })).toContain('confirms expiry');
  const endsDays = { goodTillDate: false, dayOrders: 'end_of_day' } as const;
  expect(refused({ lifetime: 'day' }, endsDays)).toContain('confirms expiry');
  expect(admitted({ lifetime: 'day' }, { ...endsDays, dayOrders: 'gtc' }).timeInForce).toBe('gtc');
});

test('a venue whose expiries are whole seconds gets no other, and no date is refused for that', () => {
  const seconds = { expiryStepMs: 1000 };
  const atMs = Math.floor(nowMs / 1000) * 1000 + 60_000;
  const gtd = (expireTimeMs: number, more = {}) =>
    ({ lifetime: 'gtd', expireTimeMs, ...more }) as const;
  expect(admitted(gtd(atMs), seconds).expiresAtMs).toBe(atMs);
  expect(admitted(gtd(atMs + 1), {}).expiresAtMs).toBe(atMs + 1);
  expect(refused(gtd(atMs + 1), seconds)).toContain('is not a whole second');
  const never = gtd(latestMs, { isExpireDate: true });
  expect(admitted(never, seconds).expiresAtMs).toBe(latestMs - 999);
});

describe('R109: algos', () => {
  test('are placed by total and slice', () => {
    expect(entryIntent(admitted({ algo: twap }), spot)).toEqual({
      kind: 'algo',
      market: 1,
      book: null,
      side: 'Bid',
      totalQty: 150_000_000n,
      limitPrice: 50_000_250_000n,
      timeInForce: 'gtc',
      strategy: { kind: 'twap', sliceQty: 10_000_000n, intervalMs: 1000 },
    });
  });

  test('MaxFloor(111) below the quantity is an iceberg, at it nothing', () => {
    expect(admitted({ maxFloor: decimal('0.5') }).strategy).toEqual({
      kind: 'iceberg',
      sliceQty: 50_000_000n,
      intervalMs: null,
    });
    expect(admitted({ maxFloor: decimal('1.50') }).strategy).toBeNull();
    for (const maxFloor of ['0', '1.6']) {
      expect(refused({ maxFloor: decimal(maxFloor) })).toContain(
        'bridge.unsupported: MaxFloor(111) that',
      );
    }
  });

  test.each([
    [{ ...market, algo: twap }, 'bridge.unsupported: OrdType(40)'],
    [
      { algo: twap, lifetime: 'gtd', expireTimeMs: nowMs + 1 },
      'bridge.unsupported: TimeInForce(59)=6',
    ],
    [{ algo: twap, reduceOnly: true }, 'bridge.unsupported: PositionEffect(77)=C'],
    [{ algo: twap, stp: 'reject' }, 'bridge.unsupported: StpMode(9104)'],
    [{ algo: { ...twap, sliceQty: null } }, 'field_missing: SliceQty(9108)'],
    [{ algo: { ...twap, intervalMs: null } }, 'field_missing: SliceIntervalMs(9109)'],
    [{ algo: { ...twap, intervalMs: 0 } }, 'bridge.value_out_of_range'],
    [{ algo: { ...twap, intervalMs: 2 ** 32 - 1 } }, 'bridge.value_out_of_range'],
    [{ algo: { ...twap, kind: 'iceberg' } }, 'bridge.unsupported: SliceIntervalMs(9109)'],
    [{ algo: { ...twap, sliceQty: decimal('0') } }, 'bridge.qty_must_be_positive'],
    [{ algo: twap, maxFloor: decimal('1') }, 'bridge.unsupported: MaxFloor(111) with'],
  ] as const)('what an algo cannot say (%#) is refused', (changes, text) => {
    expect(refused(changes as Partial<RequestedTerms>)).toContain(text);
  });

  test('kinds that the venue profile does not confirm are refused', () => {
    expect(refused({ algo: twap }, { algos: new Set() })).toContain('confirms this algo');
  });

  test('a day algo ends by a cancel, because its action has no expiry', () => {
    expect(admitted({ algo: twap, lifetime: 'day' })).toMatchObject({
      expiresAtMs: null,
      cancelAtMs: Date.UTC(2026, 0, 6),
    });
  });
});

describe('R110 R111: conditionals', () => {
  const every = new Set(
    ['at_or_above', 'at_or_below'].flatMap((d) => [`${d}/take_profit`, `${d}/stop_loss`]),
  );

  test.each([
    ['stop', 'Bid', 'at_or_above', 'stop_loss'],
    ['stop', 'Ask', 'at_or_below', 'stop_loss'],
    ['stop_limit', 'Bid', 'at_or_above', 'stop_loss'],
    ['market_if_touched', 'Ask', 'at_or_above', 'take_profit'],
    ['market_if_touched', 'Bid', 'at_or_below', 'take_profit'],
  ] as const)('%s %s waits for %s as %s', (ordType, side, direction, kind) => {
    const price = ordType === 'stop_limit' ? decimal('60000') : null;
    const terms = admitted({ ...stop, ordType, side, price }, { conditionals: every });
    expect(terms.trigger).toEqual({ price: 60_000_000_000n, direction, kind });
  });

  test('a stop limit as take-profit is a limit if touched', () => {
    const changes = { ...stop, ordType: 'stop_limit', price: decimal('1'), side: 'Ask' } as const;
    const terms = admitted({ ...changes, conditionalKind: 'take_profit' });
    expect(terms.trigger?.direction).toBe('at_or_above');
  });

  test('the nested order is priced from the trigger and takes expiry, STP and reduce-only', () => {
    const expireTimeMs = nowMs + 60_000;
    const terms = admitted({
      ...touched,
      lifetime: 'gtd',
      expireTimeMs,
      reduceOnly: true,
      stp: 'reject',
    });
    expect(entryIntent(terms, spot)).toEqual({
      kind: 'conditional',
      triggerPrice: 60_000_000_000n,
      triggerDirection: 'at_or_above',
      conditionalKind: 'take_profit',
      nested: {
        kind: 'place',
        market: 1,
        book: null,
        side: 'Ask',
        price: 57_000_000_000n,
        qty: 150_000_000n,
        stp: 'reject',
        timeInForce: 'ioc',
        isMarket: true,
        reduceOnly: true,
        expiresAtMs: expireTimeMs,
      },
    });
  });

  test.each([
    [{ lifetime: 'day' }, Date.UTC(2026, 0, 6)],
    [{ lifetime: 'gtd', expireTimeMs: nowMs + 60_000 }, nowMs + 60_000],
    [{ lifetime: 'gtc' }, null],
  ] as const)(
    'a stored order ends by a cancel, too, because only the nested one has an expiry (%#)',
    (end, endMs) => {
      const terms = admitted({ ...touched, ...end });
      expect([terms.expiresAtMs, terms.cancelAtMs]).toEqual([endMs, endMs]);
    },
  );

  test('R111: an unconfirmed trigger is refused', () => {
    expect(refused(stop)).toContain('bridge.conditional_unconfirmed');
    expect(refused(touched)).toBe('admitted');
  });

  test.each([
    [{ ...stop, stopPrice: null }, 'field_missing: StopPx(99)'],
    [{ ordType: 'stop_limit', stopPrice: decimal('1'), price: null }, 'field_missing: Price(44)'],
    [{ price: null }, 'field_missing: Price(44)'],
    [{ lifetime: 'gtd' }, 'field_missing: ExpireTime(126)'],
    [{ stopPrice: decimal('1') }, 'bridge.unsupported: StopPx(99)'],
    [{ conditionalKind: 'stop_loss' }, 'bridge.unsupported: TriggerDirection(9105)'],
    [{ expireTimeMs: nowMs + 1 }, 'bridge.unsupported: ExpireTime(126)'],
    [{ currency: 'EUR' }, 'bridge.unsupported: Currency(15)=EUR'],
  ] as const)('what is missing or makes no sense (%#) is named', (changes, text) => {
    expect(refused(changes as Partial<RequestedTerms>)).toContain(text);
  });
});

test('a stale order is refused, one of the right age is not', () => {
  const sent = (sendingTimeMs: number, transactTimeMs: number | null) =>
    stale({ sendingTimeMs, transactTimeMs }, nowMs, 5000);
  expect(sent(nowMs, nowMs - 5001)?.refusal.name).toBe('bridge.stale');
  expect(sent(nowMs - 5000, null)).toBeUndefined();
});
