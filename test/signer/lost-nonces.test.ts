/** A venue that has lost data waits for nonces that were used before. */
import { expect, test } from 'vitest';
import type { NonceRules } from '../../src/signer/nonce-types.ts';
import { NonceWindow } from '../../src/signer/nonce-window.ts';
import { defaultNonceRules } from '../support/nonce-rules.ts';
import { ModelWindow } from './model-window.ts';

const small: NonceRules = { ...defaultNonceRules, window: 8, cancelReserve: 2, fillAbove: 5 };

/** Places orders and fills holes as long as nonces are given out. */
function trade(window: NonceWindow, venue: ModelWindow, orders: number): void {
  const submit = (nonce: number, purpose: 'fill' | 'place') => {
    window.reserved(nonce, purpose);
    expect(venue.submit(nonce, purpose === 'fill' ? 'filler' : 'order')).toBeNull();
    window.consumed(nonce);
  };
  for (let turn = 0; turn < orders; turn += 1) {
    for (const demand of window.demands()) if (demand.kind === 'fill') submit(demand.nonce, 'fill');
    const nonce = window.choose('place');
    if (nonce !== undefined) submit(nonce, 'place');
  }
}

test('an account whose floor fell back by more than a window goes on once a person lets it go', () => {
  const venue = new ModelWindow(8);
  const window = new NonceWindow(small);
  window.stated({ floor: 100, window: null, from: 'discovery' });
  for (let nonce = 100; nonce < 103; nonce += 1) {
    window.reserved(nonce, 'place');
    window.consumed(nonce);
  }
  window.stated({ floor: 0, window: 8, from: 'discovery', asked: 100, askedFrom: 103 });
  expect(window.isLatched).toBe(true);
  window.unlatched();
  trade(window, venue, 300);
  expect(venue.floor).toBeGreaterThan(200);
});

test('until a person has looked at a floor that fell back, no filler goes out either', () => {
  const window = new NonceWindow(small);
  window.stated({ floor: 100, window: null, from: 'discovery' });
  window.stated({ floor: 90, window: 8, from: 'discovery', asked: 100, askedFrom: 100 });
  expect(window.demands()).toEqual([{ kind: 'alarm', alarm: 'floor_backward', nonce: 90 }]);
  window.unlatched();
  expect(window.demands()).toContainEqual({ kind: 'fill', nonce: 90 });
});

test('where the venue cannot be asked, a floor far below opens no more nonces than a window', () => {
  const window = new NonceWindow(small);
  window.assumed(1_000_000);
  const refusal = { window: 8, from: 'outside_window', isToBeConfirmed: false } as const;
  for (let turn = 0; turn < 20; turn += 1) window.stated({ floor: 0, ...refusal });
  expect(window.floor).toBe(0);
  expect(window.snapshot().slots).toHaveLength(8);
  const venue = new ModelWindow(8);
  trade(window, venue, 100);
  expect(venue.floor).toBeGreaterThan(90);
});

test('nonces above the floor that the venue had shown to be used are filled if it has lost them', () => {
  const window = new NonceWindow(small);
  window.stated({ floor: 0, window: null, from: 'discovery' });
  for (let nonce = 0; nonce < 4; nonce += 1) window.reserved(nonce, 'place');
  for (const nonce of [0, 2, 3]) {
    window.streamed(nonce);
    window.consumed(nonce);
  }
  window.stated({ floor: 0, window: 8, from: 'discovery', asked: 1, askedFrom: 1 });
  expect(window.isLatched).toBe(true);
  window.unlatched();
  window.dead(1);
  const venue = new ModelWindow(8);
  trade(window, venue, 40);
  expect(venue.floor).toBeGreaterThan(30);
});

test('no nonce is given out that a number cannot hold, wherever the venue says that they begin', () => {
  const window = new NonceWindow(small);
  const floor = Number.MAX_SAFE_INTEGER - 3;
  window.stated({ floor, window: null, from: 'discovery' });
  const taken: number[] = [];
  for (;;) {
    const nonce = window.choose('cancel');
    if (nonce === undefined || taken.includes(nonce)) break;
    window.reserved(nonce, 'cancel');
    window.consumed(nonce);
    taken.push(nonce);
  }
  expect(taken).toEqual([floor, floor + 1, floor + 2]);
  expect(window.choose('cancel')).toBeUndefined();
  window.stated({ floor: 7, window: 8, from: 'discovery', asked: floor, askedFrom: floor });
  window.unlatched();
  expect(window.demands()).toContainEqual({ kind: 'fill', nonce: 7 });
});

test('a nonce that the venue has lost takes no other placement, because the signer knows it with the first one', () => {
  const window = new NonceWindow(small);
  window.stated({ floor: 0, window: null, from: 'discovery' });
  const signed = new Set<number>();
  const place = () => {
    const nonce = window.choose('place');
    if (nonce === undefined) return;
    expect(signed.has(nonce)).toBe(false);
    window.reserved(nonce, 'place');
    window.signed(nonce, `${nonce}`);
    signed.add(nonce);
    window.streamed(nonce);
    window.consumed(nonce);
  };
  for (let turn = 0; turn < 20; turn += 1) place();
  window.stated({ floor: 2, window: 8, from: 'discovery', asked: 9, askedFrom: 9 });
  expect(window.isLatched).toBe(true);
  window.unlatched();
  for (let turn = 0; turn < 40; turn += 1) {
    for (const demand of window.demands()) {
      if (demand.kind !== 'fill') continue;
      window.reserved(demand.nonce, 'fill');
      window.consumed(demand.nonce);
    }
    place();
  }
  expect(signed.size).toBeGreaterThan(50);
});
