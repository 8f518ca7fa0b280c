/** What waits for a nonce goes out as soon as it can, and the gate is asked about nothing else. */
import { expect, test } from 'vitest';
import { conditional, full, hashOfAnother } from './outbox-bench.ts';

test('the gate is not asked about a conditional order while there is one nonce for its two actions', () => {
  const bench = full();
  bench.want('stop', conditional);
  bench.event(0, hashOfAnother);
  bench.step({ kind: 'discover' });
  expect(bench.of('judge')).toEqual([]);
  bench.event(1, hashOfAnother);
  expect([bench.of('judge').length, bench.of('sign').length]).toEqual([1, 1]);
});

test('what is withdrawn from the head of the line lets the next order out with the same input', () => {
  const bench = full();
  bench.want('stop', conditional);
  bench.want('next');
  bench.event(0, hashOfAnother);
  expect(bench.submits.at(-1)).not.toMatch(/^next /);
  bench.withdraw((key) => key === 'stop');
  expect(bench.submits.at(-1)).toMatch(/^next /);
});

test('what has waited too long for two nonces lets the next order out with the same input', () => {
  const bench = full();
  bench.want('stop', conditional);
  bench.pass(1_000);
  bench.want('next');
  bench.event(0, hashOfAnother);
  bench.pass(4_500);
  expect(bench.outcomes).toContain('stop refused bridge.nonce_window');
  expect(bench.submits.at(-1)).toMatch(/^next /);
});
