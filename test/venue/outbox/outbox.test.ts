/** One account's way to the venue: nonces, the gate, bytes, and exactly one outcome for each request. */

import { describe, expect, test } from 'vitest';
import type { OrderId, Qty } from '../../../src/domain/units.ts';
import type { SignRefusal } from '../../../src/signer/signer.ts';
import { venueRefusal } from '../../../src/venue/refusals.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { accepted, cancel, lost, place, unsent } from './life-run.ts';
import { Bench, conditional, full, hashOfAnother, refusedBy, signature } from './outbox-bench.ts';

const denial = { refusal: venueRefusal('bridge.gate_closed'), text: 'halted' };
const outsideWindow = refusedBy('nonce_outside_window', {
  nonceFloor: 0,
  nonceWindow: 256,
  nonceConsumed: false,
});

test('an order gets nonce, bytes and ids at once, and its event ends it', () => {
  const bench = Bench.open({}, 5);
  const id = bench.want('a');
  const { bytes } = bench.last('submit');
  const { hash, placed } = bytes;
  expect(JSON.parse(bytes.text)).toMatchObject({ nonce: 5, client_order_id: 'a' });
  expect(bench.last('sent')).toMatchObject({
    asked: { key: 'a', requestId: 'new' },
    venueRef: `0x${hash}`,
    orderId: placed.kind === 'order' ? placed.orderId : undefined,
    firedOrderId: null,
    atMs: bench.now.wallMs,
  });
  expect(bytes.made?.hash).toBe(hash);
  const orderIds = placed.kind === 'order' ? [placed.orderId] : [];
  expect(bench.answer(id, { ...accepted, orderIds })).toEqual(['outcome', 'wake']);
  expect(bench.last('outcome').outcome).toEqual({ kind: 'accepted', orderId: orderIds[0] });
  expect(bench.event(5, hash)).toEqual([]);
  expect([bench.outbox.get(id), bench.outbox.nonces.floor]).toEqual([undefined, 6]);
  expect(bench.alarms).toEqual([]);
});

test('an event before the answer does not end it, and the outcome is told once', () => {
  const bench = Bench.open();
  const id = bench.want('a');
  bench.event(0, bench.own(id).bytes?.hash ?? '');
  expect(bench.outcomes).toEqual([]);
  bench.answer(id);
  bench.answer(id);
  expect([bench.outcomes, bench.outbox.get(id)]).toEqual([['a accepted'], undefined]);
});

describe('where the nonces begin', () => {
  test('is asked once, and orders wait for it', () => {
    const bench = new Bench();
    bench.want('a');
    bench.want('b');
    expect([bench.of('discover').length, bench.of('waits').length]).toEqual([1, 2]);
    bench.step({ kind: 'floor', floor: null, asked: null });
    expect(bench.of('discover').length).toBe(2);
    bench.step({ kind: 'floor', floor: 7, asked: null });
    expect(bench.submits).toEqual(['a 7', 'b 8']);
  });

  test('the query is an unsigned cancel with the values known at the time', () => {
    const bench = Bench.open({}, 3);
    bench.step({ kind: 'discover' });
    bench.step({ kind: 'discover' });
    expect(bench.of('discover').length).toBe(1);
    expect(bench.last('discover').asked).toBe(3);
    expect(bench.last('discover').envelope).toContain('"Cancel"');
  });
});

