/** Fences and fillers: of two actions with one nonce the venue takes one, and its receipt or event says which (G22). */

import { describe, expect, test } from 'vitest';
import type { OrderId } from '../../../src/domain/units.ts';
import type { NonceOptions } from '../../../src/venue/outbox/nonces.ts';
import { venueRefusal } from '../../../src/venue/refusals.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { accepted, cancel, rules as lifeRules, lost, unsent } from './life-run.ts';
import {
  Bench,
  conditional,
  endedOrderId,
  hashOfAnother,
  refusedBy,
  signature,
  small,
} from './outbox-bench.ts';

const { patienceMs } = lifeRules;
const replayed = refusedBy('nonce_replayed');
const notConsumed = refusedBy('order_not_found', { nonceConsumed: false });
const receiptOfRefusal = {
  kind: 'refused',
  refusal: venueRefusal('order_not_open'),
  text: 'late',
} as const;

/** An order that was lost and may not be sent any more; `fence` is the id of its fence. */
function fenced(bench = Bench.open()): { bench: Bench; id: number; fence: number } {
  const id = bench.want('a');
  const { submits } = bench;
  for (let count = 0; bench.submits.length === submits.length || isYoung(bench, id); count += 1) {
    if (count > 50) throw new Error('it is not fenced');
    if (bench.own(id).state === 'out') bench.answer(id, lost);
    bench.pass(2_000);
    if (bench.own(id).state === 'looking') bench.found(id, 'nothing');
    if (bench.own(id).state === 'fencing') break;
  }
  return { bench, id, fence: bench.last('submit').id };
}

function isYoung(bench: Bench, id: number): boolean {
  return bench.own(id).state !== 'fencing';
}

/** The next look finds nothing, so the next fence goes out. */
function nextFence(bench: Bench, id: number): number {
  bench.pass(60_000);
  expect(bench.own(id).state).toBe('looking');
  bench.found(id, 'nothing');
  return bench.last('submit').id;
}

test('an order that was lost and may not be sent any more gives its nonce to a cancel, whose receipt ends it', () => {
  const { bench, fence, id } = fenced();
  const { asked, bytes, nonce, priority } = bench.last('submit');
  expect({ asked, nonce, priority }).toEqual({ asked: null, nonce: 0, priority: 'cancel' });
  expect(bytes.text).toContain(endedOrderId);
  bench.answer(fence, lost);
  bench.pass(0);
  bench.found(fence, receiptOfRefusal);
  expect(bench.outcomes).toEqual(['a unknown', 'a refused bridge.not_applied']);
  expect(bench.last('outcome').outcome).toMatchObject({ denial: { isSpent: null } });
  expect([bench.outbox.get(id), bench.outbox.get(fence)]).toEqual([undefined, undefined]);
  expect([bench.outbox.nonces.floor, bench.alarms]).toEqual([1, []]);
});

test.each([
  ['an acceptance', accepted],
  ['a refusal of what it cancels', refusedBy('order_not_open', { nonceConsumed: true })],
])('%s of a fence proves nothing, for it may be the answer to another request', (_, verdict) => {
  const { bench, fence, id } = fenced();
  bench.answer(fence, verdict);
  expect([bench.outcomes, bench.own(id).state]).toEqual([['a unknown'], 'fencing']);
  bench.pass(0);
  expect(bench.last('look').id).toBe(fence);
  bench.found(fence, 'nothing');
  expect([bench.outcomes, bench.outbox.get(fence)]).toEqual([['a unknown'], undefined]);
  const younger = nextFence(bench, id);
  expect(younger).toBeGreaterThan(fence);
  bench.answer(younger, verdict);
  bench.pass(0);
  bench.found(younger, 'applied');
  expect(bench.outcomes).toEqual(['a unknown', 'a refused bridge.not_applied']);
});

