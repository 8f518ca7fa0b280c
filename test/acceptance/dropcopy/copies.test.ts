/** The drop-copy scenarios of docs/CERTIFICATION.md over FIX, the bridge and the venue, on real sockets. */
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { OrderPlayer, readOrderScenarios } from '../orders/order-script.ts';

let bridge: Bridge;
let player: OrderPlayer;

beforeAll(async () => {
  bridge = await startBridge({
    config: { unknownAfterMs: 700, dropCopy: { maxReplay: 12 } },
    session: { copy: { acknowledge: 'reader' } },
  });
  player = new OrderPlayer(bridge);
  await player.start();
});

afterAll(async () => {
  player.close();
  await bridge.stop();
});

test.each(
  readOrderScenarios(join('../dropcopy', 'copies.fix')).map(
    (scenario) => [scenario.title, scenario] as const,
  ),
)('%s', async (_, scenario) => {
  await player.play(scenario);
});
