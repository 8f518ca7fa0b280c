/** What becomes of an order when an operator busts or corrects one of its trades (FIX 4.4, appendix D, J.1). */
import { describe, expect, test } from 'vitest';
import { type AskedAmendment, amendmentOf } from '../../src/domain/amended-trade.ts';
import type { Fill } from '../../src/domain/event.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { Ladder, spot, terms } from './ladder.ts';

const qty = (n: number) => BigInt(n) as Qty;

/** The act of an operator: the lines of the step, or why it is refused. */
function act(ladder: Ladder, asked: AskedAmendment): readonly string[] | string {
  const amendment = amendmentOf(ladder.order, asked);
  return typeof amendment === 'string' ? amendment : ladder.step({ ...amendment, nowMs: 9000 });
}

const bust = (ladder: Ladder, execId = 'T-2-0') => act(ladder, { act: 'bust', execId });
const correct = (ladder: Ladder, amount: string, price = '10', execId = 'T-2-0') =>
  act(ladder, { act: 'correct', execId, qty: amount, price });

function filled(amount: number, ofQty = 10): Ladder {
  const ladder = Ladder.live(ofQty);
  ladder.fill(amount, 10, { leaves: ofQty - amount });
  return ladder;
}

describe('a repeated act', () => {
  test('a trade is busted once, whichever of its ExecIDs is named', () => {
    const order = filled(4);
    expect(bust(order)).toEqual(['8 150=H 39=0 11=X 38=10 14=0 151=10 19=T-2-0']);
    const before = order.order;
    for (const execId of ['T-2-0', before.executions[0]?.amendedBy ?? '']) {
      expect(bust(order, execId)).toBe('trade T-2-0 is busted already');
      expect(correct(order, '3', '10', execId)).toBe('trade T-2-0 is busted already');
    }
    expect(order.order).toBe(before);
  });

  test('a corrected trade is named by its last ExecID, so a request that is sent twice changes it once', () => {
    const order = filled(4);
    expect(correct(order, '3')).toEqual(['8 150=G 39=1 11=X 38=10 14=3 151=7 19=T-2-0']);
    const first = order.order.executions[0]?.amendedBy ?? '';
    const refused = `trade T-2-0 was corrected already; it is ${first} now`;
    expect(correct(order, '3')).toBe(refused);
    expect(bust(order)).toBe(refused);
    expect(correct(order, '3', '10', first)).toBe('the trade has this price and quantity');
    expect(correct(order, '4', '9', first)).toEqual([
      `8 150=G 39=1 11=X 38=10 14=4 151=6 19=${first}`,
    ]);
    expect(order.order.notional).toBe(36n);
    const second = order.order.executions[0]?.amendedBy ?? '';
    expect(bust(order, second)).toEqual([`8 150=H 39=0 11=X 38=10 14=0 151=10 19=${second}`]);
    expect(order.order).toMatchObject({ cumQty: 0n, notional: 0n });
    expect(bust(order, second)).toContain('it was corrected or busted');
  });
});

describe('what is refused', () => {
  const [instrument] = instrumentsOf({
    ...spot,
    ...{ priceScale: 2, qtyScale: 3, tick: 50n as Price, lot: 100n as Qty },
  });

  test.each([
    ['an unknown trade', '1', '10', 'T-9-0', 'the order has no trade T-9-0'],
    ['a price that is no decimal', '1', '1e1', 'T-2-0', 'the price 1e1 is not a decimal'],
    ['a quantity that is no decimal', '1,5', '10', 'T-2-0', 'the quantity 1,5 is not a decimal'],
    ['a price of nothing', '1', '0', 'T-2-0', 'the price must be above zero'],
    ['a price below nothing', '1', '-10', 'T-2-0', 'the price must be above zero'],
    ['more digits than the market has', '1', '10.001', 'T-2-0', 'at most 2 digits'],
    ['a price beside the tick', '1', '10.25', 'T-2-0', 'the price is not a multiple of 0.5'],
    ['a price that no message holds', '1', '99999999999999', 'T-2-0', 'too large'],
    ['a quantity of nothing', '0', '10', 'T-2-0', 'above zero'],
    ['more digits than a quantity has', '1.0001', '10', 'T-2-0', 'quantity: at most 3 digits'],
    ['a quantity below the lot', '0.15', '10', 'T-2-0', 'the quantity is not a multiple of 0.1'],
    ['a quantity that no message holds', '9999999999999', '10', 'T-2-0', 'too large'],
    ['more than was ordered', '10.1', '10', 'T-2-0', 'CumQty(14) would exceed OrderQty(38)'],
    ['all of an open order', '10', '10', 'T-2-0', 'would be full'],
  ])('%s', (_, amount, price, execId, why) => {
    const order = new Ladder(terms({ qty: qty(10_000) }), {}, null, instrument);
    order.sent();
    order.event('resting', { id: 'v1' });
    order.fill(4000, 1000);
    const before = order.order;
    expect(correct(order, amount, price, execId)).toContain(why);
    expect(order.order).toBe(before);
  });

  test('a quantity that was filled before the bridge knew the order is no trade of it', () => {
    const order = Ladder.live(10);
    order.order = { ...order.order, cumQty: qty(4), unseenQty: qty(4), leavesQty: qty(6) };
    expect(bust(order)).toContain('the order has no trade T-2-0');
  });
});