test('the event of a fence ends the order in the transaction of the event', () => {
  for (const isAnswered of [false, true]) {
    const { bench, fence, id } = fenced();
    const hash = bench.own(fence).bytes?.hash ?? '';
    if (isAnswered) bench.answer(fence);
    bench.event(0, hash, 'rejected');
    expect(bench.outcomes).toEqual(['a unknown', 'a refused bridge.not_applied']);
    expect([bench.outbox.get(id), bench.outbox.get(fence)]).toEqual([undefined, undefined]);
    expect(bench.outbox.nonces.floor).toBe(1);
    expect(bench.alarms.join()).not.toContain('foreign_writer');
  }
});

test('a fence that the venue finds expired is followed by a younger one, and its nonce goes to nothing else meanwhile', () => {
  const { bench, fence, id } = fenced();
  bench.do((outbox) => outbox.started()); // Nothing new begins until the venue's status is known.
  bench.do((outbox, now) => outbox.resume(now));
  const second = nextFence(bench, id);
  expect(second).toBeGreaterThan(fence);
  bench.answer(second, refusedBy('expired', { nonceConsumed: false }));
  expect(bench.own(id).state).toBe('pausing');
  bench.want('b', cancel);
  bench.do((outbox, now) => outbox.open(now));
  expect(bench.submits.slice(-3)).toEqual(['own 0', 'own 0', 'b 1']);
  nextFence(bench, id);
  expect(bench.submits.at(-1)).toBe('own 0');
});

test('a fence that the stream refuses for its nonce ends nothing, because the order may have the nonce', () => {
  const { bench, fence, id } = fenced();
  bench.event(0, bench.own(fence).bytes?.hash ?? '', 'rejected', 'nonce_replayed');
  expect([bench.outcomes, bench.own(id).state]).toEqual([['a unknown'], 'fencing']);
  bench.event(0, bench.own(id).bytes?.hash ?? '');
  expect(bench.outcomes).toEqual(['a unknown', 'a accepted']);
});

describe.each(['nonce_replayed', 'nonce_outside_window', 'duplicate_order_id'])(
  'an order whose only copy is accepted, and then refused on the stream with %s,',
  (code) => {
    function refusedCopy(): { bench: Bench; id: number } {
      const bench = Bench.open();
      const id = bench.want('a');
      bench.answer(id);
      bench.event(0, bench.own(id).bytes?.hash ?? '', 'rejected', code);
      expect([bench.outcomes, bench.outbox.nonces.state(0)]).toEqual([['a accepted'], 'sent']);
      bench.pass(20_000);
      bench.found(id, 'nothing');
      return { bench, id };
    }

    test('is settled by its fence', () => {
      const { bench } = refusedCopy();
      expect(bench.submits).toEqual(['a 0', 'own 0']);
      const fence = bench.last('submit').id;
      bench.answer(fence, refusedBy('order_not_open', { nonceConsumed: true }));
      bench.pass(0);
      bench.found(fence, receiptOfRefusal);
      expect(bench.outcomes).toEqual(['a accepted', 'a refused bridge.not_applied']);
      expect(bench.outbox.state().submissions).toEqual([]);
    });

    test('is settled by the event of the action that has its nonce', () => {
      const { bench, id } = refusedCopy();
      bench.answer(bench.last('submit').id, replayed);
      bench.event(0, hashOfAnother);
      expect(bench.outcomes).toEqual(['a accepted', 'a refused bridge.not_applied']);
      expect(bench.outbox.get(id)).toBeUndefined();
    });

    test('is settled by its receipt if it was applied after all', () => {
      const { bench, id } = refusedCopy();
      bench.answer(bench.last('submit').id, replayed);
      bench.pass(60_000);
      bench.found(id, 'applied');
      expect(bench.outcomes).toEqual(['a accepted', 'a accepted']);
      expect(bench.outbox.state().submissions).toEqual([]);
    });
  },
);

test('an order that shows while it is fenced was applied, and its fence is taken back', () => {
  const { bench, fence, id } = fenced();
  bench.event(0, bench.own(id).bytes?.hash ?? '');
  expect(bench.outcomes).toEqual(['a unknown', 'a accepted']);
  expect(bench.last('withdraw').id).toBe(fence);
  expect(bench.answer(fence, replayed)).toEqual([]);
  expect(bench.outbox.state().submissions).toEqual([]);
});

