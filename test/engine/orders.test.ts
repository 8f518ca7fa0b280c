/** What a desk remembers, and what it forgets. */
import { expect, test } from 'vitest';
import type { StreamEvent } from '../../src/domain/event.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { submissionId } from '../../src/domain/order.ts';
import type { GroupInFlight } from '../../src/domain/quote-group.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { Orders } from '../../src/engine/orders.ts';
import { denialOf } from '../../src/venue/refusals.ts';
import { account, fullRules, silentEvent, spot, terms } from '../domain/ladder.ts';
import { denied } from '../support/venue-denial.ts';

const instrument = instrumentsOf(spot)[0]!;

function newDesk(): Orders {
  return new Orders(() => fullRules, { endedOrders: 2, spentNames: 2 });
}

function send(orders: Orders, clOrdId: string, key = clOrdId): void {
  const owner = {
    session: 'S',
    account,
    accountName: 'desk',
    tag: 'T',
    key,
    quoteId: null,
  };
  const wanted = terms({ qty: 10n as Qty });
  orders.apply({ kind: 'entry', owner, clOrdId, instrument, terms: wanted, nowMs: 0 });
  const orderId = `0x${clOrdId}` as OrderId;
  const ids = { venueRef: `hash ${clOrdId}`, orderId, firedOrderId: null };
  orders.apply({
    kind: 'order',
    key,
    input: { kind: 'sent', requestId: submissionId, ...ids, nowMs: 0 },
  });
}

/** The order ends by the venue's refusal. */
function end(orders: Orders, clOrdId: string): void {
  const outcome = { kind: 'refused', denial: denied('post_only_would_cross') } as const;
  const input = { kind: 'answered', requestId: submissionId, outcome, nowMs: 0 } as const;
  orders.apply({ kind: 'order', key: clOrdId, input });
}

test('of ended orders the newest are remembered, with their ids; open ones always are', () => {
  const orders = newDesk();
  for (const name of ['open', 'a', 'b', 'c']) send(orders, name);
  for (const name of ['a', 'b', 'c']) end(orders, name);
  const found = (name: string) => [orders.byClOrdId('S', name), orders.byVenueId(`0x${name}`)];
  expect(found('a')).toEqual([undefined, undefined]);
  for (const name of ['open', 'b', 'c']) expect(found(name)).not.toContain(undefined);
  expect([...orders.all()].map(({ clOrdId }) => clOrdId)).toEqual(['open', 'b', 'c']);
});

test('what comes of a request about a forgotten order is no alarm; a request about it is', () => {
  const orders = newDesk();
  for (const name of ['a', 'b', 'c']) send(orders, name);
  for (const name of ['a', 'b', 'c']) end(orders, name);
  const about = { requestId: 'own-1', nowMs: 0 };
  const apply = (input: object) =>
    orders.apply({ kind: 'order', key: 'a', input: { ...about, ...input } as never });
  expect(apply({ kind: 'outdated' })).toEqual([]);
  expect(apply({ kind: 'answered', outcome: { kind: 'unknown' } })).toEqual([]);
  expect(apply({ kind: 'own_cancel', text: 'stop' })).toMatchObject([
    { kind: 'alarm', code: 'unknown_order', orderId: 'a' },
  ]);
});

test('the ClOrdID of a forgotten order is still spent, until newer ones take its place', () => {
  const orders = newDesk();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) send(orders, name);
  for (const name of names) end(orders, name);
  expect(names.map((name) => orders.isSpent('S', name))).toEqual([false, true, true, true, true]);
});

test('what a desk forgets next is the same after a restart', () => {
  const orders = newDesk();
  for (const name of ['a', 'b', 'open']) send(orders, name);
  for (const name of ['b', 'a']) end(orders, name);
  const restored = newDesk();
  restored.restore(orders.state());
  expect(restored.state()).toEqual(orders.state());
  end(restored, 'open');
  expect(restored.byClOrdId('S', 'b')).toBeUndefined();
  expect(restored.byClOrdId('S', 'a')).toBeDefined();
});

test('keys are counted on after a restart, from a snapshot and from the records behind it', () => {
  const orders = newDesk();
  const keyOf = (own: Orders) => own.newKeys('T', 1)[0] ?? '';
  for (const name of ['a', 'b']) send(orders, name, keyOf(orders));
  const restored = newDesk();
  restored.restore(orders.state());
  send(restored, 'c', keyOf(restored));
  expect([...restored.all()].map(({ owner }) => owner.key)).toEqual(['T#1', 'T#2', 'T#3']);
});