describe('what waits for a nonce', () => {
  test('R30: is served cancels first, and each kind in the order in which it came', () => {
    const bench = full();
    const first = bench.want('first');
    bench.want('second');
    bench.want('x', cancel);
    bench.want('y', cancel);
    expect(bench.submits.slice(3)).toEqual(['x 3']);
    expect(bench.waiting).toBe(3);
    bench.event(0, hashOfAnother);
    expect(bench.submits.slice(4)).toEqual(['y 4']);
    bench.event(1, hashOfAnother);
    bench.event(2, hashOfAnother);
    expect(bench.submits.slice(5)).toEqual(['first 5']);
    expect(bench.own(first).state).toBe('out');
  });

  test('is given up when it has waited too long, and what came later is not', () => {
    const bench = full();
    bench.want('first');
    bench.pass(1_000);
    bench.want('second');
    bench.pass(4_000);
    expect(bench.outcomes).toEqual(['first refused bridge.nonce_window']);
    bench.pass(1_000);
    expect(bench.outcomes).toHaveLength(2);
    expect(bench.waiting).toBe(0);
  });

  test('is told so once', () => {
    const bench = full();
    bench.want('first');
    expect(bench.of('waits')).toEqual([
      { kind: 'waits', asked: { key: 'first', requestId: 'new' } },
    ]);
  });

  test('and is withdrawn is refused at once and never sent; a cancel still goes', () => {
    const bench = full();
    bench.want('x', cancel);
    bench.want('first');
    bench.want('y', cancel);
    bench.withdraw((key) => ['first', 'y'].includes(key));
    expect(bench.outcomes).toEqual(['first refused bridge.kill_switch']);
    bench.event(0, hashOfAnother);
    expect(bench.submits.slice(3)).toEqual(['x 3', 'y 4']);
  });

  test('and only cancels legs of a quote is not withdrawn', () => {
    const bench = full();
    const leg = { ...place, cancelOrderId: cancel.orderId };
    const group = (qty: bigint) =>
      ({ kind: 'group', market: place.market, legs: [{ ...leg, qty: qty as Qty }] }) as const;
    bench.want('places', group(1n));
    bench.want('cancels', group(0n));
    bench.withdraw();
    expect(bench.outcomes).toEqual(['places refused bridge.kill_switch']);
    expect(bench.waiting).toBe(1);
  });

  test('and is to be canceled anyway is refused; what is out stays', () => {
    const bench = full();
    bench.want('first');
    bench.want('second');
    bench.withdrawWaiting((key) => key !== 'second');
    expect(bench.outcomes).toEqual(['first refused bridge.kill_switch']);
    expect(bench.waiting).toBe(1);
  });

  test('the gate is asked again about an order, and what it refuses is not sent', () => {
    const bench = full();
    bench.want('first');
    bench.denial = denial;
    bench.event(0, hashOfAnother);
    expect([bench.of('judge').length, bench.outcomes]).toEqual([
      1,
      ['first refused bridge.gate_closed'],
    ]);
    bench.denial = null;
    bench.want('next');
    expect(bench.submits.slice(3)).toEqual(['next 3']);
  });

  test('the gate is not asked about a cancel, nor about what goes out in the transaction in which it came', () => {
    const bench = full();
    bench.want('x', cancel);
    bench.want('y', cancel);
    bench.event(0, hashOfAnother);
    expect([bench.submits.slice(3), bench.of('judge')]).toEqual([['x 3', 'y 4'], []]);
  });

  test('what no client asks for at the moment is judged before it is sent', () => {
    const bench = Bench.open();
    bench.denial = denial;
    bench.want('a', place, false);
    expect([bench.submits, bench.outcomes]).toEqual([[], ['a refused bridge.gate_closed']]);
  });

  test('is carried until it has ended', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    const asked = { key: 'a', requestId: 'new' };
    expect(bench.outbox.carried()(asked)).toBe(true);
    expect(bench.outbox.carried()({ ...asked, requestId: 'cancel' })).toBe(false);
    bench.answer(id, refusedBy('fok_not_filled'));
    expect(bench.outbox.carried()(asked)).toBe(false);
  });
});

