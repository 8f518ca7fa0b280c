import { expect, test } from 'vitest';
import { limitRows, settingRows } from '../../../src/cli/roe/limit-rows.ts';
import { limits } from '../../../src/gateway/config/config-keys.ts';
import { profile } from '../../../src/gateway/config/session-config.ts';

const every = {
  maxOrderQty: '10',
  maxNotional: '1000000',
  priceCollarBps: 500,
  maxOpenOrders: 2000,
  ordersPerSecond: 50,
  maxDuplicatesPerSecond: 20,
};

test('a limit has a name in words, its unit and its meaning', () => {
  const rows = limitRows({ maxOrderQty: '10', priceCollarBps: 500, ordersPerSecond: 50 });
  expect(rows).toEqual([
    ['Max order qty', '10', 'base quantity', expect.stringContaining('OrderQty(38)')],
    ['Price collar', '500', 'basis points', expect.stringContaining('best opposite price')],
    ['Orders per second', '50', 'per second', expect.stringContaining('Cancels do not count')],
  ]);
});

test('every limit of the configuration has a unit and a meaning', () => {
  expect(Object.keys(limits.shape)).toEqual(Object.keys(every));
  for (const cells of limitRows(every)) expect(cells.every((cell) => cell !== '')).toBe(true);
});

test('every setting has a meaning, and switches are yes or no', () => {
  const rows = settingRows(profile.parse({}), 'fix');
  for (const [name, value, , meaning] of rows) {
    expect(meaning, String(name)).not.toBe('');
    expect(['true', 'false']).not.toContain(value);
  }
  expect(rows).toContainEqual(['Max order age', '120000', 'ms', expect.any(String)]);
});

test('a FIXP session has no settings that only concern FIX', () => {
  const names = settingRows(profile.parse({}), 'fixp').map(([name]) => name);
  expect(names).not.toContain('Client fields');
  expect(names).toContain('STP');
});
