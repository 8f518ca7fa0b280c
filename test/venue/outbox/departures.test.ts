/**
 * What waits for a nonce goes out as soon as it can, and the gate is asked about nothing else. A replace that has waited
 * is for what is left of its order by then (decision 0082).
 */
import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../../src/domain/event.ts';
import { instrumentsOf } from '../../../src/domain/instrument.ts';
import type { OrderRules } from '../../../src/domain/order.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../../src/domain/units.ts';
import type { EngineEffect, EngineInput } from '../../../src/engine/engine.ts';
import { AccountReplay } from '../../../src/gateway/account/account-replay.ts';
import { venueSettings } from '../../../src/gateway/config/engine-settings.ts';
import { fastestBlake3 } from '../../../src/signer/blake3.ts';
import type { SigningContract } from '../../../src/signer/signing-contract.ts';
import type { OutboxEffect, OutboxInput } from '../../../src/venue/outbox/outbox-types.ts';
import type { VenueEvent } from '../../../src/venue/venue-event.ts';
import type { Verdict } from '../../../src/venue/verdict.ts';
import { fullRules, lineOf, silentEvent, spot, terms } from '../../domain/ladder.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { sandboxProfile } from '../../support/quick-files.ts';
import { accepted, cancel, place } from './life-run.ts';
import {
  account,
  Bench,
  conditional,
  full,
  hashOfAnother,
  refusedBy,
  signature,
  small,
} from './outbox-bench.ts';

const { blake3 } = await fastestBlake3();
const now = { wallMs: 1_700_000_000_000, monoMs: 1_000 };

test('the gate is not asked about a conditional order while there is one nonce for its two actions', () => {
  const bench = full();
  bench.want('stop', conditional);
  bench.event(0, hashOfAnother);
  bench.step({ kind: 'discover' });
  expect(bench.of('judge')).toEqual([]);
  bench.event(1, hashOfAnother);
  expect([bench.of('judge').length, bench.of('sign').length]).toEqual([1, 1]);
});

test('what is withdrawn from the head of the line lets the next order out with the same input', () => {
  const bench = full();
  bench.want('stop', conditional);
  bench.want('next');
  bench.event(0, hashOfAnother);
  expect(bench.submits.at(-1)).not.toMatch(/^next /);
  bench.withdraw((key) => key === 'stop');
  expect(bench.submits.at(-1)).toMatch(/^next /);
});

test('what has waited too long for two nonces lets the next order out with the same input', () => {
  const bench = full();
  bench.want('stop', conditional);
  bench.pass(1_000);
  bench.want('next');
  bench.event(0, hashOfAnother);
  bench.pass(4_500);
  expect(bench.outcomes).toContain('stop refused bridge.nonce_window');
  expect(bench.submits.at(-1)).toMatch(/^next /);
});

test('R10: where quotes are stopped because the ids of their orders differ, they are still withdrawn', () => {
  const bench = Bench.open();
  const group = (amount: bigint, cancelOrderId: OrderId | null) => {
    const legs = [{ ...place, cancelOrderId, qty: amount as Qty }];
    return { kind: 'group', market: place.market, legs } as const;
  };
  const orderId = `0x${'99'.repeat(32)}` as OrderId;
  bench.answer(bench.want('quoted', group(1n, null)), { ...accepted, orderIds: [orderId] });
  bench.want('withdrawn', group(0n, orderId));
  bench.want('requoted', group(1n, orderId));
  expect(bench.submits).toEqual(['quoted 0', 'withdrawn 1']);
  expect(bench.outcomes.slice(1)).toEqual(['requoted refused bridge.gate_closed']);
  expect(bench.of('waits')).toEqual([]); // What is refused does not wait.
});

/** The orders of an account with a small window, and their way to the venue; the gate permits everything. */
class Desk {
  readonly replay: AccountReplay;
  readonly effects: EngineEffect<OutboxEffect>[] = [];
  #seq = 0;

  /** The order `a` of ten at the price of ten rests. */
  constructor(
    rules: Partial<OrderRules> = {},
    clientOrderId: SigningContract['clientOrderId'] = sandboxProfile.clientOrderId,
  ) {
    const otherRules = { ...fullRules, ...rules };
    const profile = { ...sandboxProfile, clientOrderId };
    const settings = { ...venueSettings(profile, 5_000), sessionRules: {}, otherRules };
    this.replay = new AccountReplay(
      { account, blake3, nonces: undefined },
      { ...settings, ...small },
    );
    this.step({ kind: 'venue', input: { kind: 'floor', floor: 0, asked: null } });
    this.enter('a');
    this.rests('a');
  }

