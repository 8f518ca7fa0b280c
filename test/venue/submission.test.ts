/** One action to one outcome (contract D.0, G31): what happened in, what to do next out; time is a number. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refusalNamed, refusalOfNumber } from '../../src/domain/refusal.ts';
import {
  type Origin,
  type Outcome,
  type Step,
  Submission,
  type SubmissionInput,
} from '../../src/venue/submission.ts';
import { nothingOfNonces, type Verdict } from '../../src/venue/verdict.ts';

const rules = {
  backoff: { firstMs: 250, maxMs: 5000 },
  maxAgeMs: 5000,
  floorWaitMs: 5000,
  deadAfterMs: 60_000,
};

/** A submission with its clock; `say` gives the kinds of the steps. */
class Run {
  readonly submission: Submission;
  now = 0;
  steps: Step[] = [];

  constructor(origin?: Origin) {
    this.submission = new Submission(rules, () => 0.5, origin);
  }

  say(input: SubmissionInput): string[] {
    this.steps = this.submission.next(input, this.now);
    return this.steps.map((step) => (step.kind === 'act' ? step.act : step.kind));
  }

  started(): this {
    expect(this.say({ kind: 'start' })).toEqual(['send']);
    return this;
  }

  answer(verdict: Verdict): string[] {
    return this.say({ kind: 'verdict', verdict });
  }

  refused(name: string, retryAfterMs: number | null = null): string[] {
    return this.answer({
      kind: 'refused',
      refusal: refusalNamed(name),
      text: name,
      nonce: { ...nothingOfNonces, nonceFloor: 40 },
      retryAfterMs,
    });
  }

  /** Advances to the time that the last step asked for. */
  wake(): string[] {
    const wait = this.steps.find((step) => step.kind === 'wait');
    if (wait === undefined) throw new Error('nothing waits');
    this.now = wait.untilMs;
    return this.say({ kind: 'time' });
  }

  /** Finds nothing, nor gets its nonce fenced off, `times` times over, and gives the last steps. */
  nothing(times: number): string[] {
    let said: string[] = [];
    for (let count = 0; count < times; count += 1) {
      expect(this.wake()).toEqual(['reconcile']);
      said = this.say({ kind: 'found', found: { kind: 'nothing' } });
      if (said[0] === 'fence') said = this.say({ kind: 'found', found: { kind: 'nothing' } });
    }
    return said;
  }

  get outcome(): Outcome | undefined {
    const end = this.steps.find((step) => step.kind === 'end');
    return end?.outcome;
  }
}

const lost: Verdict = {
  kind: 'unknown',
  refusal: refusalNamed('no_answer'),
  text: 'ECONNRESET',
  nonce: nothingOfNonces,
  retryAfterMs: null,
};
const accepted: Verdict = { kind: 'accepted', seq: 7, orderIds: [], nonce: nothingOfNonces };
const unsent: Verdict = {
  kind: 'unsent',
  refusal: refusalNamed('bridge.venue_unreachable'),
  text: 'ECONNREFUSED',
};

test('an acceptance ends it', () => {
  const run = new Run().started();
  expect(run.answer(accepted)).toEqual(['end']);
  expect(run.outcome).toMatchObject({ kind: 'accepted', seq: 7, adopted: false });
  expect(run.say({ kind: 'time' })).toEqual([]);
});

test('R43: a code that is not retriable is reported and not sent again', () => {
  const run = new Run().started();
  expect(run.refused('post_only_would_cross')).toEqual(['end']);
  expect(run.outcome).toMatchObject({
    kind: 'refused',
    refusal: { name: 'post_only_would_cross' },
    neverSent: false,
  });
});

