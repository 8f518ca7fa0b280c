/** One instrument for each order book, and the ways to name it (contract C.3). */
import { describe, expect, test } from 'vitest';
import { isDenial } from '../../src/domain/denial.ts';
import {
  InstrumentList,
  type InstrumentRef,
  type Market,
  payout,
} from '../../src/domain/instrument.ts';
import type { MarketId } from '../../src/domain/units.ts';
import { spot } from './ladder.ts';

const rain: Market = {
  ...spot,
  marketId: 7 as MarketId,
  kind: 'prediction',
  symbol: 'RAIN',
  priceScale: 6,
};
const list = new InstrumentList([spot, rain]);
const ref = (changes: Partial<InstrumentRef>): InstrumentRef => ({
  symbol: null,
  securityId: null,
  book: null,
  ...changes,
});

function resolved(changes: Partial<InstrumentRef>): string | null {
  const instrument = list.resolve(ref(changes));
  return isDenial(instrument) ? instrument.refusal.name : instrument.securityId;
}

describe('R93: instruments', () => {
  test.each([
    [{ securityId: '1' }, '1'],
    [{ symbol: 'BTC-USDC' }, '1'],
    [{ symbol: 'BTC-USDC', securityId: '1' }, '1'],
    [{ securityId: '7:NO' }, '7:NO'],
    [{ symbol: 'RAIN:YES' }, '7:YES'],
    [{ symbol: 'RAIN', book: 'NO' }, '7:NO'],
    [{ symbol: 'RAIN:NO', book: 'NO', securityId: '7:NO' }, '7:NO'],
    [{ symbol: 'RAIN', securityId: '7:NO' }, '7:NO'],
    [{ securityId: '7', book: 'YES' }, '7:YES'],
  ] as const)('%j names %s', (changes, expected) => {
    expect(resolved(changes)).toBe(expected);
  });

  test.each([
    [{}, 'bridge.unknown_instrument'],
    [{ symbol: 'ETH-USDC' }, 'bridge.unknown_instrument'],
    [{ securityId: '9' }, 'bridge.unknown_instrument'],
    [{ securityId: '__proto__' }, 'bridge.unknown_instrument'],
    [{ symbol: 'BTC-USDC', securityId: '7:NO' }, 'bridge.instrument_conflict'],
    [{ symbol: 'RAIN:YES', securityId: '7:NO' }, 'bridge.instrument_conflict'],
    [{ symbol: 'RAIN:YES', book: 'NO' }, 'bridge.instrument_conflict'],
    [{ symbol: 'RAIN', securityId: '7:NO', book: 'YES' }, 'bridge.instrument_conflict'],
    [{ symbol: 'RAIN' }, 'bridge.book_missing'],
    [{ securityId: '7' }, 'bridge.book_missing'],
    [{ symbol: 'BTC-USDC', book: 'YES' }, 'bridge.book_on_spot'],
  ] as const)('%j is refused with %s', (changes, code) => {
    expect(resolved(changes)).toBe(code);
  });

  test('the list has each spot market once and both books of the others', () => {
    expect([...list].map(({ symbol }) => symbol)).toEqual(['BTC-USDC', 'RAIN:YES', 'RAIN:NO']);
  });

  test('an outcome pays one unit of the quote currency, spot has no bound', () => {
    expect([...list].map(payout)).toEqual([null, 1_000_000n, 1_000_000n]);
  });
});

describe('a symbol that several markets have', () => {
  const again: Market = { ...rain, marketId: 8 as MarketId };
  const named = (markets: readonly Market[], changes: Partial<InstrumentRef>) => {
    const instrument = new InstrumentList(markets).resolve(ref(changes));
    return isDenial(instrument) ? instrument.refusal.name : instrument.securityId;
  };
  const byBook = { symbol: 'RAIN', book: 'NO' } as const;

  test.each([
    [[rain, again], 'bridge.instrument_conflict'],
    [[rain, again, { ...again, marketId: 9 as MarketId }], 'bridge.instrument_conflict'],
    [[rain, { ...again, status: 'halted' }], 'bridge.instrument_conflict'],
    [[rain, { ...again, status: 'settled' }], '7:NO'],
    [[{ ...rain, status: 'closed' }, again], '8:NO'],
  ] as [Market[], string][])('names none of those that are not over: %#', (markets, expected) => {
    expect(named(markets, byBook)).toBe(expected);
    expect(named(markets, { symbol: 'RAIN:NO' })).toBe(expected);
    expect(named(markets, { symbol: 'RAIN:NO', securityId: '7:NO' })).toBe('7:NO');
    expect(named(markets, { symbol: 'RAIN', securityId: '8:NO' })).toBe('8:NO');
  });

  test('may be that of a spot market and of a book', () => {
    const other: Market = { ...spot, marketId: 2 as MarketId, symbol: 'RAIN:NO' };
    expect(named([rain, other], { symbol: 'RAIN:NO' })).toBe('bridge.instrument_conflict');
    expect(named([rain, other], { symbol: 'RAIN:YES' })).toBe('7:YES');
    expect(named([rain, other], { symbol: 'RAIN:NO', securityId: '2' })).toBe('2');
  });
});

test('R103: a reference without a book, or with the wrong one, still has its market', () => {
  const marketOf = (changes: Partial<InstrumentRef>) => list.marketOf(ref(changes))?.symbol;
  expect([
    marketOf({ symbol: 'RAIN' }),
    marketOf({ securityId: '7' }),
    marketOf({ symbol: 'BTC-USDC', book: 'YES' }),
    marketOf({ securityId: '7:NO', symbol: 'RAIN:YES' }),
    marketOf({ symbol: 'SNOW' }),
    marketOf({}),
  ]).toEqual(['RAIN', 'RAIN', 'BTC-USDC', 'RAIN', undefined, undefined]);
});
