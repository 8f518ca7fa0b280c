import { expect, test } from 'vitest';
import { AnswerSwap } from '../../src/sandbox/answer-swap.ts';
import { json, type VenueResponse } from '../../src/sandbox/http-message.ts';

test('two answers go to each other, and one that stays alone goes to its own request', () => {
  const swap = new AnswerSwap();
  const sent: string[] = [];
  const send = (to: string) => (answer: VenueResponse) => sent.push(`${to} gets ${answer.body}`);
  for (const name of ['first', 'second', 'third']) swap.meet(json(200, name), send(name));
  expect(sent).toEqual(['first gets "second"', 'second gets "first"']);
  swap.release();
  swap.release();
  expect(sent.at(-1)).toBe('third gets "third"');
  expect(sent).toHaveLength(3);
});
