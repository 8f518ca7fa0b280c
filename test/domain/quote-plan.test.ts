/** Quotes as atomic groups (contract C.7). */
import { describe, expect, test } from 'vitest';
import type { QuoteEntry, QuoteSet } from '../../src/domain/command.ts';
import { InstrumentList, type Market } from '../../src/domain/instrument.ts';
import { createOrder, type Order } from '../../src/domain/order.ts';
import { planQuotes, type QuoteRules, slotOf } from '../../src/domain/quote-plan.ts';
import {
  type Book,
  type MarketId,
  maxSafeAtoms,
  type OrderId,
  type Price,
  parseDecimal,
  type Qty,
  type Side,
} from '../../src/domain/units.ts';
import { account, spot, terms } from './ladder.ts';

const rain: Market = {
  ...spot,
  marketId: 7 as MarketId,
  kind: 'prediction',
  symbol: 'RAIN',
  priceScale: 2,
};
const instruments = new InstrumentList([spot, rain]);
const rules: QuoteRules = {
  postOnly: true,
  stp: 'cancel_maker',
  skipUnchanged: true,
  maxLegs: 4,
  maxAtoms: maxSafeAtoms,
};

const decimal = (text: string | null) => (text === null ? null : (parseDecimal(text) ?? null));
const sideOf = (text: string | null) => {
  const [price = null, qty = null] = text?.split('x') ?? [];
  return { price: decimal(price), qty: decimal(qty) };
};

/** `bid` and `ask` as `price x size`. */
function entry(
  entryId: string,
  symbol: string,
  book: Book | null,
  bid: string | null,
  ask: string | null,
): QuoteEntry {
  const instrument = { symbol, securityId: null, book };
  return { entryId, instrument, bid: sideOf(bid), ask: sideOf(ask) };
}

const set = (setId: string, ...entries: QuoteEntry[]): QuoteSet => ({ setId, entries });

/** A live order in the slot of entry e1 on the YES book. */
function quoted(side: Side, price: number, qty: number, orderId: string): Order {
  const instrument = instruments.of(7 as MarketId, 'YES')!;
  const slot = slotOf('e1', instrument, side);
  const owner = {
    session: 'S',
    account,
    accountName: 'desk',
    tag: 'T',
    key: orderId,
    quoteId: 'Q0',
    slot,
  };
  const wanted = terms({ side, qty: BigInt(qty) as Qty, price: BigInt(price) as Price });
  const order = createOrder(owner, `Q0.s.e1.${side}`, instrument, wanted, 0);
  return { ...order, phase: 'live', orderId: orderId as OrderId };
}

function plan(
  sets: QuoteSet[],
  live: Order[] = [],
  changes: Partial<QuoteRules> = {},
  spent: string[] = [],
) {
  const book = {
    resolve: ({ instrument }: QuoteEntry) => instruments.resolve(instrument),
    marketOf: (ref: QuoteEntry['instrument']) => instruments.marketOf(ref),
    present: (slot: string) => live.filter(({ owner }) => owner.slot === slot),
    isSpent: (clOrdId: string) => spent.includes(clOrdId),
  };
  return planQuotes('Q1', sets, book, { ...rules, ...changes });
}

const legs = (group: ReturnType<typeof plan>[number] | undefined) =>
  group?.intent?.legs.map(
    ({ cancelOrderId, book, side, price, qty }) =>
      `${cancelOrderId ?? '-'} ${book} ${side} ${qty}@${price}`,
  );

