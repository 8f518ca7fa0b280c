import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Exchange } from '../../../src/sandbox/engine/exchange.ts';
import type { Snapshot } from '../../../src/sandbox/engine/snapshot.ts';
import { coin, configOf, Floor, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';
import { step, take } from './random-day.ts';

const throughJson = (snapshot: Snapshot) => JSON.parse(JSON.stringify(snapshot)) as Snapshot;

test('an exchange restored from JSON behaves exactly as the one that was saved', () => {
  const steps = fc.array(step, { minLength: 10, maxLength: 60 });
  const property = fc.property(steps, steps, (before, after) => {
    const kept = new Floor();
    const moved = new Floor();
    for (const each of before) {
      take(kept, each);
      take(moved, each);
    }
    moved.exchange = Exchange.restore(moved.config, throughJson(moved.exchange.snapshot()));
    assertInvariants(moved.exchange);
    expect(moved.exchange.hash()).toBe(kept.exchange.hash());
    for (const each of after) expect(take(moved, each)).toEqual(take(kept, each));
    kept.advance(10_000);
    moved.advance(10_000);
    expect(moved.exchange.hash()).toBe(kept.exchange.hash());
  });
  fc.assert(property, { numRuns: 40 });
});

test('gates, market states, credit and fees survive', () => {
  const floor = new Floor();
  floor.exchange.haltTrading(true, floor.nowMs);
  floor.exchange.changeMarket(7, 'close', floor.nowMs);
  floor.exchange.setKillSwitch({ kind: 'account', account: 'bob' }, true);
  floor.exchange.setKillSwitch({ kind: 'market', market: 1 }, true);
  floor.exchange.setKillSwitch({ kind: 'venue' }, true);
  floor.exchange.setFees({ takerBps: 9, makerBps: 1, tiers: [] });
  const restored = Exchange.restore(configOf(), throughJson(floor.exchange.snapshot()));
  expect(restored.hash()).toBe(floor.exchange.hash());
  expect(restored.snapshot().tradingHalted).toBe(true);
  expect(restored.markets()[1]?.status).toBe('closed');
});

test('what a snapshot lacks is named', () => {
  const floor = new Floor();
  floor.bid('ann', 100 * usd, coin);
  const snapshot = throughJson(floor.exchange.snapshot());
  const restore = (change: object) => () =>
    Exchange.restore(configOf(), { ...snapshot, ...change } as Snapshot);
  expect(restore({ version: 2 })).toThrow('snapshot version 2');
  expect(restore({ orders: [] })).toThrow('the snapshot lacks order o1');
  expect(restore({ accounts: [] })).toThrow('the snapshot lacks account ann');
  expect(restore({ ended: ['o7'] })).toThrow('the snapshot lacks o7');
});
