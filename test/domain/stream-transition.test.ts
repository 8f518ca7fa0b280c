/** What the venue does unasked: FIX 4.4, appendix D, letter E; algos, conditionals, repeated events. */
import { describe, expect, test } from 'vitest';
import { expiredText } from '../../src/domain/order.ts';
import type { Terms } from '../../src/domain/terms.ts';
import type { Price, Qty } from '../../src/domain/units.ts';
import { denied } from '../support/venue-denial.ts';
import { Ladder, terms } from './ladder.ts';

const qty = (n: number) => BigInt(n) as Qty;

describe('E: unsolicited ends', () => {
  test.each([
    ['self_trade_prevented', 'market_option'],
    ['MARKET_HALTED', 'trading_halt'],
  ])(
    'canceled by the venue for %s: no OrigClOrdID, ExecRestatementReason %s',
    (reason, restated) => {
      const order = Ladder.live(10);
      order.fill(4);
      expect(order.event('canceled', { reason })).toEqual([
        `8 150=4 39=4 11=X 38=10 14=4 151=0 378=${restated} ${reason}`,
      ]);
    },
  );

  test("R126: the bridge's own cancel ends as unsolicited", () => {
    const order = Ladder.live(10);
    const asked = order.step({ kind: 'own_cancel', text: 'disconnected', nowMs: 5000 });
    expect(asked).toEqual(['-> cancel order v1']);
    order.requestSent('own-1');
    expect(order.event('canceled', { hash: 'h-own-1' })).toEqual([
      '8 150=4 39=4 11=X 38=10 14=0 151=0 378=broker_option',
    ]);
  });

  test('an order that the bridge cancels at its end says that it has expired', () => {
    const order = Ladder.live(10);
    order.step({ kind: 'own_cancel', text: expiredText, nowMs: 5000 });
    order.requestSent('own-1');
    expect(order.event('canceled', { hash: 'h-own-1' })).toEqual([
      '8 150=4 39=4 11=X 38=10 14=0 151=0 378=broker_option bridge.expired',
    ]);
  });

  test("the bridge's own cancel waits for the order's first answer, and for a pending replace", () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    expect(order.step({ kind: 'own_cancel', text: 'disconnected', nowMs: 5000 })).toEqual([]);
    expect(order.event('resting')).toContain('-> cancel order v1');
    const other = Ladder.live(10);
    other.replace('Y', 10, 12);
    other.requestSent('Y', 'v2');
    expect(other.step({ kind: 'own_cancel', text: 'disconnected', nowMs: 5000 })).toEqual([]);
    expect(other.event('replaced', { id: 'v2', parent: 'v1', hash: 'h-Y', qty: 10 })).toContain(
      '-> cancel order v2',
    );
  });

  test("a client's cancel joins the bridge's own in flight", () => {
    const order = Ladder.live(10);
    order.step({ kind: 'own_cancel', text: 'disconnected', nowMs: 5000 });
    order.requestSent('own-1');
    expect(order.cancel('Y')).toEqual(['8 150=6 39=6 11=Y 41=X 38=10 14=0 151=10']);
    expect(order.event('canceled', { hash: 'h-own-1' })).toEqual([
      '8 150=4 39=4 11=Y 41=X 38=10 14=0 151=0',
    ]);
  });

  test('an order changed by another holder of the account is restated', () => {
    const order = Ladder.live(10);
    expect(order.event('amended', { hash: 'other', leaves: 6 })).toEqual([
      '8 150=D 39=0 11=X 38=6 14=0 151=6 378=other',
    ]);
    expect(order.event('replaced', { id: 'v9', parent: 'v1', qty: 5, price: 11 })).toEqual([
      '8 150=D 39=0 11=X 38=5 14=0 151=5 378=other 638=1',
    ]);
    expect(order.order.orderId).toBe('v9');
  });
});

