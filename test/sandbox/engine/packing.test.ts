import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExecutionEvent } from '../../../src/sandbox/engine/event.ts';
import { Floor } from './floor.ts';
import { step, take } from './random-day.ts';

test('an event that is read again equals the event that was sent', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const floor = new Floor();
      const told: ExecutionEvent[] = [];
      for (const one of steps) told.push(...(take(floor, one)?.events ?? []));
      for (const { account, seq } of told) {
        const page = floor.exchange.events(account, seq, 1);
        const event = told.find((other) => other.account === account && other.seq === seq);
        expect(page).toMatchObject({ kind: 'page', events: [event] });
      }
    }),
    { numRuns: 40 },
  );
});