describe('R27: a nonce refusal of a first send takes a fresh nonce', () => {
  test('replayed: N1, three times at most', () => {
    const run = new Run().started();
    for (let count = 0; count < 3; count += 1) {
      expect(run.refused('nonce_replayed')).toEqual(['resign']);
      expect(run.steps).toMatchObject([
        { kind: 'resign', after: { refusal: { name: 'nonce_replayed' } } },
      ]);
      expect(run.say({ kind: 'resigned' })).toEqual(['send']);
    }
    expect(run.refused('nonce_replayed')).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { number: 204 } });
  });

  test.each(['nonce_below_floor', 'nonce_mismatch'])('R26: %s resyncs from the answer', (code) => {
    const run = new Run().started();
    expect(run.refused(code)).toEqual(['resign']);
    expect(run.steps[0]).toMatchObject({ after: { nonce: { nonceFloor: 40 } } });
  });

  test('outside the window: the same bytes wait for the floor', () => {
    const run = new Run().started();
    expect(run.refused('nonce_outside_window')).toEqual(['wait']);
    expect(run.say({ kind: 'floor_moved' })).toEqual(['send']);
    expect(run.refused('nonce_outside_window')).toEqual(['wait']);
    run.now = 5000;
    expect(run.say({ kind: 'time' })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { number: 205 } });
  });

  test('a refusal that was overcome is not reported when the next answer is lost', () => {
    const run = new Run().started();
    run.refused('nonce_outside_window');
    run.say({ kind: 'floor_moved' });
    expect(run.answer(lost)).toEqual(['unknown', 'wait']);
    expect(run.nothing(1)).toEqual(['send']);
    run.now = 5001;
    run.answer(lost);
    run.nothing(5);
    expect(run.outcome).toBeUndefined();
  });

  test('no fresh nonce to be had is reported', () => {
    const run = new Run().started();
    run.refused('nonce_replayed');
    const refusal = refusalNamed('bridge.nonce_window');
    expect(run.say({ kind: 'resign_failed', refusal, text: 'jammed' })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { name: 'bridge.nonce_window' } });
  });
});

describe('R28: on a resend the same refusals are reconciled, and nothing is signed anew', () => {
  test.each(['nonce_replayed', 'nonce_below_floor', 'nonce_mismatch', 'duplicate_order_id'])(
    '%s, found applied: adopted',
    (code) => {
      const run = new Run().started();
      expect(run.answer(lost)).toEqual(['unknown', 'wait']);
      expect(run.nothing(1)).toEqual(['send']);
      expect(run.refused(code)).toEqual(['wait']);
      expect(run.wake()).toEqual(['reconcile']);
      expect(run.say({ kind: 'found', found: { kind: 'applied', seq: 12 } })).toEqual(['end']);
      expect(run.outcome).toMatchObject({ kind: 'accepted', seq: 12, adopted: true });
    },
  );

  test('found nowhere, repeatedly: refused, never with other bytes', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    run.refused('nonce_replayed');
    expect(run.nothing(2)).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'refused', refusal: { name: 'nonce_replayed' } });
  });

  test('an acceptance of a resend is an adoption', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    expect(run.answer(accepted)).toEqual(['end']);
    expect(run.outcome).toMatchObject({ adopted: true });
  });
});

describe('R46: a lost answer is never a refusal', () => {
  test('it is told as open once, looked up, and sent again with the same bytes', () => {
    const run = new Run().started();
    expect(run.answer(lost)).toEqual(['unknown', 'wait']);
    expect(run.nothing(1)).toEqual(['send']);
    expect(run.answer(lost)).toEqual(['wait']);
  });

  test('a receipt that says rejected is the one outcome', () => {
    const run = new Run().started();
    run.answer(lost);
    run.wake();
    const found = { kind: 'refused', refusal: refusalNamed('expired'), text: 'late' } as const;
    expect(run.say({ kind: 'found', found })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'refused', refusal: { name: 'expired' } });
  });

  test('the first time it is looked up and sent again at once; what is lost twice waits', () => {
    const run = new Run().started();
    run.answer(lost);
    expect(run.nothing(1)).toEqual(['send']);
    expect(run.now).toBe(0);
    run.answer(lost);
    expect(run.nothing(1)).toEqual(['send']);
    expect(run.now).toBe(250);
  });

  test('when its time is over it is only looked for, until the venue cannot take it any more', () => {
    const run = late();
    while (run.outcome === undefined) expect(run.nothing(1)).not.toContain('send');
    expect(run.now).toBeGreaterThan(60_000);
    expect(run.outcome).toMatchObject({ kind: 'refused', refusal: { name: 'expired' } });
  });

  test('when its time is over its nonce is fenced off, and a fence that the venue took ends it', () => {
    const run = late();
    expect(run.now).toBeLessThan(10_000);
    expect(run.wake()).toEqual(['reconcile']);
    expect(run.say({ kind: 'found', found: { kind: 'nothing' } })).toEqual(['fence']);
    expect(run.say({ kind: 'found', found: { kind: 'fenced' } })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'refused', refusal: { name: 'expired' } });
  });

  test('one that the stream shows while it is being fenced off was applied', () => {
    const run = late();
    run.wake();
    expect(run.say({ kind: 'found', found: { kind: 'nothing' } })).toEqual(['fence']);
    expect(run.say({ kind: 'observed', seq: 4 })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'accepted', seq: 4 });
    expect(run.say({ kind: 'found', found: { kind: 'fenced' } })).toEqual([]);
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
      expect(run.wake()).toEqual(['reconcile']);
      expect(run.say({ kind: 'found', found: { kind: 'unreadable', problem: '503' } })).toEqual([
        'wait',
      ]);
    }
  });

  test('the stream ends it at any time', () => {
    for (const before of [[], [lost]]) {
      const run = new Run().started();
      for (const verdict of before) run.answer(verdict);
      expect(run.say({ kind: 'observed', seq: 99 })).toEqual(['end']);
      expect(run.outcome).toMatchObject({ kind: 'accepted', seq: 99, adopted: true });
    }
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
      run.say({ kind: 'found', found: { kind: 'applied', seq: 3 } });
      expect(run.outcome).toMatchObject({ kind: 'accepted', seq: 3 });
    }
  });
});