test('orders of an earlier version keep the keys that a client named, and no counted key meets them', () => {
  const orders = newDesk();
  send(orders, 'T#1', 'ALPHA:T#1');
  const { lastKey: _, ...old } = orders.state();
  const restored = newDesk();
  restored.restore(old);
  send(restored, 'new', restored.newKeys('T', 1)[0]);
  expect([...restored.all()].map(({ owner }) => owner.key)).toEqual(['ALPHA:T#1', 'T#1']);
});

test('a journal of an earlier version, in which a key was given to two orders, is replayed as that version did', () => {
  const orders = newDesk();
  send(orders, 'first', 'ALPHA:Q.1.1.B');
  send(orders, 'second', 'ALPHA:Q.1.1.B');
  expect(orders.get('ALPHA:Q.1.1.B')?.clOrdId).toBe('second');
  expect([orders.openCount, [...orders.all()].length]).toEqual([1, 1]);
  const again = newDesk();
  again.restore(orders.state());
  expect(again.openCount).toBe(1);
});

test('what is entered under a key that is in use stops the transaction', () => {
  const orders = newDesk();
  send(orders, 'a', 'T#1');
  expect(() => send(orders, 'b', 'T#1')).toThrow('bug in the bridge: one key, one order: T#1');
});

test('an answer with the id of another order is reported to the operator and changes nothing', () => {
  const orders = newDesk();
  for (const name of ['a', 'b']) send(orders, name);
  const outcome = { kind: 'accepted', orderId: '0xa' as OrderId } as const;
  const input = { kind: 'answered', requestId: submissionId, outcome, nowMs: 0 } as const;
  expect(orders.apply({ kind: 'order', key: 'b', input })).toMatchObject([
    { kind: 'alarm', orderId: '0xa' },
  ]);
  expect(orders.byVenueId('0xa')?.clOrdId).toBe('a');
  expect(orders.get('b')?.orderId).toBe('0xb');
});

test('an order that the venue shows alive behind its end is open again, and is not forgotten', () => {
  const orders = newDesk();
  send(orders, 'a');
  end(orders, 'a');
  expect([orders.openCount, orders.openOf('S')]).toEqual([0, 0]);
  const event = { ...silentEvent, kind: 'accepted', orderId: '0xa' as OrderId, seq: 1 } as const;
  const effects = orders.apply({ kind: 'event', event });
  expect(effects.map(({ kind }) => kind)).toEqual(['report', 'alarm', 'send']);
  expect([orders.openCount, orders.openOf('S')]).toEqual([1, 1]);
  for (const name of ['b', 'c', 'd', 'e']) send(orders, name);
  for (const name of ['b', 'c', 'd', 'e']) end(orders, name);
  expect([...orders.open()].map(({ clOrdId }) => clOrdId)).toEqual(['a']);
  orders.apply({ kind: 'event', event: { ...event, kind: 'canceled', seq: 2 } });
  expect([orders.openCount, orders.endedOrderId]).toEqual([0, '0xe']);
});

test('the refusal of one copy of an order that nobody here sent is not passed on, and is not read again', () => {
  const orders = newDesk();
  const denial = denialOf({ code: 'nonce_replayed', number: null, text: '' });
  const orderId = '0xf' as OrderId;
  const event = { ...silentEvent, kind: 'rejected', orderId, denial, seq: 7 } as const;
  expect(orders.apply({ kind: 'event', event })).toEqual([]);
  expect(orders.lastSeq).toBe(7);
});

test('a late answer to what is over and forgotten is no alarm, and no answer to another action', () => {
  const orders = newDesk();
  send(orders, 'a');
  const outcome = { kind: 'accepted', orderId: '0xa' as OrderId } as const;
  const input = { kind: 'answered', requestId: submissionId, outcome, nowMs: 0 } as const;
  expect(orders.apply({ kind: 'order', key: 'group', input })).toEqual([]);
  expect(orders.isOfAnother('group', '0xa' as OrderId)).toBe(false);
  send(orders, 'b');
  expect(orders.isOfAnother('b', '0xa' as OrderId)).toBe(true);
});

