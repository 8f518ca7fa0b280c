/** Orders from entry to end: FIX 4.4, appendix D, letters A, D and J, outcomes that stay unknown, the reduced profile. */
import { describe, expect, test } from 'vitest';
import { keptExecutions } from '../../src/domain/order.ts';
import type { Price, Qty } from '../../src/domain/units.ts';
import { denied } from '../support/venue-denial.ts';
import { Ladder, terms } from './ladder.ts';

const qty = (n: number) => BigInt(n) as Qty;

describe('A: a new order', () => {
  test('A.1.a R85: pending new, new, part fills, filled; 14 + 151 = 38 at every step', () => {
    const order = new Ladder(terms({ qty: qty(10_000) }));
    order.sent();
    order.accept();
    order.event('accepted');
    order.event('resting');
    order.fill(2000);
    order.fill(1000, 11);
    order.fill(7000);
    expect(order.said).toEqual([
      '8 150=A 39=A 11=X 38=10000 14=0 151=10000',
      '8 150=0 39=0 11=X 38=10000 14=0 151=10000',
      '8 150=F 39=1 11=X 38=10000 14=2000 151=8000 32=2000 31=10 6=10',
      '8 150=F 39=1 11=X 38=10000 14=3000 151=7000 32=1000 31=11 6=10.33',
      '8 150=F 39=2 11=X 38=10000 14=10000 151=0 32=7000 31=10 6=10.1',
    ]);
  });

  test('C.5: an order that waits in the bridge is pending at once, without an OrderID, and is not told so twice', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    const waiting = { kind: 'waiting', requestId: 'new', nowMs: 1000 } as const;
    expect(order.step(waiting)).toEqual(['8 150=A 39=A 11=X 38=10 14=0 151=10']);
    expect(order.reports[0]).toMatchObject({ order: { orderId: null } });
    expect(order.replace('Y', 20)).toEqual(['8 150=E 39=E 11=Y 41=X 38=10 14=0 151=10']);
    expect(order.sent('v1')).toEqual([]);
    order.event('accepted', { id: 'v1' });
    expect(order.reports.at(-1)).toMatchObject({ order: { orderId: 'v1' }, parentOrderId: null });
    expect(order.step(waiting)).toEqual([]);
  });

  test('an order that is signed again has another OrderID, and its New names the one that was told', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    for (const id of ['v1', 'v2', 'v3']) order.sent(id);
    order.event('accepted', { id: 'v3' });
    expect(order.reports).toMatchObject([
      { execType: 'pending_new', order: { orderId: 'v1' }, parentOrderId: null },
      { execType: 'new', order: { orderId: 'v3' }, parentOrderId: 'v1' },
    ]);
    const reduced = new Ladder(terms({ qty: qty(10) }), { pendingStates: false });
    for (const id of ['v1', 'v2']) reduced.sent(id);
    reduced.event('accepted', { id: 'v2' });
    expect(reduced.reports).toMatchObject([{ execType: 'new', parentOrderId: null }]);
  });

  test('A.1.b: a part-filled day order expires', () => {
    const order = Ladder.live(10_000);
    order.fill(2000);
    expect(order.event('expired')).toEqual(['8 150=C 39=C 11=X 38=10000 14=2000 151=0']);
  });

  test('A.1.c: a decisive refusal rejects the order', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    expect(order.refuse('new', denied('insufficient_balance'))).toEqual([
      '8 150=8 39=8 11=X 38=10 14=0 151=0 insufficient_balance',
    ]);
  });

  test('R50: an order taken by HTTP and refused by the engine is rejected from the stream', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    order.accept();
    expect(order.event('rejected', { reason: 'post_only_would_cross' })).toEqual([
      '8 150=8 39=8 11=X 38=10 14=0 151=0 post_only_would_cross',
    ]);
  });

  test('R38: an HTTP acceptance says nothing to the client', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    expect(order.accept()).toEqual([]);
  });

  test('a fill at entry is preceded by New, from the same event', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    expect(order.fill(4)).toEqual([
      '8 150=0 39=0 11=X 38=10 14=0 151=10',
      '8 150=F 39=1 11=X 38=10 14=4 151=6 32=4 31=10 6=10',
    ]);
    expect(
      order.reports.slice(-2).map((report) => report.kind === 'execution' && report.execId),
    ).toEqual(['T-1-0', 'T-1-1']);
  });

  test('an order signed again with a fresh nonce is pending new once', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent('v1');
    expect(order.sent('v2')).toEqual([]);
    expect(order.event('resting', { id: 'v2' })).toEqual(['8 150=0 39=0 11=X 38=10 14=0 151=10']);
    expect(order.order.orderId).toBe('v2');
  });
});