  step(input: EngineInput<OutboxInput, VenueEvent>): void {
    for (const effect of this.replay.core.engine.step(input, now)) {
      this.effects.push(effect);
      if (effect.kind === 'judge') this.step({ kind: 'judged', id: effect.id, denial: null });
    }
  }

  enter(clOrdId: string): void {
    const [key = ''] = this.replay.orders.newKeys('T', 1);
    const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
    const [instrument] = instrumentsOf(spot);
    const wanted = terms({ qty: 10n as Qty });
    const facts = { owner, clOrdId, instrument: instrument!, terms: wanted, nowMs: now.wallMs };
    this.step({ kind: 'entry', ...facts });
  }

  /** Asks for another quantity of `a`, and for another price, if one is given. */
  replace(qty: number, price = 10): void {
    const wanted = terms({ qty: BigInt(qty) as Qty, price: BigInt(price) as Price });
    const times = { origModTimeMs: null, nowMs: now.wallMs };
    const input = { kind: 'replace', clOrdId: 'r', terms: wanted, ...times } as const;
    this.step({ kind: 'order', key: this.order('a').owner.key, input });
  }

  order(clOrdId: string) {
    return this.replay.orders.byClOrdId('S', clOrdId)!;
  }

  rests(clOrdId: string): void {
    const { orderId, venueRef } = this.order(clOrdId);
    const { id, nonce } = this.submits.find(({ bytes }) => `0x${bytes.hash}` === venueRef)!;
    this.answer(id, accepted);
    this.hear({ kind: 'resting', orderId, venueRef }, BigInt(nonce));
  }

  fill(qty: number): void {
    const { leavesQty, orderId } = this.order('a');
    const price = 10n as Price;
    const filled = BigInt(qty) as Qty;
    const rest = { feeMicro: 0n as FeeMicro, liquidity: 'maker', tsMs: 0 } as const;
    const fill = { fillId: `f${this.#seq}`, price, qty: filled, ...rest };
    this.hear({ kind: 'fill', orderId, fill, leavesQty: (leavesQty - filled) as Qty });
  }

