/** What the venue's words mean for the nonces of an account (R22-R34), against a model of the venue's own rule. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NonceRules } from '../../../src/signer/nonce-types.ts';
import { type NonceAnswer, type NonceOptions, Nonces } from '../../../src/venue/outbox/nonces.ts';
import type { NestedOrder } from '../../../src/venue/outbox/submission.ts';
import { nothingOfNonces } from '../../../src/venue/verdict.ts';
import { ModelWindow } from '../../signer/model-window.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';

const options = (more: Partial<NonceOptions> = {}): NonceOptions => ({
  rules: defaultNonceRules,
  nestedTrigger: 'consumed_on_store',
  discovery: 'hash_route',
  ...more,
});

function opened(more: Partial<NonceOptions> = {}): Nonces {
  const nonces = new Nonces(options(more));
  nonces.discovered(0, null);
  return nonces;
}

/** As a process that starts finds them. */
function restarted(before: Nonces, rules: NonceRules = defaultNonceRules): Nonces {
  const snapshot = JSON.parse(JSON.stringify(before.snapshot()));
  const nonces = new Nonces(options({ rules }), snapshot);
  nonces.restarted();
  return nonces;
}

function take(nonces: Nonces, purpose: 'place' | 'cancel' = 'place'): number {
  const nonce = nonces.reserve(purpose);
  if (nonce === undefined) throw new Error('no nonce is open');
  return nonce;
}

function takePair(nonces: Nonces) {
  const pair = nonces.reservePair();
  if (pair === undefined || pair === 'refused') throw new Error('no pair');
  return pair;
}

const refused = (code: string, facts: Partial<NonceAnswer['nonce']> = {}): NonceAnswer => ({
  outcome: 'refused',
  code,
  nonce: { ...nothingOfNonces, ...facts },
});
const accepted: NonceAnswer = { ...refused(''), outcome: 'accepted', code: null };
const unknown: NonceAnswer = { ...accepted, outcome: 'unknown' };

test('R24: a nonce that was recorded before a crash is not given out again', () => {
  const first = new Nonces(options());
  first.discovered(5, null);
  const taken = [take(first), take(first)];
  const second = restarted(first);
  expect(taken).toEqual([5, 6]);
  expect(take(second)).toBe(7);
  expect(second.state(5)).toBe('unknown');
});

test('nothing is given out before the venue has said where the nonces begin', () => {
  const nonces = new Nonces(options());
  expect([nonces.reserve('cancel'), nonces.reservePair()]).toEqual([undefined, undefined]);
  expect(nonces.isFreeFor('place')).toBe(false);
  expect(nonces.demands()).toEqual([{ kind: 'discover' }]);
});

test('a nonce that the signer holds for another action goes to a filler, the action to a fresh one', () => {
  const nonces = opened();
  const nonce = take(nonces);
  nonces.dead(nonce);
  nonces.released(nonce);
  expect(take(nonces)).toBe(nonce + 1);
  expect(nonces.isDead(nonce)).toBe(true);
});

test('after a start what nobody will hear of again is given to fillers', () => {
  const first = opened();
  const underWay = take(first);
  const forgotten = take(first);
  const { nested, outer } = takePair(first);
  const second = restarted(first);
  second.stillOut({ fencedId: null, nested: null, nonce: underWay });
  const inside = { nonce: nested } as NestedOrder;
  second.stillOut({ fencedId: null, nested: inside, nonce: outer });
  expect([underWay, forgotten, nested, outer].map((nonce) => second.isDead(nonce))).toEqual([
    ...[false, true],
    ...[false, false],
  ]);
  second.shown(underWay, false);
  second.shown(outer, false);
  expect(second.floor).toBe(forgotten);
  second.reserveHole(forgotten);
  second.shown(forgotten, true);
  expect(second.floor).toBe(outer + 1);
});

test('what is signed again keeps its nonce where that is free, though a lower one is, too', () => {
  const nonces = opened();
  for (let nonce = 0; nonce < 3; nonce += 1) take(nonces);
  nonces.released(0);
  nonces.answered(1, refused('expired', { nonceConsumed: false }));
  expect(nonces.reserve('place', 1)).toBe(1);
  nonces.answered(2, refused('nonce_replayed', { nonceConsumed: false }));
  expect(nonces.reserve('place', 2)).toBe(0);
});

