/** Algos and conditional orders over FIX, the bridge and the venue, on real sockets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { OrderPlayer, readOrderScenarios } from './order-script.ts';

let bridge: Bridge;
let player: OrderPlayer;

beforeAll(async () => {
  bridge = await startBridge();
  player = new OrderPlayer(bridge);
});

afterAll(async () => {
  player.close();
  await bridge.stop();
});

test.each(readOrderScenarios('algos.fix').map((scenario) => [scenario.title, scenario] as const))(
  '%s',
  async (_, scenario) => {
    await player.play(scenario);
    expect(bridge.alarms).toEqual([]);
  },
);
