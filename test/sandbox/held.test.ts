import { expect, test } from 'vitest';
import { Held } from '../../src/sandbox/held.ts';

test('what is held is due by its time, what has none stays until all is released', () => {
  const held = new Held(10);
  const applied: string[] = [];
  const hold = (name: string, dueMonoMs: number | null) =>
    held.hold(() => applied.push(name), dueMonoMs);
  const after = (release: () => void) => {
    release();
    return applied.splice(0);
  };
  hold('late', 20);
  hold('early', 10);
  hold('never', null);
  expect(after(() => held.applyDue(9))).toEqual([]);
  expect(after(() => held.applyDue(20))).toEqual(['early', 'late']);
  expect(after(() => held.applyDue(1e12))).toEqual([]);
  expect(after(() => held.applyAll())).toEqual(['never']);
  expect(after(() => held.applyAll())).toEqual([]);
});

test('no more than the limit are held', () => {
  const held = new Held(1_000);
  for (let i = 0; i < 1_000; i += 1) expect(held.hold(() => {}, null)).toBe(true);
  expect(held.hold(() => {}, null)).toBe(false);
});