test.each(['nonce_below_floor', 'nonce_mismatch'])(
  'R26: after %s it goes on from the floor of the answer, once the venue was asked whether that is so',
  (code) => {
    const nonces = opened();
    const facts = { nonceFloor: 40, nonceWindow: 256, nextUsableNonce: 40 };
    nonces.answered(take(nonces), refused(code, facts));
    expect([nonces.reserve('place'), nonces.reservePair()]).toEqual([undefined, undefined]);
    expect(nonces.demands()).toContainEqual({ kind: 'discover' });
    nonces.discovered(40, 0, nonces.floor);
    expect(take(nonces)).toBe(40);
  },
);

test('R26: a venue that cannot be asked is believed at once', () => {
  const nonces = new Nonces(options({ discovery: 'first_reject' }));
  for (const nonceFloor of [7, 40]) {
    nonces.answered(take(nonces), refused('nonce_below_floor', { nonceFloor, nonceWindow: 256 }));
    expect(take(nonces)).toBe(nonceFloor);
  }
});

test('a floor far ahead of ours is taken at once, however many nonces lie between', () => {
  const far = 2 ** 33;
  const nonces = opened();
  nonces.discovered(far, 0, nonces.floor);
  expect([nonces.floor, take(nonces)]).toEqual([far, far]);
});

test('an answer meant for another account does not move our nonces, and cancels go on', () => {
  const nonces = opened();
  nonces.answered(
    take(nonces),
    refused('nonce_below_floor', { nonceFloor: 400, nonceWindow: 256 }),
  );
  expect(take(nonces, 'cancel')).toBe(1);
  nonces.discovered(0, 0, nonces.floor);
  expect([take(nonces), nonces.floor, nonces.isLatched]).toEqual([2, 0, false]);
});

test('a nonce that only a misdelivered answer told to be used is filled when the venue waits for it', () => {
  const nonces = opened();
  const nonce = take(nonces);
  nonces.answered(nonce, refused('insufficient_balance', { nonceConsumed: true }));
  for (let count = 0; count < 250; count += 1) {
    const other = nonces.reserve('cancel') ?? 0;
    nonces.answered(other, accepted);
    nonces.shown(other, false);
  }
  expect([nonce, nonces.floor]).toEqual([0, 251]);
  const outside = { nonceFloor: 0, nonceWindow: 256, nonceConsumed: false };
  nonces.answered(take(nonces, 'cancel'), refused('nonce_outside_window', outside));
  expect(nonces.demands()).toContainEqual({ kind: 'discover' });
  nonces.discovered(0, nonces.statedFloor, 251);
  expect([nonces.floor, nonces.isLatched]).toEqual([0, false]);
  expect(nonces.demands()).toContainEqual({ kind: 'fill', nonce: 0 });
  nonces.reserveHole(0);
  nonces.shown(0, true);
  expect(nonces.floor).toBe(251);
});

test.each(['nonce_below_floor', 'nonce_replayed'])(
  'R27: after %s on a first send the same nonce is not given out again',
  (code) => {
    for (const facts of [{ nonceFloor: 0, nonceWindow: 256 }, { nonceConsumed: false }]) {
      const nonces = new Nonces(options({ discovery: 'first_reject' }));
      nonces.answered(take(nonces), refused(code, facts));
      for (let more = 0; more < 100; more += 1) expect(take(nonces)).not.toBe(1);
    }
  },
);

test('R28: an action without an answer leaves its nonce unknown, and its event or receipt settles it', () => {
  const nonces = opened();
  const nonce = take(nonces);
  nonces.sent(nonce);
  nonces.answered(nonce, unknown);
  expect(nonces.state(nonce)).toBe('unknown');
  expect(nonces.demands()).toEqual([]);
  nonces.shown(nonce, true);
  expect(nonces.floor).toBe(nonce + 1);
});

test('R29: with 256 nonces in flight the 257th action waits until the floor moves', () => {
  const nonces = opened({ rules: { ...defaultNonceRules, cancelReserve: 0 } });
  for (let taken = 0; taken < 256; taken += 1) nonces.sent(take(nonces));
  expect(nonces.reserve('cancel')).toBeUndefined();
  nonces.shown(0, false);
  expect(take(nonces)).toBe(256);
});

