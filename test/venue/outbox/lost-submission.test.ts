/** An action of which a send was lost: it ends by the venue's word or by proof (contract G31, R28, R46; decision 0255). */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { venueRefusal } from '../../../src/venue/refusals.ts';
import { accepted, cancel, hourMs, lost, Run, rules, unsent } from './life-run.ts';

describe('R28: on a resend the same refusals are reconciled, and nothing is signed anew', () => {
  test.each(['nonce_replayed', 'nonce_below_floor', 'nonce_mismatch', 'duplicate_order_id'])(
    '%s, found applied: adopted',
    (code) => {
      const run = new Run().started();
      expect(run.answer(lost)).toEqual(['unknown', 'wake']);
      expect(run.nothing(1)).toEqual(['send']);
      expect(run.refused(code)).toEqual(['wake']);
      expect(run.wake()).toEqual(['look']);
      expect(run.found('applied')).toEqual(['end']);
      expect(run.outcome).toMatchObject({ kind: 'accepted' });
      expect(run.outcome?.nonce.nonceConsumed).toBe(true);
    },
  );

  test.each(['nonce_replayed', 'expired', 'insufficient_balance'])(
    '%s, found nowhere, however often: it stays open, and the bytes are not sent again',
    (code) => {
      const run = new Run().started();
      run.answer(lost);
      run.nothing(1);
      expect(run.refused(code)).toEqual(['wake']);
      for (let count = 0; count < 200; count += 1) expect(run.nothing(1)).not.toContain('send');
      expect(run.now).toBeGreaterThan(hourMs);
      expect(run.outcome).toBeUndefined();
    },
  );

  test('a refusal that consumed its nonce is the word on every copy', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    expect(run.refused('insufficient_balance', null, true)).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { name: 'insufficient_balance' } });
  });

  test('of a nonce that is spent nobody knows which copy spent it, whatever the answer says of it', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    expect(run.refused('nonce_replayed', null, true)).toEqual(['wake']);
  });

  test('an acceptance of a resend is an adoption', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    expect(run.answer(accepted)).toEqual(['accepted', 'wake']);
    expect(run.say({ kind: 'observed', seq: 7 })).toEqual(['end']);
  });
});

