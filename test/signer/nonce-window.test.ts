import { expect, test } from 'vitest';
import { NonceWindow } from '../../src/signer/nonce-window.ts';
import { defaultNonceRules } from '../support/nonce-rules.ts';
import { opened, reserve, small, use } from './small-window.ts';

test('no nonce is given out before the floor is known', () => {
  const window = new NonceWindow(small);
  expect(window.choose('cancel')).toBeUndefined();
  expect(window.demands()).toEqual([{ kind: 'discover' }]);
});

test('the lowest free nonce goes first, also one that came back', () => {
  const window = opened();
  expect([reserve(window), reserve(window), reserve(window)]).toEqual([10, 11, 12]);
  window.released(11);
  expect(reserve(window)).toBe(11);
  expect(reserve(window)).toBe(13);
});

test('R29: a full window makes the next action wait until the floor moves', () => {
  const window = opened();
  for (let taken = 0; taken < 6; taken += 1) reserve(window);
  expect(window.choose('place')).toBeUndefined();
  window.consumed(10);
  expect(window.choose('place')).toBe(16);
});

test('the last nonces of the window are kept for cancels', () => {
  const window = opened();
  for (let taken = 0; taken < 6; taken += 1) reserve(window);
  expect([reserve(window, 'cancel'), reserve(window, 'cancel')]).toEqual([16, 17]);
  expect(window.choose('cancel')).toBeUndefined();
});

test('R22: the floor passes consumed nonces without a gap only', () => {
  const window = opened();
  for (let taken = 0; taken < 4; taken += 1) reserve(window);
  window.consumed(12);
  window.consumed(11);
  expect(window.floor).toBe(10);
  window.consumed(10);
  expect(window.floor).toBe(13);
});

test('R25: nonce 0 is given out when the venue has stated a floor of 0, not on a guess', () => {
  const guessed = new NonceWindow(small);
  guessed.assumed(1);
  expect(reserve(guessed)).toBe(1);
  guessed.stated({ floor: 0, window: 8, from: 'answer' });
  expect(reserve(guessed)).toBe(0);
  expect(guessed.demands()).toEqual([]);
  expect(reserve(opened(small, 0))).toBe(0);
});

test('a first floor of more than a window ago is an old answer: it holds nothing up, and no used nonce is free', () => {
  const window = new NonceWindow(small);
  window.assumed(0);
  for (let taken = 0; taken < 9; taken += 1) use(window, reserve(window));
  window.stated({ floor: 0, window: 8, from: 'outside_window', isToBeConfirmed: false });
  expect([window.floor, reserve(window, 'cancel'), reserve(window)]).toEqual([9, 9, 10]);
});

test('after a first floor of long ago, where the window has grown, only fillers take nonces that we no longer remember', () => {
  const window = new NonceWindow(small);
  window.assumed(1);
  for (let taken = 0; taken < 30; taken += 1) use(window, reserve(window));
  window.stated({ floor: 0, window: 40, from: 'outside_window', isToBeConfirmed: false });
  const [first, second] = [reserve(window), reserve(window)];
  expect([first, second]).toEqual([0, 31]);
  window.stated({ floor: 31, window: 40, from: 'answer' });
  const alarms = window.demands().filter((one) => one.kind === 'alarm');
  expect(alarms.map(({ alarm }) => alarm)).not.toContain('foreign_writer');
});

test('R26: a stated floor above ours moves us there and asks after what was under way', () => {
  const window = opened();
  const sent = reserve(window);
  window.sent(sent);
  window.stated({ floor: 20, window: 8, from: 'answer' });
  expect(window.state(sent)).toBe('expired');
  expect(reserve(window)).toBe(20);
  expect(window.demands()).toEqual([{ kind: 'alarm', alarm: 'foreign_writer', nonce: 11 }]);
});

test('an answer overtaken by a later one does not move the floor back', () => {
  const window = opened();
  window.stated({ floor: 12, window: 8, from: 'answer' });
  window.stated({ floor: 11, window: 8, from: 'answer' });
  expect(window.floor).toBe(12);
  expect(window.isLatched).toBe(false);
});

test('a floor that discovery finds lower latches the account until a person lets it go', () => {
  const window = opened();
  window.stated({ floor: 4, window: 8, from: 'discovery' });
  expect(window.choose('cancel')).toBeUndefined();
  expect(window.demands()).toContainEqual({ kind: 'alarm', alarm: 'floor_backward', nonce: 4 });
  window.unlatched();
  // Nobody knows what they were used for, so only fillers take them.
  expect(window.demands()).toContainEqual({ kind: 'fill', nonce: 4 });
  expect(window.choose('cancel')).toBe(10);
});