test('an order ends when another channel replaced it by an order that was known before, which goes on as it is', () => {
  const orders = newDesk();
  send(orders, 'a', 'T#1');
  const on = (seq: number, facts: Partial<typeof silentEvent>) => {
    const event = {
      ...silentEvent,
      seq,
      side: 'Bid',
      price: 9n,
      qty: 10n,
      leavesQty: 10n,
      ...facts,
    };
    return orders.apply({ kind: 'event', event: event as typeof silentEvent });
  };
  on(1, { orderId: '0xa' as OrderId });
  const [foreign] = on(2, { orderId: '0xc' as OrderId });
  if (foreign?.kind !== 'foreign') throw new Error('the child is known');
  orders.apply({ kind: 'adopt', event: foreign.event, instrument, accountName: 'desk' });
  const ids = { orderId: '0xc' as OrderId, parentOrderId: '0xa' as OrderId };
  expect(on(3, { kind: 'replaced', ...ids })).toMatchObject([
    { session: 'S', report: { execType: 'canceled', order: { clOrdId: 'a', orderId: '0xa' } } },
  ]);
  expect([...orders.openOnVenue()].map(({ orderId }) => orderId)).toEqual(['0xc']);
  expect(orders.openCount).toBe(0);
});

test('an event of the first id of an order that another channel has replaced all day is no order of its own', () => {
  const orders = new Orders(() => fullRules);
  const idOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as OrderId;
  const on = (seq: number, facts: Partial<StreamEvent>) => {
    const terms = { side: 'Bid', price: 9n, qty: 10n, leavesQty: 10n };
    const event = { ...silentEvent, seq, ...terms, ...facts } as StreamEvent;
    const effects = orders.apply({ kind: 'event', event });
    const isForeign = effects.some(({ kind }) => kind === 'foreign');
    return isForeign
      ? orders.apply({ kind: 'adopt', event, instrument, accountName: 'desk' })
      : effects;
  };
  on(1, { kind: 'resting', orderId: idOf(1) });
  for (let last = 2; last <= 600; last += 1) {
    on(last, { kind: 'replaced', orderId: idOf(last), parentOrderId: idOf(last - 1) });
  }
  const denial = denied('order_not_open');
  expect(on(601, { kind: 'rejected', orderId: idOf(1), denial })).toEqual([]);
  expect([...orders.openOnVenue()].map(({ orderId }) => orderId)).toEqual([idOf(600)]);
});

/** A side of a quote, `key`, that replaces another, by an action whose ids are known, or not yet. */
function quote(orders: Orders, key: string, replaces: string[], legIds: string[]): void {
  const owner = { session: 'S', account, accountName: 'desk', tag: 'T', quoteId: 'Q', slot: 's' };
  const flight: GroupInFlight = {
    ...{
      key: `group ${key}`,
      quoteId: 'Q',
      accountName: 'desk',
      response: 'all' as const,
      single: null,
    },
    ...{ setId: 's', entries: [], places: [key], cancels: replaces, olds: replaces },
  };
  const side = { owner: { ...owner, key }, clOrdId: key, instrument, legIndex: 0 };
  const wanted = { ...side, terms: terms({ qty: 10n as Qty }) };
  const intent = { kind: 'group', market: spot.marketId, legs: [] } as const;
  const group = {
    kind: 'quotes',
    key: flight.key,
    session: 'S',
    flight,
    intent,
    nowMs: 0,
  } as const;
  orders.apply({ ...group, orders: [wanted] });
  const ids = { venueRef: `hash ${key}`, orderId: null, legIds: legIds as OrderId[] };
  const input = { kind: 'sent', requestId: submissionId, ...ids, nowMs: 0 } as const;
  orders.apply({ kind: 'order', key: flight.key, input });
}

test.each([
  ['a quote whose id is not known yet takes its place', 'hash b', 'canceled', ''],
  ['another channel replaces it', 'hash of others', 'restated', '0xnew'],
])('of a side of a quote, if %s', (_, venueRef, execType, orderId) => {
  const orders = newDesk();
  quote(orders, 'a', [], ['0xa']);
  const on = (seq: number, facts: Partial<typeof silentEvent>) =>
    orders.apply({ kind: 'event', event: { ...silentEvent, seq, ...facts } });
  on(1, { kind: 'resting', orderId: '0xa' as OrderId });
  quote(orders, 'b', ['a'], []);
  const ids = { orderId: '0xnew' as OrderId, parentOrderId: '0xa' as OrderId, qty: 4n as Qty };
  const told = on(2, { kind: 'replaced', ...ids, venueRef });
  expect(told).toMatchObject([{ report: { execType, order: { clOrdId: 'a' } } }]);
  expect(orders.byVenueId('0xnew')?.orderId ?? '').toBe(orderId);
});
