/** Busts and corrections over real sockets: clients of both lanes, one that is away, a restart, and the replay. */
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listOf } from '../acceptance/parity/lanes.ts';
import { type Bridge, bothLanes, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';
import { causeway } from '../support/program.ts';

let bridge: Bridge;
let peers: (FixPeer | FixpPeer)[] = [];

afterEach(async () => {
  for (const peer of peers) peer.hangUp();
  peers = [];
  await bridge.stop();
});

const by = { who: 'ann', why: 'agreed with the other side' };
const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;
const values = (message: string, ...tags: number[]) =>
  tags.map((tag) => fieldOf(message, `${tag}`));

async function client(name: string, more?: string): Promise<FixPeer | FixpPeer> {
  const { fixpPort, port } = bridge.gateway;
  const peer =
    name === 'BRAVO'
      ? await FixpPeer.connect(fixpPort, bridge.user(name), listOf(bridge.gateway))
      : await FixPeer.connect(port, bridge.user(name));
  peers.push(peer);
  expect(typeOf(await peer.logon(more))).toBe('A');
  return peer;
}

/** The key of the only order of a session. */
function orderOf(session: string): string {
  const orders = bridge.gateway.accounts.flatMap(({ bound }) => [...bound.runner.orders.all()]);
  return orders.find(({ owner }) => owner.session.includes(session))?.owner.key ?? '';
}

/** ALPHA buys 0.02 over FIX, and BRAVO sells it over FIXP. */
async function traded() {
  const alpha = await client('ALPHA');
  const bravo = await client('BRAVO');
  alpha.say('D|11=bought|55=BTC-USDC|54=1|38=0.02|40=2|44=40000|59=1|60=now');
  await alpha.next(isReport('0'));
  bravo.say('D|11=sold|55=BTC-USDC|54=2|38=0.02|40=2|44=40000|59=1|60=now');
  const bought = fieldOf(await alpha.next(isReport('F')), '17') ?? '';
  const sold = fieldOf(await bravo.next(isReport('F')), '17') ?? '';
  return { alpha, bought, bravo, sold };
}

test('V-06: a client over FIXP gets the correction and the bust of its trade, too', async () => {
  bridge = await startBridge({ config: bothLanes() });
  const { bravo, sold } = await traded();
  const { operator } = bridge.gateway;
  const order = orderOf('BRAVO');
  const state = await operator.amendTrade(by, {
    ...{ act: 'correct', order, execId: sold, price: '40001', qty: '0.01' },
  });
  expect(state).toMatchObject({
    cumQty: '0.01',
    leavesQty: '0',
    avgPx: '40001',
    status: 'canceled',
  });
  const corrected = await bravo.next(isReport('G'));
  expect(values(corrected, 17, 19, 39, 32, 31, 14)).toEqual([
    ...[state.execId, sold, '4', '0.01', '40001', '0.01'],
  ]);
  await operator.amendTrade(by, { act: 'bust', order, execId: state.execId ?? '' });
  const busted = await bravo.next(isReport('H'));
  expect(values(busted, 19, 39, 14, 151)).toEqual([state.execId, '4', '0', '0']);
});

test('a client that is away gets the bust when it asks for what it missed, and a restart neither forgets nor repeats it', async () => {
  bridge = await startBridge({ config: bothLanes() });
  const { alpha, bought } = await traded();
  alpha.hangUp();
  const bust = { act: 'bust', order: orderOf('ALPHA'), execId: bought } as const;
  await bridge.gateway.operator.amendTrade(by, bust);
  const dataDir = join(dirname(bridge.configFile), 'gateway');
  await bridge.restart(async () => {
    const replay = ['replay', dataDir, '--config', bridge.configFile];
    const { status, stdout } = await causeway(...replay, '--json');
    const { accounts } = JSON.parse(stdout);
    expect(status).toBe(0);
    for (const { counts } of accounts) expect(counts.effects.compared).toBe(counts.effects.of);
    const story = await causeway(...replay, '--order', 'bought');
    expect(story.stdout).toContain(`An operator busts the trade ${bought}`);
  });
  const { operator } = bridge.gateway;
  expect(() => operator.amendTrade(by, bust)).toThrow(`trade ${bought} is busted already`);
  const again = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  peers.push(again);
  again.nextOut = alpha instanceof FixPeer ? alpha.nextOut : 0;
  await again.logon('');
  again.say('2|7=1|16=0');
  const busted = await again.next(isReport('H'));
  expect(values(busted, 43, 19, 39, 14, 151)).toEqual(['Y', bought, '4', '0', '0']);
});

test('it is not confirmed to the operator before it is durable', async () => {
  bridge = await startBridge({ config: bothLanes() });
  const { bought } = await traded();
  const { operator } = bridge.gateway;
  const bust = { act: 'bust', order: orderOf('ALPHA'), execId: bought } as const;
  let isConfirmed = false;
  const done = operator.amendTrade(by, bust).then(() => {
    isConfirmed = true;
  });
  // What was started in the same turn cannot be on the disk yet.
  await Promise.resolve();
  expect(isConfirmed).toBe(false);
  await done;
});