test('R30: the last nonces of the window are left to cancels', () => {
  const nonces = opened();
  while (nonces.isFreeFor('place')) take(nonces);
  expect(nonces.reserve('place')).toBeUndefined();
  for (let count = 0; count < defaultNonceRules.cancelReserve; count += 1) take(nonces, 'cancel');
  expect(nonces.isFreeFor('cancel')).toBe(false);
});

test('R31: nonceConsumed null is not read as reusable, false is, but not for another placement', () => {
  const nonces = opened();
  const silent = take(nonces);
  nonces.answered(silent, refused('insufficient_balance'));
  expect(nonces.state(silent)).toBe('unknown');
  const told = take(nonces);
  nonces.signed(told, 'cd'.repeat(32));
  nonces.answered(told, refused('rate_limited', { nonceConsumed: false }));
  expect(take(nonces)).toBe(told + 1);
  expect(take(nonces, 'cancel')).toBe(told);
});

test('R31: an acceptance does not move the floor, the word of consumption does', () => {
  const nonces = opened();
  const nonce = take(nonces);
  nonces.sent(nonce);
  nonces.answered(nonce, accepted);
  expect([nonces.floor, nonces.state(nonce)]).toEqual([0, 'sent']);
  nonces.answered(nonce, { ...accepted, nonce: { ...nothingOfNonces, nonceConsumed: true } });
  expect(nonces.floor).toBe(1);
});

test('what is known already stays as it is, whether event or answer came first', () => {
  const nonces = opened();
  const consumed = { ...accepted, nonce: { ...nothingOfNonces, nonceConsumed: true } };
  for (const isEventFirst of [true, false]) {
    // A lower nonce holds the floor, so that the slot of this one stays.
    const holder = take(nonces);
    const nonce = take(nonces);
    nonces.sent(nonce);
    const words = [() => nonces.shown(nonce, false), () => nonces.answered(nonce, consumed)];
    for (const word of isEventFirst ? words : words.reverse()) word();
    expect(nonces.state(nonce)).toBe('used');
    nonces.answered(nonce, accepted);
    nonces.answered(nonce, unknown);
    expect(nonces.state(nonce)).toBe('used');
    nonces.shown(holder, false);
    expect(nonces.floor).toBe(nonce + 1);
  }
});

test('R33: a foreign writer is survived: alarm, and the next nonce is a fresh one', () => {
  const nonces = opened();
  const nonce = take(nonces);
  nonces.answered(nonce, refused('nonce_replayed', { nonceFloor: 0, nonceWindow: 256 }));
  expect(nonces.demands()).toContainEqual({ kind: 'alarm', alarm: 'foreign_writer', nonce });
  expect(take(nonces)).toBe(nonce + 1);
});

test('R34: a stored conditional does not jam the window: 300 later actions pass', () => {
  const nonces = opened();
  const { nested, outer } = takePair(nonces);
  expect(nested).toBe(outer - 1);
  nonces.sent(outer);
  nonces.shown(outer, false);
  for (let later = 0; later < 300; later += 1) nonces.shown(take(nonces), true);
  expect(nonces.floor).toBe(302);
});

test('G20: where a nested order would hold the floor, conditionals are refused', () => {
  expect(opened({ nestedTrigger: 'holds_floor' }).reservePair()).toBe('refused');
});

test('a conditional that the engine refused gives its nested nonce back, for a cancel', () => {
  const nonces = opened();
  const { nested, outer } = takePair(nonces);
  nonces.signed(nested, 'cd'.repeat(32));
  nonces.shown(outer, true);
  expect(take(nonces)).toBe(outer + 1);
  expect(take(nonces, 'cancel')).toBe(nested);
});

test('what is said of a conditional that was consumed before says nothing of its nested nonce, which another has now', () => {
  const nonces = opened();
  const first = take(nonces);
  const { nested, outer } = takePair(nonces);
  nonces.shown(outer, true);
  expect(take(nonces)).toBe(nested);
  nonces.sent(nested);
  nonces.answered(outer, refused('nonce_replayed'));
  nonces.dead(outer);
  expect([nonces.state(nested), nonces.isDead(nested)]).toEqual(['sent', false]);
  nonces.shown(first, false);
  expect(nonces.floor).toBe(nested);
});

test('a nested nonce that another action has by now does not follow what was its outer one', () => {
  const nonces = opened();
  const { nested, outer } = nonces.reservePair() as { nested: number; outer: number };
  nonces.released(outer);
  expect(take(nonces, 'cancel')).toBe(nested);
  nonces.shown(outer, false, '5'.repeat(64));
  expect([nonces.state(nested), nonces.state(outer)]).toEqual(['reserved', 'used']);
});

