/** Names of orders that meet, over real sockets: each order is known, and ends when it is told to. */
import { afterAll, expect, test } from 'vitest';
import { fieldOf } from '../support/fix-peer.ts';
import { startQuoter } from './quoter.ts';

const by = { who: 'test', why: 'stop' };
const bid = (entryId: string, symbol: string) => `299=${entryId}|55=${symbol}|132=1000|134=0.1`;

/** What a client sends so that two orders would have one name. */
const ways = {
  'one entry id on two instruments': [
    `i|117=A|301=2|296=1|302=1|304=2|295=2|${bid('1', 'BTC-USDC')}|${bid('1', 'ETH-USDC')}`,
  ],
  'ids with dots': [
    `i|117=B|301=2|296=2|302=1|304=1|295=1|${bid('1.1', 'BTC-USDC')}|302=1.1|304=1|295=1|${bid('1', 'ETH-USDC')}`,
  ],
  'an order with the name of a quote': [
    'D|11=C.1.1.B|55=ETH-USDC|54=2|38=0.1|40=2|44=9000|59=1|60=now',
    `i|117=C|301=2|296=1|302=1|304=1|295=1|${bid('1', 'BTC-USDC')}`,
  ],
};

const { bridge, runner, peer, stop } = await startQuoter();
afterAll(stop);

async function openAtVenue(): Promise<number> {
  const state = await bridge.admin('GET', `/accounts/${runner().account}`);
  return (state as { openOrders: unknown[] }).openOrders.length;
}

async function place(messages: readonly string[]): Promise<void> {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  for (const message of messages) peer.say(message);
  await expect.poll(openAtVenue).toBe(2);
  expect(new Set([...runner().orders.open()].map(({ owner }) => owner.key)).size).toBe(2);
}

test.each(Object.entries(ways))(
  '%s: a mass cancel counts both and ends both',
  async (name, way) => {
    await place(way);
    peer.say(`q|11=m${name.replaceAll(' ', '-')}|530=7|60=now`);
    const answer = await peer.next((message) => fieldOf(message, '35') === 'r');
    expect(fieldOf(answer, '533')).toBe('2');
    await expect.poll(openAtVenue).toBe(0);
  },
);

test('the kill switch counts both and ends both', async () => {
  await place(ways['ids with dots'].map((text) => text.replace('117=B', '117=K')));
  expect(bridge.gateway.operator.kill(by, { kind: 'all' })).toBe(2);
  await expect.poll(openAtVenue).toBe(0);
  expect(runner().orders.openCount).toBe(0);
});
