/** A data directory that was restored from an older backup: what the bridge no longer knows is not done again. */
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { listOf } from '../acceptance/parity/lanes.ts';
import { type Bridge, bothLanes, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';

const terms = '55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now';

function logOf(bridge: Bridge): string {
  return join(dirname(bridge.configFile), 'gateway', 'gateway-log');
}

async function keepBackup(bridge: Bridge): Promise<void> {
  const log = logOf(bridge);
  await bridge.restart(async () => cpSync(log, `${log}.backup`, { recursive: true }));
}

async function restoreBackup(bridge: Bridge): Promise<void> {
  const log = logOf(bridge);
  await bridge.restart(async () => {
    rmSync(log, { recursive: true });
    cpSync(`${log}.backup`, log, { recursive: true });
  });
}

async function isDone(peer: FixPeer | FixpPeer, what: string): Promise<void> {
  peer.say(what);
  await peer.next((message) => fieldOf(message, '150') === '0');
}

async function isRefused(peer: FixPeer | FixpPeer, what: string): Promise<void> {
  peer.say(what);
  const answer = await peer.next((message) => typeOf(message) === '8');
  expect(['150', '9102'].map((tag) => fieldOf(answer, tag))).toEqual([
    '8',
    'bridge.duplicate_clordid',
  ]);
}

function openCount({ gateway }: Bridge): number {
  return gateway.accounts.flatMap(({ bound }) => [...bound.runner.orders.openOnVenue()]).length;
}

test('an order that its client sends again is not placed a second time if the venue has it', async () => {
  const bridge = await startBridge({});
  const client = async (nextOut: number) => {
    const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
    peer.nextOut = nextOut;
    expect(typeOf(await peer.logon(''))).toBe('A');
    return peer;
  };
  await keepBackup(bridge);
  const clOrdIds = ['a', 'a rather long ClOrdID, which has a stand-in at the venue'];
  const before = await client(1);
  for (const clOrdId of clOrdIds) await isDone(before, `D|11=${clOrdId}|${terms}`);
  before.hangUp();
  await restoreBackup(bridge);
  // The bridge expects number 1, and would ask for the numbers that it has forgotten.
  const after = await client(1);
  for (const clOrdId of clOrdIds) {
    await isRefused(after, `D|43=Y|122=now|11=${clOrdId}|${terms}`);
  }
  await isDone(after, `D|43=Y|122=now|11=b|${terms}`);
  expect(openCount(bridge)).toBe(3);
  after.hangUp();
  await bridge.stop();
});

test('over FIXP, where nothing marks an order that is sent again, its terms tell it from one of another channel', async () => {
  const bridge = await startBridge({ config: bothLanes() });
  const client = async (before?: FixpPeer, nextOut?: number) => {
    const { fixpPort } = bridge.gateway;
    const user = bridge.user('BRAVO');
    const peer = await FixpPeer.connect(fixpPort, user, listOf(bridge.gateway), before);
    if (nextOut !== undefined) peer.nextOut = nextOut;
    // The bridge has forgotten what it sent, too, and uses those numbers again.
    peer.forgetHeard();
    expect(typeOf(await peer.logon(before ? '' : '|141=Y'))).toBe('A');
    return peer;
  };
  const first = await client();
  first.hangUp();
  await keepBackup(bridge);
  const lost = await client(first);
  await isDone(lost, `D|11=a|${terms}`);
  await isDone(lost, `D|11=b|${terms}`);
  lost.say(`G|11=less|41=b|${terms.replace('0.02', '0.01')}`);
  await lost.next((message) => fieldOf(message, '150') === '5');
  lost.hangUp();
  await restoreBackup(bridge);
  // What the bridge has forgotten, it reports as not applied; then the client goes back to it instead.
  const ahead = await client(lost);
  await isRefused(ahead, `D|11=a|${terms}`);
  ahead.hangUp();
  await restoreBackup(bridge);
  const back = await client(lost, 1);
  await isRefused(back, `D|11=a|${terms}`);
  await isRefused(back, `D|11=b|${terms}`);
  expect(openCount(bridge)).toBe(2);
  await isRefused(back, `D|97=Y|11=a|${terms.replace('30000', '30001')}`);
  // An order at another price or in another market is another one, which has the name by chance.
  await isDone(back, `D|11=a|${terms.replace('30000', '30001')}`);
  await isDone(back, `D|11=b|${terms.replace('BTC-', 'ETH-')}`);
  expect(openCount(bridge)).toBe(4);
  back.hangUp();
  await bridge.stop();
});
