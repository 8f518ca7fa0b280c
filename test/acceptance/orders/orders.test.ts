/** The order scenarios of docs/CERTIFICATION.md over FIX, the bridge and the venue, on real sockets. */
import { afterAll, beforeAll, test } from 'vitest';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { OrderPlayer, readOrderScenarios } from './order-script.ts';

let bridge: Bridge;
let player: OrderPlayer;

beforeAll(async () => {
  bridge = await startBridge({ config: { unknownAfterMs: 700 } });
  player = new OrderPlayer(bridge);
  await player.start();
});

afterAll(async () => {
  player.close();
  await bridge.stop();
});

test.each(
  ['orders.fix', 'changes.fix', 'rejects.fix', 'rules.fix']
    .flatMap(readOrderScenarios)
    .map((scenario) => [scenario.title, scenario] as const),
)('%s', async (_, scenario) => {
  await player.play(scenario);
});