test('while the venue refuses the fence, the order may be there: it is looked up for hours, not abandoned', () => {
  const { bench, fence, id } = fenced();
  bench.answer(fence, replayed);
  for (let count = 0; count < 120; count += 1) bench.answer(nextFence(bench, id), replayed);
  expect(bench.outcomes).toEqual(['a unknown']);
  expect(bench.alarms).toEqual([expect.stringMatching(/nonce 0, is still open \(1 are\)/)]);
  const placed = bench.own(id).bytes?.placed;
  expect(placed).toMatchObject({ orderId: bench.last('alarm').orderId });
  bench.pass(60_000);
  bench.found(id, 'applied');
  expect(bench.outcomes).toEqual(['a unknown', 'a accepted']);
});

test('each fence is made anew, because the venue refuses bytes that are a minute old', () => {
  const { bench, fence, id } = fenced();
  const first = bench.last('submit').bytes;
  bench.answer(fence, replayed);
  nextFence(bench, id);
  const { bytes } = bench.last('submit');
  expect(bytes.madeMs).toBeGreaterThan(first.madeMs);
  expect(bytes.text).toContain(endedOrderId);
});

test('where no order has ended yet the fence names the lost order itself', () => {
  const bench = Bench.open();
  bench.orders.endedOrderId = null;
  const { id } = fenced(bench);
  const placed = bench.own(id).bytes?.placed;
  const orderId: OrderId | undefined = placed?.kind === 'order' ? placed.orderId : undefined;
  expect(bench.last('submit').bytes.text).toContain(orderId);
});

test('an event of another action under its nonce ends the order, whoever sent that action', () => {
  const { bench, id } = fenced();
  bench.event(7, hashOfAnother);
  expect(bench.outcomes).toEqual(['a unknown']);
  bench.event(0, hashOfAnother);
  expect(bench.outcomes).toEqual(['a unknown', 'a refused bridge.not_applied']);
  expect(bench.outbox.state().submissions).toEqual([]);
  bench.pass(60_000);
  expect(bench.outbox.get(id)).toBeUndefined();
});

test('G21: where each agent has its own nonces, only an action of ours under its nonce ends the order', () => {
  const rules = { ...defaultNonceRules, scope: 'agent' } as const;
  const { bench, fence } = fenced(Bench.open({ nonces: { ...small.nonces, rules } }));
  bench.event(0, hashOfAnother);
  expect([bench.outcomes, bench.outbox.nonces.floor]).toEqual([['a unknown'], 0]);
  bench.event(0, bench.own(fence).bytes?.hash ?? '', 'rejected', 'order_not_open');
  expect(bench.outcomes).toEqual(['a unknown', 'a refused bridge.not_applied']);
  expect(bench.outbox.nonces.floor).toBe(1);
});

test('G21: a fence that the venue applies after others were sent in its place is still known as ours', () => {
  const rules = { ...defaultNonceRules, scope: 'agent' } as const;
  const { bench, fence, id } = fenced(Bench.open({ nonces: { ...small.nonces, rules } }));
  const hash = bench.own(fence).bytes?.hash ?? '';
  bench.answer(fence);
  bench.pass(0);
  bench.found(fence, 'nothing');
  expect(bench.own(nextFence(bench, id)).bytes?.hash).not.toBe(hash);
  bench.event(0, hashOfAnother);
  expect(bench.outcomes).toEqual(['a unknown']);
  bench.event(0, hash, 'rejected', 'order_not_open');
  expect(bench.outcomes).toEqual(['a unknown', 'a refused bridge.not_applied']);
  expect(bench.alarms.join()).not.toContain('foreign_writer');
});

test('what its own event has told is not taken back by another event with its nonce', () => {
  const { bench, id } = fenced();
  const hash = bench.own(id).bytes?.hash ?? '';
  bench.event(0, hash);
  bench.event(0, hashOfAnother);
  expect(bench.outcomes).toEqual(['a unknown', 'a accepted']);
});