test('a discovery that was overtaken by an answer does not latch', () => {
  const window = opened();
  window.stated({ floor: 14, window: 8, from: 'answer' });
  window.stated({ floor: 12, window: 8, from: 'discovery', asked: 10 });
  expect(window.floor).toBe(14);
  expect(window.isLatched).toBe(false);
  window.stated({ floor: 9, window: 8, from: 'discovery', asked: 10 });
  expect(window.isLatched).toBe(true);
});

test('R31: a free nonce whose action turns out to be dead is given to no other action', () => {
  const window = opened();
  const nonce = reserve(window);
  window.released(nonce);
  window.dead(nonce);
  expect(reserve(window)).not.toBe(nonce);
});

test('R31: a nonce of a dead action is not given to another action but to a filler', () => {
  const window = opened();
  const first = reserve(window);
  window.signed(first, 'aa');
  window.sent(first);
  window.dead(first);
  for (let taken = 0; taken < 5; taken += 1) expect(reserve(window)).not.toBe(first);
  expect(window.demands()).toEqual([
    { kind: 'fill', nonce: first },
    { kind: 'alarm', alarm: 'hole_holds_floor', nonce: first },
  ]);
  expect(window.digestOf(first)).not.toBeNull();
});

test('R31: the nonce of a dead action is given to another filler, and to nothing else, if the first was not sent', () => {
  const window = opened();
  const first = reserve(window);
  window.sent(first);
  window.dead(first);
  for (let taken = 0; taken < 5; taken += 1) reserve(window);
  window.reserved(first, 'fill');
  window.released(first);
  expect(reserve(window, 'cancel')).not.toBe(first);
  expect(window.demands()).toContainEqual({ kind: 'fill', nonce: first });
});

test('R30: a hole that holds the floor is filled before the window closes', () => {
  const window = opened();
  const hole = reserve(window);
  for (let taken = 0; taken < 5; taken += 1) window.consumed(reserve(window));
  window.released(hole);
  expect(window.demands()).toContainEqual({ kind: 'fill', nonce: hole });
  window.reserved(hole, 'fill');
  expect(window.demands()).toEqual([]);
  window.consumed(hole);
  expect(window.floor).toBe(16);
});

test('a filler that finds its nonce used settles it without an alarm', () => {
  const window = opened();
  const hole = reserve(window);
  window.dead(hole);
  window.reserved(hole, 'fill');
  window.foreign(hole);
  expect(window.floor).toBe(11);
  expect(window.demands()).toEqual([]);
});

test('an unknown outcome at the floor is asked after and alarmed, never filled', () => {
  const window = opened();
  const lost = reserve(window);
  window.unknown(lost);
  for (let taken = 0; taken < 5; taken += 1) window.consumed(reserve(window));
  expect(window.demands()).toEqual([{ kind: 'alarm', alarm: 'unknown_holds_floor', nonce: lost }]);
});

test('what holds the floor is alarmed once by each process, whatever it was restored from', () => {
  const window = opened();
  window.unknown(reserve(window));
  for (let taken = 0; taken < 5; taken += 1) window.consumed(reserve(window));
  const restored = new NonceWindow(small, window.snapshot());
  const alarmsOf = (one: NonceWindow) => one.demands().filter(({ kind }) => kind === 'alarm');
  expect([alarmsOf(window).length, alarmsOf(window).length]).toEqual([1, 0]);
  for (const one of [window, restored]) one.restarted();
  const [again] = [alarmsOf(window), alarmsOf(window)];
  expect(again).toHaveLength(1);
  expect(alarmsOf(restored)).toEqual(again);
});

test('R33: a nonce that another writer used is alarmed and not used again', () => {
  const window = opened();
  const nonce = reserve(window);
  window.foreign(nonce);
  expect(window.demands()).toEqual([{ kind: 'alarm', alarm: 'foreign_writer', nonce }]);
  expect(reserve(window)).toBe(11);
});

test('one answer that a nonce is used does not move the floor past it, for it may be that to another request', () => {
  const window = opened();
  const nonce = reserve(window);
  window.foreign(nonce);
  expect(window.floor).toBe(nonce);
  window.reserved(nonce, 'fill');
  window.foreign(nonce);
  expect(window.floor).toBe(nonce + 1);
});

test('a refusal beyond the window holds the account until the venue states a new floor', () => {
  const window = opened();
  for (let nonce = 10; nonce < 16; nonce += 1) window.consumed(reserve(window));
  window.stated({ floor: 10, window: 8, from: 'outside_window' });
  expect([reserve(window, 'cancel'), reserve(window, 'cancel')]).toEqual([16, 17]);
  expect(window.choose('cancel')).toBeUndefined();
  expect(window.demands()).toContainEqual({ kind: 'discover' });
  window.stated({ floor: 12, window: 8, from: 'discovery' });
  expect([reserve(window, 'cancel'), reserve(window, 'cancel')]).toEqual([18, 19]);
  expect(window.choose('cancel')).toBeUndefined();
  window.stated({ floor: 16, window: 8, from: 'discovery' });
  expect(window.choose('cancel')).toBe(20);
});

