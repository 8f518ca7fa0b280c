/** What a process before this one recorded and never learnt the outcome of (J1, R28; decision 0255). */
import { describe, expect, test } from 'vitest';
import { refusalNamed } from '../../../src/domain/refusal.ts';
import type { Qty } from '../../../src/domain/units.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { accepted, cancel, hourMs, lost, place } from './life-run.ts';
import {
  Bench,
  conditional,
  full,
  hashOfAnother,
  refusedBy,
  signature,
  small,
} from './outbox-bench.ts';

test('what may be at the venue is sent again, byte for byte, and nothing is asked anew', () => {
  const before = Bench.open();
  before.want('out');
  before.answer(before.want('lost'), lost);
  before.answer(before.want('accepted'));
  before.answer(before.want('resting'), refusedBy('backpressure'));
  const bench = before.restarted();
  expect(bench.submits).toEqual(['out 0', 'lost 1', 'accepted 2', 'resting 3']);
  const texts = (of: Bench) => of.of('submit').map(({ bytes }) => bytes.text);
  expect(texts(bench)).toEqual(texts(before));
  expect([bench.of('judge'), bench.of('sent'), bench.of('discover')]).toEqual([[], [], []]);
});

test('nothing goes out before the stream has told what it knows, and what that shows is not sent again', () => {
  const before = Bench.open();
  const [shown, other] = [before.want('shown'), before.want('other')];
  const hash = before.own(shown).bytes?.hash ?? '';
  const bench = before.next();
  bench.do((outbox) => outbox.started());
  bench.want('new');
  bench.event(0, hash);
  expect([bench.submits, bench.outcomes]).toEqual([[], ['shown accepted']]);
  bench.do((outbox, now) => outbox.resume(now));
  expect(bench.submits).toEqual(['other 1']);
  bench.do((outbox, now) => outbox.open(now));
  expect(bench.submits).toEqual(['other 1', 'new 2']);
  expect(bench.own(other).isUnknown).toBe(true);
});

test('a refusal of what is sent again proves nothing: the copy of before may be alive', () => {
  const before = Bench.open();
  const id = before.want('a');
  const bench = before.restarted();
  bench.answer(id, refusedBy('nonce_replayed'));
  expect(bench.outcomes).toEqual([]);
  bench.pass(5_000);
  bench.found(id, 'applied');
  expect(bench.outcomes).toEqual(['a accepted']);
});

test('a refusal of the copy that the process before sent proves nothing of one that is lost after the start', () => {
  const before = Bench.open();
  const id = before.want('a');
  before.answer(id, refusedBy('nonce_replayed'));
  const bench = before.restarted();
  bench.answer(id, lost);
  bench.pass(5_000);
  bench.found(id, 'nothing');
  bench.pass(10_000);
  expect([bench.submits.includes('a 1'), bench.own(id).nonce]).toEqual([false, 0]);
});

test('an order that is hours old by our clock is fenced, and nothing but that is sent', () => {
  const before = Bench.open();
  const id = before.want('a');
  before.pass(5 * hourMs);
  const bench = before.restarted(0);
  bench.pass(0);
  bench.found(id, 'nothing');
  expect(bench.submits).toEqual(['own 0']);
  const { bytes } = bench.last('submit');
  bench.event(0, bytes.hash, 'rejected');
  expect(bench.outcomes).toEqual(['a refused bridge.not_applied']);
  expect(bench.outbox.nonces.floor).toBe(1);
});

test('an action that was fenced off before is sent again if it looks young: the venue accepts one of the two', () => {
  const before = Bench.open();
  const id = before.want('x', cancel);
  before.answer(id, lost);
  for (let count = 0; before.own(id).state !== 'fencing'; count += 1) {
    if (count > 100) throw new Error('it is not fenced');
    before.pass(5_000);
    if (before.own(id).state === 'looking') before.found(id, 'nothing');
    if (before.own(id).state === 'out') before.answer(id, lost);
  }
  // The clock of the next process is behind, so that the cancel looks young.
  const bench = before.next();
  bench.now = { ...bench.now, wallMs: bench.now.wallMs - 65_000 };
  bench.do((outbox) => outbox.started());
  bench.do((outbox, now) => outbox.resume(now));
  bench.do((outbox, now) => outbox.open(now));
  expect(bench.submits).toEqual(['x 0']);
  bench.answer(id, refusedBy('nonce_replayed'));
  expect(bench.outcomes).toEqual([]);
  bench.pass(60_000);
  expect(bench.of('look')).toHaveLength(1);
  expect(bench.alarms).toEqual([]);
});

