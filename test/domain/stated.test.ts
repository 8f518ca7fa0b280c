/** What the venue's durable record says of an order whose events are lost (R75). */
import { describe, expect, test } from 'vitest';
import type { Fill } from '../../src/domain/event.ts';
import type { Standing, Statement } from '../../src/domain/stated.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { denialOf } from '../../src/venue/refusals.ts';
import { Ladder, terms } from './ladder.ts';

const qty = (n: number) => BigInt(n) as Qty;

function fill(fillId: string, amount: number): Fill {
  const price = 10n as Price;
  return { fillId, price, qty: qty(amount), feeMicro: 0n as FeeMicro, liquidity: 'maker', tsMs: 1 };
}

function standing(more: Partial<Standing> & { id?: string } = {}): Standing {
  const { id = 'v1', ...rest } = more;
  return {
    orderId: id as OrderId,
    status: 'resting',
    leavesQty: qty(10),
    filledQty: null,
    fills: [],
    denial: null,
    ...rest,
  };
}

function state(order: Ladder, own: Standing, child: Standing | null = null): readonly string[] {
  const statement: Statement = { order: own, child };
  return order.step({ kind: 'stated', statement, nowMs: 9000 });
}

describe('an order that was amended and then filled', () => {
  const filled = { status: 'filled', leavesQty: qty(0) } as const;

  test('has the quantity of the replace before its trades, and ends as filled', () => {
    const order = Ladder.live(10);
    order.fill(1);
    order.replace('Y', 4);
    order.requestSent('Y');
    const fills = [fill('a', 1), fill('b', 3)];
    expect(state(order, standing({ ...filled, fills, filledQty: qty(4) }))).toEqual([
      '8 150=5 39=1 11=Y 41=X 38=4 14=1 151=3 638=0',
      '8 150=F 39=2 11=Y 38=4 14=4 151=0 32=3 31=10 6=10',
    ]);
    expect(order.order).toMatchObject({ phase: 'filled', pending: null });
  });

  test('has what its replace left open before its trades, where that means what is left after fills', () => {
    const order = Ladder.live(4, { amendQty: 'remaining' });
    order.replace('Y', 2);
    order.requestSent('Y');
    order.fill(3);
    const fills = [fill('a', 3), fill('b', 2)];
    expect(state(order, standing({ ...filled, fills, filledQty: qty(5) }))).toEqual([
      '8 150=5 39=1 11=Y 41=X 38=5 14=3 151=2 638=0',
      '8 150=F 39=2 11=Y 38=5 14=5 151=0 32=2 31=10 6=10',
    ]);
  });

  test('stays open where only its replace explains the trades', () => {
    const order = Ladder.live(4, { amendQty: 'remaining' });
    order.replace('Y', 3);
    order.requestSent('Y');
    order.fill(3);
    const fills = [fill('a', 3), fill('b', 2)];
    state(order, standing({ status: 'partially_filled', leavesQty: qty(1), fills }));
    expect(order.order).toMatchObject({ clOrdId: 'Y', phase: 'live', cumQty: 5n, leavesQty: 1n });
  });

  test('loses what is open beyond its replace, which the trades of the receipt have passed', () => {
    const order = Ladder.live(100, { amendQty: 'remaining' });
    order.replace('Y', 40);
    order.requestSent('Y');
    const own = {
      status: 'partially_filled',
      leavesQty: qty(20),
      fills: [fill('a', 110)],
    } as const;
    expect(state(order, standing(own))).toEqual([
      '8 150=5 39=0 11=Y 41=X 38=130 14=0 151=130 638=0',
      '8 150=F 39=1 11=Y 38=130 14=110 151=20 32=110 31=10 6=10',
      '-> cancel order v1',
    ]);
  });

  test('stays open where only the trim of its excess explains the trades', () => {
    const order = trimming();
    const own = standing({ status: 'partially_filled', leavesQty: qty(3), fills: [fill('a', 12)] });
    expect(state(order, own)).toEqual([
      '8 150=D 39=0 11=Y 38=15 14=0 151=15 378=partial_decline',
      '8 150=F 39=1 11=Y 38=15 14=12 151=3 32=12 31=10 6=10',
      '-> cancel order v1',
    ]);
  });

  test('is not taken for filled at a quantity that its receipt does not explain, without an alarm', () => {
    const order = Ladder.live(4, { amendQty: 'remaining' });
    order.replace('Y', 3);
    order.requestSent('Y');
    state(order, standing({ ...filled, fills: [fill('a', 5)], filledQty: qty(6) }));
    expect(order.said.join()).toContain('filled beyond OrderQty');
  });

  test('by more than its quantity, without a replace in flight, is an error of the venue', () => {
    const order = Ladder.live(4);
    state(order, standing({ ...filled, fills: [fill('a', 5)], filledQty: qty(5) }));
    expect(order.said.join()).toContain('filled beyond OrderQty');
  });

  test('through another channel is restated before its trades', () => {
    const fills = [fill('a', 4)];
    expect(state(Ladder.live(10), standing({ ...filled, fills, filledQty: qty(4) }))).toEqual([
      '8 150=D 39=0 11=X 38=4 14=0 151=4 378=other',
      '8 150=F 39=2 11=X 38=4 14=4 151=0 32=4 31=10 6=10',
    ]);
  });

  test('is not known without all of its trades', () => {
    const order = Ladder.live(10);
    const said = state(order, standing({ ...filled, fills: [fill('a', 4)], filledQty: qty(10) }));
    expect(said.join()).toContain('not by which trades');
    expect(order.order).toMatchObject({ phase: 'live', cumQty: 4n });
  });
});

