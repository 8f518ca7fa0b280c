/** Which books a command needs before it can be judged. */
import { describe, expect, test } from 'vitest';
import type { Command, RequestedTerms } from '../../../src/domain/command.ts';
import { InstrumentList } from '../../../src/domain/instrument.ts';
import type { Price } from '../../../src/domain/units.ts';
import type { RiskLimits } from '../../../src/gateway/config/config.ts';
import { isCollared, priceNeeds } from '../../../src/gateway/gate/price-needs.ts';
import type { Principal } from '../../../src/gateway/gate/principal.ts';
import { RiskGuard } from '../../../src/gateway/gate/risk.ts';
import { spot } from '../../domain/ladder.ts';

const instruments = new InstrumentList([spot]);
const ref = { symbol: spot.symbol, securityId: null, book: null };
const unknown = { ...ref, symbol: 'NO-SUCH' };
const collar = { priceCollarBps: 1000 } as RiskLimits;
const top = (price: bigint) => ({ bid: price as Price, ask: price as Price });

function principal(session: RiskLimits, ofAccount: RiskLimits = {}): Principal {
  return {
    guard: new RiskGuard('s', session),
    accounts: [{ guard: new RiskGuard('a', ofAccount) }],
  } as unknown as Principal;
}
const decimal = (mantissa: bigint) => ({ mantissa, scale: 0 });
const order = (terms: Partial<RequestedTerms>, instrument = ref, kind = 'new_order') =>
  ({
    kind,
    instrument,
    terms: { side: 'Bid', ordType: 'limit', price: decimal(100n), stopPrice: null, ...terms },
  }) as unknown as Command;
const needs = (command: Command, by = principal(collar)) => priceNeeds(command, by, instruments);

test('a market order always needs a book, and an older one is never enough', () => {
  const [need] = needs(order({ ordType: 'market', price: null }), principal({}));
  expect(need?.instrument.symbol).toBe(spot.symbol);
  expect(need?.isEnough(top(100n))).toBe(false);
  expect(needs(order({ ordType: 'market', price: null }, unknown))).toEqual([]);
});

test('an order with a price needs a book only for a collar', () => {
  expect(needs(order({}), principal({}))).toEqual([]);
  expect(needs(order({}))).toHaveLength(1);
  expect(needs(order({ ordType: 'market' }), principal({}))).toEqual([]);
  expect(needs(order({}, ref, 'replace_order'))).toHaveLength(1);
});

test('the collar may be that of the session or of one of its accounts', () => {
  expect([isCollared(principal({})), isCollared(principal({}, collar))]).toEqual([false, true]);
  expect(isCollared(principal(collar))).toBe(true);
  expect(needs(order({}), principal({}, collar))).toHaveLength(1);
});

test('a book by which the order is within every collar is enough, and otherwise it is read again', () => {
  const [need] = needs(order({}), principal(collar, { priceCollarBps: 100 } as RiskLimits));
  expect(need?.isEnough(top(100n))).toBe(true);
  expect(need?.isEnough(top(95n))).toBe(false);
  expect(need?.isEnough(top(80n))).toBe(false);
  expect(need?.isEnough({ bid: null, ask: null })).toBe(false);
});

test('a conditional order is priced away from the market on purpose', () => {
  expect(needs(order({ stopPrice: decimal(90n) }))).toEqual([]);
  expect(needs(order({ stopPrice: decimal(90n), ordType: 'stop', price: null }))).toEqual([]);
});

describe('quotes', () => {
  const entry = { instrument: ref, bid: { price: decimal(99n) }, ask: { price: decimal(101n) } };
  const quote = (one: object) => ({ kind: 'quote', entry: one }) as unknown as Command;

  test('need a book for each side that has a price', () => {
    expect(needs(quote(entry))).toHaveLength(2);
    expect(needs(quote({ ...entry, ask: null }))).toHaveLength(1);
    expect(needs(quote({ ...entry, bid: { price: null } }))).toHaveLength(1);
    expect(needs(quote({ ...entry, instrument: unknown }))).toEqual([]);
    const sets = [{ entries: [entry] }, { entries: [entry, entry] }];
    expect(needs({ kind: 'mass_quote', sets } as unknown as Command)).toHaveLength(6);
  });

  test('are judged on their own side', () => {
    const [, ask] = needs(quote(entry));
    expect(ask?.isEnough(top(112n))).toBe(true);
    expect(ask?.isEnough(top(113n))).toBe(false);
  });
});

test('nothing else needs a book', () => {
  expect(needs({ kind: 'cancel_order' } as Command)).toEqual([]);
});