describe('R46: a lost answer is never a refusal', () => {
  test('it is told as open once, looked up, and sent again with the same bytes', () => {
    const run = new Run().started();
    expect(run.answer(lost)).toEqual(['unknown', 'wake']);
    expect(run.nothing(1)).toEqual(['send']);
    expect(run.answer(lost)).toEqual(['wake']);
  });

  test('a receipt that says rejected is the one outcome', () => {
    const run = new Run().started();
    run.answer(lost);
    run.wake();
    const found = { kind: 'refused', refusal: venueRefusal('expired'), text: 'late' } as const;
    expect(run.found(found)).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'refused', refusal: { name: 'expired' } });
  });

  test('the first time it is looked up and sent again at once; what is lost twice waits', () => {
    const run = new Run().started();
    run.answer(lost);
    expect(run.nothing(1)).toEqual(['send']);
    expect(run.now).toBe(0);
    run.answer(lost);
    expect(run.nothing(1)).toEqual(['send']);
    expect(run.now).toBeGreaterThanOrEqual(200);
    expect(run.now).toBeLessThanOrEqual(300);
  });

  test('when its time is over it is only looked for and fenced, for hours, and then it may have been applied', () => {
    const run = late();
    while (run.now < 3 * hourMs) expect(run.nothing(1)).not.toContain('send');
    expect(run.outcome).toBeUndefined();
    expect(run.say({ kind: 'observed', seq: 5 })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
  });

  test('the venue is asked ever more seldom, once a minute at least', () => {
    const run = late();
    const waits: number[] = [];
    while (run.now < hourMs) {
      const before = run.now;
      run.nothing(1);
      waits.push(run.now - before);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
    expect(Math.min(...waits.slice(10))).toBeGreaterThanOrEqual(48_000);
  });

  test('an operator is told once that it stays open', () => {
    const run = late();
    const told: number[] = [];
    while (run.now < hourMs) if (run.nothing(1).includes('overdue')) told.push(run.now);
    expect(told).toHaveLength(1);
    expect(told[0]).toBeGreaterThan(rules.staleAfterMs);
  });

  test('it is dead once another action has its nonce', () => {
    const run = late();
    expect(run.say({ kind: 'superseded' })).toEqual(['end']);
    expect(run.outcome).toMatchObject({
      refusal: { name: 'bridge.not_applied' },
      nonce: { nonceConsumed: true },
    });
  });

  test('that another action has its nonce counts when its own answer is lost afterwards, too', () => {
    const run = new Run().started();
    expect(run.say({ kind: 'superseded' })).toEqual([]);
    expect(run.answer(lost)).toEqual(['unknown', 'end']);
    expect(run.outcome).toMatchObject({ refusal: { name: 'bridge.not_applied' } });
  });

  test('while its answer is due, that decides: the venue may yet be asked with a fresh nonce', () => {
    const run = new Run().started();
    run.say({ kind: 'superseded' });
    expect(run.refused('nonce_replayed')).toEqual(['again']);
    run.started();
    expect(run.answer(lost)).toEqual(['unknown', 'wake']);
  });

  test('what was accepted and has lost its nonce to another action was never applied', () => {
    const run = new Run().started();
    run.answer(accepted);
    expect(run.say({ kind: 'superseded' })).toEqual([]);
    while (run.own.state === 'accepted') run.wake();
    run.found('nothing');
    expect(run.say({ kind: 'superseded' })).toEqual(['end']);
  });

  test('when its time is over its nonce is fenced off, and a fence that the venue took ends it', () => {
    const run = late();
    expect(run.now).toBeLessThan(10_000);
    expect(run.wake()).toEqual(['look']);
    expect(run.found('nothing')).toEqual(['fence']);
    expect(run.say({ kind: 'superseded' })).toEqual(['end']);
    expect(run.outcome).toMatchObject({
      kind: 'refused',
      refusal: { name: 'bridge.not_applied' },
      nonce: { nonceConsumed: true },
      neverSent: false,
    });
  });

  test('a receipt of another action with its nonce ends it, if the event of that is lost', () => {
    const run = late();
    run.nothing(8);
    run.wake();
    expect(run.found({ kind: 'superseded' })).toEqual(['end']);
    expect(run.outcome).toMatchObject({
      refusal: { name: 'bridge.not_applied' },
      nonce: { nonceConsumed: true },
    });
  });

  test('one that the stream shows while it is being fenced off was applied', () => {
    const run = late();
    run.wake();
    expect(run.found('nothing')).toEqual(['fence']);
    expect(run.say({ kind: 'observed', seq: 4 })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
  });

  /** Lost each time that it was sent, until it may not be sent any more. */
  function late(): Run {
    const run = new Run().started();
    for (let said = ['send']; said[0] === 'send'; said = run.nothing(1)) {
      expect(run.now).toBeLessThanOrEqual(5000);
      run.answer(lost);
    }
    return run;
  }

  test('receipts that cannot be read prove nothing', () => {
    const run = new Run().started();
    run.answer(lost);
    for (let count = 0; count < 50; count += 1) {
      expect(run.wake()).toEqual(['look']);
      expect(run.found('unreadable')).toEqual(['wake']);
    }
  });

  test('the stream ends it at any time', () => {
    const run = new Run().started();
    run.answer(lost);
    expect(run.say({ kind: 'observed', seq: 99 })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
    const due = new Run().started();
    due.say({ kind: 'observed', seq: 99 });
    expect(due.answer(lost)).toEqual(['end']);
    expect(due.outcome).toMatchObject({ kind: 'accepted' });
  });

  test('a refusal at the door says nothing of an earlier send that was lost', () => {
    for (const code of ['trading_halted', 'backpressure', 'AGENT_REVOKED']) {
      const run = new Run().started();
      run.answer(lost);
      run.nothing(1);
      run.now = 5001;
      run.refused(code);
      expect(run.outcome).toBeUndefined();
      run.nothing(5);
      expect(run.outcome).toBeUndefined();
      run.wake();
      run.found('applied');
      expect(run.outcome).toMatchObject({ kind: 'accepted' });
    }
  });
});

describe('what a process before this one recorded', () => {
  const wallMs = 1e12;
  const resumed = (ageMs: number, origin = {}) => {
    const run = new Run(origin).started(wallMs - ageMs);
    Object.assign(run.own, { state: 'pausing', isUnknown: true });
    return { run, said: run.say({ kind: 'resumed', wallMs }) };
  };

  test('young: the same bytes are sent, judged as a resend', () => {
    const { run, said } = resumed(4000);
    expect(said).toEqual(['send']);
    expect(run.refused('nonce_replayed')).toEqual(['wake']);
    expect(run.wake()).toEqual(['look']);
    run.found('applied');
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
  });

  test.each([
    ['old', 5001],
    ['of hours ago, or the clock is ahead', 5 * hourMs],
  ])('%s: it is looked for, fenced off, and not placed late', (_, ageMs) => {
    const { run, said } = resumed(ageMs);
    expect(said).toEqual(['wake']);
    stayOpenAndFence(run);
  });

  test('not to be signed any more: it is looked for, fenced off, and not placed late', () => {
    const run = new Run({ intent: cancel }).started(wallMs - 10);
    Object.assign(run.own, { state: 'pausing', isUnknown: true, mayResend: false });
    expect(run.say({ kind: 'resumed', wallMs })).toEqual(['wake']);
    stayOpenAndFence(run);
  });

  function stayOpenAndFence(run: Run): void {
    while (run.now < hourMs) expect(run.nothing(1)).not.toContain('send');
    expect(run.outcome).toBeUndefined();
    run.wake();
    expect(run.found('nothing')).toEqual(['fence']);
    run.say({ kind: 'superseded' });
    expect(run.outcome).toMatchObject({
      refusal: { name: 'bridge.not_applied' },
      neverSent: false,
    });
  }

  test('a cancel is sent late, too', () => {
    expect(resumed(50_000, { intent: cancel }).said).toEqual(['send']);
  });

  test('recorded under a clock ahead of this one, it may be old: a cancel is sent, a placement is not', () => {
    const { run, said } = resumed(-hourMs);
    expect(said).toEqual(['wake']);
    stayOpenAndFence(run);
    expect(resumed(-hourMs, { intent: cancel }).said).toEqual(['send']);
  });

  test('a clock that is a little behind does not make it young for ever', () => {
    const { run, said } = resumed(-1_000);
    expect(said).toEqual(['send']);
    for (let next = said; next[0] === 'send'; next = run.nothing(1)) run.answer(lost);
    expect(run.now).toBeLessThan(15_000);
  });

  test('whose outcome stays open is told to the operator of this process, too', () => {
    const { run } = resumed(hourMs);
    run.own.isOverdueTold = true;
    run.say({ kind: 'resumed', wallMs });
    const told: number[] = [];
    while (run.now < hourMs) if (run.nothing(1).includes('overdue')) told.push(run.now);
    expect(told).toHaveLength(1);
  });
});

test('D.4: a duplicate order id of the only copy is looked up, and told where nothing is found; behind a lost copy it is not', () => {
  const run = new Run().started();
  expect(run.refused('duplicate_order_id')).toEqual(['wake']);
  expect(run.nothing(3)).toEqual(['end']);
  expect(run.outcome).toMatchObject({ refusal: { name: 'duplicate_order_id' } });
  const behind = new Run().started();
  behind.answer(lost);
  behind.nothing(1);
  behind.now = 6000;
  behind.refused('duplicate_order_id');
  behind.nothing(20);
  expect(behind.outcome).toBeUndefined();
});

describe.each(['fence', 'filler'] as const)('a %s, which is the bridge’s own', (own) => {
  test.each([
    ['an acceptance', (run: Run) => run.answer(accepted)],
    ['a refusal of what it cancels', (run: Run) => run.refused('order_not_open', null, true)],
  ])('%s may be the answer to another request: it is looked for, and sent again', (_, answered) => {
    const run = new Run({ own }).started();
    expect(answered(run)).toEqual(['wake']);
    expect(run.wake()).toEqual(['look']);
    if (own === 'filler') return;
    expect(run.found('applied')).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
  });

  test('has its nonce where the stream shows it', () => {
    const run = new Run({ own }).started();
    run.answer(accepted);
    run.say({ kind: 'observed', seq: 3 });
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
  });

  test('whose nonce is spent is not signed anew', () => {
    expect(new Run({ own }).started().refused('nonce_replayed')).toEqual(['end']);
  });
});

describe('a fence, which takes the nonce of another action', () => {
  test('gives way to a younger one where the venue has no receipt of it, for it may be that nothing of it arrived', () => {
    const run = new Run({ own: 'fence' }).started();
    run.answer(lost);
    expect(run.wake()).toEqual(['look']);
    expect(run.found('nothing')).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { name: 'bridge.unknown_outcome' } });
  });

  test('has its nonce where the venue shows a receipt of it, though it was refused', () => {
    const run = new Run({ own: 'fence' }).started();
    run.answer(lost);
    run.wake();
    run.found({ kind: 'refused', refusal: venueRefusal('order_not_open'), text: '' });
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
  });
});