test('whose outcome nobody waits for any more is forgotten, and its nonce goes to a filler', () => {
  const before = full();
  before.answer(1);
  const next = before.next();
  next.orders.over.add('a');
  next.do((outbox) => outbox.started());
  next.do((outbox, now) => outbox.resume(now));
  next.do((outbox, now) => outbox.open(now));
  expect(next.outbox.get(1)).toBeUndefined();
  expect(next.submits).toEqual(['b 1', 'c 2']);
});

test('a filler is not sent again; where it is still needed another is made', () => {
  const rules = { ...defaultNonceRules, window: 8, cancelReserve: 0, fillAbove: 2 };
  const before = Bench.open({ nonces: { ...small.nonces, rules } });
  before.answer(before.want('a'), refusedBy('insufficient_balance'));
  for (const key of ['b', 'c', 'd']) before.want(key);
  expect(before.submits).toContain('own 0');
  const bench = before.restarted();
  expect(bench.submits.filter((submit) => submit === 'own 0')).toHaveLength(1);
  expect(bench.last('submit').id).toBeGreaterThan(before.outbox.state().lastId);
});

describe('what waited for a nonce', () => {
  test('waits on, in its order and as long as something new, and the gate is asked', () => {
    const before = full();
    before.want('first');
    before.want('second');
    before.want('x', cancel);
    before.want('y', cancel);
    before.pass(3_000);
    const bench = before.restarted(500);
    expect([bench.submits, bench.waiting]).toEqual([['a 0', 'b 1', 'c 2', 'x 3'], 3]);
    bench.pass(4_999);
    expect(bench.outcomes).toEqual([]);
    bench.event(0, hashOfAnother);
    bench.event(1, hashOfAnother);
    bench.event(2, hashOfAnother);
    expect(bench.submits.filter((submit) => !/[abcx]/.test(submit))).toEqual(['y 4', 'first 5']);
    bench.pass(1);
    expect(bench.outcomes.at(-1)).toBe('second refused bridge.nonce_window');
    expect(bench.of('judge')).toHaveLength(1);
  });

  test('for longer than an order may wait is not placed late, but a cancel is sent', () => {
    const before = full();
    before.want('first');
    for (const key of ['x', 'y']) before.want(key, cancel);
    for (const passedMs of [hourMs, -hourMs]) {
      const bench = before.later(passedMs);
      expect(bench.outcomes).toEqual(['first refused bridge.stale']);
      bench.event(0, hashOfAnother);
      expect(bench.submits.at(-1)).toBe('y 4');
    }
  });

  test('because it was signed again stays ahead of later ones, also over a start', () => {
    const before = full();
    before.want('later');
    for (const id of [3, 2]) {
      before.answer(id, refusedBy('nonce_replayed'));
      before.found(id, 'nothing');
    }
    const bench = before.next();
    for (const each of [before, bench]) {
      each.log.length = 0;
      for (const nonce of [0, 1, 2]) each.event(nonce, hashOfAnother);
    }
    expect(before.submits.length).toBeGreaterThan(1);
    expect(bench.submits).toEqual(before.submits);
  });
});

test('a conditional order whose nested order was being signed has it signed again, and has its patience from then', () => {
  const before = Bench.open();
  before.pass(hourMs);
  const id = before.want('a', conditional);
  const bench = before.restarted(0);
  expect(bench.last('sign')).toMatchObject({ id, nonce: 0 });
  expect(bench.last('sign').bytes.hash).toBe(before.last('sign').bytes.hash);
  bench.step({ kind: 'signed', id, signature });
  expect([bench.submits, bench.of('judge').length]).toEqual([['a 1'], 1]);
  for (let count = 0; count < 10 && bench.outbox.get(id) !== undefined; count += 1) {
    bench.answer(id, refusedBy('backpressure'));
    bench.pass(5_000);
  }
  expect(bench.outcomes).toEqual(['a refused backpressure']);
});

