/** The disk is all but full: what is new is refused, what is under way can be finished (decision 0032). */
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

let bridge: Bridge;

afterEach(() => bridge.stop());

const leastMiB = 33;

test('when its disk is nearly full, the bridge rejects new orders and quotes with 9101=100, and still sends cancels', async () => {
  bridge = await startBridge({
    config: { maxDataBytes: leastMiB * 1024 ** 2 },
    session: { actions: ['order', 'quote'] },
  });
  const session = bridge.user();
  const before = await FixPeer.connect(bridge.gateway.port, session);
  expect(typeOf(await before.logon())).toBe('A');
  before.say('D|11=early|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  await before.next((message) => fieldOf(message, '150') === '0');
  before.hangUp();
  await bridge.restart(fillDisk);
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  peer.nextOut = before.nextOut;
  expect(typeOf(await peer.logon(''))).toBe('A');
  peer.say('D|11=late|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  const refused = await peer.next((message) => fieldOf(message, '11') === 'late');
  expect(refused).toMatch(/\|150=8\|.*\|103=99\|/);
  expect(refused).toContain('|9101=100|');
  expect(refused).toContain('the store of the bridge is all but full, or does not keep up');
  peer.say(
    'i|117=q|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|132=40000|133=60000|134=0.01|135=0.02',
  );
  const answer = await peer.next((message) => typeOf(message) === 'b');
  expect([fieldOf(answer, '297'), fieldOf(answer, '9102')]).toEqual(['5', 'bridge.backpressure']);
  peer.say('F|11=end|41=early|55=BTC-USDC|54=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '4');
  peer.hangUp();
});

async function fillDisk(): Promise<void> {
  const path = join(dirname(bridge.configFile), 'gateway', 'gateway.db');
  const store = await openLogStore({ path, durability: 'process' });
  // Random, because the store compresses what is finished, and would have room again.
  const payload = randomBytes(2 * 1024 ** 2);
  await store.commit([{ kind: 'append', stream: 'ballast', expected: 0, payload }]);
  await store.close();
}
