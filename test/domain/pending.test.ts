/** Cancels and what crosses with them: FIX 4.4, appendix D, letter B. */
import { describe, expect, test } from 'vitest';
import { intentNow } from '../../src/domain/pending.ts';
import type { Qty } from '../../src/domain/units.ts';
import { denied } from '../support/venue-denial.ts';
import { Ladder, terms } from './ladder.ts';

const qty = (n: number) => BigInt(n) as Qty;

describe('B: cancel', () => {
  test('B.1.a: an order without fills', () => {
    const order = Ladder.live(10_000);
    order.cancel('Y');
    order.requestSent('Y');
    order.accept('Y');
    order.event('canceled', { hash: 'h-Y' });
    expect(order.said).toEqual([
      '8 150=6 39=6 11=Y 41=X 38=10000 14=0 151=10000',
      '-> cancel order v1',
      '8 150=4 39=4 11=Y 41=X 38=10000 14=0 151=0',
    ]);
  });

  test('B.1.b: fills while the cancel is pending carry the first ClOrdID', () => {
    const order = Ladder.live(10_000);
    order.fill(2000);
    order.cancel('Y');
    order.requestSent('Y');
    expect(order.fill(3000)).toEqual([
      '8 150=F 39=6 11=X 38=10000 14=5000 151=5000 32=3000 31=10 6=10',
    ]);
    expect(order.event('canceled', { hash: 'h-Y' })).toEqual([
      '8 150=4 39=4 11=Y 41=X 38=10000 14=5000 151=0',
    ]);
  });

  test('B.1.c R101: the cancel loses to the fill: the fill first, then too late', () => {
    const order = Ladder.live(10_000);
    order.cancel('Y');
    order.requestSent('Y');
    expect(order.refuse('Y', denied('order_not_open'))).toEqual(['.. wait 1000']);
    expect(order.fill(10_000)).toEqual([
      '8 150=F 39=6 11=X 38=10000 14=10000 151=0 32=10000 31=10 6=10',
      '9 434=1 11=Y 41=X 39=2 102=0 order_not_open',
    ]);
    expect(order.step({ kind: 'waited', requestId: 'Y', nowMs: 9000 })).toEqual([]);
  });

  test('B.1.c: the fill comes before the refusal, and the refusal is then no news', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    expect(order.fill(10)).toEqual([
      '8 150=F 39=6 11=X 38=10 14=10 151=0 32=10 31=10 6=10',
      '9 434=1 11=Y 41=X 39=2 102=0 bridge.too_late',
    ]);
    expect(order.refuse('Y', denied('order_not_found'))).toEqual([]);
  });

  test('order_not_found of an order that did end is too late, not unknown', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    order.refuse('Y', denied('order_not_found'));
    expect(order.event('expired')).toEqual([
      '8 150=C 39=C 11=X 38=10 14=0 151=0',
      '9 434=1 11=Y 41=X 39=C 102=0 order_not_found',
    ]);
  });

  test('the late refusal of an answered request is not charged to the next one', () => {
    const order = Ladder.live(10);
    order.replace('Y', 5);
    order.requestSent('Y');
    order.event('amended', { hash: 'h-Y', leaves: 5 });
    order.cancel('Z');
    expect(order.refuse('Y', denied('invalid_amend'))).toEqual([]);
    expect(order.order.pending).toMatchObject({ kind: 'cancel', clOrdId: 'Z' });
  });

  test('a refusal whose end never comes is reported after the wait with the present state', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    order.refuse('Y', denied('order_not_found'));
    expect(order.step({ kind: 'waited', requestId: 'Y', nowMs: 9000 })).toEqual([
      '9 434=1 11=Y 41=X 39=0 102=1 order_not_found',
    ]);
  });

  test('B.1.d R100: a cancel before the first answer is held, then sent', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    expect(order.cancel('Y')).toEqual(['8 150=6 39=6 11=Y 41=X 38=10 14=0 151=10']);
    expect(order.event('resting')).toEqual([
      '8 150=0 39=6 11=X 38=10 14=0 151=10',
      '-> cancel order v1',
    ]);
    order.requestSent('Y');
    expect(order.event('canceled', { hash: 'h-Y' })).toEqual([
      '8 150=4 39=4 11=Y 41=X 38=10 14=0 151=0',
    ]);
  });

  test('B.1.e: the HTTP answer alone releases a held cancel', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    order.cancel('Y');
    expect(order.accept()).toEqual(['-> cancel order v1']);
  });

  test('a held cancel follows the reconciliation of an unknown submission', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    order.unknown();
    expect(order.cancel('Y')).toEqual(['8 150=6 39=6 11=Y 41=X 38=10 14=0 151=10']);
    expect(order.event('accepted')).toContain('-> cancel order v1');
  });

  test('a held cancel of an order that is then refused is too late, after the rejection', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    order.cancel('Y');
    expect(order.refuse('new', denied('insufficient_usdc'))).toEqual([
      '8 150=8 39=8 11=X 38=10 14=0 151=0 insufficient_usdc',
      '9 434=1 11=Y 41=X 39=8 102=0 bridge.too_late',
    ]);
  });

  test('a cancel that the venue refuses leaves the order as it is', () => {
    const order = Ladder.live(10);
    order.fill(4);
    order.cancel('Y');
    order.requestSent('Y');
    expect(order.refuse('Y', denied('trading_halted'))).toEqual([
      '9 434=1 11=Y 41=X 39=1 102=99 trading_halted',
    ]);
  });

  test('a cancel refused by the engine on the stream', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    const facts = { id: 'none', parent: 'v1', hash: 'h-Y', reason: 'unauthorized_cancel' };
    expect(order.event('rejected', facts)).toEqual([
      '9 434=1 11=Y 41=X 39=0 102=99 unauthorized_cancel',
    ]);
  });

  test('R102: a second request while one is pending', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    expect(order.cancel('Z')).toEqual(['9 434=1 11=Z 41=X 39=6 102=3 bridge.pending']);
    expect(order.replace('Z', 5)).toEqual(['9 434=2 11=Z 41=X 39=6 102=3 bridge.pending']);
  });

  test('a request on an order that has ended', () => {
    const order = Ladder.live(10);
    order.fill(10);
    expect(order.cancel('Y')).toEqual(['9 434=1 11=Y 41=X 39=2 102=0 bridge.too_late']);
    expect(order.replace('Z', 20)).toEqual(['9 434=2 11=Z 41=X 39=2 102=0 bridge.too_late']);
  });

  test('OrigOrdModTime that is not that of the order', () => {
    const order = Ladder.live(10);
    expect(order.cancel('Y', 1)).toEqual(['9 434=1 11=Y 41=X 39=0 102=5 bridge.modtime']);
    expect(order.cancel('Z', order.order.modTimeMs)).toContain('-> cancel order v1');
  });
});