describe('what a process before this one recorded', () => {
  test('young: the same bytes are sent, judged as a resend', () => {
    const run = new Run({ isCancel: false, resumedAgeMs: 4000 }).started();
    expect(run.refused('nonce_replayed')).toEqual(['wait']);
    expect(run.wake()).toEqual(['reconcile']);
    run.say({ kind: 'found', found: { kind: 'applied', seq: 8 } });
    expect(run.outcome).toMatchObject({ kind: 'accepted', adopted: true });
  });

  test('old: it is looked for and not placed late', () => {
    const run = new Run({ isCancel: false, resumedAgeMs: 5001 });
    expect(run.say({ kind: 'start' })).toEqual(['wait']);
    while (run.outcome === undefined) expect(run.nothing(1)).not.toContain('send');
    expect(run.now).toBeGreaterThan(54_999);
    expect(run.outcome).toMatchObject({ refusal: { name: 'expired' }, neverSent: false });
  });

  test('young, but not to be signed any more: it is looked for and never sent', () => {
    const run = new Run({ isCancel: true, resumedAgeMs: 10, isUnsigned: true });
    expect(run.say({ kind: 'start' })).toEqual(['wait']);
    while (run.outcome === undefined) expect(run.nothing(1)).not.toContain('send');
    expect(run.outcome).toMatchObject({ refusal: { name: 'expired' }, neverSent: false });
  });

  test('a cancel is sent late, too', () => {
    new Run({ isCancel: true, resumedAgeMs: 50_000 }).started();
  });
});

test('R47: number 105 is never sent again by itself', () => {
  const run = new Run().started();
  const refusal = refusalOfNumber(105);
  run.answer({
    kind: 'refused',
    refusal,
    text: 'fenced',
    nonce: nothingOfNonces,
    retryAfterMs: null,
  });
  for (let count = 0; count < 10; count += 1) {
    expect(run.nothing(1)).toEqual(['wait']);
  }
});

test('a duplicate delegated nonce of a first send is looked up, then signed anew', () => {
  const run = new Run().started();
  expect(run.refused('DUPLICATE_NONCE')).toEqual(['wait']);
  expect(run.nothing(3)).toEqual(['resign']);
});

describe('R39: backing off', () => {
  test('the same bytes wait, longer each time, until the order is too old', () => {
    const run = new Run().started();
    const waits: number[] = [];
    for (;;) {
      const from = run.now;
      const said = run.refused('backpressure');
      if (said.includes('end')) break;
      expect(run.wake()).toEqual(['send']);
      waits.push(run.now - from);
    }
    expect(waits).toEqual([250, 500, 1000, 2000]);
    expect(run.outcome).toMatchObject({ refusal: { number: 100 } });
  });

  test('Retry-After comes first', () => {
    const run = new Run().started();
    expect(run.refused('rate_limited', 3000)).toEqual(['SF', 'wait']);
    run.wake();
    expect(run.now).toBe(3000);
  });

  test('R46: a lost answer is looked up soon, whatever its Retry-After says of sending', () => {
    const run = new Run().started();
    const refusal = refusalNamed('no_answer');
    const lost = { kind: 'unknown', refusal, text: '', nonce: nothingOfNonces } as const;
    run.answer({ ...lost, retryAfterMs: 600_000 });
    expect(run.wake()).toEqual(['reconcile']);
    expect(run.now).toBe(250);
  });

  test('a Retry-After beyond the age of the order refuses at once', () => {
    const run = new Run().started();
    expect(run.refused('rate_limited', 9000)).toEqual(['SF', 'end']);
  });

  test('what never left is tried again, and its nonce stays free in the end', () => {
    const run = new Run().started();
    while (run.outcome === undefined) {
      if (run.answer(unsent).includes('end')) break;
      expect(run.wake()).toEqual(['send']);
    }
    expect(run.outcome).toMatchObject({
      kind: 'refused',
      refusal: { name: 'bridge.venue_unreachable' },
      neverSent: true,
    });
  });

  test('what never left after a lost send is not a refusal', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    run.now = 9000;
    expect(run.answer(unsent)).toEqual(['wait']);
    expect(run.wake()).toEqual(['reconcile']);
  });
});