test('R44, R46: whatever happens, it ends once; where a send was lost, on proof alone and with no other bytes', () => {
  const names = [
    'nonce_replayed',
    'nonce_below_floor',
    'backpressure',
    'expired',
    'CONFLICT',
    'fok_not_filled',
    'DUPLICATE_NONCE',
    'trading_halted',
    'nonce_outside_window',
  ];
  const event = fc.oneof(
    fc.constantFrom('lost', 'unsent', 'accepted', 'nothing', 'unreadable', 'floor_moved', 'time'),
    fc.constantFrom('withdrawn', 'superseded', 'not_fenced', 'unsigned', 'refused_by_signer'),
    fc.constantFrom(...names),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const run = new Run().started();
      let isSuperseded = false;
      for (const name of events) {
        run.now += 700;
        const { isUnknown } = run.own;
        const wasWithdrawn = run.own.withdrawn !== null;
        isSuperseded ||= name === 'superseded';
        const said = happened(run, name);
        if (isUnknown) {
          expect(said).not.toContain('again');
          if (name === 'withdrawn') expect(said).toEqual([]);
          if (said.includes('end')) expect(isSuperseded).toBe(true);
        }
        if (wasWithdrawn && !run.own.isUnknown) expect(said).not.toContain('again');
        if (wasWithdrawn) expect(said).not.toContain('send');
        expect(said.filter((kind) => kind === 'end').length).toBeLessThan(2);
        if (said.includes('end')) return;
        if (said.includes('again')) {
          isSuperseded = false;
          run.started();
        }
      }
    }),
    { numRuns: 500 },
  );
});

function happened(run: Run, name: string): string[] {
  switch (name) {
    case 'lost':
      return run.answer(lost);
    case 'unsent':
      return run.answer(unsent);
    case 'accepted':
      return run.answer(accepted);
    case 'nothing':
    case 'unreadable':
      return run.found(name);
    case 'withdrawn':
      return run.withdraw();
    case 'floor_moved':
    case 'time':
    case 'superseded':
    case 'not_fenced':
      return run.say({ kind: name });
    case 'unsigned':
    case 'refused_by_signer':
      // Otherwise the outbox ends it: no byte of it has left.
      if (!run.own.isUnknown || run.own.state !== 'out') return [];
      return run.say({ kind: 'unsigned', mayBeSigned: name === 'unsigned' });
    default:
      return run.refused(name);
  }
}
