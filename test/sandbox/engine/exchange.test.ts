import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExecutionEvent } from '../../../src/sandbox/engine/event.ts';
import type { Exchange } from '../../../src/sandbox/engine/exchange.ts';
import { Floor } from './floor.ts';
import { assertInvariants } from './invariants.ts';
import { step, take } from './random-day.ts';

const day = fc.array(step, { minLength: 20, maxLength: 120 });
const fees = { takerBps: 7, makerBps: -1, tiers: [] };

test('after any action money, inventory, books and orders add up', () => {
  const property = fc.property(day, (steps) => {
    const floor = new Floor({ fees });
    for (const each of steps) {
      take(floor, each);
      assertInvariants(floor.exchange);
    }
  });
  fc.assert(property, { numRuns: 60 });
});

test('R132: the same calls give the same ledger hash, and one more call another', () => {
  const property = fc.property(day, (steps) => {
    const [first, second] = [new Floor(), new Floor()].map((floor) => {
      for (const each of steps) take(floor, each);
      return floor;
    });
    expect(first?.exchange.hash()).toBe(second?.exchange.hash());
    first?.cancel('ann', 'o0');
    expect(first?.exchange.hash()).not.toBe(second?.exchange.hash());
  });
  fc.assert(property, { numRuns: 20 });
});

/** State, filled quantity and fee of each order as the streams alone tell it. */
function toldOrders(exchange: Exchange): Map<string, string> {
  const orders = new Map<string, { state: string; filledQty: number; feeMicro: number }>();
  for (const { account } of exchange.ledger().accounts) {
    const page = exchange.events(account, 1, 1_000_000);
    for (const event of page.kind === 'page' ? page.events : []) follow(orders, event);
  }
  return new Map(
    Array.from(orders, ([id, { state, filledQty, feeMicro }]) => [
      id,
      `${state} ${filledQty} ${feeMicro}`,
    ]),
  );
}

function follow(
  orders: Map<string, { state: string; filledQty: number; feeMicro: number }>,
  { kind, orderId, parentOrderId, fill, leavesQty }: ExecutionEvent,
): void {
  if (orderId === null || kind === 'rejected') return;
  const order = orders.get(orderId) ?? { state: 'open', filledQty: 0, feeMicro: 0 };
  orders.set(orderId, order);
  const old = orders.get(parentOrderId ?? '');
  if (kind === 'replaced' && old !== undefined) old.state = 'canceled';
  if (kind === 'canceled' || kind === 'expired') order.state = kind;
  if (fill === null) return;
  order.filledQty += fill.qty;
  order.feeMicro += fill.feeMicro;
  if (leavesQty === 0) order.state = 'filled';
}

test('the streams alone tell every order of the ledger, to its last fill and fee', () => {
  const property = fc.property(day, (steps) => {
    const floor = new Floor({
      fees,
      retention: { ...new Floor().config.retention, closedOrders: 9999 },
    });
    for (const each of steps) take(floor, each);
    const told = toldOrders(floor.exchange);
    for (const { orderId, kind, state, filledQty, feeMicro } of floor.exchange.ledger().orders) {
      if (kind !== 'order') continue;
      expect(`${orderId} ${told.get(orderId)}`).toBe(
        `${orderId} ${state} ${filledQty} ${feeMicro}`,
      );
    }
  });
  fc.assert(property, { numRuns: 60 });
});
