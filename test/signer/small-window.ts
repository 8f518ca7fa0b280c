/** A small window of nonces, and how the tests use it. */
import type { NonceRules } from '../../src/signer/nonce-types.ts';
import { NonceWindow } from '../../src/signer/nonce-window.ts';
import { defaultNonceRules } from '../support/nonce-rules.ts';

export const small: NonceRules = {
  ...defaultNonceRules,
  window: 8,
  cancelReserve: 2,
  fillAbove: 5,
};

export function opened(rules: NonceRules = small, floor = 10): NonceWindow {
  const window = new NonceWindow(rules);
  window.stated({ floor, window: null, from: 'discovery' });
  return window;
}

export function reserve(
  window: NonceWindow,
  purpose: 'place' | 'cancel' | 'fill' = 'place',
): number {
  const nonce = window.choose(purpose);
  if (nonce === undefined) throw new Error('no nonce is open');
  window.reserved(nonce, purpose);
  return nonce;
}

/** As an answer tells it, without the stream. */
export function use(window: NonceWindow, nonce: number): void {
  window.consumed(nonce);
}
