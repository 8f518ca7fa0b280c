/** Answers to requests of two accounts that come to each other's request (docs/decisions/0255-proof-before-a-rejection.md). */
import { expect, test } from 'vitest';
import { textOf } from './client-log.ts';
import { FixTrader, type Said } from './fix-trader.ts';
import { plainBridge } from './plain-bridge.ts';
import { secretOf, userOf } from './whole-bridge.ts';

test('an acceptance that names the order of another account is the answer to another request', async () => {
  const { bridge, cast, dice, time, venue } = plainBridge();
  await venue.open(1, bridge.profileFile);
  await bridge.start();
  const at = cast.sessions.findIndex(({ compId }) => compId === 'BRAVO');
  const said: Said[] = [];
  const trader = new FixTrader({
    ...{ compId: 'BRAVO', username: userOf(at), secret: secretOf(at), time, dice },
    clock: time.clock(bridge.wall),
    heard: (one) => said.push(one),
    changed: () => {},
  });
  trader.connect(bridge.door('fix')!);
  await time.pass(5_000);
  venue.faults.swapped = 1_000;
  for (const account of ['desk-a', 'desk-b']) {
    trader.say(`D|11=${account}|1=${account}|55=ETH-USDC|54=1|38=1|40=2|44=2000|59=1|60=now`);
  }
  await time.pass(10_000);
  bridge.dispose();
  expect(venue.counts.swapped).toBe(1);
  const told = said.map((one) => ['11', '150', '37'].map((tag) => textOf(one, tag)));
  for (const account of ['desk-a', 'desk-b']) {
    const [pending, open, ...more] = told.filter(([clOrdId]) => clOrdId === account);
    expect([pending?.[1], open, more]).toEqual(['A', [account, '0', pending?.[2]], []]);
  }
  expect(bridge.alarms.filter((text) => text.includes('no more'))).toEqual([]);
});
