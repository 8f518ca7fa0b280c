/** Whatever happens to an account, the bridge, its client and the venue agree once everything has arrived. */
import { expect, test } from 'vitest';
import { Dice } from '../simulation/dice.ts';
import { CoreWalk } from './core-walk.ts';

test('after any random walk of one account, bridge, client and venue agree', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const walk = new CoreWalk(new Dice(seed));
    await walk.walk(150);
    expect([seed, ...walk.faults]).toEqual([seed]);
  }
});

test('random walks place orders, quotes, amends and cancels, restart, and have their requests lost', async () => {
  const walks = [1, 2, 3, 4].map((seed) => new CoreWalk(new Dice(seed)));
  for (const walk of walks) await walk.walk(400);
  const log = walks.flatMap((walk) => walk.log).join('\n');
  for (const part of ['place', 'group', 'cancel', 'amend'])
    expect(log).toContain(`"kind":"${part}"`);
  for (const part of ['--- restart', 'bridge.unknown_outcome']) expect(log).toContain(part);
  for (const { venue } of walks) expect(venue.book.trades.size).toBeGreaterThan(0);
});
