import { expect, test } from 'vitest';
import { type FrameLine, FrameTurns } from '../../src/signer/frame-turns.ts';

test('each line has one frame a round, whoever has more, and one that joins waits for one round at most', async () => {
  const turns = new FrameTurns();
  const seen: string[] = [];
  const line = (name: string, count: number): FrameLine => {
    let left = count;
    return {
      next() {
        left -= 1;
        seen.push(name);
        return left > 0;
      },
    };
  };
  turns.add(line('a', 5));
  turns.add(line('b', 2));
  expect(seen).toEqual(['a']);
  await new Promise(setImmediate);
  turns.add(line('c', 1));
  for (let round = 0; round < 5; round += 1) await new Promise(setImmediate);
  expect(seen).toEqual(['a', 'a', 'b', 'a', 'b', 'c', 'a', 'a']);
  turns.add(line('d', 1));
  expect(seen.at(-1)).toBe('d');
});