describe('an amend that leaves nothing open ends the order', () => {
  test('a replace that a fill of the same quantity has crossed', () => {
    const order = Ladder.live(100);
    order.replace('Y', 40);
    order.requestSent('Y');
    order.fill(40, 10, { leaves: 60 });
    expect(order.event('amended', { hash: 'h-Y', filled: 40, leaves: 0 })).toEqual([
      '8 150=5 39=2 11=Y 41=X 38=40 14=40 151=0 638=0',
    ]);
    expect(order.order).toMatchObject({ phase: 'filled', pending: null });
  });

  test('a trim that a fill of the excess has crossed', () => {
    const order = Ladder.withExcess();
    order.requestSent('trim-1');
    order.fill(50, 10, { leaves: 30 });
    expect(order.event('amended', { hash: 'h-trim-1', leaves: 0 })).toEqual([
      '8 150=D 39=2 11=Y 38=80 14=80 151=0 378=partial_decline',
    ]);
  });

  test('one by another holder of the account, while a cancel is under way', () => {
    const order = Ladder.live(100);
    order.fill(40, 10, { leaves: 60 });
    order.cancel('Y');
    order.requestSent('Y');
    expect(order.event('amended', { hash: 'other', leaves: 0 })).toEqual([
      '8 150=D 39=6 11=X 38=40 14=40 151=0 378=other',
      '9 434=1 11=Y 41=X 39=2 102=0 bridge.too_late',
    ]);
  });

  test('without trades it is canceled', () => {
    const order = Ladder.live(100);
    expect(order.event('amended', { hash: 'other', leaves: 0 })).toEqual([
      '8 150=4 39=4 11=X 38=100 14=0 151=0 378=market_option',
    ]);
  });
});

