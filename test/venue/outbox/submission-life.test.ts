/** One action to one outcome (contract D.0, G31): what happened in, what to do next out; time is a number. */

import { describe, expect, test } from 'vitest';
import { refusalNamed } from '../../../src/domain/refusal.ts';
import type { Qty } from '../../../src/domain/units.ts';
import { newSubmission, placedIds, placesSomething } from '../../../src/venue/outbox/submission.ts';
import { refusalOfNumber } from '../../../src/venue/refusals.ts';
import { nothingOfNonces } from '../../../src/venue/verdict.ts';
import { accepted, cancel, lost, place, Run, unsent } from './life-run.ts';

describe('an acceptance', () => {
  test('is told at once, and the event ends it', () => {
    const run = new Run().started();
    expect(run.answer(accepted)).toEqual(['accepted', 'wake']);
    expect(run.say({ kind: 'observed', seq: 7 })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
  });

  test('that comes after the event ends it with the ids that it names', () => {
    const run = new Run().started();
    expect(run.say({ kind: 'observed', seq: 7 })).toEqual([]);
    const orderIds = [cancel.orderId];
    expect(run.answer({ ...accepted, orderIds })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'accepted', orderIds });
  });

  test('that does not show has the stream asked ever more seldom, and in the end counts as one without an answer', () => {
    const run = new Run().started();
    const said: string[] = [];
    run.answer(accepted);
    while (run.own.state === 'accepted') said.push(`${run.wake().join(' ')} at ${run.now}`);
    expect(said).toEqual([
      ...[250, 750, 1750, 3750, 7750].map((ms) => `probe wake at ${ms}`),
      'probe look at 15750',
    ]);
    expect(run.own.isUnknown).toBe(true);
    expect(run.found('nothing')).toEqual(['fence']);
    expect(run.say({ kind: 'superseded' })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { name: 'bridge.not_applied' } });
  });

  test('that shows is not asked for any more', () => {
    const run = new Run().started();
    run.answer(accepted);
    run.wake();
    run.wake();
    expect(run.say({ kind: 'observed', seq: 7 })).toEqual(['end']);
  });

  test('is not taken back by what waits for it being unwanted', () => {
    const run = new Run().started();
    run.answer(accepted);
    expect(run.withdraw()).toEqual([]);
  });
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

test('a refusal whose event came first is not believed: the stream shows that the venue took it', () => {
  const run = new Run().started();
  run.say({ kind: 'observed', seq: 7 });
  expect(run.refused('post_only_would_cross')).toEqual(['end']);
  expect(run.outcome).toMatchObject({ kind: 'accepted' });
});

test('an answer that is not due, and a time that has not come, change nothing', () => {
  const run = new Run().started();
  expect(run.found('nothing')).toEqual([]);
  expect(run.say({ kind: 'not_fenced' })).toEqual([]);
  expect(run.say({ kind: 'floor_moved' })).toEqual([]);
  run.refused('backpressure');
  expect(run.say({ kind: 'time' })).toEqual([]);
  expect(run.answer(accepted)).toEqual([]);
});

describe('R27: a nonce refusal of a first send takes a fresh nonce', () => {
  test('replayed: N1, three times at most', () => {
    const run = new Run();
    for (let count = 0; count < 3; count += 1) {
      run.started();
      expect(run.refused('nonce_replayed')).toEqual(['look']);
      expect(run.found('nothing')).toEqual(['again']);
      expect(run.steps).toMatchObject([
        { kind: 'again', after: { refusal: { name: 'nonce_replayed' } } },
      ]);
    }
    run.started();
    expect(run.refused('nonce_replayed')).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { number: 204 } });
  });

  test.each(['nonce_below_floor', 'nonce_mismatch'])('R26: %s resyncs from the answer', (code) => {
    const run = new Run().started();
    run.refused(code);
    expect(run.found('nothing')).toEqual(['again']);
    expect(run.steps[0]).toMatchObject({ after: { nonce: { nonceFloor: 40 } } });
  });

  test('its answer may be that to another request: what the venue has of it is adopted, and nothing is signed anew', () => {
    const run = new Run().started();
    expect(run.refused('nonce_replayed')).toEqual(['look']);
    expect(run.found('unreadable')).toEqual(['wake']);
    expect(run.wake()).toEqual(['look']);
    expect(run.found('applied')).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'accepted' });
  });

  test('outside the window: the same bytes wait for the floor', () => {
    const run = new Run().started();
    expect(run.refused('nonce_outside_window')).toEqual(['wake']);
    expect(run.say({ kind: 'floor_moved' })).toEqual(['send']);
    expect(run.refused('nonce_outside_window')).toEqual(['wake']);
    run.now = 5000;
    expect(run.say({ kind: 'time' })).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { number: 205 } });
  });

  test('outside the window again and again: an order is not placed later because the floor moves slowly', () => {
    const run = new Run().started();
    run.refused('nonce_outside_window');
    run.now = 4000;
    expect(run.say({ kind: 'floor_moved' })).toEqual(['send']);
    run.refused('nonce_outside_window');
    expect([run.wake(), run.now]).toEqual([['end'], 5000]);
  });

  test('a refusal that was overcome is not reported when the next answer is lost', () => {
    const run = new Run().started();
    run.refused('nonce_outside_window');
    run.say({ kind: 'floor_moved' });
    expect(run.answer(lost)).toEqual(['unknown', 'wake']);
    expect(run.nothing(1)).toEqual(['send']);
    run.now = 5001;
    run.answer(lost);
    run.nothing(5);
    expect(run.outcome).toBeUndefined();
  });
});

