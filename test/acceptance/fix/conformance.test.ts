/** The cases of the QuickFIX acceptance suite for FIX 4.4, over a real socket, against `causeway conformance`. */
import { expect, test } from 'vitest';
import { startConformance } from '../../../src/cli/conformance.ts';
import { play } from './player.ts';
import { readScenarios } from './script.ts';
import { SocketWire } from './socket-wire.ts';

const scenarios = readScenarios('conformance.fix');
const names = { client: 'TW44', server: 'ISLD' };

test('there is a scenario for each of the 59 cases', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(59);
});

test.concurrent.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
  '%s',
  async (_, scenario) => {
    const running = await startConformance(0);
    try {
      await play(scenario, new SocketWire(running.port, names));
    } finally {
      await running.close();
    }
  },
);
