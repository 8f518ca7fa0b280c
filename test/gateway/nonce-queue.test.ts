import { expect, test } from 'vitest';
import type { Qty } from '../../src/domain/units.ts';
import { NonceQueue, type WaitingErrand } from '../../src/gateway/nonce-queue.ts';
import { place } from '../support/errand-venue.ts';

const waiting = (key: string, untilMs = 1_000): WaitingErrand => ({
  key,
  requestId: 'new',
  clientOrderId: undefined,
  intent: place,
  untilMs,
});

/** What was started and given up, where `free` nonces are left. */
function retried(queue: NonceQueue, free: number, nowMs = 0): string[] {
  const said: string[] = [];
  let left = free;
  queue.retry(nowMs, {
    start: ({ key }) => {
      if (left === 0) return false;
      left -= 1;
      said.push(key);
      return true;
    },
    giveUp: ({ key }) => said.push(`${key} given up`),
  });
  return said;
}

test('cancels go first, and each kind in the order in which it came', () => {
  const queue = new NonceQueue();
  for (const key of ['a', 'b', 'c']) queue.add('place', waiting(key));
  queue.add('cancel', waiting('x'));
  expect(queue.length).toBe(4);
  expect(retried(queue, 2)).toEqual(['x', 'a']);
  expect(queue.has('cancel')).toBe(false);
  expect(retried(queue, 0)).toEqual([]);
  expect(retried(queue, 9)).toEqual(['b', 'c']);
  expect(queue.length).toBe(0);
});

test('what is withdrawn is what would place something; cancels and legs that only cancel stay', () => {
  const queue = new NonceQueue();
  const leg = { ...place, cancelOrderId: null };
  const group = (key: string, qty: bigint): WaitingErrand => ({
    ...waiting(key),
    intent: { kind: 'group', market: place.market, legs: [{ ...leg, qty: qty as Qty }] },
  });
  for (const one of [waiting('a'), group('q', 1n), group('z', 0n), waiting('b')]) {
    queue.add('place', one);
  }
  queue.add('cancel', waiting('x'));
  expect(queue.withdraw(({ key }) => key !== 'b').map(({ key }) => key)).toEqual(['a', 'q']);
  expect(retried(queue, 9)).toEqual(['x', 'z', 'b']);
});

test('what has waited too long is given up, and what came later is not', () => {
  const queue = new NonceQueue();
  queue.add('place', waiting('a', 500));
  queue.add('place', waiting('b', 600));
  expect(retried(queue, 0, 500)).toEqual(['a given up']);
  expect(queue.length).toBe(1);
});