describe('an order that the venue refuses for its nonce', () => {
  const again = (bench: Bench, id: number, code = 'nonce_replayed') => {
    bench.answer(id, refusedBy(code));
    return bench.found(id, 'nothing');
  };

  test('takes the next, before all that came later', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    again(bench, id);
    expect(bench.submits).toEqual(['a 0', 'a 1']);
    expect(bench.last('sent').venueRef).toBe(`0x${bench.own(id).bytes?.hash}`);
    const waiting = full();
    waiting.want('first');
    again(waiting, 3);
    waiting.event(0, hashOfAnother);
    expect(waiting.submits.slice(3)).toEqual(['c 3']);
  });

  test('the gate is asked again before that', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    bench.denial = denial;
    again(bench, id);
    expect([bench.submits, bench.outcomes]).toEqual([['a 0'], ['a refused bridge.gate_closed']]);
  });

  test('as expired is refused if it places something: its nonce cannot place anything else', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    bench.answer(id, refusedBy('expired', { nonceConsumed: false }));
    expect(bench.outcomes).toEqual(['a refused expired']);
    bench.want('b');
    expect(bench.submits).toEqual(['a 0', 'b 1']);
  });

  test('as expired is signed again under the same nonce if it is a cancel', () => {
    const bench = Bench.open();
    const id = bench.want('a', cancel);
    const { hash } = bench.last('submit').bytes;
    bench.pass(1_000);
    bench.answer(id, refusedBy('expired', { nonceConsumed: false }));
    expect(bench.submits).toEqual(['a 0', 'a 0']);
    expect(bench.last('submit').bytes.hash).not.toBe(hash);
  });

  test('as beyond the window is sent again, byte for byte, when the floor moves', () => {
    const bench = Bench.open();
    const [first, second] = [bench.want('a'), bench.want('b')];
    bench.answer(second, outsideWindow);
    expect(bench.own(second).state).toBe('beyond');
    bench.answer(first);
    bench.event(0, bench.own(first).bytes?.hash ?? '');
    expect(bench.submits).toEqual(['a 0', 'b 1', 'b 1']);
    const [, one, other] = bench.of('submit');
    expect(other?.bytes.text).toBe(one?.bytes.text);
  });
});

describe('what is not wanted any more', () => {
  test('and has not left is taken back, and its nonce is free for a cancel', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    expect(bench.withdraw()).toEqual(['withdraw']);
    expect(bench.outcomes).toEqual([]);
    bench.answer(id, { kind: 'unsent', refusal: venueRefusal('bridge.kill_switch'), text: '' });
    expect(bench.outcomes).toEqual(['a refused bridge.kill_switch']);
    bench.want('b');
    expect(bench.submits).toEqual(['a 0', 'b 1']);
    bench.want('c', cancel);
    expect(bench.submits).toEqual(['a 0', 'b 1', 'c 0']);
  });

  test('and waits to be sent again, or for the floor, ends at once', () => {
    for (const verdict of [refusedBy('backpressure'), outsideWindow, unsent]) {
      const bench = Bench.open();
      bench.answer(bench.want('a'), verdict);
      bench.withdraw();
      expect(bench.outcomes).toEqual(['a refused bridge.kill_switch']);
      bench.pass(60_000);
      expect(bench.submits).toEqual(['a 0']);
    }
  });

  test.each(['nonce_replayed', 'backpressure', 'nonce_outside_window'])(
    'and is on the wire and is refused with %s does not go out again',
    (code) => {
      const bench = Bench.open();
      const id = bench.want('a');
      bench.withdraw();
      bench.answer(id, refusedBy(code));
      if (bench.outbox.get(id) !== undefined) bench.found(id, 'nothing');
      expect(bench.outcomes).toEqual(['a refused bridge.kill_switch']);
      bench.pass(60_000);
      expect(bench.submits).toEqual(['a 0']);
    },
  );

  test('goes on where the venue may have it, and so does a cancel', () => {
    const bench = Bench.open();
    const [gone, taken] = [bench.want('gone'), bench.want('taken')];
    bench.answer(gone, lost);
    bench.answer(taken);
    bench.want('x', cancel);
    expect(bench.withdraw()).toEqual([]);
    expect(bench.outcomes).toEqual(['gone unknown', 'taken accepted']);
  });
});

