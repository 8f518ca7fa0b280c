/** What is sent to the venue for an order's terms, and what a cancel of it is aimed at. */
import { expect, test } from 'vitest';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { entryIntent, targetOf } from '../../src/domain/terms.ts';
import type { Price, Qty } from '../../src/domain/units.ts';
import { spot, terms } from './ladder.ts';

const [instrument] = instrumentsOf(spot) as [ReturnType<typeof instrumentsOf>[number]];
const plain = terms({
  qty: 5n as Qty,
  price: 11n as Price,
  limitPrice: 12n as Price,
  isMarket: true,
  reduceOnly: true,
  expiresAtMs: 7,
  timeInForce: 'ioc',
});
const strategy = { kind: 'twap', sliceQty: 2n as Qty, intervalMs: 9 } as const;
const trigger = { price: 8n as Price, direction: 'at_or_below', kind: 'stop_loss' } as const;
const place = {
  kind: 'place',
  market: 1,
  book: null,
  side: 'Bid',
  price: 12n,
  qty: 5n,
  stp: 'cancel_taker',
  timeInForce: 'ioc',
  isMarket: true,
  reduceOnly: true,
  expiresAtMs: 7,
};

test('a plain order is placed at the limit price for the venue, not at the price of the client', () => {
  expect(entryIntent(plain, instrument)).toEqual(place);
});

test('a conditional order carries the order that it places when it fires', () => {
  expect(entryIntent({ ...plain, trigger }, instrument)).toEqual({
    kind: 'conditional',
    triggerPrice: 8n,
    triggerDirection: 'at_or_below',
    conditionalKind: 'stop_loss',
    nested: place,
  });
});

test('an algo order states its whole quantity and its slices', () => {
  expect(entryIntent({ ...plain, strategy }, instrument)).toEqual({
    kind: 'algo',
    market: 1,
    book: null,
    side: 'Bid',
    totalQty: 5n,
    limitPrice: 12n,
    timeInForce: 'ioc',
    strategy,
  });
});

test('a cancel is aimed at the kind of order that was placed', () => {
  expect(targetOf(plain)).toBe('order');
  expect(targetOf({ ...plain, strategy })).toBe('algo');
  expect(targetOf({ ...plain, trigger })).toBe('conditional');
});