test('a refused conditional gives both nonces back', () => {
  const nonces = opened();
  const { outer } = takePair(nonces);
  nonces.answered(outer, refused('rate_limited', { nonceConsumed: false }));
  expect([take(nonces), take(nonces)]).toEqual([0, 1]);
});

test('R25: without discovery the start guesses 1, and 0 is used once the venue has stated it', () => {
  const nonces = new Nonces(options({ discovery: 'first_reject' }));
  const nonce = take(nonces);
  expect(nonce).toBe(1);
  const facts = { ...nothingOfNonces, nonceFloor: 0, nonceWindow: 256 };
  nonces.answered(nonce, { ...accepted, nonce: facts });
  expect(take(nonces)).toBe(0);
  const again = new Nonces(options({ discovery: 'first_reject' }), nonces.snapshot());
  expect(take(again)).toBe(2);
});

test('R25: a nonce that the stream has shown before the first answer is not given out again', () => {
  const nonces = new Nonces(options({ discovery: 'first_reject' }));
  const nonce = take(nonces);
  nonces.shown(nonce, false);
  const facts = { ...nothingOfNonces, nonceFloor: 0, nonceWindow: 256 };
  nonces.answered(nonce, { ...accepted, nonce: facts });
  expect([take(nonces), take(nonces)]).toEqual([0, 2]);
});

test('without discovery a nonce whose use no event has shown is filled once the venue has waited for it long enough', () => {
  const nonces = new Nonces(options({ discovery: 'first_reject' }));
  const facts = { nonceFloor: 2, nonceWindow: 8, nonceConsumed: false };
  const [first, ofAnother] = [take(nonces), take(nonces)];
  nonces.shown(first, false);
  nonces.answered(ofAnother, refused('order_not_open', { nonceConsumed: true }));
  for (let nonce = take(nonces); nonce < 10; nonce = take(nonces)) nonces.shown(nonce, false);
  const beyond = refused('nonce_outside_window', facts);
  const refuse = () => nonces.answered(take(nonces, 'cancel'), beyond);
  for (let round = 0; round < 13; round += 1) refuse();
  expect([nonces.floor, nonces.isDead(ofAnother), nonces.state(9)]).toEqual([2, true, 'used']);
  nonces.reserveHole(ofAnother);
  nonces.shown(ofAnother, true);
  expect(nonces.floor).toBe(10);
});

test('a nonce beyond the venue’s window: nothing is given out from there on until the floor moves', () => {
  const nonces = opened();
  const [first, second] = [take(nonces), take(nonces)];
  const facts = { nonceFloor: 0, nonceWindow: 1, nonceConsumed: false };
  nonces.answered(second, refused('nonce_outside_window', facts));
  expect(nonces.reserve('cancel')).toBeUndefined();
  nonces.shown(first, false);
  nonces.discovered(1, 0);
  expect(take(nonces, 'cancel')).toBe(1);
});

test('a floor that went backward while we asked stops all orders until a person has looked', () => {
  const nonces = opened();
  nonces.discovered(50, 0);
  nonces.discovered(10, 50);
  expect([nonces.isLatched, nonces.reserve('cancel')]).toEqual([true, undefined]);
  expect(nonces.demands()).toContainEqual({ kind: 'alarm', alarm: 'floor_backward', nonce: 10 });
  nonces.unlatched();
  expect(take(nonces)).toBe(50);
});

test('the digest of each nonce that is not settled yet is known', () => {
  const nonces = opened();
  const [first, second] = [take(nonces), take(nonces), take(nonces)];
  nonces.signed(first, 'aa'.repeat(32));
  nonces.signed(second, 'bb'.repeat(32));
  nonces.signed(second, 'cc'.repeat(32));
  expect(nonces.digests()).toEqual(
    new Map([
      [first, 'aa'.repeat(32)],
      [second, 'cc'.repeat(32)],
    ]),
  );
});

test('a nonce that was given back while its action still counts as sent is not given out again', () => {
  const first = opened();
  const nonce = take(first);
  first.signed(nonce, '01'.repeat(32));
  first.released(nonce);
  const second = restarted(first);
  second.stillOut({ fencedId: null, nested: null, nonce });
  expect([second.state(nonce), take(second)]).toEqual(['unknown', nonce + 1]);
});