describe('a conditional order', () => {
  test('has its nested order signed first, and then goes through the gate', () => {
    const bench = Bench.open();
    const id = bench.want('a', conditional);
    expect(bench.submits).toEqual([]);
    const sign = bench.last('sign');
    expect(sign).toMatchObject({ id, nonce: 0 });
    bench.step({ kind: 'signed', id, signature });
    expect([bench.submits, bench.of('judge').length]).toEqual([['a 1'], 1]);
    const { bytes } = bench.last('submit');
    const { payload, signature: inside } = JSON.parse(bytes.text).action.PlaceConditionalOrder
      .signed_trigger_order;
    expect(JSON.parse(sign.bytes.text)).toEqual(payload);
    expect(Buffer.from(inside.bytes).toString('hex')).toBe(signature.hex);
    const { firedOrderId, orderId } = bench.last('sent');
    expect(bytes.placed).toEqual({ kind: 'conditional', orderId, triggeredId: firedOrderId });
    expect(firedOrderId).not.toBeNull();
  });

  test('that the gate refuses after that gives its nonce back, and the signed nested one to a cancel', () => {
    const bench = Bench.open();
    const id = bench.want('a', conditional);
    bench.denial = denial;
    bench.step({ kind: 'signed', id, signature });
    expect(bench.outcomes).toEqual(['a refused bridge.gate_closed']);
    bench.denial = null;
    bench.want('b');
    bench.want('c', cancel);
    expect(bench.submits).toEqual(['b 1', 'c 0']);
  });

  test.each([
    ['withdrawn', (bench: Bench) => bench.withdraw()],
    ['to be canceled', (bench: Bench) => bench.withdrawWaiting()],
  ])('that is %s while its nested order is signed is never sent', (_, end) => {
    const bench = Bench.open();
    const id = bench.want('a', conditional);
    end(bench);
    bench.step({ kind: 'signed', id, signature });
    expect([bench.submits, bench.outcomes]).toEqual([[], ['a refused bridge.kill_switch']]);
    expect([0, 1].map((nonce) => bench.outbox.nonces.state(nonce))).toEqual(['free', 'free']);
  });

  test('waits until there are two nonces', () => {
    const bench = full();
    const id = bench.want('stop', conditional);
    bench.event(0, hashOfAnother);
    expect([bench.of('sign'), bench.own(id).state]).toEqual([[], 'waiting']);
    bench.event(1, hashOfAnother);
    expect(bench.of('sign')).toHaveLength(1);
  });

  test('is refused where the profile has its nested order hold the floor', () => {
    const nestedTrigger = 'holds_floor';
    const bench = Bench.open({
      nonces: { rules: defaultNonceRules, nestedTrigger, discovery: 'hash_route' },
    });
    bench.want('a', conditional);
    expect(bench.outcomes).toEqual(['a refused bridge.conditional_unconfirmed']);
  });

  test('whose nested order cannot be signed is refused, and both nonces are free', () => {
    const bench = Bench.open();
    const id = bench.want('a', conditional);
    bench.step({ kind: 'unsigned', id, code: 'unavailable', text: '' });
    expect(bench.outcomes).toEqual(['a refused bridge.venue_unreachable']);
    expect([0, 1].map((nonce) => bench.outbox.nonces.state(nonce))).toEqual(['free', 'free']);
  });

  test('whose nested nonce the signer holds for another action takes two others', () => {
    const bench = Bench.open();
    const id = bench.want('a', conditional);
    bench.step({ kind: 'unsigned', id, code: 'other_digest', text: '' });
    expect(bench.last('sign').nonce).toBe(2);
    expect([...bench.outbox.nonces.digests().keys()]).toEqual([2]);
    bench.want('b');
    expect(bench.submits).toEqual(['b 1']);
  });
});