describe('R103 R104 R105: quotes', () => {
  test('both books of a market share a group, new slots place only', () => {
    const groups = plan([
      set(
        's',
        entry('e1', 'RAIN', 'YES', '0.4x10', '0.6x5'),
        entry('e2', 'RAIN', 'NO', '0.3x7', null),
      ),
    ]);
    expect(groups).toHaveLength(1);
    expect(legs(groups[0])).toEqual(['- YES Bid 10@40', '- YES Ask 5@60', '- NO Bid 7@30']);
    expect(groups[0]?.places.map(({ clOrdId, legIndex }) => `${legIndex} ${clOrdId}`)).toEqual([
      '0 Q1.s.e1.B',
      '1 Q1.s.e1.S',
      '2 Q1.s.e2.B',
    ]);
    expect(groups[0]?.intent?.legs[0]).toMatchObject({
      stp: 'cancel_maker',
      timeInForce: 'post_only',
    });
  });

  test('a live slot is replaced, left alone where nothing changes, and canceled at size 0', () => {
    const live = [quoted('Bid', 40, 10, 'v1'), quoted('Ask', 60, 5, 'v2')];
    expect(legs(plan([set('s', entry('e1', 'RAIN', 'YES', '0.41x10', '0.6x5'))], live)[0])).toEqual(
      ['v1 YES Bid 10@41'],
    );
    const canceled = plan([set('s', entry('e1', 'RAIN', 'YES', '0.4x0', null))], live)[0];
    expect(legs(canceled)).toEqual(['v1 YES Bid 0@40', 'v2 YES Ask 0@60']);
    expect(canceled).toMatchObject({ places: [], cancels: ['v1', 'v2'] });
    expect(
      plan([set('s', entry('e1', 'RAIN', 'YES', '0.4x10', '0.6x5'))], live)[0]?.intent,
    ).toBeNull();
  });

  test('a side of the same amounts goes out again where the decimals of its market have changed', () => {
    const [live] = [quoted('Bid', 40, 10, 'v1')];
    const market = { ...rain, priceScale: 3 };
    const before = { ...live, instrument: { ...live.instrument, market } };
    const [group] = plan([set('s', entry('e1', 'RAIN', 'YES', '0.4x10', null))], [before]);
    expect(legs(group)).toEqual(['v1 YES Bid 10@40']);
  });

  test('an unchanged side goes out again where that is switched off', () => {
    const live = [quoted('Bid', 40, 10, 'v1')];
    const groups = plan([set('s', entry('e1', 'RAIN', 'YES', '0.4x10', null))], live, {
      skipUnchanged: false,
    });
    expect(legs(groups[0])).toEqual(['v1 YES Bid 10@40']);
  });

  test('two markets, and two sets, are groups of their own', () => {
    const groups = plan([
      set(
        'a',
        entry('e1', 'RAIN', 'YES', '0.4x1', null),
        entry('e2', 'BTC-USDC', null, '10x1', null),
      ),
      set('b', entry('e1', 'RAIN', 'NO', '0.4x1', null)),
    ]);
    expect(groups.map(({ setId, intent }) => `${setId} ${intent?.market}`)).toEqual([
      'a 7',
      'a 1',
      'b 7',
    ]);
  });

  test('one side that cannot be meant holds its whole group back, and only that', () => {
    const groups = plan([
      set(
        's',
        entry('e1', 'RAIN', 'YES', '0.4x1', '0.405x1'),
        entry('e2', 'BTC-USDC', null, '10x1', null),
      ),
    ]);
    expect(groups[0]).toMatchObject({
      intent: null,
      places: [],
      denial: { refusal: { name: 'bridge.price_precision' } },
    });
    expect(groups[1]?.intent?.market).toBe(1);
  });

  test('an unknown instrument is refused by its entry', () => {
    const [group] = plan([set('s', entry('e1', 'SNOW', 'YES', '0.4x1', null))]);
    expect(group?.denial?.refusal.name).toBe('bridge.unknown_instrument');
    expect(group?.entries[0]?.denial?.refusal.name).toBe('bridge.unknown_instrument');
  });

  test('R103: an entry that names a market without its book refuses the quotes of that market, and of no other', () => {
    const [rain, spot] = plan([
      set(
        's',
        entry('e1', 'RAIN', 'YES', '0.4x1', null),
        entry('e2', 'RAIN', null, '0.5x1', null),
        entry('e3', 'BTC-USDC', null, '10x1', null),
      ),
    ]);
    expect(rain).toMatchObject({
      intent: null,
      denial: { refusal: { name: 'bridge.book_missing' } },
    });
    expect(rain?.entries.map(({ entryId, denial }) => [entryId, denial?.refusal.name])).toEqual([
      ['e1', undefined],
      ['e2', 'bridge.book_missing'],
    ]);
    expect(spot?.intent?.market).toBe(1);
  });

  test('a slot whose quote is not answered yet, and more legs than the venue takes', () => {
    const open = { ...quoted('Bid', 40, 10, 'v1'), phase: 'pending_new' } as const;
    const [pending] = plan([set('s', entry('e1', 'RAIN', 'YES', '0.41x1', null))], [open]);
    expect(pending?.denial?.refusal.name).toBe('bridge.pending');
    const many = [1, 2, 3].map((n) => entry(`e${n}`, 'RAIN', 'YES', '0.4x1', '0.6x1'));
    expect(plan([set('s', ...many)])[0]?.denial?.refusal.name).toBe('bridge.limit');
  });
});