test('R47: number 105 is never sent again by itself', () => {
  const run = new Run().started();
  const nonce = nothingOfNonces;
  const refusal = refusalOfNumber(105);
  run.answer({ kind: 'unknown', refusal, text: 'fenced', nonce, retryAfterMs: null });
  for (let count = 0; count < 10; count += 1) expect(run.nothing(1)).not.toContain('send');
});

test('a duplicate delegated nonce of a first send is looked up, then signed again', () => {
  const run = new Run().started();
  expect(run.refused('DUPLICATE_NONCE')).toEqual(['wake']);
  expect(run.nothing(3)).toEqual(['again']);
});

describe('R39: backing off', () => {
  /** Within the fifth more or less by which clients spread. */
  const isAbout = (ms: number, expected: number) => Math.abs(ms - expected) <= expected / 5 + 1;

  test('the same bytes wait, longer each time, until the order is too old', () => {
    const run = new Run().started();
    const waits: number[] = [];
    for (;;) {
      const from = run.now;
      if (run.refused('backpressure').includes('end')) break;
      expect(run.wake()).toEqual(['send']);
      waits.push(run.now - from);
    }
    const steps = [250, 500, 1000, 2000];
    expect(waits).toHaveLength(4);
    expect(waits.every((ms, index) => isAbout(ms, steps[index] ?? 0))).toBe(true);
    expect(run.outcome).toMatchObject({ refusal: { number: 100 } });
  });

  test('the wait is that of the submission, and the same on a replay', () => {
    const waits = Array.from({ length: 2 }, () => {
      const run = new Run().started();
      run.refused('backpressure');
      return run.own.wakeMs;
    });
    expect(waits[0]).toBe(waits[1]);
  });

  test('Retry-After comes first', () => {
    const run = new Run().started();
    expect(run.refused('rate_limited', 3000)).toEqual(['SF', 'wake']);
    run.wake();
    expect(run.now).toBe(3000);
  });

  test('R46: a lost answer is looked up soon, whatever its Retry-After says about sending', () => {
    const run = new Run().started();
    run.answer({ ...lost, retryAfterMs: 600_000 });
    expect(run.wake()).toEqual(['look']);
    expect(run.now).toBeLessThanOrEqual(300);
  });

  test('a Retry-After beyond the age of the order refuses at once', () => {
    expect(new Run().started().refused('rate_limited', 9000)).toEqual(['SF', 'end']);
  });

  test('what never left is tried again, and its nonce stays free in the end', () => {
    const run = new Run().started();
    while (!run.answer(unsent).includes('end')) expect(run.wake()).toEqual(['send']);
    expect(run.outcome).toMatchObject({
      kind: 'refused',
      refusal: { name: 'bridge.venue_unreachable' },
      neverSent: true,
    });
  });

  test('an action that was refused for now and then never left counts as sent once', () => {
    const run = new Run().started();
    run.refused('backpressure');
    run.wake();
    while (!run.answer(unsent).includes('end')) run.wake();
    expect(run.outcome).toMatchObject({ neverSent: false, nonce: { nonceFloor: 40 } });
  });

  test('what never left after a lost send is not a refusal', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    run.now = 9000;
    expect(run.answer(unsent)).toEqual(['wake']);
    expect(run.wake()).toEqual(['look']);
  });
});

test('an expired order is refused, an expired cancel is signed anew once', () => {
  expect(new Run().started().refused('expired')).toEqual(['end']);
  const run = new Run({ intent: cancel }).started();
  expect(run.refused('expired')).toEqual(['again']);
  run.started();
  expect(run.refused('expired')).toEqual(['end']);
});

test.each([
  ['trading_halted', ['GG', 'end']],
  ['runtime_unavailable', ['GG', 'wake']],
  ['KILL_SWITCH', ['GM', 'end']],
  ['AGENT_EXPIRED', ['CR', 'end']],
  ['TRADING_ACCOUNT_CLOSING', ['GR', 'end']],
  ['unknown_field', ['IN', 'end']],
  ['market_not_found', ['MD', 'end']],
])('%s asks others for its acts', (code, steps) => {
  expect(new Run().started().refused(code)).toEqual(steps);
});

