/** What a session's engine is told by the configuration, seen by a client of the whole bridge. */
import { afterEach, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

let bridge: Bridge;
let peer: FixPeer;

afterEach(async () => {
  peer.hangUp();
  await bridge.stop();
});

async function start(session: object): Promise<void> {
  bridge = await startBridge({ session });
  const first = bridge.user();
  peer = await FixPeer.connect(bridge.gateway.port, first);
}

test('above its rate a client is refused with 9101=101, its cancels are sent, and the operator is notified when it ends', async () => {
  await start({ rates: { orders: { perSecond: 1, burst: 1 }, maxRefusals: 1 } });
  await peer.logon();
  const order = (id: string) => `D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`;
  peer.say(order('a'));
  await peer.next((message) => fieldOf(message, '150') === '0');
  peer.say(order('b'));
  const refused = await peer.next((message) => typeOf(message) === 'j');
  expect([fieldOf(refused, '380'), fieldOf(refused, '9101')]).toEqual(['0', '101']);
  peer.say('F|41=a|11=c|55=BTC-USDC|54=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '4');
  peer.say(order('d'));
  await peer.next((message) => typeOf(message) === '5');
  expect(bridge.alarms.join()).toMatch(/ALPHA.*rate: more than 1 refusals/);
});

test('a client outside of its hours is told so, and changes nothing', async () => {
  const today = new Date().getUTCDay();
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const schedule = { days: [days[(today + 3) % 7]], start: '10:00', end: '11:00' };
  await start({ engine: { schedule, saysLastProcessed: true } });
  expect(fieldOf(await peer.logon(), '58')).toBe('Logon outside of session hours');
});
