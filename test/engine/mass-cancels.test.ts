/** Cancels of many orders at once, in slices: which orders they reach, and what others may do meanwhile. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { hasEnded, isLeaving, submissionId } from '../../src/domain/order.ts';
import type { GroupInFlight } from '../../src/domain/quote-group.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { allOrders, type CancelScope } from '../../src/engine/mass-cancels.ts';
import { OrderIndex } from '../../src/engine/order-index.ts';
import { Orders } from '../../src/engine/orders.ts';
import type { OrdersEffect, OrdersInput } from '../../src/engine/orders-input.ts';
import { account, fullRules, silentEvent, spot, terms } from '../domain/ladder.ts';

const instrument = instrumentsOf(spot)[0]!;
const names = { account, accountName: 'desk', tag: 'T' };
const sessionA = { ...allOrders, session: 'A' };

class Desk {
  orders: Orders;
  readonly #atOnce: number;
  #count = 0;
  #seq = 0;

  constructor(atOnce = 100) {
    this.#atOnce = atOnce;
    this.orders = this.#empty();
  }

  #empty(): Orders {
    return new Orders(() => fullRules, { endedOrders: 10, spentNames: 10 });
  }

  apply(input: OrdersInput): readonly OrdersEffect[] {
    return this.orders.apply(input);
  }

  /** An order that is live at the venue. */
  enter(session = 'A'): string {
    this.#count += 1;
    const key = `T#${this.#count}`;
    const owner = { session, ...names, key, quoteId: null };
    const wanted = terms({ qty: 10n as Qty });
    this.apply({ kind: 'entry', owner, clOrdId: key, instrument, terms: wanted, nowMs: 0 });
    const ids = { venueRef: `h${key}`, orderId: idOf(key), firedOrderId: null };
    const sent = { kind: 'sent', requestId: submissionId, ...ids, nowMs: 0 } as const;
    this.apply({ kind: 'order', key, input: sent });
    const outcome = { kind: 'accepted', orderId: idOf(key) } as const;
    const answered = { kind: 'answered', requestId: submissionId, outcome, nowMs: 0 } as const;
    this.apply({ kind: 'order', key, input: answered });
    this.event(key, 'accepted');
    return key;
  }

  /** A quote of one side that nobody has answered yet. */
  quote(slot: string): void {
    this.#count += 2;
    const [key, group] = [`T#${this.#count}`, `T#${this.#count - 1}`];
    const owner = { session: 'A', ...names, key, quoteId: 'Q', slot };
    const order = {
      owner,
      clOrdId: 'q',
      instrument,
      terms: terms({ qty: 10n as Qty }),
      legIndex: 0,
    };
    const flight: GroupInFlight = {
      ...{ key: group, quoteId: 'Q', accountName: 'desk', response: 'all', single: null },
      ...{ setId: 's', entries: [], places: [key], cancels: [], olds: [] },
    };
    const intent = { kind: 'group', market: spot.marketId, legs: [] } as const;
    const quotes = { session: 'A', flight, orders: [order], intent, nowMs: 0 };
    this.apply({ kind: 'quotes', key: group, ...quotes });
  }

  event(key: string, kind: 'accepted' | 'canceled'): void {
    this.#seq += 1;
    this.apply({
      kind: 'event',
      event: { ...silentEvent, kind, orderId: idOf(key), seq: this.#seq },
    });
  }

  begin(meant: CancelScope = allOrders, text = 'all'): readonly string[] {
    return canceled(
      this.apply({ kind: 'mass_cancel', meant, text, atOnce: this.#atOnce, nowMs: 5 }),
    );
  }

  next(): readonly string[] {
    return canceled(this.apply({ kind: 'mass_cancel_next', atOnce: this.#atOnce, nowMs: 5 }));
  }

  replace(key: string): readonly OrdersEffect[] {
    const input = { clOrdId: `r${key}`, terms: terms({ qty: 7n as Qty }), origModTimeMs: null };
    return this.apply({ kind: 'order', key, input: { kind: 'replace', ...input, nowMs: 6 } });
  }

  isLeaving(key: string): boolean {
    const order = this.orders.get(key);
    return order !== undefined && isLeaving(order);
  }

  restart(): void {
    const state = structuredClone(this.orders.state());
    this.orders = this.#empty();
    this.orders.restore(state);
  }
}

const idOf = (key: string) => `0x${key}` as OrderId;

/** The orders that a cancel goes out for. */
function canceled(effects: readonly OrdersEffect[]): readonly string[] {
  return effects.flatMap((effect) =>
    effect.kind === 'send' && effect.intent.kind === 'cancel' ? [effect.key] : [],
  );
}

const entered = (desk: Desk, count: number) => Array.from({ length: count }, () => desk.enter());

test('few orders are canceled at once, many in slices of a hundred, in the order of their arrival', () => {
  const desk = new Desk();
  const keys = entered(desk, 250);
  expect(desk.orders.count(allOrders)).toBe(250);
  const slices = [desk.begin(), desk.next(), desk.next(), desk.next()];
  expect(slices.map(({ length }) => length)).toEqual([100, 100, 50, 0]);
  expect(slices.flat()).toEqual(keys);
  expect(desk.orders.isMassCanceling).toBe(false);
  const few = new Desk();
  expect([few.begin(), few.orders.isMassCanceling]).toEqual([[], false]);
  entered(few, 3);
  expect([few.begin().length, few.orders.isMassCanceling]).toEqual([3, false]);
});

test('they are counted without a look at orders that have ended, however often a client asks', () => {
  const desk = new Desk();
  for (const key of entered(desk, 12).slice(2)) desk.event(key, 'canceled');
  const all = vi.spyOn(OrderIndex.prototype, 'all');
  expect([desk.orders.count(allOrders), [...desk.orders.open()].length]).toEqual([2, 2]);
  expect(all).not.toHaveBeenCalled();
  all.mockRestore();
});

test('one slice looks at so many orders only, also where it finds none to cancel', () => {
  const desk = new Desk();
  for (let i = 0; i < 10_050; i += 1) desk.enter('B');
  const [last] = entered(desk, 1);
  expect([desk.begin(sessionA), desk.next()]).toEqual([[], [last]]);
}, 20_000);

describe('while a mass cancel is under way', () => {
  function halfWay(meant = allOrders): { desk: Desk; reached: string; notYet: string } {
    const desk = new Desk(1);
    const [reached = '', notYet = ''] = entered(desk, 2);
    expect(desk.begin(meant)).toEqual([reached]);
    return { desk, reached, notYet };
  }

  test('an order that comes in is not meant', () => {
    const { desk, notYet } = halfWay();
    const late = desk.enter();
    expect([desk.next(), desk.next(), desk.isLeaving(late)]).toEqual([[notYet], [], false]);
    expect(desk.orders.stands(late)).toBe(true);
  });

  test('an order that it has not reached may not be replaced, and is canceled at once', () => {
    const { desk, notYet } = halfWay();
    const effects = desk.replace(notYet);
    expect(canceled(effects)).toEqual([notYet]);
    const reports = effects.flatMap((effect) => (effect.kind === 'report' ? [effect.report] : []));
    expect(reports.map(({ denial }) => denial?.refusal.name)).toEqual(['bridge.pending']);
    expect(desk.next()).toEqual([]);
  });

  test('an order that it has not reached counts as one that is being canceled', () => {
    const { desk, notYet } = halfWay();
    expect([desk.orders.stands(notYet), desk.orders.isMeantToEnd(notYet)]).toEqual([null, true]);
    const quoting = new Desk(1);
    quoting.enter();
    quoting.quote('bid');
    expect(quoting.orders.quoted('A', 'bid').map(isLeaving)).toEqual([false]);
    quoting.begin();
    expect(quoting.orders.quoted('A', 'bid').map(isLeaving)).toEqual([true]);
  });

  test('its client may cancel it all the same, and nothing is canceled twice', () => {
    const { desk, notYet } = halfWay();
    const input = { kind: 'cancel', clOrdId: 'mine', origModTimeMs: null, nowMs: 6 } as const;
    expect(canceled(desk.apply({ kind: 'order', key: notYet, input }))).toEqual([notYet]);
    expect(desk.next()).toEqual([]);
  });

  test('an order that ends before it is reached is left alone', () => {
    const { desk, notYet } = halfWay();
    desk.event(notYet, 'canceled');
    expect([desk.next(), desk.orders.get(notYet)?.phase]).toEqual([[], 'canceled']);
  });

  test('the same one again adds what has come in since, however often it is repeated', () => {
    const { desk, notYet } = halfWay();
    const late = desk.enter();
    for (let i = 0; i < 50; i += 1) desk.begin(allOrders, `again ${i}`);
    expect(desk.orders.rest().massCancels?.length ?? 0).toBeLessThanOrEqual(1);
    expect([notYet, late].map((key) => desk.isLeaving(key))).toEqual([true, true]);
  });

  test('another one waits for its turn, and each order is canceled once', () => {
    const desk = new Desk(1);
    const [a = '', b = ''] = [desk.enter('A'), desk.enter('B')];
    expect([desk.begin(sessionA), desk.begin(allOrders)].flat()).toEqual([a]);
    const rest = [desk.next(), desk.next(), desk.next(), desk.next()].flat();
    expect([rest, desk.orders.isMassCanceling]).toEqual([[b], false]);
  });

  test('a process that takes over continues behind the last slice', () => {
    const desk = new Desk(2);
    const keys = entered(desk, 7);
    const before = desk.begin();
    desk.restart();
    const after = [desk.next(), desk.next()];
    desk.restart();
    expect([before, ...after, desk.next()].flat()).toEqual(keys);
  });
});

const step = fc.oneof(
  fc.constantFrom('A', 'B').map((session) => ({ kind: 'enter', session }) as const),
  fc.constantFrom('A', 'B', null).map((session) => ({ kind: 'begin', session }) as const),
  fc.nat(30).map((at) => ({ kind: 'replace', at }) as const),
  fc.nat(30).map((at) => ({ kind: 'ends', at }) as const),
  fc.constantFrom('next', 'restart').map((kind) => ({ kind }) as const),
);

test('each order that was open at a mass cancel is canceled exactly once, and no other is', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      (steps, atOnce) => {
        const desk = new Desk(atOnce);
        const keys: string[] = [];
        const meant = new Set<string>();
        const sent: string[] = [];
        for (const one of steps) {
          const key = 'at' in one ? keys[one.at] : undefined;
          if (one.kind === 'enter') keys.push(desk.enter(one.session));
          else if (one.kind === 'begin') {
            const isMeant = { ...allOrders, session: one.session };
            const open = [...desk.orders.open()].filter(
              ({ owner }) => one.session === null || owner.session === one.session,
            );
            expect(desk.orders.count(isMeant)).toBe(open.length);
            for (const { owner } of open) meant.add(owner.key);
            sent.push(...desk.begin(isMeant));
          } else if (one.kind === 'next') sent.push(...desk.next());
          else if (one.kind === 'restart') desk.restart();
          else if (key !== undefined && one.kind === 'ends') desk.event(key, 'canceled');
          else if (key !== undefined && meant.has(key)) sent.push(...canceled(desk.replace(key)));
        }
        for (let i = 0; desk.orders.isMassCanceling; i += 1) {
          expect(i).toBeLessThan(200);
          sent.push(...desk.next());
        }
        expect(new Set(sent).size).toBe(sent.length);
        for (const key of keys) {
          const order = desk.orders.get(key);
          if (order === undefined || hasEnded(order)) continue;
          expect([key, isLeaving(order)]).toEqual([key, meant.has(key)]);
        }
        expect(sent.every((key) => meant.has(key))).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
