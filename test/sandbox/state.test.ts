import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { createVenue } from '../../src/sandbox/embedded-venue.ts';
import { blank, type ExecutionEvent } from '../../src/sandbox/engine/event.ts';
import { profileCaps, profileFees, profileLimits } from '../../src/sandbox/state.ts';
import { sandboxProfile as profile } from '../support/quick-files.ts';

const { accounts, state } = await createVenue({
  seed: 1,
  clock: new ManualClock(),
  profile,
  accounts: 2,
});
const account = accounts[0]!.account;

describe('G20: the nonce of a nested order', () => {
  /** A conditional `c1` that holds nonce 0, and what an event does to it. */
  function afterEvent(event: Partial<ExecutionEvent>) {
    state.resetNonces(account);
    state.nonces(account).hold(0);
    state.kept.nestedNonces.clear();
    state.kept.nestedNonces.set('c1', 0);
    state.exchange.onEvents([{ ...blank, account, ...event }]);
    return { floor: state.nonces(account).floor, isKept: state.kept.nestedNonces.has('c1') };
  }
  const held = { floor: 0, isKept: true };
  const freed = { floor: 1, isKept: false };

  test('is freed when its conditional triggers, is canceled or expires', () => {
    expect(afterEvent({ kind: 'triggered', orderId: 'o9', parentOrderId: 'c1' })).toEqual(freed);
    expect(afterEvent({ kind: 'canceled', orderId: 'c1' })).toEqual(freed);
    expect(afterEvent({ kind: 'expired', orderId: 'c1' })).toEqual(freed);
  });

  test('stays held when a cancel of its conditional is refused, or another order ends', () => {
    expect(afterEvent({ kind: 'rejected', parentOrderId: 'c1' })).toEqual(held);
    expect(afterEvent({ kind: 'canceled', orderId: 'o1', parentOrderId: 'c1' })).toEqual(held);
    expect(afterEvent({ kind: 'triggered', orderId: 'o9', parentOrderId: 'c2' })).toEqual(held);
    expect(afterEvent({ kind: 'halt' })).toEqual(held);
    state.kept.nestedNonces.clear();
  });
});

test('an operator changes one limit without touching the others, and the budgets follow', () => {
  const before = { ...state.limits };
  state.setLimits({ actionsPerSecond: 7, edgeRequestsPerSecond: 9 });
  expect(state.limits).toEqual({ ...before, actionsPerSecond: 7, edgeRequestsPerSecond: 9 });
  expect(state.accountLimiter.budget).toEqual({ perSecond: 7, burst: before.burst });
  expect(state.edgeLimiter.budget).toEqual({ perSecond: 9, burst: 9 });
  state.setLimits(profileLimits(profile));
  expect(state.limits).toEqual(before);
});

test('nothing is limited while inputs are applied again, and everything after it', () => {
  state.setLimits({ actionsPerSecond: 1, burst: 1 });
  const passes = () =>
    [1, 2, 3].map(() => state.accountLimiter.take('rebuilt', 1, 0)).map(({ allowed }) => allowed);
  state.setRebuilding(true);
  expect(passes()).toEqual([true, true, true]);
  state.setRebuilding(false);
  expect(passes()).toEqual([true, false, false]);
});

test('the nonces of an account are kept in its record, until a venue loses its state', () => {
  state.resetNonces(account);
  state.nonces(account).consume(0);
  expect(state.nonces(account).floor).toBe(1);
  expect(state.kept.nonces.get(account)).toBe(state.nonces(account).record);
  state.resetNonces(account);
  expect(state.nonces(account).floor).toBe(0);
  expect(state.nonces(accounts[1]!.account).record).not.toBe(state.nonces(account).record);
});

test('request ids count up, so that runs repeat', () => {
  const number = (id: string) => Number(/^req-(\d+)$/.exec(id)?.[1]);
  const first = number(state.requestId());
  expect(number(state.requestId())).toBe(first + 1);
});

test('caps and fees come from the profile, volumes in millionths of a dollar', () => {
  const conditional = { ...profile.conditional, maxPerAccount: 5 };
  expect(profileCaps({ ...profile, conditional })).toMatchObject({
    ...profile.limits.caps,
    // An account may have as many algos as conditionals.
    parents: 10,
  });
  const tiers = [{ fromUsd: 10_000_000, rebateBps: 1 }];
  const fees = profileFees({ ...profile, fees: { ...profile.fees, tiers } });
  expect(fees.tiers).toEqual([{ minVolumeMicro: 10_000_000_000_000, rebateBps: 1 }]);
});