describe('D: chains', () => {
  test('D.1.a: each answer names the last accepted ClOrdID', () => {
    const order = Ladder.live(100);
    order.replace('Y', 90);
    order.requestSent('Y');
    order.event('amended', { hash: 'h-Y', leaves: 90 });
    order.replace('Z', 80);
    order.requestSent('Z');
    order.event('amended', { hash: 'h-Z', leaves: 80 });
    order.cancel('W');
    order.requestSent('W');
    order.event('canceled', { hash: 'h-W' });
    expect(order.said.filter((line) => line.startsWith('8'))).toEqual([
      '8 150=E 39=E 11=Y 41=X 38=100 14=0 151=100',
      '8 150=5 39=0 11=Y 41=X 38=90 14=0 151=90 638=0',
      '8 150=E 39=E 11=Z 41=Y 38=90 14=0 151=90',
      '8 150=5 39=0 11=Z 41=Y 38=80 14=0 151=80 638=0',
      '8 150=6 39=6 11=W 41=Z 38=80 14=0 151=80',
      '8 150=4 39=4 11=W 41=Z 38=80 14=0 151=0',
    ]);
  });

  test('D.2.c: a refused replace is no link: the next request and answer name the one before', () => {
    const order = Ladder.live(100);
    order.replace('Y', 100, 12);
    order.requestSent('Y', 'v2');
    order.refuse('Y', denied('price_not_aligned_to_tick'));
    order.cancel('Z');
    order.requestSent('Z');
    expect(order.event('canceled', { hash: 'h-Z' })).toEqual([
      '8 150=4 39=4 11=Z 41=X 38=100 14=0 151=0',
    ]);
  });

  test('D.2.d: a second replace in flight is refused, the first goes on', () => {
    const order = Ladder.live(100);
    order.replace('Y', 90);
    order.requestSent('Y');
    expect(order.replace('Z', 80)).toEqual(['9 434=2 11=Z 41=X 39=E 102=3 bridge.pending']);
    expect(order.event('amended', { hash: 'h-Y', leaves: 90 })).toEqual([
      '8 150=5 39=0 11=Y 41=X 38=90 14=0 151=90 638=0',
    ]);
  });
});