describe('the signer', () => {
  const unsigned = { kind: 'unsigned', text: 'said so' } as const;

  test('that holds the nonce for another action: the order takes the next', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    bench.step({ ...unsigned, id, code: 'other_digest' });
    expect(bench.submits).toEqual(['a 0', 'a 1']);
    expect(bench.alarms).toEqual([expect.stringMatching(/nonce 0.*other_digest/)]);
    expect([...bench.outbox.nonces.digests().keys()]).toEqual([1]);
  });

  test('and what the stream shows of that other action first does not let the order out', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    const digest = 'ab'.repeat(32);
    bench.event(0, digest);
    bench.step({ ...unsigned, id, code: 'other_digest' });
    expect(bench.outcomes).toEqual(['a refused bridge.venue_unreachable']);
  });

  const nextNonces = { unavailable: 0, policy: 0, rate: 0, unanswered: 1, not_recorded: 1 };
  test.each(Object.entries(nextNonces))(
    'that refuses with %s: the next order gets nonce %i',
    (code, nonce) => {
      const bench = Bench.open();
      bench.step({ ...unsigned, id: bench.want('a'), code: code as SignRefusal });
      bench.want('b');
      expect(bench.outcomes).toEqual(['a refused bridge.venue_unreachable']);
      expect(bench.submits).toEqual(['a 0', `b ${nonce}`]);
    },
  );

  test('that refuses what it signed before: the nonce places nothing else', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    bench.answer(id, unsent);
    bench.pass(1_000);
    expect(bench.submits).toEqual(['a 0', 'a 0']);
    bench.step({ ...unsigned, id, code: 'paused' });
    bench.want('b');
    expect(bench.submits.at(-1)).toBe('b 1');
  });

  test('that cannot sign an action that may be at the venue: it is looked up, and sent when the signer can', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    bench.answer(id, lost);
    bench.pass(0);
    bench.found(id, 'nothing');
    bench.step({ ...unsigned, id, code: 'rate' });
    bench.pass(1_000);
    expect(bench.submits).toEqual(['a 0', 'a 0', 'a 0']);
    bench.step({ ...unsigned, id, code: 'policy' });
    expect(bench.pass(0)).toEqual(['look']);
    expect(bench.outcomes).toEqual(['a unknown']);
  });

  test('that refuses an action that was withdrawn meanwhile: the reason is that of the withdrawal', () => {
    const bench = Bench.open();
    const id = bench.want('a');
    bench.withdraw();
    bench.step({ ...unsigned, id, code: 'unavailable' });
    expect(bench.outcomes).toEqual(['a refused bridge.kill_switch']);
  });
});

describe('R10: where the venue names another id than ours', () => {
  test('that is kept, and no more orders of that kind are placed', () => {
    const bench = Bench.open();
    const orderId = `0x${'0d'.repeat(32)}` as OrderId;
    bench.answer(bench.want('a'), { ...accepted, orderIds: [orderId] });
    expect(bench.last('outcome').outcome).toEqual({ kind: 'accepted', orderId });
    expect(bench.alarms).toEqual([expect.stringContaining('no more orders of kind place')]);
    bench.want('b');
    expect(bench.outcomes.slice(1)).toEqual(['b refused bridge.gate_closed']);
    bench.want('x', cancel);
    expect(bench.submits).toEqual(['a 0', 'x 1']);
  });

  test('and that is the order of another action, the answer is ignored, and the action is looked up', () => {
    const bench = Bench.open();
    const orderId = `0x${'0d'.repeat(32)}` as OrderId;
    bench.orders.ofOthers.add(orderId);
    const id = bench.want('a');
    bench.answer(id, { ...accepted, orderIds: [orderId] });
    expect(bench.outcomes).toEqual(['a unknown']);
    expect(bench.pass(0)).toEqual(['look']);
    bench.found(id, 'nothing');
    expect(bench.submits).toEqual(['a 0', 'a 0']);
  });

  test('in the answer to a cancel, that is the answer to something else', () => {
    const bench = Bench.open();
    const orderId = `0x${'0d'.repeat(32)}` as OrderId;
    bench.answer(bench.want('x', cancel), { ...accepted, orderIds: [orderId] });
    expect(bench.outcomes).toEqual(['x unknown']);
  });
});

test('acts are handed on with the bytes that were refused', () => {
  const bench = Bench.open();
  bench.answer(bench.want('a'), refusedBy('market_not_found'));
  expect(bench.last('act')).toMatchObject({
    act: 'MD',
    bytes: { text: expect.stringContaining('"a"') },
  });
});

test('more than ten thousand that wait are refused', () => {
  const bench = new Bench();
  for (let count = 0; count <= 10_000; count += 1) {
    bench.outbox.want({ asked: null, intent: place, clientOrderId: null }, true, bench.now);
  }
  bench.want('last');
  expect(bench.outcomes).toEqual(['last refused bridge.backpressure']);
});

test('an answer for a submission that has ended changes nothing', () => {
  const bench = Bench.open();
  const id = bench.want('a');
  bench.answer(id, refusedBy('fok_not_filled'));
  const before = bench.outbox.state();
  bench.answer(id);
  bench.found(id, 'applied');
  bench.step({ kind: 'signed', id, signature });
  bench.step({ kind: 'unsigned', id, code: 'policy', text: '' });
  bench.step({ kind: 'time', id });
  bench.do((outbox, now) => outbox.judged(id, null, now));
  expect(bench.outbox.state()).toEqual(before);
});