describe("the bridge's own requests", () => {
  const again = { kind: 'waited', requestId: 'own-1', nowMs: 9000 } as const;

  test('a refused cancel is alarmed and tried again until the order has ended', () => {
    const order = Ladder.live(10);
    order.step({ kind: 'own_cancel', text: 'disconnected', nowMs: 5000 });
    order.requestSent('own-1');
    expect(order.refuse('own-1', denied('backpressure'))).toEqual([
      '!! own_cancel refused: backpressure',
      '.. wait 1000',
    ]);
    expect(order.step(again)).toEqual(['-> cancel order v1']);
    order.requestSent('own-2');
    expect(order.refuse('own-2', denied('backpressure')).at(-1)).toBe('.. wait 2000');
    order.step({ ...again, requestId: 'own-2' });
    order.requestSent('own-3');
    order.refuse('own-3', denied('order_not_open'));
    expect(order.fill(10)).toEqual(['8 150=F 39=2 11=X 38=10 14=10 151=0 32=10 31=10 6=10']);
    expect(order.step({ ...again, requestId: 'own-3' })).toEqual([]);
  });

  test("a cancel of the bridge's own that found no nonce is tried again after the same short wait each time", () => {
    const order = Ladder.live(10);
    order.step({ kind: 'own_cancel', text: 'kill switch', nowMs: 5000 });
    for (let n = 1; n < 9; n += 1) {
      expect(order.refuse(`own-${n}`, denied('bridge.nonce_window')).at(-1)).toBe('.. wait 1000');
      const retry = { ...again, requestId: `own-${n}` };
      expect(order.step(retry)).toEqual(['-> cancel order v1']);
    }
  });

  test("what the bridge wants canceled is, though the client's own cancel of it is refused", () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    expect(order.step({ kind: 'own_cancel', text: 'kill switch', nowMs: 5000 })).toEqual([]);
    expect(order.refuse('Y', denied('backpressure'))).toEqual([
      '9 434=1 11=Y 41=X 39=0 102=99 backpressure',
      '-> cancel order v1',
    ]);
    order.requestSent('own-1');
    expect(order.event('canceled', { hash: 'h-own-1' })).toEqual([
      '8 150=4 39=4 11=X 38=10 14=0 151=0 378=broker_option',
    ]);
  });

  test("a client's cancel that joined the bridge's own takes only its own part with it when it is refused", () => {
    const order = Ladder.live(10);
    order.step({ kind: 'own_cancel', text: 'kill switch', nowMs: 5000 });
    order.requestSent('own-1');
    order.cancel('Y');
    expect(order.refuse('own-1', denied('backpressure'))).toEqual([
      '9 434=1 11=Y 41=X 39=0 102=99 backpressure',
      '-> cancel order v1',
    ]);
  });

  test('a refused cancel is tried again at once when somebody asks for it once more', () => {
    const order = Ladder.live(10);
    const own = { kind: 'own_cancel', text: 'kill switch', nowMs: 5000 } as const;
    order.step(own);
    order.requestSent('own-1');
    order.refuse('own-1', denied('backpressure'));
    expect(order.step(own)).toEqual(['-> cancel order v1']);
    order.requestSent('own-2');
    expect(order.step(again)).toEqual([]);
    expect(order.step(own)).toEqual([]);
    order.refuse('own-2', denied('backpressure'));
    expect(order.cancel('Y')).toEqual([
      '8 150=6 39=6 11=Y 41=X 38=10 14=0 151=10',
      '-> cancel order v1',
    ]);
  });

  test('a refused trim of an excess is tried again', () => {
    const order = Ladder.withExcess();
    order.requestSent('trim-1');
    order.refuse('trim-1', denied('backpressure'));
    order.fill(5, 12, { id: 'v2' });
    expect(order.step({ ...again, requestId: 'trim-1' })).toEqual(['-> amend v2 to 50']);
  });

  test('a cancel of the bridge overtakes the trim of an excess, also while that is refused', () => {
    const own = { kind: 'own_cancel', text: 'kill switch', nowMs: 5000 } as const;
    const order = Ladder.withExcess();
    order.requestSent('trim-1');
    order.refuse('trim-1', denied('INVALID_SCOPE'));
    expect(order.step(own)).toEqual(['-> cancel order v2']);
    expect(order.step({ ...again, requestId: 'trim-1' })).toEqual([]);
  });

  test('what is to be canceled anyway is not trimmed first', () => {
    const order = Ladder.live(100);
    order.replace('Y', 80, 12);
    order.requestSent('Y', 'v2');
    order.fill(30);
    order.step({ kind: 'own_cancel', text: 'kill switch', nowMs: 5000 });
    const placed = order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 80 });
    expect(placed.filter((line) => line.startsWith('->'))).toEqual(['-> cancel order v2']);
  });
});

