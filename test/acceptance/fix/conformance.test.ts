/** The cases of the QuickFIX acceptance suite for FIX 4.4, over a real socket, against `causeway conformance`. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startConformance } from '../../../src/cli/conformance.ts';
import { play } from './player.ts';
import { clientBytes, readScenarios } from './script.ts';
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

test('a client that ends its connection can log on again at once', async () => {
  const running = await startConformance(0);
  for (let times = 0; times < 100; times += 1) {
    const socket = connect(running.port, '127.0.0.1');
    socket.write(clientBytes('A|34=1|98=0|108=30', names, Date.now()));
    const first = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    expect(String(first[0]), `logon ${times}`).toContain('\x0135=A\x01');
    socket.end();
  }
  await running.close();
});
