/** Away for longer than the venue keeps its events: what the clients are told goes on from the receipts (R75). */
import { expect, onTestFinished, test } from 'vitest';
import type { Order } from '../../src/domain/order.ts';
import type { Statement } from '../../src/domain/stated.ts';
import type { FeeMicro, Price, Qty } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Receipt } from '../../src/venue/records.ts';
import { type RebuiltAccount, rebuildFromReceipts } from '../../src/venue/stream-rebuild.ts';
import { Ladder } from '../domain/ladder.ts';
import { Client, spot } from '../sandbox/client.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

let bridge: Bridge;
let peer: FixPeer | undefined;

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
  onTestFinished(async () => {
    peer?.hangUp();
    await bridge.stop();
  });
  const before = await logsOn();
  for (const clOrdId of ['filled', 'partly', 'canceled', 'untouched']) await rests(before, clOrdId);
  const [own, other] = bridge.sandbox.info.accounts;
  if (own === undefined || other === undefined) throw new Error('the sandbox has no accounts');
  const orderIds = [...bridge.gateway.accounts[0]!.bound.runner.orders.open()].map(
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

/** The receipts of an order that was filled for 4 of its 10 and then canceled. */
function receiptsOf({ orderId, venueRef }: Order) {
  const price = 10n as Price;
  const fill = { fillId: 'f', price, qty: 4n as Qty, feeMicro: 0n as FeeMicro };
  const receipt = { orderId, status: 'canceled', leavesQty: 0n, rejectCode: null };
  return {
    own: {
      ...receipt,
      actionHash: venueRef,
      filledQty: 4n,
      fills: [{ ...fill, liquidity: 'maker', tsMs: 1 }],
    },
    cancel: { ...receipt, actionHash: 'h-cancel', filledQty: 0n, fills: [] },
  };
}

/** What is said of the order after a rebuild from these receipts, and the alarms. */
async function rebuilt(copy: Ladder, receipts: readonly object[]): Promise<readonly string[]> {
  const said: string[] = [];
  const line = {
    orders: { openOnVenue: () => [copy.order], get: () => copy.order },
    state: (_: string, statement: Statement) =>
      said.push(...copy.step({ kind: 'stated', statement, nowMs: 1 })),
  } as unknown as RebuiltAccount;
  const reads = { receipts: async () => receipts as readonly Receipt[] };
  await rebuildFromReceipts(line, reads, { fromSeq: 1, toSeq: 9 }, (text) => said.push(text));
  return said.slice(0, -1);
}

const filledAndCanceled = [
  '8 150=F 39=1 11=X 38=10 14=4 151=6 32=4 31=10 6=10',
  '8 150=4 39=4 11=X 38=10 14=4 151=0 378=market_option',
];

test('the receipt of a cancel, which has no trades, does not stand for the order that it names', async () => {
  const order = Ladder.live(10);
  const { cancel, own } = receiptsOf(order.order);
  expect(await rebuilt(order, [own, cancel])).toEqual(filledAndCanceled);
  const byOther = Ladder.live(10);
  byOther.order = { ...byOther.order, venueRef: null };
  expect(await rebuilt(byOther, [own, cancel])).toEqual(filledAndCanceled);
});

test('the receipt of a copy that was refused for its nonce does not stand for the order', async () => {
  const order = Ladder.live(10);
  const { own } = receiptsOf(order.order);
  const none = { filledQty: null, leavesQty: null, fills: [] };
  const copy = { ...own, ...none, status: 'rejected', rejectCode: 'nonce_replayed' };
  const inFlight = new Ladder(order.order.terms);
  inFlight.sent();
  expect(await rebuilt(inFlight, [copy])).toEqual([expect.stringContaining('no receipt of order')]);
  expect(await rebuilt(order, [own, copy])).toEqual(filledAndCanceled);
});
