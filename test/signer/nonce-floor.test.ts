/** Floors that the venue states below ours: of an old answer, of lost data, or because a nonce of ours was not used. */
import { expect, test } from 'vitest';
import { NonceWindow } from '../../src/signer/nonce-window.ts';
import { opened, reserve, small, use } from './small-window.ts';

test('a nonce below our floor that the venue still waits for is filled, and what the stream showed stays used', () => {
  const window = opened();
  for (let nonce = 10; nonce < 16; nonce += 1) use(window, reserve(window));
  for (const nonce of [13, 15]) window.streamed(nonce);
  window.stated({ floor: 12, window: 8, from: 'outside_window' });
  window.demands();
  const asked = { asked: 12, askedFrom: 16 };
  window.stated({ floor: 12, window: 8, from: 'discovery', ...asked });
  expect(window.floor).toBe(12);
  expect([12, 13, 14, 15].map((nonce) => window.isDead(nonce))).toEqual([true, false, true, false]);
  for (let count = 0; count < 2; count += 1) use(window, reserve(window, 'cancel'));
  expect(window.demands()).toEqual([
    ...[12, 14].map((nonce) => ({ kind: 'fill', nonce })),
    { kind: 'alarm', alarm: 'hole_holds_floor', nonce: 12 },
  ]);
  for (const nonce of [12, 14]) {
    window.reserved(nonce, 'fill');
    use(window, nonce);
  }
  expect(window.floor).toBe(18);
});

test('a nonce that is open again has its digest, also after a restart', () => {
  const window = opened();
  const nonce = reserve(window);
  window.signed(nonce, 'ab');
  use(window, nonce);
  const again = new NonceWindow(small, window.snapshot());
  const asked = { asked: nonce, askedFrom: nonce + 1 };
  again.stated({ floor: nonce, window: 8, from: 'discovery', ...asked });
  expect(again.digestOf(nonce)).not.toBeNull();
});

test('a floor below a nonce that the stream has shown latches, for the venue has lost what it had', () => {
  const window = opened();
  for (let nonce = 10; nonce < 16; nonce += 1) use(window, reserve(window));
  window.stated({ floor: 16, window: 8, from: 'answer' });
  window.streamed(12);
  window.stated({
    floor: 12,
    window: 8,
    from: 'discovery',
    asked: 16,
    askedFrom: 16,
  });
  expect(window.isLatched).toBe(true);
});

test('a floor that was asked for before ours rose, or that lies further back than the window, reopens nothing', () => {
  for (const [floor, askedFrom] of [
    [12, 12],
    [12, null],
    [1, 30],
  ] as const) {
    const window = opened();
    for (let nonce = 10; nonce < 16; nonce += 1) use(window, reserve(window));
    window.stated({ floor, window: 8, from: 'discovery', asked: floor, askedFrom });
    expect(window.floor).toBe(16);
  }
});

test('a floor further back than the window is believed if the venue goes on to state it, for its window was larger', () => {
  const window = new NonceWindow(small);
  window.assumed(1);
  for (let nonce = 1; nonce < 21; nonce += 1) use(window, reserve(window));
  const asked = { window: 8, from: 'discovery', asked: 0, askedFrom: 21 } as const;
  for (let count = 0; count < 13; count += 1) {
    expect(window.floor).toBe(21);
    window.stated({ floor: 0, ...asked });
  }
  expect(window.floor).toBe(0);
  for (let nonce = 0; nonce < 21; nonce += 1) {
    expect(window.state(nonce)).toBe('unknown');
    window.reserved(nonce, 'fill');
    window.passed(nonce);
  }
  expect(window.floor).toBe(21);
});

test('a floor further back than the window is an old answer, however many answers about other floors came before', () => {
  const window = opened();
  const next = () => use(window, reserve(window));
  for (let floor = 11; floor < 31; floor += 1) {
    next();
    window.stated({ floor, window: 8, from: 'discovery', asked: floor - 1, askedFrom: floor });
  }
  for (let count = 0; count < 10; count += 1) next();
  window.stated({ floor: 30, window: 8, from: 'discovery', asked: 30, askedFrom: 40 });
  expect(window.floor).toBe(40);
});

test('another writer does not hold the floor that an answer has just moved', () => {
  const window = opened({ ...small, stride: { offset: 0, step: 2 } });
  for (let count = 0; count < 3; count += 1) use(window, reserve(window));
  const asked = (floor: number) =>
    window.stated({ floor, window: 8, from: 'discovery', asked: floor, askedFrom: floor });
  for (let count = 0; count < 20; count += 1) asked(10);
  window.stated({ floor: 11, window: 8, from: 'answer' });
  use(window, reserve(window));
  asked(11);
  expect(window.demands()).not.toContainEqual(expect.objectContaining({ kind: 'alarm' }));
  for (let count = 0; count < 12; count += 1) asked(11);
  expect(window.demands()).toContainEqual(expect.objectContaining({ alarm: 'other_holds_floor' }));
});