test('R136: with a stride only the own nonces are given out, and others are no alarm', () => {
  const window = opened({ ...small, stride: { offset: 1, step: 3 }, cancelReserve: 0 });
  expect([reserve(window), reserve(window), reserve(window)]).toEqual([10, 13, 16]);
  expect(window.choose('place')).toBeUndefined();
  window.stated({ floor: 15, window: 8, from: 'answer' });
  expect(reserve(window)).toBe(19);
  expect(window.demands().filter(({ kind }) => kind === 'alarm')).toEqual([]);
});

test('R136: with a stride our nonces that another writer has passed are used first, and filled before they stop it', () => {
  const rules = { ...small, window: 16, cancelReserve: 0, fillAbove: 12 };
  const window = opened({ ...rules, stride: { offset: 0, step: 2 } });
  for (const nonce of [11, 13, 15, 17, 19, 21]) window.streamed(nonce);
  expect([reserve(window), window.demands()]).toEqual([10, []]);
  window.streamed(23);
  const kinds = window.demands().map((one) => (one.kind === 'fill' ? one.nonce : one.kind));
  expect(kinds).toEqual(['discover', 12, 14, 16, 18, 20, 22]);
});

test.each([1, 2, 3, 8, 100, 128, 255])(
  'R29 R136: with a stride of %i placements get nonces, leave some, and the floor is asked for before they have none',
  (step) => {
    const window = new NonceWindow({ ...defaultNonceRules, stride: { offset: step - 1, step } });
    window.stated({ floor: 0, window: null, from: 'discovery' });
    const taken: (number | undefined)[] = [];
    while (window.choose('place') !== undefined) taken.push(reserve(window));
    expect(taken.length).toBe(Math.floor(256 / step) - Math.floor(32 / step));
    expect(window.demands().some(({ kind }) => kind === 'discover')).toBe(step > 1);
  },
);

test('R136: with a stride an answer whose floor is ahead of us is believed without a question', () => {
  const window = opened({ ...small, window: 32, stride: { offset: 1, step: 4 } }, 8);
  expect(reserve(window)).toBe(9);
  const isToBeConfirmed = true;
  window.stated({ floor: 30, window: 32, from: 'answer', isToBeConfirmed });
  expect(reserve(window)).toBe(33);
});

test('R30 R136: with a stride the nonce of another writer that holds the floor is reported once it stays', () => {
  const rules = { ...small, window: 16, cancelReserve: 0, fillAbove: 8 };
  const window = opened({ ...rules, stride: { offset: 1, step: 2 } });
  for (let count = 0; count < 6; count += 1) reserve(window);
  const alarms = () => window.demands().filter(({ kind }) => kind === 'alarm');
  for (let count = 0; count < 11; count += 1) {
    window.stated({ floor: 10, window: 16, from: 'discovery' });
    expect(alarms()).toEqual([]);
  }
  const again = new NonceWindow({ ...rules, stride: { offset: 1, step: 2 } }, window.snapshot());
  for (const one of [window, again]) one.stated({ floor: 10, window: 16, from: 'discovery' });
  const alarm = { kind: 'alarm', alarm: 'other_holds_floor', nonce: 10 };
  expect([alarms(), alarms()]).toEqual([[alarm], []]);
  expect(again.demands()).toContainEqual(alarm);
});

test('R30 R136: with a stride a nonce that only a misdirected answer told to be used is filled once the floor stays at it', () => {
  const rules = { ...small, window: 16, cancelReserve: 0, fillAbove: 8 };
  const window = opened({ ...rules, stride: { offset: 0, step: 2 } });
  const taken = Array.from({ length: 6 }, () => reserve(window));
  for (const nonce of taken) window.consumed(nonce ?? 0);
  for (const nonce of taken.slice(1)) window.streamed(nonce ?? 0);
  const kinds = () => window.demands().map(({ kind }) => kind);
  for (let count = 0; count < 12; count += 1) {
    expect(kinds()).toEqual(['discover']);
    window.stated({ floor: 10, window: 16, from: 'discovery', asked: 10, askedFrom: 10 });
  }
  const alarm = { kind: 'alarm', alarm: 'hole_holds_floor', nonce: 10 };
  expect(window.demands()).toEqual([{ kind: 'discover' }, { kind: 'fill', nonce: 10 }, alarm]);
});

test('R136: with a stride a floor that is taken back makes holes of the own nonces only', () => {
  const window = opened({ ...small, window: 32, stride: { offset: 1, step: 2 } });
  window.stated({ floor: 20, window: 32, from: 'answer' });
  expect(reserve(window)).toBe(21);
  window.stated({ floor: 10, window: 32, from: 'discovery', asked: 20, askedFrom: 20 });
  const filled = window.demands().flatMap((one) => (one.kind === 'fill' ? [one.nonce] : []));
  expect([window.floor, filled]).toEqual([10, [11, 13, 15, 17, 19]]);
});