test('a conditional order that was being signed hours ago is not placed late', () => {
  const before = Bench.open();
  before.want('a', conditional);
  const bench = before.later(hourMs);
  expect([bench.of('sign'), bench.outcomes]).toEqual([[], ['a refused bridge.stale']]);
});

test('a whole window of unknown orders is fenced, and trade goes on', () => {
  const before = Bench.open(small);
  for (const key of ['a', 'b', 'c']) before.want(key);
  before.pass(hourMs);
  const bench = before.restarted(0);
  bench.want('new');
  bench.pass(0);
  for (const id of [1, 2, 3]) bench.found(id, 'nothing');
  expect(bench.submits).toEqual(['own 0', 'own 1', 'own 2']);
  for (const { bytes, nonce } of bench.of('submit')) bench.event(nonce, bytes.hash, 'rejected');
  expect(bench.submits.at(-1)).toBe('new 3');
});

test('a nonce that is kept for a filler of no use is tried once by each process', () => {
  const before = full();
  before.answer(1, lost);
  for (let count = 0; before.own(1).state !== 'fencing' && count < 50; count += 1) {
    before.pass(2_000);
    if (before.own(1).state === 'looking') before.found(1, 'nothing');
    if (before.own(1).state === 'out') before.answer(1, lost);
  }
  for (let count = 0; count < 2; count += 1) {
    if (count > 0) {
      before.pass(60_000);
      before.found(1, 'nothing');
    }
    before.answer(before.last('submit').id, refusedBy('order_not_found', { nonceConsumed: false }));
  }
  expect(before.alarms[0]).toContain('nonce.filler');
  const bench = before.restarted();
  for (let count = 0; bench.own(1).state !== 'fencing' && count < 50; count += 1) {
    bench.pass(2_000);
    if (bench.own(1).state === 'looking') bench.found(1, 'nothing');
    if (bench.own(1).state === 'out') bench.answer(1, lost);
  }
  expect(bench.submits.at(-1)).toBe('own 0');
});

test('a floor that went backward stops all orders, over a start, too, until a person has judged it', () => {
  const before = Bench.open({}, 50);
  before.step({ kind: 'floor', floor: 10, asked: 50 });
  before.want('a');
  const bench = before.restarted();
  expect([bench.submits, bench.outbox.nonces.isLatched]).toEqual([[], true]);
  bench.step({ kind: 'unlatch' });
  expect([bench.submits, bench.of('judge').length]).toEqual([['a 50'], 1]);
});

