/** The session scenarios S-01 to S-45 of docs/CERTIFICATION.md, on manual time. */
import { describe, expect, test } from 'vitest';
import { MemoryWire } from './memory-wire.ts';
import { play } from './player.ts';
import { readScenarios } from './script.ts';

const scenarios = readScenarios('session.fix');

/** S-41 needs TLS sockets (test/transport, test/interop), S-44 two days (test/long/soak-session). */
const elsewhere = ['S-41', 'S-44'];

test('each session scenario of the catalogue is here', () => {
  for (let number = 1; number <= 45; number += 1) {
    const id = `S-${String(number).padStart(2, '0')}`;
    if (elsewhere.includes(id)) continue;
    expect(
      scenarios.some(({ title }) => title.startsWith(id)),
      id,
    ).toBe(true);
  }
});

describe('R123: logon, numbers, heartbeats, resends and resets follow FIX 4.4', () => {
  test.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    '%s',
    async (_, scenario) => {
      await play(scenario, new MemoryWire());
    },
  );
});