describe('H, I, J: restated, immediate, busted', () => {
  test('H: an order that lives on is stated again', () => {
    const order = Ladder.live(10);
    order.fill(4);
    expect(order.step({ kind: 'restate', nowMs: 9000 })).toEqual([
      '8 150=D 39=1 11=X 38=10 14=4 151=6 378=renewal',
    ]);
  });

  test.each([
    ['canceled', '8 150=4 39=4 11=X 38=10 14=4 151=0 378=market_option'],
    ['expired', '8 150=C 39=C 11=X 38=10 14=4 151=0'],
  ] as const)('I.1.a R89: what remains of an IOC ends as %s, by setting', (iocRemainder, line) => {
    const order = new Ladder(terms({ qty: qty(10), timeInForce: 'ioc' }), { iocRemainder });
    order.sent();
    order.fill(4);
    expect(order.event('canceled')).toEqual([line]);
  });

  test('I.1.b R89: an FOK that cannot fill is rejected', () => {
    const order = new Ladder(terms({ qty: qty(10), timeInForce: 'fok' }));
    order.sent();
    expect(order.event('rejected', { reason: 'fok_not_filled' })).toEqual([
      '8 150=8 39=8 11=X 38=10 14=0 151=0 fok_not_filled',
    ]);
  });

  test('J.1.a: a trade is busted', () => {
    const order = Ladder.live(10);
    order.fill(4, 10);
    order.fill(2, 13);
    expect(order.step({ kind: 'bust', execId: 'T-2-0', nowMs: 9000 })).toEqual([
      '8 150=H 39=1 11=X 38=10 14=2 151=8 19=T-2-0',
    ]);
  });

  test('J.1.b: a trade is corrected', () => {
    const order = Ladder.live(10);
    order.fill(4, 10);
    const correct = { kind: 'correct', execId: 'T-2-0', price: 9n as Price, qty: qty(4) } as const;
    expect(order.step({ ...correct, nowMs: 9000 })).toEqual([
      '8 150=G 39=1 11=X 38=10 14=4 151=6 19=T-2-0',
    ]);
    expect(order.order.notional).toBe(36n);
  });

  test('trades are kept up to a bound: sums stay exact, the oldest can no longer be busted', () => {
    const order = Ladder.live(2000);
    for (let i = 0; i < keptExecutions + 1; i++) order.fill(1);
    expect(order.order.executions).toHaveLength(keptExecutions);
    expect(order.step({ kind: 'bust', execId: 'T-2-0', nowMs: 9000 })).toEqual([
      '!! no execution T-2-0 to bust or correct',
    ]);
    expect(order.step({ kind: 'bust', execId: 'T-3-0', nowMs: 9000 })).toEqual([
      '8 150=H 39=1 11=X 38=2000 14=1000 151=1000 19=T-3-0',
    ]);
  });

  test('an order with a busted trade ends when the venue has filled the rest of it', () => {
    const order = Ladder.live(10);
    order.fill(4, 10, { leaves: 6 });
    order.step({ kind: 'bust', execId: 'T-2-0', nowMs: 9000 });
    order.fill(2, 10, { leaves: 4 });
    expect(order.fill(4, 10, { leaves: 0 })).toEqual([
      '8 150=F 39=1 11=X 38=10 14=6 151=4 32=4 31=10 6=10',
      '8 150=4 39=4 11=X 38=10 14=6 151=0 378=market_option',
    ]);
  });

  test('J.1: a bust of an ended order leaves it ended', () => {
    const order = Ladder.live(10);
    order.fill(10);
    expect(order.step({ kind: 'bust', execId: 'T-2-0', nowMs: 9000 })).toEqual([
      '8 150=H 39=4 11=X 38=10 14=0 151=0 19=T-2-0',
    ]);
  });
});

describe('unknown outcomes', () => {
  test('R120: an order of unknown outcome stays pending, is told so, and ends in one truth', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    expect(order.unknown()).toEqual([]);
    expect(order.step({ kind: 'overdue', requestId: 'new', nowMs: 40_000 })).toEqual([
      '8 150=I 39=A 11=X 38=10 14=0 151=10 bridge.unknown_outcome',
    ]);
    expect(order.fill(10)).toEqual([
      '8 150=0 39=0 11=X 38=10 14=0 151=10',
      '8 150=F 39=2 11=X 38=10 14=10 151=0 32=10 31=10 6=10',
    ]);
    expect(order.refuse('new', denied('insufficient_usdc'))).toEqual([
      '!! refused an order that its stream accepted',
    ]);
  });

  test('R120: the same for a cancel, and nothing is said once it is answered', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    order.unknown('Y');
    expect(order.step({ kind: 'overdue', requestId: 'Y', nowMs: 40_000 })).toEqual([
      '8 150=I 39=6 11=X 38=10 14=0 151=10 bridge.unknown_outcome',
    ]);
    order.event('canceled', { hash: 'h-Y' });
    expect(order.step({ kind: 'overdue', requestId: 'Y', nowMs: 50_000 })).toEqual([]);
  });
});

describe('the reduced profile', () => {
  test('has no pending reports and no pending states', () => {
    const order = new Ladder(terms({ qty: qty(10) }), { pendingStates: false });
    order.sent();
    order.event('resting');
    order.cancel('Y');
    order.requestSent('Y');
    order.fill(4);
    order.event('canceled', { hash: 'h-Y' });
    expect(order.said).toEqual([
      '8 150=0 39=0 11=X 38=10 14=0 151=10',
      '-> cancel order v1',
      '8 150=F 39=1 11=X 38=10 14=4 151=6 32=4 31=10 6=10',
      '8 150=4 39=4 11=Y 41=X 38=10 14=4 151=0',
    ]);
  });
});
