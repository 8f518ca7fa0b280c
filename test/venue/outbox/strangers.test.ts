/** Another program that uses the account's nonces is told from what the bridge itself did with them (R33). */
import { expect, test } from 'vitest';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { cancel } from './life-run.ts';
import { Bench, hashOfAnother, refusedBy, small } from './outbox-bench.ts';

const hasStranger = ({ alarms }: Bench) => alarms.join().includes('foreign_writer');

test('an event with the nonce of an open action that names another one tells of another writer', () => {
  const bench = Bench.open();
  bench.want('a');
  bench.event(0, hashOfAnother);
  expect(bench.alarms).toEqual(['nonce 0: foreign_writer']);
});

test('an event of the action itself, or of the bytes that a cancel had before, tells of none', () => {
  const bench = Bench.open();
  bench.event(0, bench.own(bench.want('a')).bytes?.hash ?? '');
  const id = bench.want('x', cancel);
  const former = bench.own(id).bytes?.hash ?? '';
  bench.pass(1_000);
  bench.answer(id, refusedBy('expired', { nonceConsumed: false }));
  expect(bench.own(id).bytes?.hash).not.toBe(former);
  bench.event(1, former);
  expect(hasStranger(bench)).toBe(false);
});

test('a filler that comes too late for its nonce, which the action before it has used, tells of none', () => {
  const rules = { ...defaultNonceRules, window: 8, cancelReserve: 1, fillAbove: 2 };
  const bench = Bench.open({ nonces: { ...small.nonces, rules } });
  const first = bench.want('a');
  const hash = bench.own(first).bytes?.hash ?? '';
  bench.answer(first, refusedBy('insufficient_balance'));
  for (const key of ['b', 'c', 'd']) bench.want(key, cancel);
  const filler = bench.of('submit').find(({ asked }) => asked === null)?.id ?? 0;
  expect(bench.own(filler).nonce).toBe(0);
  bench.event(0, hash, 'rejected', 'insufficient_balance');
  expect(bench.outbox.nonces.floor).toBe(1);
  bench.answer(filler, refusedBy('nonce_replayed'));
  expect(bench.outbox.get(filler)).toBeUndefined();
  expect(hasStranger(bench)).toBe(false);
});

test('neither does a filler whose nonce the floor has passed before its answer', () => {
  const rules = { ...defaultNonceRules, window: 8, cancelReserve: 1, fillAbove: 2 };
  const bench = Bench.open({ nonces: { ...small.nonces, rules } });
  bench.answer(bench.want('a'), refusedBy('insufficient_balance'));
  const [other = 0] = ['b', 'c', 'd'].map((key) => bench.want(key, cancel));
  const filler = bench.of('submit').find(({ asked }) => asked === null)?.id ?? 0;
  expect(bench.own(filler).nonce).toBe(0);
  bench.answer(other, refusedBy('order_not_found', { nonceFloor: 1, nonceConsumed: false }));
  expect(bench.outbox.nonces.floor).toBe(1);
  bench.answer(filler, refusedBy('nonce_replayed'));
  expect(bench.outbox.get(filler)).toBeUndefined();
  expect(hasStranger(bench)).toBe(false);
});
