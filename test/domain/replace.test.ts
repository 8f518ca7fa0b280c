/** Replaces and what crosses with them: FIX 4.4, appendix D, letter C, and contract C.6. */
import { describe, expect, test } from 'vitest';
import { lastExecId } from '../../src/domain/amended-trade.ts';
import { maxSafeAtoms, type Qty } from '../../src/domain/units.ts';
import { denied } from '../support/venue-denial.ts';
import { Ladder, terms } from './ladder.ts';

const qty = (n: number) => BigInt(n) as Qty;

describe('C: replace', () => {
  test('C.1.a: quantity up before any fill: the rest moves to a child', () => {
    const order = Ladder.live(10_000);
    order.replace('Y', 11_000);
    order.requestSent('Y', 'v2');
    order.event('canceled', { id: 'v1', hash: 'h-Y' });
    order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 11_000 });
    order.fill(11_000);
    expect(order.said).toEqual([
      '8 150=E 39=E 11=Y 41=X 38=10000 14=0 151=10000',
      '-> group v1>11000@10',
      '8 150=5 39=0 11=Y 41=X 38=11000 14=0 151=11000 638=1',
      '8 150=F 39=2 11=Y 38=11000 14=11000 151=0 32=11000 31=10 6=10',
    ]);
    expect(order.order).toMatchObject({ orderId: 'v2', parentOrderId: 'v1' });
  });

  test('C.1.b R97: quantity and price after a part fill: CumQty and AvgPx go on over the child', () => {
    const order = Ladder.live(100);
    order.fill(40, 10);
    order.replace('Y', 120, 12);
    order.requestSent('Y', 'v2');
    order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 80 });
    order.fill(80, 12);
    expect(order.said.slice(1)).toEqual([
      '8 150=E 39=E 11=Y 41=X 38=100 14=40 151=60',
      '-> group v1>80@12',
      '8 150=5 39=1 11=Y 41=X 38=120 14=40 151=80 638=1',
      '8 150=F 39=2 11=Y 38=120 14=120 151=0 32=80 31=12 6=11.33',
    ]);
  });

  test('C.2.a: the order fills while the replace is pending', () => {
    const order = Ladder.live(10);
    order.replace('Y', 20);
    order.requestSent('Y', 'v2');
    expect(order.fill(10)).toEqual([
      '8 150=F 39=E 11=X 38=10 14=10 151=0 32=10 31=10 6=10',
      '9 434=2 11=Y 41=X 39=2 102=0 bridge.too_late',
    ]);
  });

  test('C.3.a R95: quantity down at the same price keeps OrderID and priority', () => {
    const order = Ladder.live(100);
    order.fill(10);
    order.replace('Y', 60);
    order.requestSent('Y');
    order.fill(5);
    order.event('amended', { id: 'v1', hash: 'h-Y', leaves: 45 });
    expect(order.said.slice(1)).toEqual([
      '8 150=E 39=E 11=Y 41=X 38=100 14=10 151=90',
      '-> amend v1 to 60',
      '8 150=F 39=E 11=X 38=100 14=15 151=85 32=5 31=10 6=10',
      '8 150=5 39=1 11=Y 41=X 38=60 14=15 151=45 638=0',
    ]);
    expect(order.order.orderId).toBe('v1');
  });

  test.each([40, 25])(
    'C.3.b, C.3.c: down to %i with CumQty 40 cancels the rest and is full',
    (wanted) => {
      const order = Ladder.live(100);
      order.fill(40);
      order.replace('Y', wanted);
      order.requestSent('Y');
      order.event('canceled', { id: 'v1', hash: 'h-Y' });
      expect(order.said.slice(1)).toEqual([
        '8 150=E 39=E 11=Y 41=X 38=100 14=40 151=60',
        '-> cancel order v1',
        '8 150=5 39=2 11=Y 41=X 38=40 14=40 151=0 638=0',
      ]);
    },
  );

  test('a replace that changes nothing is accepted without the venue', () => {
    const order = Ladder.live(100);
    expect(order.replace('Y', 100)).toEqual(['8 150=5 39=0 11=Y 41=X 38=100 14=0 151=100 638=0']);
  });

  test('R98: a replace that the engine refuses leaves the order as it was', () => {
    const order = Ladder.live(100);
    order.replace('Y', 100, 12);
    order.requestSent('Y', 'v2');
    expect(order.refuse('Y', denied('post_only_would_cross'))).toEqual([
      '9 434=2 11=Y 41=X 39=0 102=99 post_only_would_cross',
    ]);
    expect(order.cancel('Z')).toEqual([
      '8 150=6 39=6 11=Z 41=X 38=100 14=0 151=100',
      '-> cancel order v1',
    ]);
  });

  test('what a replace may not change is refused here', () => {
    const order = Ladder.live(100);
    expect(order.replace('Y', 50, 10, { side: 'Ask' })).toEqual([
      '9 434=2 11=Y 41=X 39=0 102=99 bridge.replace_unsupported',
    ]);
    expect(order.replace('Y', 50, 10, { ordType: 'market' })).toEqual([
      '9 434=2 11=Y 41=X 39=0 102=99 bridge.replace_unsupported',
    ]);
  });

  test('a replace before the first answer is held and decided when it goes out', () => {
    const order = new Ladder(terms({ qty: qty(100) }));
    order.sent();
    expect(order.replace('Y', 60)).toEqual(['8 150=E 39=E 11=Y 41=X 38=100 14=0 151=100']);
    expect(order.fill(70)).toEqual([
      '8 150=0 39=E 11=X 38=100 14=0 151=100',
      '8 150=F 39=E 11=X 38=100 14=70 151=30 32=70 31=10 6=10',
      '-> cancel order v1',
    ]);
  });

  test('R99: fills that cross with a replace: the excess is told, then amended away', () => {
    const order = Ladder.withExcess();
    order.requestSent('trim-1');
    order.event('amended', { id: 'v2', hash: 'h-trim-1', leaves: 50 });
    expect(order.said.slice(2)).toEqual([
      '8 150=F 39=E 11=X 38=100 14=30 151=70 32=30 31=10 6=10',
      '8 150=5 39=1 11=Y 41=X 38=110 14=30 151=80 638=1',
      '-> amend v2 to 50',
      '8 150=D 39=1 11=Y 38=80 14=30 151=50 378=partial_decline',
    ]);
  });

  test('an excess is gone once it is amended away, although the venue does not say what is left', () => {
    const order = Ladder.withExcess();
    order.requestSent('trim-1');
    expect(order.event('amended', { id: 'v2', hash: 'h-trim-1' })).toEqual([
      '8 150=D 39=1 11=Y 38=80 14=30 151=50 378=partial_decline',
    ]);
  });

  test('fills that cross beyond the new quantity leave nothing where the venue does not say what is left', () => {
    const order = Ladder.live(100);
    order.replace('Y', 60);
    order.requestSent('Y');
    order.fill(70);
    expect(order.event('amended', { id: 'v1', hash: 'h-Y' })).toEqual([
      '8 150=5 39=2 11=Y 41=X 38=70 14=70 151=0 638=0',
    ]);
    expect(order.order.phase).toBe('filled');
  });

  test('fills that cross beyond the new quantity do not end the order where new_qty may be what is left', () => {
    const order = Ladder.live(100, { amendQty: 'remaining' });
    order.replace('Y', 60);
    order.requestSent('Y');
    order.fill(70);
    order.event('amended', { id: 'v1', hash: 'h-Y' });
    expect(order.order.phase).toBe('live');
  });

  test('R99: fills that cross with an amend to what is left: the excess is told, then amended away', () => {
    const order = Ladder.live(100, { amendQty: 'remaining' });
    order.replace('Y', 60);
    order.requestSent('Y');
    order.fill(30);
    expect(order.event('amended', { id: 'v1', hash: 'h-Y', leaves: 60 })).toEqual([
      '8 150=5 39=1 11=Y 41=X 38=90 14=30 151=60 638=0',
      '-> amend v1 to 30',
    ]);
    order.requestSent('trim-1');
    order.fill(10);
    expect(order.event('amended', { id: 'v1', hash: 'h-trim-1', leaves: 30 })).toEqual([
      '8 150=D 39=1 11=Y 38=70 14=40 151=30 378=partial_decline',
      '-> amend v1 to 20',
    ]);
    order.requestSent('trim-2');
    expect(order.event('amended', { id: 'v1', hash: 'h-trim-2', leaves: 20 })).toEqual([
      '8 150=D 39=1 11=Y 38=60 14=40 151=20 378=partial_decline',
    ]);
  });

  test('an amend that leaves more open than a venue of totals should is told, and not repeated for ever', () => {
    const order = Ladder.live(100, { amendQty: 'total' });
    order.replace('Y', 60);
    order.requestSent('Y');
    order.fill(30);
    expect(order.event('amended', { id: 'v1', hash: 'h-Y', leaves: 60 })).toEqual([
      '8 150=5 39=1 11=Y 41=X 38=90 14=30 151=60 638=0',
    ]);
  });

  test('R99: fills that cross beyond the new quantity: the whole child is excess', () => {
    const order = Ladder.live(100);
    order.replace('Y', 60, 12);
    order.requestSent('Y', 'v2');
    order.fill(70);
    order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 60 });
    order.requestSent('trim-1');
    order.event('canceled', { id: 'v2', hash: 'h-trim-1' });
    expect(order.said.slice(3)).toEqual([
      '8 150=5 39=1 11=Y 41=X 38=130 14=70 151=60 638=1',
      '-> cancel order v2',
      '8 150=D 39=2 11=Y 38=70 14=70 151=0 378=partial_decline',
    ]);
  });

  test('a client cancel overtakes the trim of an excess', () => {
    const order = Ladder.withExcess();
    expect(order.cancel('Z')).toEqual([
      '8 150=6 39=6 11=Z 41=Y 38=110 14=30 151=80',
      '-> cancel order v2',
    ]);
  });

  test('an excess that a refused cancel overtook is trimmed after it, unless it is gone', () => {
    const order = Ladder.withExcess();
    order.cancel('Z');
    expect(order.refuse('Z', denied('INVALID_SCOPE')).slice(1)).toEqual(['-> amend v2 to 50']);
    order.requestSent('trim-2');
    order.cancel('W');
    order.event('amended', { id: 'v2', hash: 'h-trim-2', leaves: 50 });
    expect(order.refuse('W', denied('INVALID_SCOPE'))).toHaveLength(1);
  });

  test('the child that trades at once may be seen before the venue says replaced', () => {
    const order = Ladder.live(100);
    order.replace('Y', 100, 12);
    order.requestSent('Y', 'v2');
    expect(order.fill(100, 12, { id: 'v2', parent: 'v1', hash: 'h-Y' })).toEqual([
      '8 150=5 39=0 11=Y 41=X 38=100 14=0 151=100 638=1',
      '8 150=F 39=2 11=Y 38=100 14=100 151=0 32=100 31=12 6=12',
    ]);
    expect(order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 100 })).toEqual([]);
  });

  test('what crossed with a replace is trimmed, too, if the child is seen by its trade', () => {
    const order = Ladder.live(100);
    order.replace('Y', 80, 12);
    order.requestSent('Y', 'v2');
    order.fill(30);
    const trade = { id: 'v2', parent: 'v1', hash: 'h-Y', leaves: 75 };
    expect(order.fill(5, 12, trade)).toEqual([
      '8 150=5 39=1 11=Y 41=X 38=110 14=30 151=80 638=1',
      '8 150=F 39=1 11=Y 38=110 14=35 151=75 32=5 31=12 6=10.29',
      '-> amend v2 to 50',
    ]);
  });

  test('what is trimmed does not count the trade again that showed the child, where an amend means what is left', () => {
    const order = Ladder.live(100, { amendQty: 'remaining' });
    order.replace('Y', 80, 12);
    order.requestSent('Y', 'v2');
    order.fill(30);
    const trade = { id: 'v2', parent: 'v1', hash: 'h-Y', leaves: 75 };
    expect(order.fill(5, 12, trade).at(-1)).toBe('-> amend v2 to 45');
  });

  test.each([
    ['the client was told that the venue refused the replace', 'h-Y'],
    ['another holder of the account replaced it', 'h-other'],
  ])('a child that follows the cancel of its order is restated and canceled: %s', (_, hash) => {
    const order = Ladder.live(100);
    order.replace('Y', 80, 12);
    order.requestSent('Y', 'v2');
    order.refuse('Y', denied('insufficient_usdc'));
    order.event('canceled', { id: 'v1', hash });
    const placed = order.event('replaced', { id: 'v2', parent: 'v1', hash, qty: 80, price: 12 });
    expect(placed.filter((line) => !line.startsWith('!!'))).toEqual([
      '8 150=D 39=0 11=X 38=100 14=0 151=100 378=other bridge.applied_late',
      '8 150=D 39=0 11=X 38=80 14=0 151=80 378=other 638=1',
      '-> cancel order v2',
    ]);
  });

  test.each([
    ['the client replaced it', 'h-Y'],
    ['another holder of the account replaced it', 'h-other'],
  ])('the end of an order that comes after its child does not end the child: %s', (_, hash) => {
    const order = Ladder.live(100);
    order.replace('Y', 80, 12);
    order.requestSent('Y', 'v2');
    order.event('replaced', { id: 'v2', parent: 'v1', hash, qty: 80, price: 12 });
    expect(order.event('canceled', { id: 'v1', hash })).toEqual([]);
    expect(order.event('expired', { id: 'v1', hash })).toEqual([]);
    expect(order.order).toMatchObject({ phase: 'live', orderId: 'v2', leavesQty: 80n });
    expect(order.event('canceled', { id: 'v2' })[0]).toContain('150=4 39=4');
  });

  test('an order canceled by the market while its replace is pending', () => {
    const order = Ladder.live(100);
    order.replace('Y', 100, 12);
    order.requestSent('Y', 'v2');
    expect(order.event('canceled', { id: 'v1', reason: 'MARKET_HALTED' })).toEqual([
      '8 150=4 39=4 11=X 38=100 14=0 151=0 378=trading_halt MARKET_HALTED',
      '9 434=2 11=Y 41=X 39=4 102=0 bridge.too_late',
    ]);
  });
});

test('a quantity that no action can have is asked for by a replace, not by an amend', () => {
  const most = Number(maxSafeAtoms);
  const order = Ladder.live(most);
  order.fill(10);
  const nowMs = 1;
  order.step({ kind: 'bust', execId: lastExecId(order.order.executions[0]!), nowMs });
  order.replace('Y', most - 1);
  expect(order.said.at(-1)).toBe(`-> group v1>${most - 1}@10`);
});