test('the event of another action that came while its acceptance was believed is proof, too', () => {
  const bench = Bench.open();
  const id = bench.want('a');
  bench.answer(id);
  bench.event(0, hashOfAnother);
  bench.pass(20_000);
  bench.found(id, 'nothing');
  expect(bench.outcomes).toEqual(['a accepted', 'a refused bridge.not_applied']);
  expect(bench.submits).toEqual(['a 0']);
});

test('a cancel that is accepted and never shown gives its nonce back, though nobody waits for it any more', () => {
  const bench = Bench.open();
  const id = bench.want('x', cancel);
  bench.answer(id);
  bench.orders.over.add('x');
  bench.pass(16_000);
  expect(bench.own(id).state).toBe('looking');
  for (let count = 0; count < 50 && bench.own(id).state !== 'fencing'; count += 1) {
    if (bench.own(id).state === 'looking') bench.found(id, 'nothing');
    if (bench.own(id).state === 'out') bench.answer(id, lost);
    bench.pass(5_000);
  }
  bench.event(0, bench.last('submit').bytes.hash, 'rejected');
  expect([bench.outbox.nonces.floor, bench.outbox.state().submissions]).toEqual([1, []]);
});

test('an accepted action that blocks nothing is dropped once nothing waits for it', () => {
  const bench = Bench.open();
  const facts = { ...accepted.nonce, nonceConsumed: true };
  const id = bench.want('a');
  bench.answer(id, { ...accepted, nonce: facts });
  bench.pass(250);
  expect(bench.outbox.get(id)).toBeDefined();
  bench.orders.over.add('a');
  bench.pass(10_000);
  expect(bench.outbox.get(id)).toBeUndefined();
  expect(bench.of('look')).toEqual([]);
});

test('where the venue leaves the nonce of a refused cancel unused, that is reported once and no more are sent', () => {
  const { bench, fence, id } = fenced();
  bench.answer(fence, notConsumed);
  expect(bench.alarms).toEqual([]);
  bench.answer(nextFence(bench, id), notConsumed);
  for (let count = 0; count < 10; count += 1) {
    bench.pass(60_000);
    if (bench.own(id).state === 'looking') bench.found(id, 'nothing');
  }
  const fences = bench.submits.filter((submit) => submit === 'own 0');
  expect(fences).toHaveLength(2);
  expect(bench.alarms[0]).toContain('nonce.filler of the profile');
  expect(bench.alarms.filter((text) => text.includes('nonce.filler'))).toHaveLength(1);
  expect(bench.outcomes).toEqual(['a unknown']);
});

test('one answer that such a cancel left its nonce unused may be that of another request', () => {
  const { bench, fence, id } = fenced();
  bench.answer(fence, notConsumed);
  const second = nextFence(bench, id);
  bench.event(0, bench.own(second).bytes?.hash ?? '', 'rejected', 'order_not_open');
  const { id: other, fence: third } = fenced(bench);
  bench.answer(third, notConsumed);
  bench.event(
    1,
    bench.own(nextFence(bench, other)).bytes?.hash ?? '',
    'rejected',
    'order_not_open',
  );
  expect(bench.outcomes).toHaveLength(4);
  expect(bench.alarms).toEqual([]);
});

test('two holes whose fillers are refused in turn are filled no more than one is', () => {
  const bench = holed();
  bench.answer(bench.want('e'), refusedBy('insufficient_balance'));
  for (let count = 0; count < 20; count += 1)
    for (const { asked, id } of bench.of('submit'))
      if (asked === null) bench.answer(id, notConsumed);
  expect(bench.submits.filter((submit) => submit.startsWith('own')).length).toBeLessThan(5);
});

test('where nothing is known of such cancels no fence is sent, and the order stays open', () => {
  const bench = Bench.open({ mayFill: false });
  const id = bench.want('a');
  for (let count = 0; count < 20; count += 1) {
    if (bench.own(id).state === 'out') bench.answer(id, lost);
    bench.pass(60_000);
    if (bench.own(id).state === 'looking') bench.found(id, 'nothing');
  }
  expect(bench.outcomes).toEqual(['a unknown']);
  expect(bench.submits.filter((submit) => submit !== 'a 0')).toEqual([]);
  expect(bench.alarms).toEqual([expect.stringContaining('is still open')]);
});

