import { expect, test } from 'vitest';
import { invariant } from '../../src/runtime/invariant.ts';

test('a condition that holds changes nothing', () => {
  expect(() => invariant(true, 'sums agree', 'order 7')).not.toThrow();
});

test('a condition that does not hold is a bug of the bridge, and the error names the rule and the subject', () => {
  const broken = (subject?: string) => () => invariant(false, 'sums agree', subject);
  expect(broken('order 7')).toThrow(new Error('bug in the bridge: sums agree order 7'));
  expect(broken()).toThrow(new Error('bug in the bridge: sums agree'));
});
