import { expect, test } from 'vitest';
import { peerRejectText } from '../../src/transport/peer-reject.ts';

test('the words of a peer are cut, and cannot break a line', () => {
  const text = (said: string) => peerRejectText({ ours: 'message 1', text: said });
  expect(text('a\n"b"\u001b[2J')).toContain('"a\\n\\"b\\"\\u001b[2J"');
  expect(text('x'.repeat(1000))).toHaveLength(text('').length + 200);
});
