/** The whole bridge on what is handed to it in the place of network, disk and signer (decision 0240). */
import { expect, test } from 'vitest';
import type { Cast } from './cast.ts';
import { textOf } from './client-log.ts';
import { FixTrader, type Said } from './fix-trader.ts';
import { plainBridge } from './plain-bridge.ts';
import { secretOf, userOf } from './whole-bridge.ts';

async function stand(amendQty: Cast['amendQty'] = 'total') {
  const { bridge, dice, time, venue } = plainBridge(() => ({ amendQty }));
  await venue.open(1, bridge.profileFile);
  await bridge.start();
  const heard: Said[] = [];
  const trader = new FixTrader({
    ...{ compId: 'ALPHA', username: userOf(0), secret: secretOf(0), time, dice },
    clock: time.clock(bridge.wall),
    heard: (said) => heard.push(said),
    changed: () => {},
  });
  const connect = async () => {
    trader.connect(bridge.door('fix')!);
    await time.pass(5_000);
  };
  await connect();
  const told = (clOrdId: string, tag: string) =>
    heard.filter((said) => textOf(said, '11') === clOrdId).map((said) => textOf(said, tag));
  return { bridge, connect, time, told, trader, venue };
}

test('a market order is priced by the book of the simulated venue', async () => {
  const { bridge, time, told, trader, venue } = await stand();
  venue.stranger(2, null, 'Ask', 2_500_000_000, 100_000_000, 'gtc');
  trader.say('D|11=a|55=ETH-USDC|54=1|38=0.5|40=1|59=3|60=now');
  await time.pass(2_000);
  bridge.dispose();
  expect(told('a', '150')).toEqual(['A', '0', 'F']);
  expect(told('a', '31').at(-1)).toBe('2500');
});

test('a stop order that waits for its trigger ends at its ExpireTime(126)', async () => {
  const { bridge, time, told, trader, venue } = await stand();
  trader.say('D|11=a|55=ETH-USDC|54=1|38=0.5|40=3|99=2600|59=6|126=20260105-12:00:15|60=now');
  await time.pass(5_000);
  expect(told('a', '150')).toEqual(['A', '0']);
  await time.pass(10_000);
  const [account] = venue.venue.accounts;
  const open = venue.state.exchange.openOrders(account?.account ?? '');
  bridge.dispose();
  expect([told('a', '150'), open]).toEqual([['A', '0', '4'], []]);
});

test('what was not recorded when the process died was not signed either, a nested order no more than others', async () => {
  const { bridge, connect, time, told, trader } = await stand();
  bridge.disk.syncMs = () => 400;
  trader.say('D|11=a|55=ETH-USDC|54=1|38=0.5|40=3|99=2600|59=1|60=now');
  await time.pass(100);
  bridge.crash();
  trader.lost();
  bridge.disk.syncMs = undefined;
  await bridge.start();
  await connect();
  trader.say('D|11=b|55=ETH-USDC|54=1|38=0.7|40=3|99=2600|59=1|60=now');
  await time.pass(2_000);
  bridge.dispose();
  expect(told('b', '150')).toEqual(['A', '0']);
  expect(bridge.alarms.filter((text) => /sign|nonce/.test(text))).toEqual([]);
});

test('what the store took too long to record is not placed at outdated prices, but what it cancels is canceled', async () => {
  const { bridge, time, told, trader, venue } = await stand();
  trader.say('D|11=open|55=ETH-USDC|54=1|38=1|40=2|44=2500|59=1|60=now');
  await time.pass(2_000);
  bridge.disk.syncMs = () => 20_000;
  trader.say('D|11=limit|55=ETH-USDC|54=1|38=1|40=2|44=2400|59=1|60=now');
  trader.say('D|11=trigger|55=ETH-USDC|54=1|38=0.5|40=3|99=2600|59=1|60=now');
  trader.say('F|11=c|41=open|55=ETH-USDC|54=1|60=now');
  await time.pass(30_000);
  bridge.disk.syncMs = undefined;
  await time.pass(60_000);
  const [account] = venue.venue.accounts;
  const open = venue.state.exchange.openOrders(account?.account ?? '');
  trader.say('D|11=next|55=ETH-USDC|54=1|38=1|40=2|44=2400|59=1|60=now');
  await time.pass(2_000);
  bridge.dispose();
  expect(open).toEqual([]);
  for (const late of ['limit', 'trigger']) {
    expect(told(late, '150')).toEqual(['A', '8']);
    expect(told(late, '9102').at(-1)).toBe('bridge.backpressure');
  }
  expect(told('c', '150').at(-1)).toBe('4');
  expect(told('next', '150')).toEqual(['A', '0']);
});

test('after a store that hung while more orders came than there are nonces, new ones are placed at once', async () => {
  const { bridge, time, told, trader } = await stand();
  let hangMs = 20_000;
  bridge.disk.syncMs = () => {
    const ms = hangMs;
    hangMs = 0;
    return ms;
  };
  for (let count = 0; count < 300; count += 1)
    trader.say(`D|11=late ${count}|55=ETH-USDC|54=1|38=1|40=2|44=2400|59=1|60=now`);
  await time.pass(22_000);
  for (let count = 0; count < 60; count += 1) {
    trader.say(`D|11=new ${count}|55=ETH-USDC|54=1|38=1|40=2|44=2400|59=1|60=now`);
    await time.pass(1_000);
    expect(told(`new ${count}`, '150')).toEqual(['A', '0']);
  }
  bridge.dispose();
  for (let count = 0; count < 300; count += 1)
    expect(told(`late ${count}`, '150')).toEqual(['A', '8']);
});

test.each(['total', 'remaining'] as const)(
  'R99: fills that cross with an amend leave no more open than was asked for, where new_qty is the %s',
  async (amendQty) => {
    const { bridge, time, told, trader, venue } = await stand(amendQty);
    trader.say('D|11=a|55=ETH-USDC|54=1|38=1|40=2|44=2500|59=1|60=now');
    await time.pass(2_000);
    venue.faults.oneWayMs = 5_000;
    trader.say('G|11=b|41=a|55=ETH-USDC|54=1|38=0.6|40=2|44=2500|59=1|60=now');
    await time.pass(100);
    venue.stranger(2, null, 'Ask', 2_500_000_000, 30_000_000);
    await time.pass(30_000);
    const [account] = venue.venue.accounts;
    const open = venue.state.exchange.openOrders(account?.account ?? '');
    bridge.dispose();
    expect(told('b', '38').at(-1)).toBe('0.6');
    expect(open).toMatchObject([{ filledQty: 30_000_000, leavesQty: 30_000_000 }]);
  },
);
