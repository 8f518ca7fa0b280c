import { expect, test } from 'vitest';
import { remedyOf } from '../../../src/cli/roe/remedies.ts';
import { refusals } from '../../../src/venue/refusals.ts';

test('every refusal of the bridge itself that is decisive has a remedy of its own', () => {
  const own = refusals.filter(({ decisive, source }) => decisive && source === 'bridge');
  const without = own.filter((row) => remedyOf(row) === remedyOf({ ...row, name: 'another' }));
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
