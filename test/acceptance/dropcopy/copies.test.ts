/** The drop-copy scenarios of docs/CERTIFICATION.md over FIX and FIXP, the bridge and the venue, on real sockets. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { OrderPlayer, readOrderScenarios } from '../orders/order-script.ts';
import { connectFixp, startFixpBridge } from '../parity/lanes.ts';

const scenarios = (file: string) =>
  readOrderScenarios(join('../dropcopy', file)).map(
    (scenario) => [scenario.title, scenario] as const,
  );

/** On a busy machine a bridge and its venue take their time. */
const startMs = 60_000;

describe.each([
  ['copies.fix', { acknowledge: 'reader' }],
  ['surveillance.fix', { requests: true }],
] as const)('%s', (file, copy) => {
  let bridge: Bridge;
  let player: OrderPlayer;

  beforeAll(async () => {
    bridge = await startBridge({
      config: { unknownAfterMs: 700, dropCopy: { maxReplay: 12 } },
      session: { copy },
    });
    player = new OrderPlayer(bridge);
    await player.start();
  }, startMs);

  afterAll(async () => {
    player.close();
    await bridge.stop();
  });

  test.each(scenarios(file))('%s', async (_, scenario) => {
    await player.play(scenario);
  });

  if (file !== 'copies.fix') return;
  test('D-12: a trade that a reader refuses alarms the operator', () => {
    expect(bridge.alarms.filter((text) => text.includes('refuses trade'))).toEqual([
      'FIX.4.4:CAUSEWAY/->DROP/ refuses trade desk-a-1-0: TradeReportRejectReason(751)=99, unknown to us',
    ]);
  });
});

describe.each([
  ['fixp-copies.fix', { acknowledge: 'reader' }, 4],
  ['fixp-surveillance.fix', { requests: true }, 12],
] as const)('%s', (file, copy, maxReplay) => {
  let bridge: Bridge;
  let player: OrderPlayer;

  beforeAll(async () => {
    bridge = await startFixpBridge({
      config: { unknownAfterMs: 700, dropCopy: { maxReplay } },
      session: { copy },
    });
    player = new OrderPlayer(bridge, connectFixp);
    await player.start();
  }, startMs);

  afterAll(async () => {
    player.close();
    await bridge.stop();
  });

  test.each(scenarios(file))('%s', async (_, scenario) => {
    await player.play(scenario);
  });

  if (file !== 'fixp-copies.fix') return;
  test('D-12: a trade that a reader over FIXP refuses alarms the operator', () => {
    expect(bridge.alarms.filter((text) => text.includes('refuses trade'))).toEqual([
      'FIXP:DROP refuses trade desk-a-1-0: TradeReportRejectReason(751)=99, unknown to us',
    ]);
  });
});
