/** Whatever happens to an outbox: what it keeps is all of it, and no nonce is signed for two placements. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactJson } from '../../../src/domain/exact-json.ts';
import type { Intent } from '../../../src/domain/intent.ts';
import { stakesOf } from '../../../src/signer/policy.ts';
import type { Submission } from '../../../src/venue/outbox/submission.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { accepted, cancel, lost, place, unsent } from './life-run.ts';
import {
  Bench,
  conditional,
  type Effect,
  hashOfAnother,
  kept,
  refusedBy,
  signature,
} from './outbox-bench.ts';

const intents: Readonly<Record<string, Intent>> = { place, cancel, conditional };
const facts = { nonceFloor: 0, nonceWindow: 8, nonceConsumed: false };
const outside = refusedBy('nonce_outside_window', facts);
const verdicts = [
  accepted,
  lost,
  unsent,
  refusedBy('nonce_replayed'),
  outside,
  refusedBy('backpressure'),
  refusedBy('expired', { nonceConsumed: false }),
  refusedBy('fok_not_filled', { nonceConsumed: true }),
  refusedBy('insufficient_balance'),
  refusedBy('order_not_found', { nonceConsumed: false }),
  refusedBy('duplicate_order_id'),
];

/** Each is a kind, a submission among those under way, and a choice. */
const kinds = [
  ...['want', 'want', 'want', 'answer', 'answer', 'answer', 'answer', 'found', 'found', 'found'],
  ...['pass', 'pass', 'event', 'foreign', 'signed', 'unsigned', 'withdraw', 'floor', 'started'],
  ...['resume', 'open', 'waiting', 'denied', 'outside', 'outside'],
] as const;
type Op = readonly [string, number, number];
const op = fc.tuple(fc.constantFrom(...kinds), fc.nat(40), fc.nat(40));

const rules = { ...defaultNonceRules, window: 8, cancelReserve: 1, fillAbove: 4 };
const parts = {
  nonces: { rules, nestedTrigger: 'consumed_on_store', discovery: 'hash_route' },
} as const;

function play(bench: Bench, [kind, which, choice]: Op, name: string): void {
  const { submissions } = bench.outbox.state();
  const own = submissions[which % Math.max(1, submissions.length)];
  const id = own?.id ?? 0;
  switch (kind) {
    case 'want':
      bench.want(name, Object.values(intents)[choice % 3] ?? place, which % 3 > 0);
      break;
    case 'answer':
      bench.answer(id, verdicts[choice % verdicts.length] ?? lost);
      break;
    case 'outside':
      bench.answer(id, outside);
      break;
    case 'found':
      bench.found(id, choice % 4 === 0 ? 'applied' : 'nothing');
      break;
    case 'pass':
      bench.pass([10, 300, 6_000, 70_000][choice % 4] ?? 0);
      break;
    case 'event':
      if (own?.bytes)
        bench.event(own.nonce ?? 0, own.bytes.hash, choice % 2 ? 'resting' : 'rejected');
      break;
    case 'foreign':
      if (!isOpen(bench, nonceOf(own, choice))) break;
      bench.event(nonceOf(own, choice), hashOfAnother, choice % 3 ? 'resting' : 'rejected');
      break;
    case 'signed':
      bench.step({ kind: 'signed', id, signature });
      break;
    case 'unsigned': {
      const isOther = choice % 2 === 0;
      const code = isOther ? 'other_digest' : 'unavailable';
      const { state } = own ?? {};
      if (state !== 'out' && state !== 'nesting') break;
      bench.step({ kind: 'unsigned', id, code, text: '' });
      break;
    }
    case 'withdraw':
      bench.withdraw((key) => key.endsWith(`${choice % 10}`));
      break;
    case 'waiting':
      bench.withdrawWaiting((key) => key.endsWith(`${choice % 10}`));
      break;
    case 'floor':
      bench.step({ kind: 'floor', floor: choice % 3, asked: null });
      break;
    case 'denied':
      bench.denial = bench.denial === null ? { refusal: lost.refusal, text: 'closed' } : null;
      break;
    case 'started':
      bench.do((outbox) => outbox.started());
      break;
    case 'resume':
      bench.do((outbox, now) => outbox.resume(now));
      break;
    case 'open':
      bench.do((outbox, now) => outbox.open(now));
  }
}