  hear(facts: Partial<StreamEvent>, nonce: bigint | null = null): void {
    this.#seq += 1;
    const event = { ...silentEvent, market: spot.marketId, nonce, ...facts, seq: this.#seq };
    this.step({ kind: 'event', event });
  }

  answer(id: number, verdict: Verdict): void {
    this.step({ kind: 'venue', input: { kind: 'answered', id, verdict } });
  }

  get submits() {
    return this.effects.flatMap((effect) => (effect.kind === 'submit' ? [effect] : []));
  }

  get last() {
    return this.submits.at(-1)!;
  }

  /** The action that was sent last. */
  get action(): unknown {
    return JSON.parse(this.last.bytes.text).action;
  }

  /** The last report. */
  get told(): string {
    const last = this.effects.findLast((effect) => effect.kind === 'report')!;
    return lineOf(last.report);
  }

  get waiting(): number {
    return this.replay.core.outbox.waiting.place;
  }
}

test('an order that the signer has refused does not stop one that is alike in the same millisecond', () => {
  const desk = new Desk({}, { send: 'never', pattern: '' });
  desk.enter('x');
  const { bytes, id } = desk.last;
  const unsigned = { kind: 'unsigned', id, code: 'unavailable', text: '' } as const;
  desk.step({ kind: 'venue', input: unsigned });
  expect(desk.order('x').phase).toBe('rejected');
  desk.enter('y');
  expect(desk.last.bytes.hash).toBe(bytes.hash);
  desk.rests('y');
  expect([desk.order('x').phase, desk.order('y').phase]).toEqual(['rejected', 'live']);
});

const legOf = (qty: number) => ({ SpotQuoteReplace: { legs: [{ qty }] } });

describe('a replace that waits for a nonce while its order fills', () => {
  function waiting(qty: number): Desk {
    const desk = new Desk();
    for (const clOrdId of ['b', 'c', 'd']) desk.enter(clOrdId);
    desk.replace(qty, 11);
    expect([desk.waiting, desk.told]).toEqual([1, '8 150=E 39=E 11=r 41=a 38=10 14=0 151=10']);
    return desk;
  }

  test('places only what is left', () => {
    const desk = waiting(10);
    desk.fill(8);
    desk.rests('b');
    expect(desk.action).toMatchObject(legOf(2));
    expect(desk.order('a').pending).toMatchObject({ venueRef: `0x${desk.last.bytes.hash}` });
  });

  test('cancels the rest where more is filled than it asks for, and is accepted', () => {
    const desk = waiting(5);
    desk.fill(8);
    desk.rests('b');
    const { orderId } = desk.order('a');
    expect(desk.action).toEqual({ Cancel: { order_id: orderId } });
    const { bytes, nonce } = desk.last;
    desk.hear({ kind: 'canceled', orderId, venueRef: `0x${bytes.hash}` }, BigInt(nonce));
    expect(desk.told).toBe('8 150=5 39=2 11=r 41=a 38=8 14=8 151=0 638=0');
  });

  test('is not sent where nothing is left', () => {
    const desk = waiting(10);
    desk.fill(10);
    expect(desk.told).toBe('9 434=2 11=r 41=a 39=2 102=0 bridge.too_late');
    const { last } = desk;
    desk.rests('b');
    expect([desk.last, desk.waiting]).toEqual([last, 0]);
  });
});

test('a replace that is signed again under a fresh nonce places only what is left', () => {
  const desk = new Desk();
  desk.replace(10, 11);
  expect(desk.action).toMatchObject(legOf(10));
  const { id, nonce } = desk.last;
  desk.fill(4);
  desk.answer(id, refusedBy('nonce_replayed'));
  desk.step({ kind: 'venue', input: { kind: 'found', id, found: { kind: 'nothing' } } });
  expect(desk.last.nonce).toBeGreaterThan(nonce);
  expect(desk.action).toMatchObject(legOf(6));
});

test('an order is not placed under another nonce once the stream shows that its first copy was', () => {
  const desk = new Desk();
  desk.enter('b');
  const { id, nonce } = desk.last;
  desk.answer(id, refusedBy('nonce_below_floor'));
  desk.step({ kind: 'venue', input: { kind: 'found', id, found: { kind: 'nothing' } } });
  expect(desk.waiting).toBe(1);
  const { orderId, venueRef } = desk.order('b');
  desk.hear({ kind: 'resting', orderId, venueRef }, BigInt(nonce));
  const floor = nonce + 1;
  desk.step({ kind: 'venue', input: { kind: 'floor', floor, asked: null, askedFrom: nonce } });
  expect([desk.waiting, desk.last.id, desk.order('b').phase]).toEqual([0, id, 'live']);
  expect(desk.submits.filter((one) => one.id === id)).toHaveLength(1);
  desk.enter('c');
  expect(desk.last.nonce).toBe(floor);
});

test('an amend that is signed again under its nonce is for what is left, where the venue counts that', () => {
  const desk = new Desk({ amendQty: 'remaining' });
  desk.replace(5);
  expect(desk.action).toMatchObject({ AmendOrder: { new_qty: 5 } });
  const { id, nonce } = desk.last;
  desk.fill(2);
  desk.answer(id, refusedBy('expired', { nonceConsumed: false }));
  expect([desk.last.nonce, desk.action]).toMatchObject([nonce, { AmendOrder: { new_qty: 3 } }]);
});

test('what the venue says of its window with the first refusal keeps later orders inside, and the floor is asked for', () => {
  const bench = Bench.open();
  const ids = ['a', 'b', 'c'].map((key) => bench.want(key));
  const facts = { nonceFloor: 0, nonceWindow: 2, nonceConsumed: false };
  bench.answer(ids[2] ?? 0, refusedBy('nonce_outside_window', facts));
  bench.want('d');
  bench.want('x', cancel);
  expect(bench.submits).toEqual(['a 0', 'b 1', 'c 2']);
  const { asked, askedFrom } = bench.last('discover');
  bench.event(0, bench.own(ids[0] ?? 0).bytes?.hash ?? '');
  expect(bench.submits.slice(3)).toEqual(['c 2']);
  bench.event(2, bench.own(ids[2] ?? 0).bytes?.hash ?? '');
  bench.event(1, bench.own(ids[1] ?? 0).bytes?.hash ?? '');
  bench.step({ kind: 'floor', floor: 3, asked, askedFrom });
  expect(bench.submits.slice(4)).toEqual(['x 3', 'd 4']);
});

describe('G19: where the venue cannot be asked for its floor', () => {
  const nonces = { ...small.nonces, rules: defaultNonceRules, discovery: 'first_reject' } as const;
  const outside = (nonceFloor: number, nonceWindow: number) =>
    refusedBy('nonce_outside_window', { nonceFloor, nonceWindow, nonceConsumed: false });
  const applied = (bench: Bench, id: number) => {
    const { bytes, nonce } = bench.own(id);
    bench.answer(id);
    bench.event(nonce ?? 0, bytes?.hash ?? '');
  };

  test('a new account trades on after its first 256 nonces', () => {
    const bench = new Bench({ nonces });
    for (let nonce = 1; nonce < 256; nonce += 1) applied(bench, bench.want(`o${nonce}`));
    const last = bench.want('last');
    // The venue still waits for 0, which is never guessed (R25).
    bench.answer(last, outside(0, 256));
    const filler = bench.last('submit');
    expect(bench.submits.slice(-2)).toEqual(['last 256', 'own 0']);
    bench.answer(last, outside(0, 256));
    bench.event(0, filler.bytes.hash, 'rejected', 'order_not_open');
    applied(bench, last);
    bench.want('next');
    bench.want('x', cancel);
    expect(bench.submits.slice(-3)).toEqual(['last 256', 'next 257', 'x 258']);
  });

  test('a window that it made smaller holds nothing up once our own count has moved the floor', () => {
    const bench = new Bench({ nonces });
    const ids = ['a', 'b', 'c'].map((key) => bench.want(key));
    bench.answer(ids[2] ?? 0, outside(1, 2));
    for (const id of ids) applied(bench, id);
    bench.want('d');
    bench.want('x', cancel);
    expect(bench.submits.slice(3)).toEqual(['c 3', 'd 4', 'x 5']);
  });

  test('it is not asked, neither by the bridge nor behind a nonce beyond its window', () => {
    const bench = new Bench({ nonces });
    bench.step({ kind: 'discover' });
    bench.answer(bench.want('a'), outside(0, 1));
    expect(bench.log.filter(({ kind }) => kind === 'discover')).toEqual([]);
  });
});

test('G19: an old answer that puts a nonce outside the window stops nothing where the venue cannot be asked for its floor', () => {
  const rules = { ...defaultNonceRules, window: 4, cancelReserve: 1 };
  const bench = Bench.open({ nonces: { ...small.nonces, rules, discovery: 'first_reject' } });
  const ids = ['a', 'b', 'c'].map((key) => bench.want(key));
  const last = bench.want('x', cancel);
  for (const id of ids) {
    const { bytes, nonce } = bench.own(id);
    bench.event(nonce ?? 0, bytes?.hash ?? '');
  }
  const facts = { nonceFloor: 0, nonceWindow: 3, nonceConsumed: false };
  bench.answer(last, refusedBy('nonce_outside_window', facts));
  bench.pass(6_000);
  bench.want('y', cancel);
  expect(bench.submits.at(-1)).toBe('y 3');
});

describe('a conditional order whose nonce another channel uses while its nested order is signed', () => {
  test.each(['signed', 'other_digest', 'unavailable'] as const)(
    'leaves the nested nonce to the cancel that has it by then, whatever the signer answers: %s',
    (answer) => {
      const rules = { ...defaultNonceRules, fillAbove: 2 };
      const bench = Bench.open({ nonces: { ...small.nonces, rules } });
      const id = bench.want('stop', conditional);
      bench.event(1, hashOfAnother, 'rejected');
      const other = bench.want('x', cancel);
      if (answer === 'signed') bench.step({ kind: 'signed', id, signature });
      else bench.step({ kind: 'unsigned', id, code: answer, text: '' });
      bench.want('b');
      bench.want('c');
      expect(bench.submits.filter((one) => one.endsWith(' 0'))).toEqual(['x 0']);
      bench.answer(other);
      expect(bench.outcomes).toContain('x accepted');
    },
  );

  test.each([
    ['the outer', 1, 'resting'],
    ['the outer, though that is refused', 1, 'rejected'],
    ['the nested', 0, 'resting'],
  ] as const)('is placed with two others: %s one', (_, nonce, kind) => {
    const bench = Bench.open();
    const id = bench.want('stop', conditional);
    bench.event(nonce, hashOfAnother, kind);
    bench.step({ kind: 'signed', id, signature });
    expect(bench.submits).toEqual([]);
    expect(bench.last('sign').nonce).toBe(2);
    bench.step({ kind: 'signed', id, signature });
    expect(bench.submits).toEqual(['stop 3']);
    bench.answer(id);
    expect(bench.outcomes).toEqual(['stop accepted']);
    bench.want('x', cancel);
    expect(bench.submits[1]).toBe(`x ${1 - nonce}`);
  });

  test('acts the same after a start from a state that was kept meanwhile', () => {
    const bench = Bench.open();
    const id = bench.want('a', conditional);
    const both = [bench.twin(), bench];
    for (const each of both) {
      each.event(1, hashOfAnother, 'rejected');
      each.step({ kind: 'signed', id, signature });
      each.answer(id, refusedBy('nonce_replayed'));
    }
    const [after, before] = both.map(({ log }) => log.map(({ kind }) => kind));
    expect(after).toEqual(before);
  });
});

test('after a start, a nested order that the previous process may have had signed keeps its nonce, though the signer refuses it now', () => {
  const before = Bench.open();
  const id = before.want('stop', conditional);
  const bench = before.restarted();
  bench.step({ kind: 'unsigned', id, code: 'paused', text: '' });
  expect(bench.outcomes).toEqual(['stop refused bridge.venue_unreachable']);
  bench.want('b');
  bench.want('c', cancel);
  expect(bench.submits).toEqual(['b 1', 'c 0']);
});

test('an order for which the signer finds each nonce too old is refused in the end; a cancel goes on', () => {
  const bench = Bench.open();
  const [order, stop] = [bench.want('a'), bench.want('x', cancel)];
  for (let second = 0; second <= 6; second += 1) {
    bench.step({ kind: 'unsigned', id: order, code: 'nonce_too_old', text: '' });
    bench.step({ kind: 'unsigned', id: stop, code: 'nonce_too_old', text: '' });
    bench.pass(1_000);
  }
  expect(bench.submits.filter((sent) => sent.startsWith('a'))).toHaveLength(7);
  expect(bench.submits.filter((sent) => sent.startsWith('x'))).toHaveLength(8);
  expect(bench.outcomes).toEqual(['a refused bridge.venue_unreachable']);
});

test('the nonce of an action that has left is free for no other, although the signer did not sign its next copy', () => {
  const bench = Bench.open();
  const id = bench.want('x', cancel);
  bench.answer(id, refusedBy('rate_limited'));
  bench.pass(1_000);
  expect(bench.submits).toEqual(['x 0', 'x 0']);
  bench.step({ kind: 'unsigned', id, code: 'unavailable', text: '' });
  expect(bench.outcomes).toEqual(['x refused bridge.venue_unreachable']);
  bench.want('b');
  expect(bench.submits.at(-1)).toBe('b 1');
});

test.each(['nonce_below_floor', 'nonce_mismatch', 'NONCE_REJECTED'])(
  'R26: after %s without a floor, as a batch has it, the venue is asked for it before the order is signed again',
  (code) => {
    const bench = Bench.open();
    const id = bench.want('a');
    bench.answer(id, refusedBy(code));
    bench.found(id, 'nothing');
    expect([bench.submits, bench.of('discover').length]).toEqual([['a 0'], 1]);
    bench.step({ kind: 'floor', floor: 50, asked: null, askedFrom: 0 });
    expect(bench.submits).toEqual(['a 0', 'a 50']);
  },
);

test('R116: if the venue cannot be asked for its floor, the next nonces are tried, and then the client gets the refusal', () => {
  const bench = Bench.open();
  const id = bench.want('a');
  for (let count = 0; count < 10 && bench.outcomes.length === 0; count += 1) {
    bench.answer(id, refusedBy('nonce_mismatch'));
    bench.found(id, 'nothing');
    bench.step({ kind: 'floor', floor: null, asked: null, askedFrom: 0 });
  }
  expect(bench.submits).toEqual(['a 0', 'a 1', 'a 2', 'a 3']);
  expect(bench.outcomes).toEqual(['a refused nonce_mismatch']);
  bench.want('b');
  expect(bench.submits.at(-1)).toMatch(/^b /);
});

test('R116: if the venue does not state its floor either, the client gets the refusal for the nonce', () => {
  const bench = Bench.open();
  const id = bench.want('a');
  bench.answer(id, refusedBy('nonce_mismatch'));
  bench.found(id, 'nothing');
  bench.pass(60_000);
  expect(bench.outcomes).toEqual(['a refused nonce_mismatch']);
});
