/** How much of a venue's window the bridge keeps back, and when it fills holes. */
import { expect, test } from 'vitest';
import { nonceRulesOf } from '../../src/signer/nonce-types.ts';
import { NonceWindow } from '../../src/signer/nonce-window.ts';

const stride = { offset: 0, step: 1 };

test.each([1, 2, 5, 16, 32, 64, 192, 256, 1024])(
  'in a window of %i orders can be placed, cancels get more, and what nobody can use is filled',
  (window) => {
    const nonces = new NonceWindow(nonceRulesOf({ window, stride }));
    nonces.stated({ floor: 0, window: null, from: 'discovery' });
    const take = (purpose: 'place' | 'cancel') => {
      const taken: number[] = [];
      for (;;) {
        const nonce = nonces.choose(purpose);
        if (nonce === undefined) return taken;
        nonces.reserved(nonce, purpose);
        taken.push(nonce);
      }
    };
    const placed = take('place');
    const canceled = take('cancel');
    expect(placed.length).toBeGreaterThan(0);
    expect(canceled).toHaveLength(Math.floor(Math.min(window, 256) / 8));
    for (const nonce of [...placed, ...canceled]) nonces.dead(nonce);
    expect(nonces.demands()).toContainEqual({ kind: 'fill', nonce: 0 });
  },
);
