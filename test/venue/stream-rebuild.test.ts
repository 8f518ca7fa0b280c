/** Away for longer than the venue keeps its events: what the clients are told goes on from the receipts (R75). */
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { Client, spot } from '../sandbox/client.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

let bridge: Bridge;
let peer: FixPeer | undefined;

afterEach(async () => {
  peer?.hangUp();
  await bridge.stop();
});

/** The seventh decimal makes an amount: 0.01 of BTC-USDC. */
const qty = 1_000_000;
const price = 40_000_000_000;

async function logsOn(more?: string): Promise<FixPeer> {
  const session = bridge.user();
  const nextOut = peer?.nextOut ?? 1;
  peer = await FixPeer.connect(bridge.gateway.port, session);
  peer.nextOut = nextOut;
  expect(typeOf(await peer.logon(more))).toBe('A');
  return peer;
}

async function rests(client: FixPeer, clOrdId: string): Promise<void> {
  client.say(`D|11=${clOrdId}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  await client.next((message) => fieldOf(message, '150') === '0');
}

const facts = (message: string) =>
  ['35', '11', '150', '39', '32', '14', '151'].map((tag) => fieldOf(message, tag) ?? '').join(' ');

test('V-05, R75: trades and cancels beyond the retention of the venue are told once, and that executions are lost', async () => {
  bridge = await startBridge({ retention: { eventsPerAccount: 4 } });
  const before = await logsOn();
  for (const clOrdId of ['filled', 'partly', 'canceled', 'untouched']) await rests(before, clOrdId);
  const [own, other] = bridge.sandbox.info.accounts;
  if (own === undefined || other === undefined) throw new Error('the sandbox has no accounts');
  const orderIds = [...bridge.gateway.accounts[0]!.bound.line.orders.open()].map(
    ({ orderId }) => orderId,
  );
  before.hangUp();
  await bridge.restart(async () => {
    const [buyer, seller] = [own, other].map(
      (one) => new Client(bridge.sandbox, one, systemClock),
    ) as [Client, Client];
    await buyer.resync();
    await seller.act(spot({ side: 'Ask', price, qty: (qty * 3) / 2 }));
    await buyer.act({ Cancel: { order_id: orderIds[2] } });
    // More than the venue keeps, of the account's own.
    for (let count = 0; count < 6; count += 1) {
      await buyer.act(spot({ price: 30_000_000_000, time_in_force: 'ioc' }));
    }
  });
  const after = await logsOn('');
  const heard: string[] = [];
  while (heard.length < 4) heard.push(facts(await after.heard()));
  expect(heard).toEqual([
    '8 filled F 2 0.01 0.01 0',
    '8 partly F 1 0.005 0.005 0.005',
    '8 canceled 4 4  0 0',
    'B      ',
  ]);
});