describe('what is not wanted any more', () => {
  test('is over with what the venue said of its nonce where that has refused it for now', () => {
    const run = new Run().started();
    expect(run.refused('backpressure')).toEqual(['wake']);
    expect(run.withdraw()).toEqual(['end']);
    const outcome = { kind: 'refused', text: 'runaway', neverSent: false };
    expect(run.outcome).toMatchObject({ ...outcome, nonce: { nonceFloor: 40 } });
    const holding = new Run().started();
    expect(holding.refused('nonce_outside_window')).toEqual(['wake']);
    expect(holding.withdraw()).toEqual(['end']);
  });

  test('has never been sent where not a byte of it left', () => {
    const run = new Run().started();
    run.answer(unsent);
    expect(run.withdraw()).toEqual(['end']);
    expect(run.outcome).toMatchObject({ kind: 'refused', neverSent: true });
  });

  test('and is on the wire waits for its answer, and is not sent again', () => {
    for (const code of ['backpressure', 'nonce_outside_window']) {
      const run = new Run().started();
      expect(run.withdraw()).toEqual([]);
      expect(run.refused(code)).toEqual(['end']);
      expect(run.outcome).toMatchObject({ text: 'runaway', nonce: { nonceFloor: 40 } });
    }
    const run = new Run().started();
    run.withdraw();
    expect(run.answer(unsent)).toEqual(['end']);
    expect(run.outcome).toMatchObject({ neverSent: true });
  });

  test('and was refused for its nonce does not wait for another', () => {
    const run = new Run().started();
    run.withdraw();
    expect(run.refused('nonce_replayed')).toEqual(['look']);
    expect(run.found('nothing')).toEqual(['end']);
    expect(run.outcome).toMatchObject({
      refusal: { name: 'bridge.kill_switch' },
      nonce: { nonceFloor: 40 },
      venueCode: 'nonce_replayed',
    });
  });

  test('and is refused or taken by the venue ends as the venue says', () => {
    const run = new Run().started();
    run.withdraw();
    expect(run.refused('post_only_would_cross')).toEqual(['end']);
    expect(run.outcome).toMatchObject({ refusal: { name: 'post_only_would_cross' } });
    const taken = new Run().started();
    taken.withdraw();
    expect(taken.answer(accepted)).toEqual(['accepted', 'wake']);
  });

  test('goes on to its one true outcome where it may be at the venue, and no other copy goes out', () => {
    const run = new Run().started();
    run.answer(lost);
    expect(run.withdraw()).toEqual([]);
    expect([run.wake(), run.found('nothing')]).toEqual([['look'], ['fence']]);
    expect(run.say({ kind: 'superseded' })).toEqual(['end']);
  });

  test('is not sent again either if its answer is lost after it was stopped', () => {
    const run = new Run().started();
    run.withdraw();
    run.answer(lost);
    expect([run.wake(), run.found('nothing')]).toEqual([['look'], ['fence']]);
  });

  test('is sent again where the bridge only goes down', () => {
    const run = new Run().started();
    run.answer(lost);
    run.own.withdrawn = { refusal: refusalNamed('bridge.draining'), text: '' };
    expect(run.nothing(1)).toEqual(['send']);
  });

  test('is looked up instead of sent again where another copy had to wait for its turn', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    expect(run.refused('backpressure')).toEqual(['wake']);
    expect(run.own.state).toBe('resting');
    run.withdraw();
    expect(run.wake()).toEqual(['look']);
  });
});

describe('the signer refuses bytes that may be at the venue already', () => {
  test('and may sign them later: they rest, and are sent', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    expect(run.say({ kind: 'unsigned', mayBeSigned: true })).toEqual(['wake']);
    expect(run.wake()).toEqual(['send']);
  });

  test('and never will: they are looked for and fenced, and not sent again', () => {
    const run = new Run().started();
    run.answer(lost);
    run.nothing(1);
    expect(run.say({ kind: 'unsigned', mayBeSigned: false })).toEqual(['wake']);
    expect(run.wake()).toEqual(['look']);
    expect(run.found('nothing')).toEqual(['fence']);
  });
});

test('a group places something where one of its legs does; a cancel and an amend never do', () => {
  const made = (legs: readonly bigint[]) => {
    const group = { kind: 'group', market: place.market, legs: legs.map(leg) } as const;
    const wanted = { asked: null, intent: group, clientOrderId: null, fencedId: null };
    return newSubmission(1, wanted, 0);
  };
  const leg = (qty: bigint) => ({ ...place, cancelOrderId: null, qty: qty as Qty });
  expect([made([0n, 0n]), made([0n, 1n])].map(placesSomething)).toEqual([false, true]);
  expect(placesSomething(new Run({ intent: cancel }).own)).toBe(false);
  const { orderId } = cancel;
  const amend = { kind: 'amend', orderId, newQty: 1n as Qty } as const;
  expect(new Run({ intent: amend }).own.priority).toBe('cancel');
  expect(placesSomething(new Run({ intent: amend }).own)).toBe(false);
});

test('the ids of what it places are known once its bytes are made', () => {
  const { own } = new Run();
  expect(placedIds(own)).toEqual([]);
  const bytes = { text: '{}', hash: '01', madeMs: 0 } as const;
  const { orderId } = cancel;
  own.bytes = { ...bytes, placed: { kind: 'order', orderId } };
  expect(placedIds(own)).toEqual([orderId]);
  own.bytes = { ...bytes, placed: { kind: 'legs', legIds: [null, orderId] } };
  expect(placedIds(own)).toEqual([null, orderId]);
});
