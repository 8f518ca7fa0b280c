/** Calls that run one after the other. */
import { expect, test } from 'vitest';
import { OneAtATime } from '../../src/runtime/one-at-a-time.ts';

test('a call begins when the one before it is over, and a failure concerns only its own caller', async () => {
  const queue = new OneAtATime();
  const happened: string[] = [];
  const call = (name: string, fails = false) =>
    queue.run(async () => {
      happened.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      happened.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([call('a'), call('b', true), call('c')]);
  expect(happened).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
