/** A data directory that was restored from an older backup: what the bridge no longer knows is not done again. */
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

const terms = '55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now';

test('an order that its client sends again is not placed a second time if the venue has it', async () => {
  const bridge = await startBridge({});
  const client = async (nextOut: number) => {
    const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
    peer.nextOut = nextOut;
    expect(typeOf(await peer.logon(''))).toBe('A');
    return peer;
  };
  const log = join(dirname(bridge.configFile), 'gateway', 'gateway-log');
  await bridge.restart(async () => cpSync(log, `${log}.backup`, { recursive: true }));
  const clOrdIds = ['a', 'a rather long ClOrdID, which has a stand-in at the venue'];
  const before = await client(1);
  for (const clOrdId of clOrdIds) {
    before.say(`D|11=${clOrdId}|${terms}`);
    await before.next((message) => fieldOf(message, '150') === '0');
  }
  before.hangUp();
  await bridge.restart(async () => {
    rmSync(log, { recursive: true });
    cpSync(`${log}.backup`, log, { recursive: true });
  });
  // The bridge expects number 1, and would ask for the numbers that it has forgotten.
  const after = await client(1);
  for (const clOrdId of clOrdIds) {
    after.say(`D|43=Y|122=now|11=${clOrdId}|${terms}`);
    const answer = await after.next((message) => typeOf(message) === '8');
    expect([fieldOf(answer, '150'), fieldOf(answer, '9102')]).toEqual([
      '8',
      'bridge.duplicate_clordid',
    ]);
  }
  after.say(`D|43=Y|122=now|11=b|${terms}`);
  await after.next((message) => fieldOf(message, '150') === '0');
  const { orders } = bridge.gateway.accounts[0]?.bound.line ?? expect.fail('no account');
  expect([...orders.openOnVenue()].length).toBe(3);
  after.hangUp();
  await bridge.stop();
});
