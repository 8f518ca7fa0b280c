import { expect, test } from 'vitest';
import { HeldRequests } from '../../src/sandbox/held-requests.ts';

test('requests are due by their time, those without one stay until all are taken', () => {
  const held = new HeldRequests();
  const applied: string[] = [];
  const hold = (name: string, dueMonoMs: number | null) =>
    held.hold(() => applied.push(name), dueMonoMs);
  const apply = (due: readonly (() => void)[]) => {
    for (const one of due) one();
    return applied.splice(0);
  };
  hold('late', 20);
  hold('early', 10);
  hold('never', null);
  expect(apply(held.takeDue(9))).toEqual([]);
  expect(apply(held.takeDue(20))).toEqual(['early', 'late']);
  expect(apply(held.takeDue(1e12))).toEqual([]);
  expect(apply(held.takeAll())).toEqual(['never']);
  expect(held.takeAll()).toEqual([]);
});

test('no more than 10,000 are held', () => {
  const held = new HeldRequests();
  for (let i = 0; i < 10_000; i += 1) expect(held.hold(() => {}, null)).toBe(true);
  expect(held.hold(() => {}, null)).toBe(false);
});
