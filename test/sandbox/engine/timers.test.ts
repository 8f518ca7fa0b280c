import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Timer, Timers } from '../../../src/sandbox/engine/timers.ts';

test('timers come out by due time and then by entry, whatever was set and taken out before', () => {
  const step = fc.record({ dueMs: fc.nat(20), takesOut: fc.boolean(), which: fc.nat(50) });
  const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const timers = new Timers<number>();
    const set: Timer<number>[] = [];
    for (const [entryNo, { dueMs, takesOut, which }] of steps.entries()) {
      const timer = { dueMs, entryNo, target: entryNo };
      timers.set(timer);
      set.push(timer);
      if (takesOut) for (const gone of set.splice(which % set.length, 1)) timers.remove(gone);
    }
    const came: number[] = [];
    for (let first = timers.first(); first !== undefined; first = timers.first()) {
      timers.remove(first);
      came.push(first.target);
    }
    const wanted = set.sort((a, b) => a.dueMs - b.dueMs || a.entryNo - b.entryNo);
    expect(came).toEqual(wanted.map(({ target }) => target));
    expect(timers.first()).toBeUndefined();
  });
  fc.assert(property, { numRuns: 500 });
});

test('a timer is set once and taking it out twice does nothing', () => {
  const timers = new Timers<string>();
  const timer = { dueMs: 1, entryNo: 1, target: 'a' };
  timers.set(timer);
  expect(() => timers.set(timer)).toThrow('already set');
  timers.remove(timer);
  timers.remove(timer);
  expect(timers.first()).toBeUndefined();
});