describe('algos and conditionals', () => {
  const strategy = { kind: 'twap', sliceQty: qty(10), intervalMs: 1000 } as const;

  test('R109: fills of slices roll up to the parent, and their coming and going is silent', () => {
    const order = new Ladder(terms({ qty: qty(30), strategy }));
    order.sent('p');
    order.event('accepted', { id: 'p' });
    order.event('resting', { id: 's1', parent: 'p' });
    order.fill(10, 10, { id: 's1', parent: 'p' });
    order.event('accepted', { id: 's2', parent: 'p' });
    order.fill(6, 11, { id: 's2', parent: 'p' });
    order.event('canceled', { id: 's2', parent: 'p' });
    order.event('algo_done', { id: 'p' });
    expect(order.said).toEqual([
      '8 150=A 39=A 11=X 38=30 14=0 151=30',
      '8 150=0 39=0 11=X 38=30 14=0 151=30',
      '8 150=F 39=1 11=X 38=30 14=10 151=20 32=10 31=10 6=10',
      '8 150=F 39=1 11=X 38=30 14=16 151=14 32=6 31=11 6=10.38',
      '8 150=4 39=4 11=X 38=30 14=16 151=0 378=market_option',
    ]);
    const trade = order.reports[2];
    expect(trade).toMatchObject({ childOrderId: 's1', parentOrderId: 'p' });
  });

  test('a slice that the venue amends leaves the quantity of its algo as it is', () => {
    const order = new Ladder(terms({ qty: qty(30), strategy }));
    order.sent('p');
    order.event('accepted', { id: 'p' });
    expect(order.event('amended', { id: 's1', parent: 'p', leaves: 4 })).toEqual([]);
    expect(order.order).toMatchObject({ terms: { qty: 30n }, leavesQty: 30n, phase: 'live' });
  });

  test('an algo is canceled by its own action and cannot be replaced', () => {
    const order = new Ladder(terms({ qty: qty(30), strategy }));
    order.sent('p');
    order.event('accepted', { id: 'p' });
    expect(order.replace('Y', 20)).toEqual([
      '9 434=2 11=Y 41=X 39=0 102=99 bridge.replace_unsupported',
    ]);
    expect(order.cancel('Z')).toContain('-> cancel algo p');
    order.requestSent('Z');
    expect(order.event('algo_done', { id: 'p' })).toEqual([
      '8 150=4 39=4 11=Z 41=X 38=30 14=0 151=0',
    ]);
  });

  const trigger = {
    price: 20n as Price,
    direction: 'at_or_above',
    kind: 'take_profit',
  } as const;

  test('R110: a conditional is new, triggers, and its fired order fills', () => {
    const order = new Ladder(terms({ qty: qty(10), trigger, ordType: 'market_if_touched' }));
    order.sent('c', 'n');
    order.event('accepted', { id: 'c' });
    order.event('triggered', { id: 'n', parent: 'c' });
    order.event('accepted', { id: 'n' });
    order.fill(10, 20, { id: 'n' });
    expect(order.said.slice(1)).toEqual([
      '8 150=0 39=0 11=X 38=10 14=0 151=10',
      '8 150=D 39=0 11=X 38=10 14=0 151=10 378=other',
      '8 150=F 39=2 11=X 38=10 14=10 151=0 32=10 31=20 6=20',
    ]);
    expect(order.order).toMatchObject({ orderId: 'n', parentOrderId: 'c' });
  });

  test('a conditional is canceled as such before it fires, as an order after', () => {
    const make = () => {
      const order = new Ladder(terms({ qty: qty(10), trigger, ordType: 'stop_limit' }));
      order.sent('c', 'n');
      order.event('accepted', { id: 'c' });
      return order;
    };
    expect(make().cancel('Y')).toContain('-> cancel conditional c');
    const fired = make();
    fired.event('triggered', { id: 'c' });
    expect(fired.cancel('Y')).toContain('-> cancel order n');
  });

  test.each(['n', 'theirs'])(
    'an event of the order that it fired, here %s, shows that it has fired where that event was lost (R75)',
    (id) => {
      const order = new Ladder(terms({ qty: qty(10), trigger, ordType: 'stop_limit' }));
      order.sent('c', 'n');
      order.event('accepted', { id: 'c' });
      order.cancel('Y');
      order.requestSent('Y');
      expect(order.refuse('Y', denied('order_not_open'))).toEqual(['.. wait 1000']);
      expect(order.event('resting', { id, parent: 'c' })).toEqual([
        '8 150=D 39=6 11=X 38=10 14=0 151=10 378=other',
        `-> cancel order ${id}`,
      ]);
      expect(order.order).toMatchObject({ orderId: id, parentOrderId: 'c', triggered: true });
    },
  );

  test('a cancel that crosses with the trigger follows the order that fired, whichever is heard first', () => {
    const crossing = () => {
      const order = new Ladder(terms({ qty: qty(10), trigger, ordType: 'stop_limit' }));
      order.sent('c', 'n');
      order.event('accepted', { id: 'c' });
      order.cancel('Y');
      order.requestSent('Y');
      return order;
    };
    const fired = crossing();
    fired.event('triggered', { id: 'n', parent: 'c' });
    expect(fired.refuse('Y', denied('order_not_open'))).toEqual(['-> cancel order n']);
    const refused = crossing();
    expect(refused.refuse('Y', denied('order_not_open'))).toEqual(['.. wait 1000']);
    expect(refused.event('triggered', { id: 'n', parent: 'c' })).toEqual([
      '8 150=D 39=6 11=X 38=10 14=0 151=10 378=other',
      '-> cancel order n',
    ]);
    expect(refused.step({ kind: 'waited', requestId: 'Y', nowMs: 9000 })).toEqual([]);
    for (const order of [fired, refused]) {
      order.requestSent('Y');
      expect(order.event('canceled', { id: 'n', hash: 'h-Y' })).toEqual([
        '8 150=4 39=4 11=Y 41=X 38=10 14=0 151=0',
      ]);
    }
  });

  test('a cancel follows the child of a replace by another channel, and is refused if that has ended too', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    order.event('replaced', { id: 'other', parent: 'v1', hash: 'h-other', qty: 10 });
    expect(order.refuse('Y', denied('order_not_open'))).toEqual(['-> cancel order other']);
    order.requestSent('Y');
    expect(order.refuse('Y', denied('order_not_open'))).toEqual(['.. wait 1000']);
    expect(order.step({ kind: 'waited', requestId: 'Y', nowMs: 9000 })).toEqual([
      '9 434=1 11=Y 41=X 39=0 102=0 order_not_open',
    ]);
  });

  test('a cancel follows the id that the venue gives an order, which we had derived otherwise (R10)', () => {
    const order = new Ladder(terms({ qty: qty(10) }));
    order.sent();
    order.accept();
    order.cancel('Y');
    order.requestSent('Y');
    expect(order.refuse('Y', denied('order_not_found'))).toEqual(['.. wait 1000']);
    expect(order.event('resting', { id: 'theirs' })).toContain('-> cancel order theirs');
  });

  test('a cancel of a fired order follows the child of a replace by another channel', () => {
    const order = new Ladder(terms({ qty: qty(10), trigger, ordType: 'stop_limit' }));
    order.sent('c', 'n');
    order.event('accepted', { id: 'c' });
    order.event('triggered', { id: 'n', parent: 'c' });
    order.event('replaced', { id: 'other', parent: 'n', hash: 'h-other', qty: 10 });
    expect(order.cancel('Y')).toContain('-> cancel order other');
  });

  test('a refusal when the trigger fires ends the order with a cancel', () => {
    const order = new Ladder(terms({ qty: qty(10), trigger, ordType: 'stop_limit' }));
    order.sent('c', 'n');
    order.event('accepted', { id: 'c' });
    order.event('triggered', { id: 'n', parent: 'c' });
    expect(order.event('rejected', { id: 'n', reason: 'insufficient_spot_asset' })).toEqual([
      '8 150=4 39=4 11=X 38=10 14=0 151=0 378=market_option insufficient_spot_asset',
    ]);
  });

  test('a refusal for its nonce ends it only when the trigger fires, because the venue alone sends that order', () => {
    const order = new Ladder(terms({ qty: qty(10), trigger, ordType: 'stop_limit' }));
    order.sent('c', 'n');
    order.event('accepted', { id: 'c', hash: 'h-new' });
    const reason = 'nonce_below_floor';
    expect(order.event('rejected', { id: 'c', hash: 'h-new', reason })).toEqual([]);
    order.event('triggered', { id: 'n', parent: 'c' });
    expect(order.event('rejected', { id: 'n', parent: 'c', hash: 'h-nested', reason })).toEqual([
      '8 150=4 39=4 11=X 38=10 14=0 151=0 378=market_option nonce_below_floor',
    ]);
  });
});

