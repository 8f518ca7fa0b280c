/** The words in which a reader learns that something is lost. */
import { expect, test } from 'vitest';
import { lossNews } from '../../src/dropcopy/loss-news.ts';

test('lost copies are named by their first and last position and counted', () => {
  const { headline, lines } = lossNews({ kind: 'lost', account: 'desk', from: 5, to: 7 });
  expect(headline).toBe('Drop copies lost');
  expect(lines).toEqual([expect.stringMatching(/desk.*5 to 7.*not acknowledged/)]);
});

test('lost executions are named with their account, line by line', () => {
  const copy = { kind: 'gap', lines: ['a', 'b'], position: 1, atMs: 0, seq: 0 } as const;
  expect(lossNews({ kind: 'gap', account: 'desk', copy, possResend: false })).toEqual({
    kind: 'news',
    headline: 'Executions lost',
    lines: ['desk: a', 'desk: b'],
  });
});
