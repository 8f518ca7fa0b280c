/**
 * What lost answers cost an account that sends a thousand orders a second: a nonce whose action is in doubt holds up all
 * others, for the venue's window has 256 (contract R29, R30; docs/decisions/0255-proof-before-a-rejection.md).
 */
import { expect, test } from 'vitest';
import { LineSimulation } from './line.ts';

const windowSize = 256;
const nearby = { unsent: 0, lost: 0, unanswered: 0, slow: 0, late: 0, noticedMs: 5, oneWayMs: 2 };

test('R30: at a thousand orders a second, with answers lost, the window stays open', async () => {
  const simulation = await LineSimulation.open(7);
  Object.assign(simulation.road.faults, { ...nearby, lost: 2, unanswered: 2 });
  expect(await simulation.placeEvery(1, 800)).toBeLessThan(windowSize / 2);
  await simulation.idle(1_000);
  expect(simulation.undecided).toBe(0);
});

test('R30: what the venue never took is over soon after the venue is back, and its nonces are free', async () => {
  const simulation = await LineSimulation.open(8);
  Object.assign(simulation.road.faults, nearby);
  await simulation.placeEvery(20, 20);
  simulation.road.faults.lost = 100;
  await simulation.placeEvery(1, 220);
  await simulation.idle(9_000);
  expect(simulation.undecided).toBe(220);
  simulation.road.faults.lost = 0;
  await simulation.idle(6_000);
  expect(simulation.undecided).toBe(0);
  expect(await simulation.placeEvery(1, 200)).toBe(0);
  await simulation.idle(2_000);
  expect(simulation.differences()).toEqual([]);
});
