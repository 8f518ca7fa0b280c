import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NonceWindow } from '../../src/sandbox/nonce-window.ts';

test('R22, R23: the window agrees with a set of all nonces ever used', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60), { maxLength: 120 }), (nonces) => {
      const window = new NonceWindow(16);
      const used = new Set<number>();
      for (const nonce of nonces) {
        let floor = 0;
        while (used.has(floor)) floor += 1;
        expect(window.floor).toBe(floor);
        const refusal =
          nonce < floor
            ? 'nonce_below_floor'
            : nonce >= floor + 16
              ? 'nonce_outside_window'
              : used.has(nonce)
                ? 'nonce_replayed'
                : undefined;
        expect(window.check(nonce)).toBe(refusal);
        if (refusal !== undefined) continue;
        window.consume(nonce);
        used.add(nonce);
      }
    }),
  );
});

test('a held nonce is spoken for and holds the floor until it is consumed', () => {
  const window = new NonceWindow(4);
  window.hold(0);
  window.consume(1);
  expect([window.floor, window.check(0)]).toEqual([0, 'nonce_replayed']);
  window.consume(0);
  expect(window.floor).toBe(2);
});

test('the record of a window is the window again', () => {
  const window = new NonceWindow(8);
  for (const nonce of [0, 2, 5]) window.consume(nonce);
  window.hold(3);
  const copy = new NonceWindow(8, structuredClone(window.record));
  for (let nonce = 0; nonce < 12; nonce += 1) expect(copy.check(nonce)).toBe(window.check(nonce));
});