/** One action on its way: reserved, then sent with one of the fates that the venue or the net may give it. */
const fate = fc.record({
  purpose: fc.constantFrom('place' as const, 'cancel' as const),
  end: fc.constantFrom(
    ...(['applied', 'lost_before', 'lost_after', 'never_sent', 'turned_away', 'mute'] as const),
  ),
  foreign: fc.integer({ min: 0, max: 19 }).map((dice) => dice === 0),
  crash: fc.integer({ min: 0, max: 29 }).map((dice) => dice === 0),
});

test('R22 R24 R29 R30: against any fate of actions no nonce is used twice or signed for two placements, and the account never jams', () => {
  fc.assert(
    fc.property(fc.array(fate, { minLength: 60, maxLength: 400, size: 'max' }), (fates) => {
      const rules = { ...defaultNonceRules, window: 32, cancelReserve: 4, fillAbove: 20 };
      const venue = new ModelWindow(32);
      let nonces = new Nonces(options({ rules }));
      nonces.discovered(venue.floor, null);
      const lost = new Map<number, string>();
      const placed = new Set<number>();
      for (const [index, { purpose, end, foreign, crash }] of fates.entries()) {
        if (foreign) venue.consumeLowest();
        const nonce = nonces.reserve(purpose) ?? settle(nonces, venue, lost, purpose);
        const name = `action ${index}`;
        if (purpose === 'place') {
          expect(placed.has(nonce)).toBe(false);
          placed.add(nonce);
          nonces.signed(nonce, name);
        }
        nonces.sent(nonce);
        play(nonces, venue, nonce, name, end, lost);
        if (!crash) continue;
        nonces = restarted(nonces, rules);
        nonces.discovered(venue.floor, nonces.statedFloor);
        lost.set(nonce, name);
      }
      expect(venue.faults).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

function play(
  nonces: Nonces,
  venue: ModelWindow,
  nonce: number,
  name: string,
  end: string,
  lost: Map<number, string>,
): void {
  switch (end) {
    case 'never_sent':
      nonces.released(nonce);
      return;
    case 'lost_after':
    case 'lost_before':
      if (end === 'lost_after') venue.submit(nonce, name);
      nonces.answered(nonce, unknown);
      lost.set(nonce, name);
      return;
    case 'turned_away':
      nonces.answered(nonce, refused('rate_limited', { nonceConsumed: false }));
      return;
    case 'mute':
      nonces.answered(nonce, refused('insufficient_balance'));
      return;
    default:
      answer(nonces, venue, nonce, name);
  }
}

function answer(nonces: Nonces, venue: ModelWindow, nonce: number, name: string): void {
  const code = venue.submit(nonce, name);
  if (code === null) {
    nonces.answered(nonce, accepted);
    nonces.shown(nonce, false);
    return;
  }
  const facts = { nonceFloor: venue.floor, nonceWindow: 32, nonceConsumed: false };
  nonces.answered(nonce, refused(code, facts));
}

const state = (nonces: Nonces, { nonce }: { nonce: number }) => nonces.state(nonce);

/** No nonce is open: what the owner does in its transactions, until there is one again. */
function settle(
  nonces: Nonces,
  venue: ModelWindow,
  lost: Map<number, string>,
  purpose: 'place' | 'cancel',
): number {
  for (let turn = 0; turn < 50; turn += 1) {
    for (const [nonce, name] of lost) {
      if (nonces.state(nonce) !== 'unknown' || nonces.isDead(nonce)) continue;
      if (venue.isApplied(name)) nonces.shown(nonce, false);
      else nonces.dead(nonce);
    }
    for (const demand of nonces.demands()) {
      if (demand.kind === 'discover') nonces.discovered(venue.floor, nonces.statedFloor);
      // The answer to another filler may have told meanwhile that it is settled.
      const isOpen = demand.kind === 'fill' && ['free', 'unknown'].includes(state(nonces, demand));
      if (demand.kind === 'fill' && isOpen) {
        nonces.reserveHole(demand.nonce);
        nonces.sent(demand.nonce);
        answer(nonces, venue, demand.nonce, `filler ${demand.nonce} ${turn}`);
      }
    }
    const nonce = nonces.reserve(purpose);
    if (nonce !== undefined) return nonce;
  }
  throw new Error(`jammed at floor ${nonces.floor}, the venue's is ${venue.floor}`);
}