test('an order that was signed again, and whose former copy the venue shows, ends like any other', () => {
  const order = new Ladder(terms({ qty: qty(10) }));
  order.sent('v1');
  order.sent('v2');
  order.event('resting', { id: 'v1' });
  expect(order.order).toMatchObject({ orderId: 'v1', parentOrderId: 'v1' });
  expect(order.event('canceled', { id: 'v1' })).toEqual([
    '8 150=4 39=4 11=X 38=10 14=0 151=0 378=market_option',
  ]);
});

describe('the stream may repeat itself', () => {
  test('R65: an event at or below the last seq says nothing', () => {
    const order = Ladder.live(10);
    order.fill(4, 10, { seq: 7 });
    expect(order.fill(4, 10, { seq: 7 })).toEqual([]);
    expect(order.fill(4, 10, { seq: 6 })).toEqual([]);
  });

  test('a fill that is known by its fillId is not counted twice', () => {
    const order = Ladder.live(10);
    order.fill(4, 10, { fillId: 'same' });
    expect(order.fill(4, 10, { fillId: 'same' })).toEqual([]);
  });

  test('the end of an order that has ended is no news', () => {
    const order = Ladder.live(10);
    order.event('canceled');
    expect(order.event('canceled')).toEqual([]);
    expect(order.event('expired')).toEqual([]);
  });
});

describe('the refusal of one copy of an action, of which another may have been applied,', () => {
  const codes = [
    'nonce_replayed',
    'nonce_below_floor',
    'nonce_outside_window',
    'NONCE_REJECTED',
    'DUPLICATE_NONCE',
    'duplicate_order_id',
  ];

  test.each(codes)('%s leaves a live order live', (reason) => {
    const order = Ladder.live(10);
    expect(order.event('rejected', { id: 'v1', hash: 'h-new', reason })).toEqual([]);
    expect(order.order.phase).toBe('live');
  });

  test.each(codes)(
    '%s leaves an order in flight pending until its submission is settled',
    (reason) => {
      const make = () => {
        const order = new Ladder(terms({ qty: qty(10) }));
        order.sent();
        order.unknown();
        expect(order.event('rejected', { id: 'v1', hash: 'h-new', reason })).toEqual([]);
        return order;
      };
      expect(make().event('resting', { hash: 'h-new' })).toEqual([
        '8 150=0 39=0 11=X 38=10 14=0 151=10',
      ]);
      expect(make().refuse('new', denied('bridge.not_applied'))).toEqual([
        '8 150=8 39=8 11=X 38=10 14=0 151=0 bridge.not_applied',
      ]);
    },
  );

  test('refuses no cancel, and no replace', () => {
    const order = Ladder.live(10);
    order.cancel('Y');
    order.requestSent('Y');
    expect(order.event('rejected', { hash: 'h-Y', reason: 'nonce_replayed' })).toEqual([]);
    expect(order.event('canceled', { hash: 'h-Y' })).toEqual([
      '8 150=4 39=4 11=Y 41=X 38=10 14=0 151=0',
    ]);
  });
});

