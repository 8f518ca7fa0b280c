/** What the console sees of a bridge that has just opened and of one with orders. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outside, realOutside } from '../../src/gateway/outside.ts';
import type { Room } from '../../src/store/store.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

let bridge: Bridge;
let alpha: FixPeer;
let signerAway: string | undefined;
let room: Room = 'plenty';

beforeAll(async () => {
  const openSigner: Outside['openSigner'] = async (...all) => ({
    ...(await realOutside.openSigner(...all)),
    get away() {
      return signerAway;
    },
  });
  const openStore: Outside['openStore'] = async (...all) => {
    const store = await realOutside.openStore(...all);
    return Object.assign(store, { room: () => room });
  };
  bridge = await startBridge({ outside: { openSigner, openStore } });
  const session = bridge.user();
  alpha = await FixPeer.connect(bridge.gateway.port, session);
  await alpha.logon();
});

afterAll(async () => {
  alpha.hangUp();
  await bridge.stop();
});

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;

async function rests(clOrdId: string, terms: string): Promise<void> {
  alpha.say(`D|11=${clOrdId}|${terms}|40=2|59=1|60=now`);
  await alpha.next(isReport('0'));
}

test('orders are found by any part of their names, by state and time, the latest first', async () => {
  const { view } = bridge.gateway;
  await rests('bid-1', '55=BTC-USDC|54=1|38=0.02|44=40000.5');
  await rests('ask-1', '55=BTC-USDC|54=2|38=0.01|44=60000');
  const find = async (search: object) => {
    return (await view.orders({ limit: 10, ...search })).rows.map(({ clOrdId }) => clOrdId);
  };
  expect(new Set(await find({}))).toEqual(new Set(['bid-1', 'ask-1']));
  expect(await find({ text: 'BID' })).toEqual(['bid-1']);
  expect(await find({ text: 'desk-a', limit: 1 })).toHaveLength(1);
  const { rows } = await view.orders({ text: 'ask', limit: 1 });
  const [orderId] = rows.flatMap(({ orderId }) => orderId ?? []);
  expect(await find({ text: orderId?.slice(4, 20).toUpperCase() })).toEqual(['ask-1']);
  expect(await find({ state: 'ended' })).toEqual([]);
  expect(await find({ account: 'desk-b' })).toEqual([]);
  expect(await find({ symbol: 'ETH-USDC' })).toEqual([]);
  expect(await find({ toMs: 1 })).toEqual([]);
  const atMs = rows[0]?.changedMs ?? 0;
  expect(await find({ text: 'ask', fromMs: atMs, toMs: atMs })).toEqual(['ask-1']);
  const [bid] = (await view.orders({ text: 'bid-1', limit: 1 })).rows;
  expect(view.order(bid?.key ?? '')?.order).toMatchObject({
    clOrdId: 'bid-1',
    side: 'Buy',
    qty: '0.02',
    price: '40000.5',
    leavesQty: '0.02',
    avgPx: null,
    status: 'new',
  });
  expect(view.order('desk-a#99')).toBeUndefined();
});

test('the pages of a search follow each other, each from the last order of the one before', async () => {
  const { view } = bridge.gateway;
  const first = await view.orders({ limit: 1 });
  const [latest] = first.rows;
  if (latest === undefined) throw new Error('the first page is empty');
  const second = await view.orders({ limit: 1, before: first.next ?? undefined });
  expect(second).toMatchObject({ count: 2, newer: 1 });
  const [older] = second.rows;
  expect([latest.clOrdId, older?.clOrdId].sort()).toEqual(['ask-1', 'bid-1']);
  expect(second.next).toBeNull();
});

test('quotes of a market show both sides, their depth and the spread of the middle', async () => {
  expect(await bridge.gateway.view.quotes()).toEqual([
    {
      account: 'desk-a',
      symbol: 'BTC-USDC',
      securityId: '1',
      bid: '40000.5',
      ask: '60000',
      bidQty: '0.02',
      askQty: '0.01',
      spreadBps: 3999,
    },
  ]);
});

test('an account shows its nonces from the floor on, and its stream', () => {
  const [account] = bridge.gateway.view.venue().accounts;
  expect(account).toMatchObject({ name: 'desk-a', state: 'open', isStreamLive: true });
  expect(account?.nonces.window).toMatch(/^[frsux?]{256}$/);
  expect(account?.nonces.floor).toBeGreaterThanOrEqual(2);
  expect(account?.stream).toMatchObject({ lag: 0 });
});

test('the reasons why no orders are accepted are given in words, also that the bridge is shutting down', async () => {
  const { operator, view } = bridge.gateway;
  expect(view.notReady).toEqual([]);
  const by = { who: 'test', why: 'to see' };
  operator.kill(by, { kind: 'all' });
  expect(view.notReady).toEqual([expect.stringMatching(/kill switch/)]);
  operator.release(by, { kind: 'all' });
  signerAway = 'connect ECONNREFUSED';
  expect(view.notReady).toEqual([expect.stringMatching(/signer.*ECONNREFUSED/)]);
  signerAway = undefined;
  room = 'reserve';
  expect(view.notReady).toEqual([expect.stringMatching(/store.*full/)]);
  room = 'plenty';
  const stopped = bridge.gateway.stop();
  expect(view.notReady).toEqual([expect.stringMatching(/going down/)]);
  await stopped;
});
