import { expect, test } from 'vitest';
import { versionFault } from '../../src/cluster/adjacent.ts';
import { leaseMs } from '../../src/store/postgres/lease.ts';

const beside = (version: string, other: string, ageMs = 0) =>
  versionFault({ node: 'n1', version }, [{ node: 'n2', version: other, ageMs }]);

test.each([
  ['0.4.0', '0.4.9'],
  ['0.4.0', '0.5.0'],
  ['0.5.2', '0.4.0'],
  ['1.0.0', '1.1.0-rc.1'],
  ['1.10.0', '1.9.0'],
  ['1', '1.1'],
])('%s and %s run side by side, whichever starts first', (one, other) => {
  expect(beside(one, other)).toBeUndefined();
  expect(beside(other, one)).toBeUndefined();
});

test.each([
  ['0.4.0', '0.6.0'],
  ['1.0.0', '2.0.0'],
  ['0.9.0', '1.0.0'],
  ['1.2.0', '1.20.0'],
  ['1.0.0', ''],
  ['1.0.0', 'unknown'],
])('%s does not start beside %s, nor the other way round', (one, other) => {
  expect(beside(one, other)).toContain(
    `node n2 runs version ${other}, and this program is ${one}:`,
  );
  expect(beside(other, one)).toBeDefined();
});

test('the fault says what to do', () => {
  expect(beside('0.6.0', '0.4.0')).toBe(
    'node n2 runs version 0.4.0, and this program is 0.6.0: only adjacent minor versions run side by side. Upgrade one minor version at a time, or stop all nodes first (docs/DEPLOY.md, "A rolling upgrade")',
  );
});

test('a node that has not announced itself for longer than a lease does not count', () => {
  expect(beside('0.6.0', '0.4.0', leaseMs)).toBeDefined();
  expect(beside('0.6.0', '0.4.0', leaseMs + 1)).toBeUndefined();
});

test('what this node itself was before its upgrade does not count, and one of many is enough', () => {
  const before = { node: 'n1', version: '0.1.0', ageMs: 0 };
  const self = { node: 'n1', version: '0.5.0' };
  expect(versionFault(self, [before])).toBeUndefined();
  expect(versionFault(self, [])).toBeUndefined();
  const others = ['0.5.0', '0.4.0', '0.3.0'].map((version, at) => ({
    node: `n${at + 2}`,
    version,
    ageMs: 0,
  }));
  expect(versionFault(self, [before, ...others])).toContain('node n4 runs version 0.3.0');
});
