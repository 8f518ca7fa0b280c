/** The ClOrdIDs and ids by which an order is found, however many requests there are about it. */
import { expect, test } from 'vitest';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { submissionId } from '../../src/domain/order.ts';
import type { OrderId, Price, Qty } from '../../src/domain/units.ts';
import { Orders } from '../../src/engine/orders.ts';
import { account, fullRules, silentEvent, spot, terms } from '../domain/ladder.ts';

const key = 'T#1';

class OneOrder {
  readonly orders = new Orders(() => fullRules);

  constructor() {
    const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
    const [instrument] = instrumentsOf(spot);
    if (instrument === undefined) throw new Error('the market has no instrument');
    const wanted = terms({ qty: 5000n as Qty });
    this.orders.apply({
      ...{ kind: 'entry', owner, clOrdId: 'a', instrument, terms: wanted, nowMs: 0 },
    });
    const orderId = '0xa' as OrderId;
    this.step({
      kind: 'sent',
      requestId: submissionId,
      venueRef: 'h',
      orderId,
      firedOrderId: null,
    });
    this.event({ kind: 'resting', orderId });
  }

  step(input: object) {
    const whole = { nowMs: 0, origModTimeMs: null, ...input } as never;
    return this.orders.apply({ kind: 'order', key, input: whole });
  }

  event(facts: object): void {
    const seq = this.orders.lastSeq + 1;
    this.orders.apply({ kind: 'event', event: { ...silentEvent, seq, ...facts } as never });
  }

  get kept() {
    const [entry] = this.orders.memory.index.all();
    return { names: entry?.names.length ?? 0, ids: entry?.venueIds.length ?? 0 };
  }

  replace(n: number): void {
    const wanted = terms({ qty: 5000n as Qty, price: BigInt(11 + (n % 2)) as Price });
    const [orderId, venueRef] = [`0x${n}` as OrderId, `h${n}`];
    this.step({ kind: 'replace', clOrdId: `r${n}`, terms: wanted });
    this.step({ kind: 'sent', requestId: `r${n}`, venueRef, orderId });
    const parentOrderId = this.orders.get(key)?.orderId;
    this.event({ kind: 'replaced', orderId, parentOrderId, venueRef, qty: 5000n });
  }

  amend(n: number): void {
    const [orderId, venueRef, qty] = ['0x1', `h${n}`, BigInt(5000 - n)];
    this.step({
      kind: 'replace',
      clOrdId: `r${n}`,
      terms: terms({ qty: qty as Qty, price: 12n as Price }),
    });
    this.step({ kind: 'sent', requestId: `r${n}`, venueRef, orderId: null });
    this.event({ kind: 'amended', orderId, venueRef, qty, leavesQty: qty });
  }
}

test('the ClOrdIDs of refused cancels are used and name nothing, and the order does not grow with them', () => {
  const one = new OneOrder();
  one.event({ kind: 'canceled', orderId: '0xa' });
  for (let n = 1; n <= 1000; n += 1) one.step({ kind: 'cancel', clOrdId: `c${n}` });
  expect(one.orders.isSpent('S', 'c1000')).toBe(true);
  expect(one.orders.byClOrdId('S', 'c1000')).toBeUndefined();
  expect(one.orders.byClOrdId('S', 'a')?.owner.key).toBe(key);
  expect(one.kept.names).toBe(1);
});

test('a ClOrdID names the order while its request is under way, and nothing once that was refused', () => {
  const one = new OneOrder();
  one.step({ kind: 'cancel', clOrdId: 'c1' });
  one.step({ kind: 'cancel', clOrdId: 'c2' });
  const found = () => ['c1', 'c2'].map((clOrdId) => one.orders.byClOrdId('S', clOrdId)?.clOrdId);
  expect(found()).toEqual(['a', undefined]);
  const denial = { refusal: { name: 'venue.any' }, text: 'no' };
  one.step({ kind: 'answered', requestId: 'c1', outcome: { kind: 'refused', denial } });
  expect(found()).toEqual([undefined, undefined]);
  expect(one.orders.isSpent('S', 'c1')).toBe(true);
});

test('an order that is replaced all day is found by its newest ClOrdIDs, and the others stay used', () => {
  const one = new OneOrder();
  for (let n = 1; n <= 1000; n += 1) one.replace(n);
  expect(one.orders.get(key)?.clOrdId).toBe('r1000');
  expect(one.kept).toEqual({ names: 256, ids: 512 });
  expect(one.orders.byClOrdId('S', 'r745')?.owner.key).toBe(key);
  expect(one.orders.byClOrdId('S', 'r744')).toBeUndefined();
  expect(one.orders.isSpent('S', 'r1')).toBe(true);
  expect(one.orders.byVenueId('0x1000')?.owner.key).toBe(key);
});

test('an order that is amended all day is found by the id that it has had all the time', () => {
  const one = new OneOrder();
  one.replace(1);
  for (let n = 2; n <= 1000; n += 1) one.amend(n);
  expect(one.orders.get(key)).toMatchObject({ clOrdId: 'r1000', orderId: '0x1' });
  expect(one.orders.byVenueId('0x1')?.owner.key).toBe(key);
  expect(one.kept).toEqual({ names: 256, ids: 512 });
});
