import { expect, test } from 'vitest';
import { hasOwnRemedy, remedyOf } from '../../../src/cli/roe/remedies.ts';
import { refusals } from '../../../src/domain/refusal.ts';

test('every refusal of the bridge itself has a remedy of its own', () => {
  const without = refusals.filter((row) => row.source === 'bridge' && !hasOwnRemedy(row));
  expect(without.map(({ name }) => name)).toEqual([]);
});

test.each(refusals)('$name of $source tells what to do', (refusal) => {
  expect(remedyOf(refusal)).toMatch(/^[A-Z].{8,}\.$/);
});

test('nobody is told to send again while the outcome is unknown', () => {
  for (const refusal of refusals.filter(({ decisive }) => !decisive)) {
    expect(remedyOf(refusal)).toContain('Do not send again');
  }
});
