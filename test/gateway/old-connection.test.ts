/** A client that is back on a new socket while its old one, which the bridge has ended, is still open. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOf } from '../acceptance/parity/lanes.ts';
import { type Bridge, bothLanes, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';

let bridge: Bridge;
const peers: (FixPeer | FixpPeer)[] = [];

beforeAll(async () => {
  bridge = await startBridge({ config: bothLanes({ cancelOnDisconnect: { when: 'abrupt' } }) });
});

afterAll(async () => {
  for (const peer of peers) peer.hangUp();
  await bridge.stop();
});

type Lane = 'FIX' | 'FIXP';

async function connect(lane: Lane, before?: FixPeer | FixpPeer): Promise<FixPeer | FixpPeer> {
  const { gateway } = bridge;
  const peer =
    lane === 'FIX'
      ? await FixPeer.connect(gateway.port, bridge.user('ALPHA'))
      : await FixpPeer.connect(
          gateway.fixpPort,
          bridge.user('BRAVO'),
          listOf(gateway),
          before instanceof FixpPeer ? before : undefined,
        );
  peers.push(peer);
  if (peer instanceof FixpPeer) {
    peer.establishing = { CancelOnDisconnectType: 'OnDisconnect', CodTimeoutWindow: 0 };
  }
  // A FIXP client goes on with the session that it negotiated; a FIX client begins its numbers anew.
  await peer.logon(before instanceof FixpPeer ? '' : '|141=Y');
  return peer;
}

function order(id: string): string {
  return `D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`;
}

async function placed(peer: FixPeer | FixpPeer, id: string): Promise<void> {
  peer.say(order(id));
  await peer.next((line) => fieldOf(line, '11') === id && fieldOf(line, '150') === '0');
}

/** Until the bridge has read what was sent to it before, and answered it. */
async function read(peer: FixPeer | FixpPeer): Promise<void> {
  peer.say('1|112=probe-1');
  await peer.next((line) => fieldOf(line, '112') === 'probe-1');
}

function openCount(): number {
  return bridge.gateway.accounts.reduce((sum, { bound }) => sum + bound.runner.orders.openCount, 0);
}

describe.each([
  ['FIX', '0|34=1'],
  ['FIXP', '5'],
] as const)('on %s', (lane, ending) => {
  test('an old connection places nothing in the new session, and its close is not the close of the new one', async () => {
    const openBefore = openCount();
    const old = await connect(lane);
    old.stayOpen();
    old.say(ending);
    await old.next((line) => line.startsWith('Terminate') || fieldOf(line, '35') === '5');
    const client = await connect(lane, old);
    await placed(client, 'mine');
    old.say(order('from the old connection'));
    await read(client);
    old.hangUp();
    for (let i = 0; i < 2; i += 1) await read(client);
    await placed(client, 'mine too');
    expect(openCount() - openBefore).toBe(2);
    expect(client.unasked()).toEqual([]);
  });
});
