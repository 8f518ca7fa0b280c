/** Actions whose events the venue no longer keeps, so that only their receipts show them (contract R75). */
import { expect, test } from 'vitest';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { accepted, lost } from './life-run.ts';
import { Bench } from './outbox-bench.ts';

test.each([
  ['was lost', lost],
  ['accepted it', accepted],
])('a nonce does not hold the floor if the answer %s and a receipt shows it', (_, answer) => {
  const bench = Bench.open();
  const id = bench.want('a');
  bench.answer(id, answer);
  while (bench.of('look').length === 0) bench.pass(1_000);
  bench.found(id, 'applied');
  expect([bench.outbox.get(id), bench.outbox.nonces.floor]).toEqual([undefined, 1]);
});

test('orders go on after more lost events than there are nonces', () => {
  const bench = Bench.open();
  for (let count = 0; count < 2 * defaultNonceRules.window; count += 1) {
    const id = bench.want(`o${count}`);
    bench.answer(id, lost);
    while (bench.own(id).state !== 'looking') bench.pass(1_000);
    bench.found(id, 'applied');
  }
  expect(bench.outbox.nonces.floor).toBe(2 * defaultNonceRules.window);
});