describe('the venue contradicts an end that the client was told', () => {
  const notApplied = denied('bridge.not_applied');

  /** An order for 10 that was reported as rejected. */
  function rejected(changes: Partial<Terms> = {}): Ladder {
    const order = new Ladder(terms({ qty: qty(10), ...changes }));
    order.sent();
    order.unknown();
    order.refuse('new', notApplied);
    return order;
  }

  const restated = '8 150=D 39=0 11=X 38=10 14=0 151=10 378=other bridge.applied_late';
  const alarm = (kind: string, phase: string) =>
    expect.stringContaining(`!! ${kind} (seq 1) on an order that is ${phase}: X`);

  test.each(['accepted', 'resting'] as const)(
    '%s behind a rejection: it is told as living, alarmed, and canceled at once',
    (kind) => {
      const order = rejected();
      expect(order.event(kind)).toEqual([restated, alarm(kind, 'rejected'), '-> cancel order v1']);
      expect(order.order).toMatchObject({ phase: 'live', leavesQty: 10n });
      expect(order.event('canceled')).toEqual([
        '8 150=4 39=4 11=X 38=10 14=0 151=0 378=broker_option',
      ]);
    },
  );

  test('a fill behind a rejection is told with its true CumQty, and what rests is canceled', () => {
    const order = rejected();
    expect(order.fill(4)).toEqual([
      restated,
      '8 150=F 39=1 11=X 38=10 14=4 151=6 32=4 31=10 6=10',
      alarm('fill', 'rejected'),
      '-> cancel order v1',
    ]);
    expect(order.fill(6)).toEqual(['8 150=F 39=2 11=X 38=10 14=10 151=0 32=6 31=10 6=10']);
  });

  test('a fill that completes it leaves nothing to cancel', () => {
    expect(rejected().fill(10)).toEqual([
      restated,
      '8 150=F 39=2 11=X 38=10 14=10 151=0 32=10 31=10 6=10',
      alarm('fill', 'rejected'),
    ]);
  });

  test('the cancel of it is tried again until the venue has ended the order', () => {
    const order = rejected();
    order.event('accepted');
    expect(order.refuse('own-1', denied('bridge.venue_unreachable'))).toEqual([
      expect.stringContaining('own_cancel refused'),
      '.. wait 1000',
    ]);
    const waited = { kind: 'waited', requestId: 'own-1', nowMs: 4000 } as const;
    expect(order.step(waited)).toEqual(['-> cancel order v1']);
  });

  test.each(['canceled', 'expired'] as const)(
    'what the venue itself %s stays so, and a trade that comes late is told',
    (kind) => {
      const order = Ladder.live(10);
      order.event(kind, { seq: 2 });
      const code = kind === 'canceled' ? '4' : 'C';
      expect(order.fill(3, 10, { fillId: 'late' })).toEqual([
        `8 150=F 39=${code} 11=X 38=10 14=3 151=0 32=3 31=10 6=10`,
        `!! fill (seq 3) on an order that is ${kind}: X`,
      ]);
      expect(order.fill(3, 10, { fillId: 'late' })).toEqual([]);
      expect(order.order).toMatchObject({ phase: kind, cumQty: 3n, leavesQty: 0n });
    },
  );

  test('an order that rests after its cancel is alive', () => {
    const order = Ladder.live(10);
    order.event('canceled', { seq: 2 });
    expect(order.event('resting', { seq: 3 })).toEqual([
      restated,
      '!! resting (seq 3) on an order that is canceled: X',
      '-> cancel order v1',
    ]);
  });

  test('a fill beyond a full order is told, too', () => {
    const order = Ladder.live(10);
    order.fill(10);
    expect(order.fill(2)).toEqual([
      '8 150=F 39=2 11=X 38=12 14=12 151=0 32=2 31=10 6=10',
      expect.stringContaining('on an order that is filled: X'),
      expect.stringContaining('filled beyond OrderQty'),
    ]);
  });
});

test("a replace that the engine refuses before the order's own event has come is rejected", () => {
  const order = new Ladder(terms({ qty: qty(10) }));
  order.sent();
  order.accept();
  order.replace('Y', 10, 12);
  order.requestSent('Y', 'v2');
  const refusal = { id: 'v2', parent: 'v1', hash: 'h-Y', reason: 'post_only_would_cross' };
  expect(order.event('rejected', refusal)).toEqual([
    '9 434=2 11=Y 41=X 39=A 102=99 post_only_would_cross',
  ]);
  expect(order.event('resting')).toEqual(['8 150=0 39=0 11=X 38=10 14=0 151=10']);
});

test('the refusal of a cancel of an order that the stream has not shown yet does not reject the order', () => {
  const order = new Ladder(terms({ qty: qty(10) }));
  order.sent('v1');
  const refused = { id: null, parent: 'v1', hash: 'h-fence', reason: 'order_not_found' };
  expect(order.event('rejected', refused)).toEqual([]);
  expect(order.order.phase).toBe('pending_new');
});
