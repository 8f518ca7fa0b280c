/** A cancel or replace that is refused without a look at its order still says where that order stands. */
import { afterEach, expect, test } from 'vitest';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { listOf } from '../acceptance/parity/lanes.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';

let bridge: Bridge;
let peer: FixPeer | FixpPeer;

afterEach(async () => {
  peer.hangUp();
  await bridge.stop();
});

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;
const isReject = (message: string) => fieldOf(message, '35') === '9';
const order = 'D|11=o1|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now';

/** The id of an order that rests. */
async function rests(): Promise<string> {
  peer.say(order);
  return fieldOf(await peer.next(isReport('0')), '37') ?? '';
}

const told = (message: string) => ['39', '37', '11', '41'].map((tag) => fieldOf(message, tag));

test('a replace with an instruction that is not offered', async () => {
  bridge = await startBridge();
  const fix = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  peer = fix;
  await fix.logon();
  const orderId = await rests();
  peer.say('G|11=r1|41=o1|55=BTC-USDC|54=1|38=0.02|40=2|44=40000|18=d|59=1|60=now');
  expect(told(await peer.next(isReject))).toEqual(['0', orderId, 'r1', 'o1']);
  peer.say('G|11=r2|41=o9|55=BTC-USDC|54=1|38=0.02|40=2|44=40000|18=d|59=1|60=now');
  expect(told(await peer.next(isReject))).toEqual(['8', 'NONE', 'r2', 'o9']);
});

test('a cancel above the rate of a FIXP session', async () => {
  const { role, username } = demoSessions(1).find((one) => one.senderCompId === 'BRAVO') ?? {};
  const session = { senderCompId: 'BRAVO', role, users: [username], accounts: ['desk-a'] };
  const rates = { cancels: { perSecond: 1, burst: 1 } };
  bridge = await startBridge({
    config: { fixp: { listen: { port: 0 } }, sessions: [{ ...session, protocol: 'fixp', rates }] },
  });
  const { fixpPort } = bridge.gateway;
  const fixp = await FixpPeer.connect(fixpPort, bridge.user('BRAVO'), listOf(bridge.gateway));
  peer = fixp;
  await fixp.logon();
  const orderId = await rests();
  peer.say('F|11=c1|41=o9|55=BTC-USDC|54=1|60=now');
  expect(told(await peer.next(isReject))).toEqual(['8', 'NONE', 'c1', 'o9']);
  peer.say('F|11=c2|41=o1|55=BTC-USDC|54=1|60=now');
  const refused = await peer.next(isReject);
  expect(told(refused)).toEqual(['0', orderId, 'c2', 'o1']);
  expect(fieldOf(refused, '9102')).toBe('bridge.throttled');
});
