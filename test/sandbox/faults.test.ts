import { expect, test } from 'vitest';
import { Faults, faultRuleSchema } from '../../src/sandbox/faults.ts';

const rule = (change: object) => faultRuleSchema.parse({ kind: 'drop', ...change });

test('R133: a rule fires for its path, its account, and so often as it says', () => {
  const faults = new Faults(1);
  faults.arm(rule({ path: 'orders', account: '0xa', times: 2 }));
  expect(faults.request('/limits', '0xa')).toBeUndefined();
  expect(faults.request('/orders', '0xb')).toBeUndefined();
  expect(faults.request('/orders', null)).toBeUndefined();
  expect([1, 2, 3].map(() => faults.request('/orders', '0xa')?.kind)).toEqual([
    'drop',
    'drop',
    undefined,
  ]);
});

test('faults of frames and of requests do not use each other up', () => {
  const faults = new Faults(1);
  faults.arm(rule({ kind: 'frame_drop' }));
  faults.arm(rule({}));
  expect(faults.frame('0xa')?.kind).toBe('frame_drop');
  expect(faults.frame('0xa')).toBeUndefined();
  expect(faults.request('/', null)?.kind).toBe('drop');
});

test('a rate is drawn from the seed', () => {
  const drawn = (seed: number) => {
    const faults = new Faults(seed);
    faults.arm(rule({ times: null, perMille: 250 }));
    return Array.from({ length: 400 }, () => faults.request('/', null) !== undefined);
  };
  expect(drawn(3)).toEqual(drawn(3));
  expect(drawn(3)).not.toEqual(drawn(4));
  const hits = drawn(3).filter(Boolean).length;
  expect(hits).toBeGreaterThan(60);
  expect(hits).toBeLessThan(140);
});
