/** S-44: a session of 48 hours of virtual time. One connection, no gap, nothing left waiting. */
import { noFaults } from './crash-line.ts';
import type { LongRun } from './main.ts';
import { fixPair } from './session-pair.ts';

export async function run({ short, seed }: LongRun): Promise<string> {
  return soak(seed, short ? 48 : 7 * 24);
}

export function soak(seed: number, hours: number): string {
  const pair = fixPair(seed, noFaults);
  const { client, bridge, dice, clock } = pair;
  const endMs = hours * 3_600_000;
  while (clock.now().monoMs < endMs) {
    // Busy minutes, and quiet ones in which only heartbeats keep the session up.
    const isBusy = Math.trunc(clock.now().monoMs / 600_000) % 3 === 0;
    if (isBusy && dice.once(4)) client.say();
    if (isBusy && dice.once(4)) bridge.say();
    for (let step = 0; step < 12; step += 1) pair.step();
    pair.pass(isBusy ? dice.below(1_000) : dice.below(6_000));
  }
  for (let step = 0; step < 2_000; step += 1) pair.step();
  if (pair.connections !== 1) throw new Error(`${pair.connections} connections instead of one`);
  if (bridge.told !== client.sent) throw new Error(`${bridge.told} of ${client.sent} were told`);
  if (client.told !== bridge.sent) throw new Error(`${client.told} of ${bridge.sent} were told`);
  const { queued, held } = bridge.session;
  if (queued !== 0 || held !== 0) throw new Error(`${queued} queued and ${held} held at the end`);
  return `${hours} h in one connection, ${client.sent + bridge.sent} messages`;
}
