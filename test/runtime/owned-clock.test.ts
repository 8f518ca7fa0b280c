import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { OwnedClock } from '../../src/runtime/owned-clock.ts';

test('alarms ring as on the clock beneath, until the owner ends', () => {
  const beneath = new ManualClock();
  const clock = new OwnedClock(beneath);
  const rung: string[] = [];
  clock.at(10, () => rung.push('a'));
  const cancel = clock.at(20, () => rung.push('canceled'));
  clock.at(30, () => rung.push('late'));
  beneath.at(30, () => rung.push("another's"));
  cancel();
  beneath.advance(25);
  expect(clock.now()).toEqual(beneath.now());
  clock.close();
  clock.at(28, () => rung.push('after the end'));
  beneath.advance(25);
  expect(rung).toEqual(['a', "another's"]);
});

test('an alarm that sets the next one ends, too', () => {
  const beneath = new ManualClock();
  const clock = new OwnedClock(beneath);
  let count = 0;
  const again = () => {
    count += 1;
    if (count === 3) clock.close();
    clock.at(clock.now().monoMs + 10, again);
  };
  again();
  beneath.advance(1_000);
  expect(count).toBe(3);
});