test('expired of a first send is signed anew once', () => {
  const run = new Run().started();
  expect(run.refused('expired')).toEqual(['resign']);
  run.say({ kind: 'resigned' });
  expect(run.refused('expired')).toEqual(['end']);
});

test.each([
  ['trading_halted', ['GG', 'end']],
  ['runtime_unavailable', ['GG', 'wait']],
  ['KILL_SWITCH', ['GM', 'end']],
  ['AGENT_EXPIRED', ['CR', 'end']],
  ['TRADING_ACCOUNT_CLOSING', ['GR', 'end']],
  ['unknown_field', ['IN', 'end']],
  ['market_not_found', ['MD', 'end']],
])('%s asks others for its acts', (code, steps) => {
  expect(new Run().started().refused(code)).toEqual(steps);
});

const withdrawn = {
  kind: 'withdrawn',
  refusal: refusalNamed('bridge.kill_switch'),
  text: 'runaway',
} as const;

describe('what is not wanted any more', () => {
  test('has never been sent where it waits for its first send', () => {
    const run = new Run().started();
    expect(run.say(withdrawn)).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'refused', text: 'runaway', neverSent: true });
  });

  test('is over with what the venue said of its nonce where that has refused it for now', () => {
    const run = new Run().started();
    expect(run.refused('backpressure')).toEqual(['wait']);
    expect(run.say(withdrawn)).toEqual(['end']);
    expect(run.outcome).toMatchObject({ neverSent: false, nonce: { nonceFloor: 40 } });
    const holding = new Run().started();
    expect(holding.refused('nonce_outside_window')).toEqual(['wait']);
    expect(holding.say(withdrawn)).toEqual(['end']);
  });

  test('goes on to its one true outcome where it may be at the venue', () => {
    const run = new Run().started();
    run.answer(lost);
    expect([run.submission.isOurs, run.say(withdrawn)]).toEqual([false, []]);
    const resumed = new Run({ isCancel: false, resumedAgeMs: 100 }).started();
    expect(resumed.say(withdrawn)).toEqual([]);
  });
});

test('R44, R46: whatever happens, other bytes are only signed when no send was lost, and it ends once', () => {
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
    fc.constantFrom('lost', 'unsent', 'nothing', 'unreadable', 'resigned', 'floor_moved', 'time'),
    fc.constant('withdrawn'),
    fc.constantFrom(...names),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const run = new Run().started();
      let wasLost = false;
      let ends = 0;
      for (const name of events) {
        run.now += 700;
        const wasSending = run.steps.some(({ kind }) => kind === 'send');
        if (name === 'lost') wasLost ||= wasSending;
        const said =
          name === 'lost'
            ? run.answer(lost)
            : name === 'unsent'
              ? run.answer(unsent)
              : name === 'nothing' || name === 'unreadable'
                ? run.say({ kind: 'found', found: { kind: name, problem: '' } as never })
                : name === 'withdrawn'
                  ? run.say(withdrawn)
                  : name === 'resigned' || name === 'floor_moved' || name === 'time'
                    ? run.say({ kind: name })
                    : run.refused(name);
        if (wasLost) expect(said).not.toContain('resign');
        if (wasLost && name === 'withdrawn') expect(said).toEqual([]);
        ends += said.filter((kind) => kind === 'end').length;
        if (said.length === 0 && !run.submission.isEnded && wasSending)
          run.steps = [{ kind: 'send' }];
      }
      expect(ends).toBe(run.submission.isEnded ? 1 : 0);
    }),
  );
});