describe('a request that has waited', () => {
  const asksNow = ({ order, rules }: Ladder, id: string) => intentNow(order, id, rules);

  test('asks for less if it is a replace or a trim and there were fills, and otherwise for the same', () => {
    const order = Ladder.live(100, { amendQty: 'remaining' });
    order.replace('Y', 80, 12);
    order.fill(30);
    expect(asksNow(order, 'Y')).toMatchObject({ legs: [{ cancelOrderId: 'v1', qty: 50n }] });
    order.requestSent('Y', 'v2');
    order.fill(20);
    order.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 50 });
    expect(asksNow(order, 'trim-1')).toMatchObject({ kind: 'amend', orderId: 'v2', newQty: 30n });
    order.fill(10);
    expect(asksNow(order, 'trim-1')).toMatchObject({ newQty: 20n });
    order.fill(20);
    expect(asksNow(order, 'trim-1')).toMatchObject({ kind: 'cancel', orderId: 'v2' });
    order.cancel('Z');
    expect([asksNow(order, 'trim-1'), asksNow(order, 'Z')]).toEqual([null, undefined]);
  });

  test('places an order only as long as no copy of its action has placed it', () => {
    const order = new Ladder(terms({ qty: 100n as Qty }));
    expect(asksNow(order, 'new')).toBeUndefined();
    order.sent();
    expect(asksNow(order, 'new')).toBeUndefined();
    order.event('resting', { id: 'v1' });
    expect(asksNow(order, 'new')).toBeNull();
  });

  test.each([
    [false, '-> group v1>70@10'],
    [true, '9 434=2 11=Y 41=X 39=1 102=99 bridge.replace_unsupported'],
  ])(
    'is decided again if it needs another action (strict priority: %s)',
    (strictPriority, line) => {
      const order = Ladder.live(100, { amendQty: 'unknown', strictPriority });
      expect(order.replace('Y', 80).at(-1)).toBe('-> amend v1 to 80');
      order.fill(10);
      expect(asksNow(order, 'Y')).toBeNull();
      const outdated = { kind: 'outdated', nowMs: 5000 } as const;
      expect(order.step({ ...outdated, requestId: 'another' })).toEqual([]);
      expect(order.step({ ...outdated, requestId: 'Y' })).toEqual([line]);
    },
  );
});

test('a cancel of the bridge follows a replace that is refused as it is decided again', () => {
  const order = Ladder.live(100, { amendQty: 'unknown', strictPriority: true });
  order.replace('Y', 80);
  order.fill(10);
  expect(order.step({ kind: 'own_cancel', text: 'kill switch', nowMs: 5000 })).toEqual([]);
  expect(order.step({ kind: 'outdated', requestId: 'Y', nowMs: 5000 })).toEqual([
    '9 434=2 11=Y 41=X 39=1 102=99 bridge.replace_unsupported',
    '-> cancel order v1',
  ]);
});