/** Its own, that of the order inside it, or any of the first window. */
function nonceOf(own: Submission | undefined, choice: number): number {
  if (own === undefined || own.nonce === null || choice % 4 === 3) return choice % 8;
  return (choice % 2 ? own.nested?.nonce : own.nonce) ?? own.nonce;
}

/** Whether another channel can use it: the venue takes no nonce twice. */
function isOpen({ outbox }: Bench, nonce: number): boolean {
  return !['used', 'expired'].includes(outbox.nonces.state(nonce));
}

/** Without what differs between processes: an action that was made before, and its bytes alone. */
function plain(effects: readonly Effect[]): string {
  const said = effects.map((effect) =>
    'bytes' in effect ? { ...effect, bytes: { ...effect.bytes, made: undefined } } : effect,
  );
  return exactJson(said);
}

test('an outbox that is taken up from its state goes on as the one that was never stopped', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 80, size: 'max' }), fc.nat(80), (ops, at) => {
      const one = Bench.open(parts);
      let other: Bench | undefined;
      for (const [index, each] of ops.entries()) {
        if (index === at) other = one.twin();
        for (const bench of other === undefined ? [one] : [one, other]) {
          play(bench, each, `order ${index}`);
        }
      }
      if (other === undefined) return;
      expect(plain(other.log)).toBe(plain(one.log));
      expect(kept(other.outbox)).toEqual(kept(one.outbox));
    }),
    { numRuns: 600 },
  );
});

test('J1: under one nonce the signer is never asked for two placements, and each request is refused once', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 80, size: 'max' }), (ops) => {
      const bench = Bench.open(parts);
      for (const [index, each] of ops.entries()) {
        // What the signer holds is known here from what it was asked for alone.
        if (each[0] !== 'unsigned') play(bench, each, `order ${index}`);
      }
      const signed = new Map<number, string>();
      for (const effect of bench.log) {
        if (effect.kind !== 'submit' && effect.kind !== 'sign') continue;
        const { bytes, nonce } = effect;
        if (bytes.made === undefined || stakesOf(bytes.made.envelope.action).length === 0) continue;
        expect(signed.get(nonce) ?? bytes.hash).toBe(bytes.hash);
        signed.set(nonce, bytes.hash);
      }
      const refused = bench.outcomes.filter((outcome) => outcome.includes(' refused '));
      const keys = refused.map((outcome) => outcome.split(' refused ')[0]);
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 200 },
  );
});

test('nothing new is placed under a nonce that the stream has shown in the hands of another channel', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 80, size: 'max' }), (ops) => {
      const bench = Bench.open(parts);
      const shown = new Set<number>();
      const known = new Set<string>();
      for (const [index, each] of ops.entries()) {
        const from = bench.log.length;
        const isForeign = each[0] === 'foreign';
        const { submissions } = bench.outbox.state();
        const own = submissions[each[1] % Math.max(1, submissions.length)];
        const used = nonceOf(own, each[2]);
        if (isForeign && isOpen(bench, used)) shown.add(used);
        play(bench, each, `order ${index}`);
        for (const effect of bench.log.slice(from)) {
          if (effect.kind !== 'submit') continue;
          const { bytes, nonce } = effect;
          const isPlacing = bytes.made && stakesOf(bytes.made.envelope.action).length > 0;
          if (isPlacing && !known.has(bytes.hash)) expect(shown).not.toContain(nonce);
          known.add(bytes.hash);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a nonce that is under way belongs to an action that is, so none holds the floor for good', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 80, size: 'max' }), (ops) => {
      const bench = Bench.open(parts);
      for (const [index, each] of ops.entries()) {
        play(bench, each, `order ${index}`);
        const { nonces, submissions } = bench.outbox.state();
        const own = submissions.flatMap(({ nested, nonce }) => [nonce, nested?.nonce ?? null]);
        for (const [nonce, { isDead, state }] of nonces.slots) {
          if (state !== 'free' && state !== 'used' && !isDead) expect(own).toContain(nonce);
        }
      }
    }),
    { numRuns: 300 },
  );
});