test('a pair takes two neighbours, the nested one lower, and leaves what it passes free', () => {
  const window = opened();
  const pair = window.choosePair();
  expect(pair).toEqual({ nested: 10, outer: 11 });
  for (let taken = 0; taken < 5; taken += 1) reserve(window);
  expect(window.choosePair()).toBeUndefined();
});

test('a window too large to be true is not believed', () => {
  const window = opened();
  window.stated({ floor: 10, window: 2 ** 40, from: 'answer' });
  expect(window.snapshot().window).toBe(65_536);
});

test('a used nonce stays used whatever is said later', () => {
  const window = opened();
  reserve(window);
  const nonce = reserve(window);
  window.consumed(nonce);
  window.released(nonce);
  window.unknown(nonce);
  expect(window.state(nonce)).toBe('used');
});

test('of a window that the venue states smaller than ours a smaller part is kept for cancels, so that it trades', () => {
  for (const [size, placed] of [
    [256, 224],
    [32, 28],
    [8, 7],
    [1, 1],
  ] as const) {
    const window = new NonceWindow(defaultNonceRules);
    window.stated({ floor: 10, window: size, from: 'discovery' });
    let count = 0;
    for (; window.choose('place') !== undefined; count += 1) reserve(window);
    expect([size, count]).toEqual([size, placed]);
    for (; window.choose('cancel') !== undefined; count += 1) reserve(window, 'cancel');
    expect(count).toBe(size);
  }
});

test('the holes of a small window are filled before it closes', () => {
  const window = new NonceWindow(defaultNonceRules);
  window.stated({ floor: 10, window: 16, from: 'discovery' });
  for (let taken = 0; taken < 14; taken += 1) reserve(window);
  window.dead(10);
  expect(window.demands()).toContainEqual({ kind: 'fill', nonce: 10 });
});

test('a free nonce that a placement was signed for places nothing else; the next cancel takes it', () => {
  const window = opened();
  const spent = reserve(window);
  window.signed(spent, 'aa');
  window.released(spent);
  expect(window.state(spent)).toBe('free');
  const open = (purpose: 'place' | 'cancel') => window.choose(purpose);
  expect(open('place')).toBe(spent + 1);
  expect(open('cancel')).toBe(spent);
  expect(new NonceWindow(small, window.snapshot()).choose('place')).toBe(spent + 1);
});

test('a nonce whose digest the signer did not record is free for any action again', () => {
  const window = opened();
  const nonce = reserve(window);
  window.signed(nonce, 'aa');
  window.unsigned(nonce, 'bb');
  window.released(nonce);
  expect(window.choose('place')).toBe(nonce + 1);
  window.unsigned(nonce, 'aa');
  expect(window.choose('place')).toBe(nonce);
});

test('a window full of spent nonces makes placements wait, and fillers use them up', () => {
  const window = opened();
  const taken: number[] = [];
  for (let next = window.choose('place'); next !== undefined; next = window.choose('place')) {
    taken.push(reserve(window));
    window.signed(next, 'aa');
    window.released(next);
  }
  expect(taken.length).toBeGreaterThan(3);
  const fills = window.demands().filter(({ kind }) => kind === 'fill');
  expect(fills).toEqual(taken.slice(0, 8).map((nonce) => ({ kind: 'fill', nonce })));
  for (const nonce of taken) {
    window.reserved(nonce, 'fill');
    use(window, nonce);
  }
  expect(window.choose('place')).toBeDefined();
});

test('R33: a nonce that the stream shows in an action of another writer is not given out, those before it are', () => {
  const window = opened();
  window.streamed(11);
  expect(window.demands()).toEqual([{ kind: 'alarm', alarm: 'foreign_writer', nonce: 11 }]);
  expect([reserve(window), reserve(window)]).toEqual([10, 12]);
  use(window, 10);
  expect(window.floor).toBe(12);
});

test('the stream cannot take a nonce beyond the window, of another stride or agent, or before the floor is known', () => {
  const window = opened();
  window.streamed(18);
  const strided = opened({ ...small, stride: { offset: 0, step: 2 } });
  strided.streamed(11);
  const unopened = new NonceWindow(small);
  unopened.streamed(10);
  unopened.stated({ floor: 10, window: null, from: 'discovery' });
  const ofAgent = opened({ ...small, scope: 'agent' });
  ofAgent.streamed(10);
  const all = [window, strided, unopened, ofAgent];
  expect(all.map((one) => one.choose('place'))).toEqual([10, 10, 10, 10]);
});