describe('an order that goes on', () => {
  test('says nothing where nothing was missed', () => {
    expect(state(Ladder.live(10), standing())).toEqual([]);
  });

  test('tells the trades that were not heard, and no other', () => {
    const order = Ladder.live(10);
    order.fill(4);
    const fills = [fill('a', 4), fill('b', 3)];
    expect(
      state(order, standing({ status: 'partially_filled', leavesQty: qty(3), fills })),
    ).toEqual(['8 150=F 39=1 11=X 38=10 14=7 151=3 32=3 31=10 6=10']);
    expect(state(order, standing({ leavesQty: qty(3), fills }))).toEqual([]);
  });

  test.each([
    ['newest first', [fill('f2', 3), fill('f1', 4)]],
    ['oldest first', [fill('f1', 4), fill('f2', 3)]],
  ])('tells a trade that was not heard where the record lists them %s', (_, fills) => {
    const order = Ladder.live(10);
    order.fill(4, 10, { fillId: 'f1' });
    const told = state(order, standing({ status: 'partially_filled', leavesQty: qty(3), fills }));
    expect(told).toEqual(['8 150=F 39=1 11=X 38=10 14=7 151=3 32=3 31=10 6=10']);
  });

  test('is new first, where its acceptance was missed too', () => {
    expect(state(pendingNew(), standing({ leavesQty: qty(7), fills: [fill('a', 3)] }))).toEqual([
      '8 150=0 39=0 11=X 38=10 14=0 151=10',
      '8 150=F 39=1 11=X 38=10 14=3 151=7 32=3 31=10 6=10',
    ]);
  });

  test('takes over the quantity that an unheard amend left', () => {
    expect(state(Ladder.live(10), standing({ leavesQty: qty(6) }))).toEqual([
      '8 150=D 39=0 11=X 38=6 14=0 151=6 378=other',
    ]);
  });
});

describe('an order that has ended', () => {
  test('is canceled after its last trades, in the words of the request that asked for it', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    expect(
      state(order, standing({ status: 'canceled', leavesQty: qty(0), fills: [fill('a', 3)] })),
    ).toEqual([
      '8 150=F 39=6 11=X 38=10 14=3 151=7 32=3 31=10 6=10',
      '8 150=4 39=4 11=Y 41=X 38=10 14=3 151=0',
    ]);
  });

  test('is refused where it never rested', () => {
    const denial = denialOf({ code: 'tick_misaligned', number: null, text: '' });
    expect(state(pendingNew(), standing({ status: 'rejected', denial }))).toEqual([
      '8 150=8 39=8 11=X 38=10 14=0 151=0 tick_misaligned',
    ]);
  });

  test('is left alone with an alarm where its trades do not make it full', () => {
    const [line] = state(Ladder.live(10), standing({ status: 'filled', leavesQty: qty(0) }));
    expect(line).toContain('!! the venue says that v1 is filled');
  });

  test('hears nothing after its end', () => {
    const order = Ladder.live(10);
    order.fill(10);
    expect(state(order, standing({ status: 'canceled' }))).toEqual([]);
  });
});

test('a replace that placed its order unheard goes on under the new id', () => {
  const order = Ladder.live(10);
  order.replace('Y', 10, 12);
  order.requestSent('Y', 'v2');
  const gone = standing({ status: 'canceled', leavesQty: qty(0), fills: [fill('a', 2)] });
  const child = standing({ id: 'v2', leavesQty: qty(5), fills: [fill('b', 3)] });
  expect(state(order, gone, child)).toEqual([
    '8 150=F 39=E 11=X 38=10 14=2 151=8 32=2 31=10 6=10',
    '8 150=5 39=1 11=Y 41=X 38=10 14=2 151=8 638=1',
    '8 150=F 39=1 11=Y 38=10 14=5 151=5 32=3 31=10 6=10',
  ]);
});

