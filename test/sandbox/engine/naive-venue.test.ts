import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Floor, placeOf, usd } from './floor.ts';
import { NaiveVenue } from './naive-venue.ts';

const lotStep = 12_345_670;

const step = fc.record({
  account: fc.constantFrom('ann', 'bob', 'cid'),
  kind: fc.constantFrom('place', 'place', 'place', 'place', 'cancel', 'amend'),
  side: fc.constantFrom('Bid' as const, 'Ask' as const),
  price: fc.integer({ min: -5, max: 5 }).map((away) => 100 * usd + away * 700),
  qty: fc.nat(6).map((lots) => lots * lotStep),
  target: fc.nat(40),
  timeInForce: fc.constantFrom(
    'gtc' as const,
    'gtc' as const,
    'ioc' as const,
    'fok' as const,
    'post_only' as const,
  ),
  stpMode: fc.constantFrom('cancel_maker', 'cancel_taker', 'reject', 'skip_self', null),
  isMarket: fc.constantFrom(false, false, false, true),
});

test('R114: random orders, cancels and amends come out as in a naive venue: trades, queues, money', () => {
  const property = fc.property(fc.array(step, { minLength: 10, maxLength: 80 }), (steps) => {
    const floor = new Floor({ fees: { takerBps: 0, makerBps: 0, tiers: [] } });
    const naive = new NaiveVenue();
    const ids: string[] = [];
    for (const { account, kind, target, ...terms } of steps) {
      const known = ids[target % Math.max(1, ids.length)] ?? 'o0';
      if (kind === 'cancel') {
        floor.cancel(account, known);
        naive.cancel(account, known);
      } else if (kind === 'amend') {
        floor.amend(account, known, terms.qty);
        naive.amend(account, known, terms.qty);
      } else {
        const action = placeOf(terms);
        const { refusal, orderId } = floor.do(account, action);
        const id = orderId ?? '';
        expect(naive.place(account, id, action)).toBe(refusal === null ? 'taken' : 'refused');
        if (refusal === null) ids.push(id);
      }
      expect(floor.queue('Bid')).toEqual(naive.resting('Bid'));
      expect(floor.queue('Ask')).toEqual(naive.resting('Ask'));
    }
    const trades = floor.exchange.ledger().trades;
    expect(
      trades.map(({ makerOrderId: maker, takerOrderId: taker, price, qty }) => ({
        maker,
        taker,
        price,
        qty,
      })),
    ).toEqual(naive.trades);
    for (const account of ['ann', 'bob', 'cid']) {
      const total = BigInt(floor.free(account, 'USDC') + floor.held(account, 'USDC'));
      expect(total).toBe(BigInt(1_000_000 * usd) + (naive.usdc.get(account) ?? 0n));
    }
  });
  fc.assert(property, { numRuns: 120 });
});