describe('an order that has ended stays ended', () => {
  test('it is canceled without the trade, and filled again by a correction', () => {
    const order = filled(10);
    expect(correct(order, '8')).toEqual(['8 150=G 39=4 11=X 38=10 14=8 151=0 19=T-2-0']);
    const execId = order.order.executions[0]?.amendedBy ?? '';
    expect(correct(order, '10', '10', execId)).toEqual([
      `8 150=G 39=2 11=X 38=10 14=10 151=0 19=${execId}`,
    ]);
  });

  test('one that was canceled gives nothing back to LeavesQty', () => {
    const order = filled(4);
    order.event('canceled');
    expect(bust(order)).toEqual(['8 150=H 39=4 11=X 38=10 14=0 151=0 19=T-2-0']);
  });
});

describe('an open order', () => {
  test('fills on after a bust, and a fill that the venue repeats is not taken for a new one', () => {
    const order = filled(4);
    bust(order);
    expect(order.fill(6, 10, { leaves: 0 })).toEqual([
      '8 150=F 39=1 11=X 38=10 14=6 151=4 32=6 31=10 6=10',
      '8 150=4 39=4 11=X 38=10 14=6 151=0 378=market_option',
    ]);
    expect(order.fill(4, 10, { fillId: 'f1' })).toEqual([]);
  });

  test('an amend counts what the venue has filled, with the trade that was busted', () => {
    const order = filled(4);
    bust(order);
    expect(order.replace('Y', 6).at(-1)).toBe('-> amend v1 to 10');
  });

  test('a trade of an earlier venue order is busted without another meaning of its child', () => {
    const order = filled(4);
    order.replace('Y', 12, 11);
    order.requestSent('Y', 'v2');
    order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 8 });
    expect(bust(order)).toEqual(['8 150=H 39=0 11=Y 38=12 14=0 151=12 19=T-2-0']);
    expect(order.fill(8, 11, { id: 'v2', leaves: 0 })).toEqual([
      '8 150=F 39=1 11=Y 38=12 14=8 151=4 32=8 31=11 6=11',
      '8 150=4 39=4 11=Y 38=12 14=8 151=0 378=market_option',
    ]);
  });

  test('a trade that is known from a receipt alone is busted like others', () => {
    const order = Ladder.live(10);
    stated(order, [fillOf('a', 4)], 'partially_filled', 6);
    expect(bust(order, 'o1-2')).toEqual(['8 150=H 39=0 11=X 38=10 14=0 151=10 19=o1-2']);
  });

  test('a receipt does not bring back a busted trade, and restates an order of which the venue has no more', () => {
    const order = filled(4);
    bust(order);
    const fills = [fillOf('f1', 4), fillOf('b', 6)];
    expect(stated(order, fills, 'filled', 0)).toEqual([
      '8 150=D 39=0 11=X 38=6 14=0 151=6 378=other',
      '8 150=F 39=2 11=X 38=6 14=6 151=0 32=6 31=10 6=10',
    ]);
  });

  test('a receipt counts a corrected trade as the venue has it', () => {
    const order = filled(4);
    correct(order, '3');
    const fills = [fillOf('f1', 4), fillOf('b', 2)];
    expect(stated(order, fills, 'partially_filled', 4)[0]).toBe(
      '8 150=F 39=1 11=X 38=10 14=5 151=5 32=2 31=10 6=10',
    );
  });
});

function fillOf(fillId: string, amount: number): Fill {
  const price = 10n as Price;
  return { fillId, price, qty: qty(amount), feeMicro: 0n as FeeMicro, liquidity: 'maker', tsMs: 1 };
}

function stated(
  order: Ladder,
  fills: readonly Fill[],
  status: 'filled' | 'partially_filled',
  leaves: number,
): readonly string[] {
  const filledQty = qty(fills.reduce((sum, each) => sum + Number(each.qty), 0));
  const of = { orderId: 'v1' as OrderId, leavesQty: qty(leaves), filledQty, denial: null };
  const statement = { order: { ...of, status, fills }, child: null };
  return order.step({ kind: 'stated', statement, nowMs: 9000 });
}
