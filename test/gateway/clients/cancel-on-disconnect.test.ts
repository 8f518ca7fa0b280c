/** Cancel on disconnect as a rule, a grace, and what the next start owes. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  CancelOnDisconnect,
  type CancelRule,
  type StartState,
} from '../../../src/gateway/clients/cancel-on-disconnect.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { MemoryStore } from '../../support/memory-store.ts';

const off: CancelRule = { when: 'off', graceMs: 0 };
const abrupt: CancelRule = { when: 'abrupt', graceMs: 0 };
const always: CancelRule = { when: 'always', graceMs: 0 };
const late: CancelRule = { when: 'abrupt', graceMs: 500 };

let store: MemoryStore;
let clock: ManualClock;
let canceled: string[];
let cancelOnDisconnect: CancelOnDisconnect;

/** Another process on the same store; what the one before had in mind is gone with it. */
async function started(...sessions: string[]): Promise<void> {
  clock = new ManualClock();
  cancelOnDisconnect = new CancelOnDisconnect(new Transactions(store, () => {}), clock);
  for (const state of ['started', 'open'] as const) await resumed(state, sessions);
}

async function resumed(state: StartState, sessions: readonly string[]): Promise<void> {
  for (const session of sessions)
    await cancelOnDisconnect.resume(session, state, () => canceled.push(session));
}

function leaves(session: string, rule: CancelRule, graceful: boolean): void {
  const end = { graceful, rule, now: clock.now() };
  cancelOnDisconnect.left(session, end, () => canceled.push(session));
}

beforeEach(async () => {
  store = new MemoryStore();
  canceled = [];
  await started();
});

describe('when a connection ends', () => {
  test.each([
    ['off', off, false, []],
    ['abrupt, link broken', abrupt, false, ['S']],
    ['abrupt, Logout', abrupt, true, []],
    ['always, link broken', always, false, ['S']],
    ['always, Logout', always, true, ['S']],
  ] as const)('%s', (_, rule, graceful, wanted) => {
    cancelOnDisconnect.arrived('S', rule);
    leaves('S', rule, graceful);
    expect(canceled).toEqual(wanted);
  });

  test('the grace passes first, and who is back within it keeps the orders', () => {
    cancelOnDisconnect.arrived('S', late);
    leaves('S', late, false);
    clock.advance(499);
    cancelOnDisconnect.arrived('S', late);
    clock.advance(10_000);
    expect(canceled).toEqual([]);
    leaves('S', late, false);
    clock.advance(500);
    expect(canceled).toEqual(['S']);
  });
});

describe('when the process dies', () => {
  test('who was logged on by a rule is canceled by the next start, the others are not', async () => {
    cancelOnDisconnect.arrived('off', off);
    cancelOnDisconnect.arrived('abrupt', abrupt);
    cancelOnDisconnect.arrived('always', always);
    cancelOnDisconnect.arrived('gone', abrupt);
    leaves('gone', abrupt, true);
    await started('off', 'abrupt', 'always', 'gone', 'never seen');
    expect(canceled).toEqual(['abrupt', 'always']);
  });

  test('within a grace period: it begins again with the next start', async () => {
    cancelOnDisconnect.arrived('S', late);
    leaves('S', late, false);
    clock.advance(400);
    await started('S');
    clock.advance(499);
    expect(canceled).toEqual([]);
    clock.advance(1);
    expect(canceled).toEqual(['S']);
  });

  test('who is back in time after the start keeps the orders', async () => {
    cancelOnDisconnect.arrived('S', late);
    await started('S');
    cancelOnDisconnect.arrived('S', late);
    clock.advance(10_000);
    expect(canceled).toEqual([]);
  });

  test('cancels that were made are not repeated after the next start', async () => {
    cancelOnDisconnect.arrived('S', abrupt);
    await started('S');
    canceled = [];
    await started('S');
    expect(canceled).toEqual([]);
  });

  test('who was not configured at the next start, and is back by a reload with another rule, keeps the orders', async () => {
    cancelOnDisconnect.arrived('S', abrupt);
    await started();
    cancelOnDisconnect.arrived('S', off);
    await started('S');
    expect(canceled).toEqual([]);
  });
});

test('a start cancels before it sends anything, but a grace begins when clients can log on', async () => {
  cancelOnDisconnect.arrived('at once', abrupt);
  cancelOnDisconnect.arrived('with a grace', late);
  await started();
  const sessions = ['at once', 'with a grace'];
  await resumed('started', sessions);
  clock.advance(10_000);
  expect(canceled).toEqual(['at once']);
  await resumed('open', sessions);
  clock.advance(late.graceMs - 1);
  expect(canceled).toEqual(['at once']);
  clock.advance(1);
  expect(canceled).toEqual(['at once', 'with a grace']);
});
