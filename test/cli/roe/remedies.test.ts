import { expect, test } from 'vitest';
import { remedyOf } from '../../../src/cli/roe/remedies.ts';
import { refusals } from '../../../src/venue/refusals.ts';

test('every decisive refusal of the bridge itself has specific advice', () => {
  const own = refusals.filter(({ decisive, source }) => decisive && source === 'bridge');
  const without = own.filter((row) => remedyOf(row) === remedyOf({ ...row, name: 'another' }));
  expect(without.map(({ name }) => name)).toEqual([]);
});

test.each(refusals)('$name of $source has advice', (refusal) => {
  expect(remedyOf(refusal)).toMatch(/^[A-Z].{8,}\.$/);
});

test('no advice is to send again while the outcome is unknown', () => {
  for (const refusal of refusals.filter(({ decisive }) => !decisive)) {
    expect(remedyOf(refusal)).toContain('Do not send it again');
  }
});

test('whoever may send again is told to use a new ClOrdID, because a rejected request has used its own', () => {
  for (const refusal of refusals.filter(({ decisive }) => decisive)) {
    if (remedyOf(refusal).includes('send it again'))
      expect(remedyOf(refusal), refusal.name).toContain('new ClOrdID');
  }
});

test('a venue that is busy or halted is no reason to correct the order', () => {
  const named = new Map(refusals.map((row) => [row.name, row]));
  for (const name of [
    'SHARD_BUSY',
    'QUEUE_LIMIT',
    'KILL_SWITCH',
    'MARKET_HALTED',
    'backpressure',
  ]) {
    const row = named.get(name);
    expect(row && remedyOf(row), name).not.toContain('Correct the order');
  }
});
