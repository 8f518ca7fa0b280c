/** An account is taken from a session while it has orders on it, over real sockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

const terms = '55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now';

async function clientOf(bridge: Bridge, name: string): Promise<FixPeer> {
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user(name));
  await peer.logon('');
  return peer;
}

async function rests(peer: FixPeer, clOrdId: string): Promise<void> {
  peer.say(`D|11=${clOrdId}|${terms}`);
  await peer.next((message) => fieldOf(message, '150') === '0');
}

/** A reload leaves ALPHA another account. */
async function takeAccount(bridge: Bridge): Promise<void> {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as {
    sessions: { senderCompId: string; accounts: string[] }[];
  };
  for (const session of config.sessions)
    if (session.senderCompId === 'ALPHA') session.accounts = ['desk-b'];
  writeFileSync(bridge.configFile, stringify(config));
  await bridge.gateway.reload(loadConfig(bridge.configFile));
}

test('cancel on disconnect covers orders on an account that a reload took from the session', async () => {
  const bridge = await startBridge({
    session: { cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } },
  });
  const peer = await clientOf(bridge, 'ALPHA');
  await rests(peer, 'a');
  await takeAccount(bridge);
  const open = () => bridge.gateway.accounts[0]?.bound.runner.orders.openCount;
  expect(open()).toBe(1);
  peer.hangUp();
  await expect.poll(open).toBe(0);
  await bridge.stop();
});

test('a ClOrdID of an ended order is not accepted again on another account after a reload took its own', async () => {
  const bridge = await startBridge();
  const peer = await clientOf(bridge, 'ALPHA');
  await rests(peer, 'a');
  peer.say('F|11=x|41=a|55=BTC-USDC|54=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '4');
  await takeAccount(bridge);
  for (const clOrdId of ['a', 'x']) {
    peer.say(`D|11=${clOrdId}|${terms}`);
    const refusal = await peer.next((message) => fieldOf(message, '150') === '8');
    expect(fieldOf(refusal, '9102')).toBe('bridge.duplicate_clordid');
  }
  await rests(peer, 'b');
  peer.hangUp();
  await bridge.stop();
});

test('a session sees and cancels its orders on an account that a reload took from it, and changes no order there', async () => {
  const bridge = await startBridge({
    config: { profiles: { wide: { massCancelScope: 'account' } } },
    session: { profile: 'wide' },
  });
  const peer = await clientOf(bridge, 'ALPHA');
  const other = await clientOf(bridge, 'CHARLIE');
  for (const clOrdId of ['a', 'b']) await rests(peer, clOrdId);
  await rests(other, 'other');
  await takeAccount(bridge);
  const [line] = bridge.gateway.accounts.map(({ bound }) => bound.runner);
  const answered = async (request: string, tags: readonly string[]) => {
    peer.say(request);
    const answer = await peer.next(() => true);
    return tags.map((tag) => fieldOf(answer, tag));
  };
  expect(await answered('H|11=a|55=BTC-USDC|54=1', ['39', '11'])).toEqual(['0', 'a']);
  expect(await answered('AF|584=all|585=7', ['911', '584'])).toEqual(['2', 'all']);
  await peer.next((message) => fieldOf(message, '584') === 'all');
  expect(await answered(`D|11=a|${terms}`, ['150', '9102'])).toEqual([
    '8',
    'bridge.duplicate_clordid',
  ]);
  expect(await answered(`G|11=c|41=a|${terms.replace('30000', '30001')}`, ['35', '9102'])).toEqual([
    '9',
    'bridge.unknown_account',
  ]);
  peer.say('F|11=x|41=a|55=BTC-USDC|54=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '4');
  peer.say('q|11=all|530=7|60=now');
  const report = await peer.next((message) => fieldOf(message, '35') === 'r');
  expect(fieldOf(report, '533')).toBe('1');
  await peer.next((message) => fieldOf(message, '150') === '4');
  expect([...(line?.orders.open() ?? [])].map(({ clOrdId }) => clOrdId)).toEqual(['other']);
  for (const each of [peer, other]) each.hangUp();
  await bridge.stop();
});
