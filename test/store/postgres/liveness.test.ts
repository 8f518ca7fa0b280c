/** Who is dead is decided by two clocks, so that a step of one of them kills nobody. */
import { expect, test } from 'vitest';
import { Liveness } from '../../../src/store/postgres/liveness.ts';

const read = (life: Liveness, nowMs: number, renewedAt: string, ageMs: number, isWaiting = false) =>
  life.over(new Map([['a', { renewedAt, ageMs, isWaiting }]]), nowMs).has('a');

test('an owner that renews no more is over once its lease is, and not before', () => {
  const life = new Liveness(1_500, 1_000);
  expect(read(life, 0, 'x', 400)).toBe(false);
  for (let nowMs = 250; nowMs <= 1_000; nowMs += 250)
    expect(read(life, nowMs, 'x', 400 + nowMs)).toBe(false);
  expect(read(life, 1_100, 'x', 1_500)).toBe(false);
  expect(read(life, 1_101, 'x', 1_501)).toBe(true);
});

test('a clock of the database that steps, forward or back, ends no lease that is renewed', () => {
  const life = new Liveness(1_500, 1_000);
  for (let round = 0; round < 20; round += 1) {
    const stepMs = round < 10 ? 3_600_000 : -3_600_000;
    expect(read(life, round * 250, `renewal ${Math.floor(round / 2)}`, stepMs)).toBe(false);
  }
});

test('an owner whose renewals lie in the future, and who is silent, is over', () => {
  const life = new Liveness(1_500, 1_000);
  for (let nowMs = 0; nowMs < 1_000; nowMs += 250)
    expect(read(life, nowMs, 'x', nowMs - 3_600_000)).toBe(false);
  expect(read(life, 1_000, 'x', -3_599_000)).toBe(true);
});

test('after the database was away an owner has a whole lease of time to renew', () => {
  const life = new Liveness(1_500, 1_000);
  expect(read(life, 0, 'x', 0)).toBe(false);
  life.reset();
  for (let nowMs = 60_000; nowMs < 61_500; nowMs += 250)
    expect(read(life, nowMs, 'x', nowMs)).toBe(false);
  expect(read(life, 61_500, 'x', 61_500)).toBe(true);
  expect(read(life, 61_600, 'y', 10)).toBe(false);
  expect(read(life, 61_850, 'y', 260)).toBe(false);
});

test('time in which this process was stopped, or its own write waited in the database, ends no lease', () => {
  const life = new Liveness(1_500, 1_000);
  expect(read(life, 0, 'x', 0)).toBe(false);
  expect(read(life, 600, 'x', 600)).toBe(false);
  expect(read(life, 2_400, 'x', 2_400)).toBe(false);
  expect(read(life, 2_650, 'y', 10)).toBe(false);
  expect(read(life, 60_000, 'y', 57_360)).toBe(false);
  expect(read(life, 60_250, 'z', 10)).toBe(false);
});

test('an owner whose session waits in the database is not silent, however long that takes', () => {
  const life = new Liveness(1_500, 1_000);
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 250)
    expect(read(life, nowMs, 'x', 600 + nowMs, true)).toBe(false);
  for (let nowMs = 60_250; nowMs < 61_000; nowMs += 250)
    expect(read(life, nowMs, 'x', 600 + nowMs)).toBe(false);
  expect(read(life, 61_000, 'x', 61_600)).toBe(true);
});

test('who is not read any more is forgotten', () => {
  const life = new Liveness(1_500, 1_000);
  for (let nowMs = 0; nowMs < 1_000; nowMs += 250)
    expect(read(life, nowMs, 'x', 9_000)).toBe(false);
  expect(life.over(new Map(), 1_000)).toEqual(new Set());
  expect(read(life, 1_250, 'x', 9_000)).toBe(false);
});

test('the moment at which a lease may be over is known before, and moves with each renewal', () => {
  const life = new Liveness(1_500, 1_000);
  expect(life.dueMs).toBe(Number.POSITIVE_INFINITY);
  read(life, 0, 'x', 400);
  expect(life.dueMs).toBe(1_100);
  read(life, 250, 'y', 0);
  expect(life.dueMs).toBe(1_750);
  // A step of the database's clock: the owner must have been silent here, too.
  read(life, 500, 'z', 3_600_000);
  expect(life.dueMs).toBe(1_500);
  for (let nowMs = 750; nowMs < 1_500; nowMs += 250) read(life, nowMs, 'z', 3_600_000);
  expect(life.dueMs).toBe(1_500);
  read(life, 1_501, 'z', 3_601_001);
  expect(life.dueMs).toBe(Number.POSITIVE_INFINITY);
});
