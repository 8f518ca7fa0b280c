/** The days of drop copies over a restart. */
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { realOutside } from '../../src/gateway/outside.ts';
import { dateText } from '../../src/mapping/fix/answer-message.ts';
import { startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

const dayMs = 86_400_000;

test('D-11: a bridge that was down for days ends the day in which it went down', async () => {
  const bridge = await startBridge();
  const client = async (name: string) => {
    const peer = await FixPeer.connect(bridge.gateway.port, bridge.user(name));
    await peer.logon('');
    return peer;
  };
  const alpha = await client('ALPHA');
  alpha.say('D|11=o|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  await alpha.next((message) => fieldOf(message, '150') === '0');
  alpha.hangUp();
  const begun = (Math.floor(Date.now() / dayMs) - 3) * dayMs;
  await bridge.restart(async () => {
    const path = join(dirname(bridge.configFile), 'gateway', 'gateway.db');
    const store = await realOutside.openStore({ path, durability: 'process' });
    await store.commit([{ kind: 'cursor', name: 'copies/day', value: begun }]);
    await store.close();
  });
  const reader = await client('DROP');
  const totals = await reader.next((message) => typeOf(message) === 'UT');
  expect([fieldOf(totals, '9138'), fieldOf(totals, '9130')]).toEqual([dateText(begun), '2']);
  reader.hangUp();
  await bridge.stop();
});