test('many outcomes that stay open are one alarm', () => {
  const bench = Bench.open({ mayFill: false });
  const ids = ['a', 'b', 'c'].map((key) => bench.want(key));
  for (const id of ids) bench.answer(id, lost);
  for (let count = 0; count < 200; count += 1) {
    bench.pass(500);
    for (const id of ids) {
      if (bench.own(id).state === 'out') bench.answer(id, lost);
      if (bench.own(id).state === 'looking') bench.found(id, 'nothing');
    }
  }
  expect(bench.alarms).toEqual([expect.stringContaining('(3 are)')]);
});

test('a fence that cannot be signed, or does not leave, ends nothing', () => {
  const { bench, fence, id } = fenced();
  bench.step({ kind: 'unsigned', id: fence, code: 'policy', text: '' });
  expect(bench.outcomes).toEqual(['a unknown']);
  bench.pass(0);
  if (bench.outbox.get(fence) !== undefined) bench.found(fence, 'nothing');
  const younger = nextFence(bench, id);
  bench.answer(younger, unsent);
  bench.pass(60_000);
  expect(bench.outcomes).toEqual(['a unknown']);
  expect(bench.outbox.get(id)).toBeDefined();
});

/** A hole at nonce 0 that only a filler may take; the window is small, so that it is filled at once. */
function holed(mayFill = true, discovery: NonceOptions['discovery'] = 'hash_route'): Bench {
  const rules = { ...defaultNonceRules, window: 8, cancelReserve: 0, fillAbove: 2 };
  const nonces = { rules, nestedTrigger: 'consumed_on_store', discovery } as const;
  const bench = Bench.open({ nonces, mayFill });
  const id = bench.want('a');
  bench.answer(id, refusedBy('insufficient_balance'));
  for (const key of ['b', 'c', 'd']) bench.want(key);
  return bench;
}

test('a hole that holds the floor is filled by a cancel, which ends by its event', () => {
  const bench = holed();
  expect(bench.submits.filter((submit) => submit.startsWith('own'))).toEqual(['own 0']);
  const filler = bench.of('submit').find(({ asked }) => asked === null);
  expect(filler?.bytes.text).toContain(endedOrderId);
  bench.event(0, filler?.bytes.hash ?? '', 'rejected');
  expect(bench.outbox.nonces.floor).toBe(1);
});

test('a filler that was answered in the place of another request is sent again until the venue shows it', () => {
  const bench = holed();
  const filler = bench.of('submit').find(({ asked }) => asked === null)?.id ?? 0;
  for (let count = 0; count < 3; count += 1) {
    bench.answer(filler);
    bench.pass(5_000);
    expect(bench.own(filler).state).toBe('looking');
    bench.found(filler, 'nothing');
  }
  expect(bench.submits.filter((submit) => submit === 'own 0')).toHaveLength(4);
  expect(bench.outbox.nonces.floor).toBe(0);
  bench.answer(filler, lost);
  bench.pass(5_000);
  bench.found(filler, receiptOfRefusal);
  expect([bench.outbox.get(filler), bench.outbox.nonces.floor]).toEqual([undefined, 1]);
});

test('a filler below the floor of the venue has done its work, although its refusal states no floor', () => {
  const bench = holed(true, 'first_reject');
  const filler = bench.of('submit').find(({ asked }) => asked === null)?.id ?? 0;
  bench.answer(filler, refusedBy('nonce_below_floor', { nonceConsumed: false }));
  expect(bench.submits.filter((submit) => submit.startsWith('own'))).toHaveLength(1);
  expect(bench.alarms.join()).not.toContain('foreign_writer');
});

