import { expect, test } from 'vitest';
import { outcomeText } from '../../src/cli/certify.ts';

test("a counterparty's own text does not control the terminal of who certifies it", () => {
  const reason = 'unasked for: Logout: \x1b[2Jgood\nV-01 passed';
  const shown = outcomeText({ id: 'V-01', title: 'Logon', outcome: 'failed', reason }, 'ALPHA ');
  expect(shown.split('\n')).toEqual([
    'ALPHA failed       V-01   Logon',
    'ALPHA              unasked for: Logout: ·[2Jgood·V-01 passed',
  ]);
  const passed = { id: 'V-02', title: 'Logout', outcome: 'passed', reason: 'x' } as const;
  expect(outcomeText(passed)).toBe('passed       V-02   Logout');
});