describe('events behind the rebuilt part that the receipt already contains', () => {
  test.each(['accepted', 'resting', 'replaced'] as const)(
    'an order that its receipt showed as canceled has not come back to life: %s',
    (kind) => {
      const order = pendingNew();
      state(order, standing({ status: 'canceled', leavesQty: qty(0) }));
      expect(order.event(kind)).toEqual([]);
      expect(order.event('canceled')).toEqual([]);
    },
  );

  test('nor has the order of a replace that its receipt showed as canceled', () => {
    const order = Ladder.live(10);
    order.replace('Y', 10, 12);
    order.requestSent('Y', 'v2');
    const gone = { status: 'canceled', leavesQty: qty(0) } as const;
    state(order, standing(gone), standing({ id: 'v2', ...gone }));
    expect(order.event('canceled', { id: 'v1', hash: 'h-Y' })).toEqual([]);
    expect(order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y' })).toEqual([]);
  });

  test('nor does an event of the order before it show life', () => {
    const order = pendingNew();
    state(order, standing());
    order.replace('Y', 10, 12);
    order.requestSent('Y', 'v2');
    const gone = { status: 'canceled', leavesQty: qty(0) } as const;
    state(order, standing(gone), standing({ id: 'v2', ...gone }));
    expect(order.event('resting', { id: 'v1', hash: 'h-new' })).toEqual([]);
    expect(order.order.phase).toBe('canceled');
  });

  test('an amend of the order before the one that a receipt showed changes nothing', () => {
    const order = Ladder.live(10);
    order.replace('Y', 2, 12);
    order.requestSent('Y', 'v2');
    const gone = standing({ status: 'canceled', leavesQty: qty(0) });
    state(order, gone, standing({ id: 'v2', leavesQty: qty(2) }));
    expect(order.event('amended', { id: 'v1', hash: 'h-other', leaves: 7 })).toEqual([]);
    expect(order.order).toMatchObject({ orderId: 'v2', leavesQty: 2n });
  });

  test('a later trade of such an order is reported', () => {
    const order = pendingNew();
    state(order, standing({ status: 'canceled', leavesQty: qty(0) }));
    const [report] = order.fill(3, 10, { fillId: 'late' });
    expect(report).toContain('150=F 39=4 11=X 38=10 14=3 151=0');
  });

  test('an amend before the trades leaves what is open after them', () => {
    const order = Ladder.live(10);
    state(order, standing({ leavesQty: qty(4), fills: [fill('a', 2)] }));
    const amended = order.event('amended', { leaves: 6, filled: 0 });
    expect(amended).toEqual(['8 150=D 39=1 11=X 38=6 14=2 151=4 378=other']);
    expect(order.fill(2, 10, { fillId: 'a' })).toEqual([]);
    expect(order.order).toMatchObject({ cumQty: 2n, leavesQty: 4n });
  });

  test('the events of two amends that two receipts showed change nothing', () => {
    const order = Ladder.live(10);
    for (const [clOrdId, asked] of [
      ['Y', 6],
      ['Z', 4],
    ] as const) {
      order.replace(clOrdId, asked);
      order.requestSent(clOrdId);
      state(order, standing({ leavesQty: qty(asked) }));
    }
    expect(order.event('amended', { hash: 'h-Y', leaves: 6 })).toEqual([]);
    expect(order.event('amended', { hash: 'h-Z', leaves: 4 })).toEqual([]);
    expect(order.order).toMatchObject({ clOrdId: 'Z', leavesQty: 4n });
  });

  test('the event of a trim that a receipt showed changes nothing', () => {
    const order = trimming();
    state(order, standing({ leavesQty: qty(3), fills: [fill('a', 4)] }));
    expect(order.order).toMatchObject({ cumQty: 4n, leavesQty: 3n });
    expect(order.event('amended', { hash: 'h-trim-1', leaves: 7 })).toEqual([]);
  });

  test('the event of an amend that a receipt showed changes nothing, unless it asked for something else', () => {
    const amending = () => {
      const order = Ladder.live(10);
      order.replace('Y', 4);
      order.requestSent('Y');
      return order;
    };
    const order = amending();
    state(order, standing({ leavesQty: qty(2), fills: [fill('a', 2)] }));
    expect(order.event('amended', { hash: 'h-Y', leaves: 4 })).toEqual([]);
    expect(order.order).toMatchObject({ clOrdId: 'Y', cumQty: 2n, leavesQty: 2n });
    const other = amending();
    state(other, standing({ leavesQty: qty(7) }));
    other.event('amended', { hash: 'h-Y', leaves: 4 });
    expect(other.order.leavesQty).toBe(4n);
  });
});

/** Its replace to 7 has left 10 open, where an amend means what is left; the amend of the excess is sent. */
function trimming(): Ladder {
  const order = Ladder.live(11, { amendQty: 'remaining' });
  order.replace('Y', 7);
  order.requestSent('Y');
  order.event('amended', { hash: 'h-Y', leaves: 10 });
  order.requestSent('trim-1');
  return order;
}

/** Sent, and nothing heard since. */
function pendingNew(): Ladder {
  const order = new Ladder(terms({ qty: qty(10) }));
  order.sent();
  return order;
}