test.each(['expired', 'nonce_mismatch', 'NONCE_REJECTED'])(
  'a filler that is refused with %s is not built again at once, but after a while',
  (code) => {
    const bench = holed();
    const fillers = () => bench.of('submit').filter(({ asked }) => asked === null);
    for (let count = 0; count < 20; count += 1) {
      const last = fillers().at(-1)?.id ?? 0;
      bench.answer(last, refusedBy(code, { nonceConsumed: false }));
      bench.step({ kind: 'floor', floor: 0, asked: null, askedFrom: 0 });
      bench.pass(100);
    }
    expect(fillers()).toHaveLength(1);
    bench.pass(patienceMs);
    expect(fillers()).toHaveLength(2);
  },
);

test('a filler that is refused for its order looks for its receipt if the answer leaves open what became of its nonce', () => {
  const bench = holed();
  const fillers = () => bench.of('submit').filter(({ asked }) => asked === null);
  const filler = fillers()[0]?.id ?? 0;
  bench.answer(filler, refusedBy('order_not_found'));
  expect(fillers()).toHaveLength(1);
  bench.pass(1);
  bench.found(filler, receiptOfRefusal);
  expect([bench.outbox.get(filler), bench.outbox.nonces.floor]).toEqual([undefined, 1]);
});

test('a filler that finds its nonce spent has done its work, and no other writer is suspected', () => {
  const bench = holed();
  const filler = bench.of('submit').find(({ asked }) => asked === null)?.id ?? 0;
  bench.answer(filler, replayed);
  expect([bench.outbox.get(filler), bench.outbox.nonces.floor]).toEqual([undefined, 1]);
  expect(bench.alarms.filter((text) => text.includes('foreign'))).toEqual([]);
});

test('a filler that the signer does not sign is tried again after a while, and not at once again and again', () => {
  const bench = holed();
  const fillers = () => bench.submits.filter((submit) => submit.startsWith('own'));
  for (let count = 1; count < 5; count += 1) {
    expect(fillers()).toEqual(Array(count).fill('own 0'));
    const { id } = bench.of('submit').findLast(({ asked }) => asked === null)!;
    bench.step({ kind: 'unsigned', id, code: 'unavailable', text: 'the key is away' });
    expect(fillers()).toHaveLength(count);
    bench.pass(5_000);
  }
  const filler = bench.of('submit').findLast(({ asked }) => asked === null)!;
  bench.event(0, filler.bytes.hash, 'rejected');
  bench.answer(filler.id, replayed);
  expect([bench.outbox.get(filler.id), bench.outbox.nonces.floor]).toEqual([undefined, 1]);
});

test('where nothing is known of such cancels a hole is an alarm, once for each', () => {
  const bench = holed(false);
  for (const key of ['e', 'f']) bench.want(key);
  expect(bench.submits.filter((submit) => submit.startsWith('own'))).toEqual([]);
  const told = bench.alarms.filter((text) => text.includes('nothing can fill it'));
  expect(told).toEqual([expect.stringMatching(/nonce 0 holds the floor/)]);
});

test.each([
  ['an order', undefined],
  ['a conditional order and the order inside it', conditional],
])('where the floor goes back below %s under way, no filler takes a nonce of it', (_, intent) => {
  const rules = { ...defaultNonceRules, window: 8, cancelReserve: 1, fillAbove: 1 };
  const nonces = { rules, nestedTrigger: 'consumed_on_store', discovery: 'hash_route' } as const;
  const bench = Bench.open({ nonces });
  const id = bench.want('a', intent);
  if (intent !== undefined) bench.step({ kind: 'signed', id, signature });
  const { nonce } = bench.own(id);
  bench.answer(id, lost);
  const facts = { ...accepted.nonce, nonceFloor: Number(nonce) + 2 };
  bench.answer(bench.want('b'), { ...accepted, nonce: facts });
  bench.step({ kind: 'discover' });
  const { asked, askedFrom } = bench.last('discover');
  bench.step({ kind: 'floor', floor: 0, asked, askedFrom });
  bench.want('c');
  expect(bench.submits.map((one) => one.slice(0, 1))).toEqual(['a', 'b', 'c']);
  bench.pass(0);
  bench.found(id, 'applied');
  expect(bench.outcomes).toEqual(['a unknown', 'b accepted', 'a accepted']);
});
