/** A mass cancel of more orders than one transaction cancels, over real sockets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Transactions } from '../../src/store/transactions.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

/** More than one transaction cancels; the sandbox takes no more than 200. */
const many = 120;

let bridge: Bridge;
let peer: FixPeer;
let count = 0;

beforeAll(async () => {
  bridge = await startBridge({ session: { cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } } });
  peer = await client();
}, 60_000);

afterAll(async () => {
  peer.hangUp();
  await bridge.stop();
});

async function client(): Promise<FixPeer> {
  const own = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  await own.logon();
  return own;
}

const orders = () => {
  const line = bridge.gateway.accounts[0]?.bound.runner;
  if (line === undefined) throw new Error('the bridge has no account');
  return line.orders;
};
const openCount = () => [...orders().open()].length;

function enter(): string {
  count += 1;
  peer.say(`D|11=o${count}|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now`);
  return `o${count}`;
}

async function enterMany(): Promise<void> {
  for (let i = 0; i < many; i += 1) enter();
  await expect
    .poll(() => [...orders().open()].filter(({ phase }) => phase === 'live').length, {
      timeout: 30_000,
    })
    .toBe(many);
}

async function reportOf(clOrdId: string, execType: string): Promise<string> {
  return peer.next(
    (message) => fieldOf(message, '11') === clOrdId && fieldOf(message, '150') === execType,
  );
}

/** How many orders each transaction begins to cancel, until the returned function is called. */
function watchTurns(): () => readonly number[] {
  const perTurn: number[] = [];
  const seen = new Set<string>();
  const { atEnd } = Transactions.prototype;
  Transactions.prototype.atEnd = function counted(this: Transactions, settle) {
    atEnd.call(this, () => {
      const before = seen.size;
      for (const { owner, pending } of orders().open()) {
        if (pending?.kind === 'own_cancel') seen.add(owner.key);
      }
      perTurn.push(seen.size - before);
      settle();
    });
  };
  return () => {
    Transactions.prototype.atEnd = atEnd;
    return perTurn.filter((canceled) => canceled > 0);
  };
}

test('all are canceled, in several transactions; what comes in meanwhile stays', async () => {
  await enterMany();
  const transactions = watchTurns();
  peer.say('q|11=all|530=7|60=now');
  const late = enter();
  const answer = await peer.next((message) => fieldOf(message, '35') === 'r');
  expect(['11', '531', '533'].map((tag) => fieldOf(answer, tag))).toEqual(['all', '7', `${many}`]);
  expect(fieldOf(await reportOf('o1', '4'), '378')).toBe('4');
  await expect.poll(openCount, { timeout: 30_000 }).toBe(1);
  expect(transactions()).toEqual([100, 20]);
  await reportOf(late, '0');
  expect([...orders().open()].map(({ clOrdId, pending }) => [clOrdId, pending])).toEqual([
    [late, null],
  ]);
  expect(orders().isMassCanceling).toBe(false);
}, 60_000);

test('the kill switch and the end of a connection take the same way', async () => {
  const operator = { who: 'test', why: 'runaway' };
  expect(bridge.gateway.operator.kill(operator, { kind: 'all' })).toBe(1);
  await expect.poll(openCount).toBe(0);
  bridge.gateway.operator.release(operator, { kind: 'all' });
  await enterMany();
  const transactions = watchTurns();
  peer.hangUp();
  await expect.poll(openCount, { timeout: 30_000 }).toBe(0);
  expect(transactions()).toEqual([100, 20]);
  peer = await client();
}, 60_000);