describe('a state that is taken up without a start, as records behind a snapshot are', () => {
  test('knows what lies beyond the venue’s window', () => {
    const before = Bench.open();
    before.want('a');
    const second = before.want('b');
    before.answer(
      second,
      refusedBy('nonce_outside_window', { nonceFloor: 0, nonceWindow: 256, nonceConsumed: false }),
    );
    const bench = before.next();
    bench.event(0, hashOfAnother);
    expect(bench.submits).toEqual(['b 1']);
    bench.answer(second, refusedBy('fok_not_filled'));
    expect(bench.outcomes).toEqual(['b refused fok_not_filled']);
  });

  test('sends what lies beyond it in the same order, whichever the venue refused first', () => {
    const outside = { nonceFloor: 0, nonceWindow: 256, nonceConsumed: false };
    const before = Bench.open();
    before.want('a');
    const [second, third] = [before.want('b'), before.want('c')];
    before.answer(third, refusedBy('nonce_outside_window', outside));
    before.answer(second, refusedBy('nonce_outside_window', outside));
    const bench = before.next();
    before.log.length = 0;
    for (const each of [before, bench]) each.event(0, hashOfAnother);
    expect([before, bench].map(({ submits }) => submits)).toEqual([
      ['b 1', 'c 2'],
      ['b 1', 'c 2'],
    ]);
  });

  test('holds back what it held back', () => {
    const before = Bench.open();
    before.do((outbox) => outbox.started());
    before.want('a');
    const bench = before.next();
    bench.want('b');
    bench.step({ kind: 'floor', floor: 1, asked: 0 });
    expect(bench.submits).toEqual([]);
    bench.do((outbox, now) => outbox.open(now));
    expect(bench.submits).toEqual(['a 1', 'b 2']);
  });

  test('knows that the venue leaves the nonce of a refused cancel unused', () => {
    const rules = { ...defaultNonceRules, window: 8, cancelReserve: 0, fillAbove: 2 };
    const before = Bench.open({ nonces: { ...small.nonces, rules } });
    before.answer(before.want('a'), refusedBy('insufficient_balance'));
    for (const key of ['b', 'c']) before.want(key);
    const filler = before.of('submit').find(({ asked }) => asked === null)?.id ?? 0;
    before.answer(filler, refusedBy('order_not_found', { nonceConsumed: false }));
    const again = before.of('submit').findLast(({ asked }) => asked === null)?.id ?? 0;
    expect(again).toBeGreaterThan(filler);
    const between = before.next();
    between.answer(again, refusedBy('order_not_found', { nonceConsumed: false }));
    expect(between.alarms[0]).toContain('nonce.filler');
    const bench = between.next();
    bench.answer(bench.want('d'), refusedBy('insufficient_balance'));
    bench.want('e');
    expect(bench.submits).not.toContain('own 3');
    expect(bench.submits.filter((submit) => submit.startsWith('own'))).toEqual([]);
  });

  test('knows of which kinds no more orders are placed', () => {
    const before = Bench.open();
    const orderIds = [cancel.orderId];
    before.answer(before.want('a'), { ...accepted, orderIds });
    const bench = before.next();
    bench.want('b', { ...place, qty: 2n as Qty });
    expect(bench.outcomes).toEqual(['b refused bridge.gate_closed']);
    expect(before.restarted().outbox.state().submissions).toHaveLength(1);
  });
});

test('what was stopped before is not sent again, and its nonce is fenced', () => {
  const before = Bench.open();
  const id = before.want('a');
  before.withdraw();
  const bench = before.restarted();
  expect(bench.submits).toEqual([]);
  bench.pass(0);
  bench.found(id, 'nothing');
  expect(bench.submits).toEqual(['own 0']);
});

test('what was under way at a shutdown is sent again, and fenced once it is stopped for good, too', () => {
  const draining = { refusal: refusalNamed('bridge.draining'), text: 'down' };
  const before = Bench.open();
  const id = before.want('a');
  before.do((outbox, now) => outbox.withdraw(() => true, draining, now));
  const bench = before.restarted();
  expect(bench.submits).toEqual(['a 0']);
  bench.withdraw();
  bench.answer(id, lost);
  bench.pass(1_000);
  bench.found(id, 'nothing');
  expect(bench.submits).toEqual(['a 0', 'own 0']);
});

test('what is stopped goes out again where no fence can take its nonce', () => {
  const bench = Bench.open({ mayFill: false });
  const id = bench.want('a');
  bench.answer(id, lost);
  bench.withdraw();
  for (let looks = 0; looks < 2; looks += 1) {
    expect(bench.submits).toEqual(['a 0']);
    bench.pass(1_000);
    bench.found(id, 'nothing');
  }
  expect(bench.submits).toEqual(['a 0', 'a 0']);
});

test('the nonce inside a conditional order that is too late to be placed is free, whoever has used the outer one', () => {
  const before = Bench.open();
  before.want('a', conditional);
  before.pass(6_000);
  before.event(1, hashOfAnother);
  const bench = before.restarted();
  expect(bench.outcomes).toEqual(['a refused bridge.stale']);
  bench.want('b');
  expect(bench.submits).toEqual(['b 2']);
  expect(bench.outbox.nonces.state(0)).toBe('free');
});
