/** Orders that no session of the bridge sent: followed from the first event that is heard of them (contract R72). */
import { expect, test } from 'vitest';
import { adoptedOrder } from '../../src/domain/adopt.ts';
import type { EventKind, StreamEvent } from '../../src/domain/event.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { averageOf, type Order } from '../../src/domain/order.ts';
import type { Report } from '../../src/domain/report.ts';
import { transition } from '../../src/domain/transition.ts';
import type { FeeMicro, MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { account, fullRules, lineOf, spot } from './ladder.ts';

const [instrument] = instrumentsOf(spot);

interface Facts {
  readonly filled?: bigint;
  readonly traded?: bigint;
  readonly id?: string;
  readonly parent?: string;
}

let seq = 0;
function event(
  kind: EventKind,
  { filled = 0n, traded, id = 'v1', parent }: Facts = {},
): StreamEvent {
  seq += 1;
  return {
    seq,
    prevSeq: null,
    kind,
    account,
    market: 1 as MarketId,
    book: null,
    orderId: id as OrderId,
    parentOrderId: (parent ?? null) as OrderId | null,
    legIndex: null,
    clientOrderId: null,
    venueRef: null,
    side: 'Ask',
    price: 10n as Price,
    qty: 10n as Qty,
    filledQty: filled as Qty,
    leavesQty: (10n - filled) as Qty,
    status: null,
    denial: null,
    fill:
      traded === undefined
        ? null
        : {
            fillId: `f${seq}`,
            price: 12n as Price,
            qty: traded as Qty,
            feeMicro: 0n as FeeMicro,
            liquidity: 'maker',
            tsMs: 1,
          },
    engineTsMs: 1000,
    serverTsMs: 1000,
  };
}

/** The order as it stands after these events, and what was reported. */
function followed(...events: StreamEvent[]): { order: Order; said: string[]; reports: Report[] } {
  if (instrument === undefined || events[0] === undefined) throw new Error('nothing to follow');
  let order = adoptedOrder(events[0], instrument, 'desk');
  if (order === undefined) throw new Error('not adopted');
  const reports: Report[] = [];
  for (const each of events) {
    const step = transition(order, { kind: 'event', event: each }, fullRules);
    order = step.order;
    reports.push(...step.reports);
  }
  return { order, reports, said: reports.map(lineOf) };
}

test('R72: an order of another channel is followed from its first event to its end', () => {
  const { said } = followed(
    event('accepted'),
    event('fill', { filled: 4n, traded: 4n }),
    event('canceled', { filled: 4n }),
  );
  expect(said).toEqual([
    '8 150=0 39=0 11= 38=10 14=0 151=10',
    '8 150=F 39=1 11= 38=10 14=4 151=6 32=4 31=12 6=12',
    '8 150=4 39=4 11= 38=10 14=4 151=0 378=market_option',
  ]);
});

test('R72: a fill that is the first event heard carries what was filled before, at a price not known', () => {
  const { said, order } = followed(event('fill', { filled: 7n, traded: 3n }));
  expect(said).toEqual(['8 150=F 39=1 11= 38=10 14=7 151=3 32=3 31=12 6=5.14']);
  expect(averageOf(order)).toBe(1200n);
  expect(order.unseenQty).toBe(4n);
});

test('R72: a first fill that fills it whole says the New before it', () => {
  const { said } = followed(event('fill', { filled: 10n, traded: 10n }));
  expect(said.map((line) => line.slice(0, 12))).toEqual(['8 150=0 39=0', '8 150=F 39=2']);
});

test('an order of another channel that its owner replaces goes on under the new id', () => {
  const { said, order } = followed(
    event('accepted'),
    event('replaced', { id: 'v2', parent: 'v1' }),
    event('fill', { id: 'v2', filled: 10n, traded: 10n }),
  );
  expect(order.orderId).toBe('v2');
  expect(said.slice(1)).toEqual([
    '8 150=5 39=0 11= 38=10 14=0 151=10 638=1',
    '8 150=F 39=2 11= 38=10 14=10 151=0 32=10 31=12 6=12',
  ]);
});

test('slices of an algo of another channel fill their parent, and their ends do not end it', () => {
  const { said, reports } = followed(
    event('accepted'),
    event('resting', { id: 's1', parent: 'v1' }),
    event('fill', { id: 's1', parent: 'v1', filled: 2n, traded: 2n }),
    event('canceled', { id: 's1', parent: 'v1' }),
    event('algo_done', { filled: 2n }),
  );
  expect(said.slice(1)).toEqual([
    '8 150=F 39=1 11= 38=10 14=2 151=8 32=2 31=12 6=12',
    '8 150=4 39=4 11= 38=10 14=2 151=0 378=market_option',
  ]);
  expect(reports[1]).toMatchObject({ childOrderId: 's1', parentOrderId: 'v1' });
});

test('a conditional of another channel that fires goes on as the order that it placed', () => {
  const { said, order } = followed(
    event('accepted'),
    event('triggered', { id: 'v9', parent: 'v1' }),
    event('canceled', { id: 'v9', parent: 'v1' }),
  );
  expect(order.phase).toBe('canceled');
  expect(said.slice(1)).toEqual([
    '8 150=D 39=0 11= 38=10 14=0 151=10 378=other',
    '8 150=4 39=4 11= 38=10 14=0 151=0 378=market_option',
  ]);
});

test('an order that a conditional of another channel placed ends where the venue refuses it', () => {
  const { said, order } = followed(
    event('accepted'),
    event('triggered', { id: 'v9', parent: 'v1' }),
    // The refusal of a cancel names no order of its own.
    { ...event('rejected', { parent: 'v9' }), orderId: null },
    event('rejected', { id: 'v9', parent: 'v1' }),
  );
  expect(order.phase).toBe('canceled');
  expect(said.slice(2)).toEqual(['8 150=4 39=4 11= 38=10 14=0 151=0 378=market_option null']);
});

test('an order of another channel that was refused is rejected, and an end that comes first ends it', () => {
  expect(followed(event('rejected')).said[0]).toMatch(/^8 150=8 39=8/);
  expect(followed(event('expired', { filled: 3n })).said).toEqual([
    '8 150=C 39=C 11= 38=10 14=3 151=0',
  ]);
});

test('an event that says too little of its order adopts none', () => {
  if (instrument === undefined) throw new Error('no instrument');
  const whole = event('accepted');
  for (const missing of ['orderId', 'side', 'price', 'qty'] as const) {
    expect(adoptedOrder({ ...whole, [missing]: null }, instrument, 'desk')).toBeUndefined();
  }
});

test('R72: an order that is filled beyond its quantity when it is first heard of has nothing left', () => {
  expect(followed(event('triggered', { filled: 12n })).order).toMatchObject({
    cumQty: 12n,
    leavesQty: 0n,
    terms: { qty: 12n },
  });
});
