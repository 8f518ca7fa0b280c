/** What clients are told about the venue is of the moment: it is not held for those that are not there. */
import { expect, test } from 'vitest';
import { startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

test('a client that is logging out is not told at its next logon that the venue was closed then', async () => {
  const bridge = await startBridge();
  const halt = async (tradingHalted: boolean) => {
    await bridge.admin('POST', '/gates', { tradingHalted });
    await expect.poll(() => bridge.gateway.gate.state).toBe(tradingHalted ? 'halted' : 'open');
  };
  await halt(false);
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('MARKET'));
  await peer.logon();
  peer.stayOpen();
  peer.say('5');
  await peer.next((message) => typeOf(message) === '5');
  await halt(true);
  peer.hangUp();
  await halt(false);
  const again = await FixPeer.connect(bridge.gateway.port, bridge.user('MARKET'));
  again.nextOut = peer.nextOut;
  await again.logon('');
  again.say('g|335=g1|263=0');
  const told = await again.heard();
  expect(['35', '335', '340'].map((tag) => fieldOf(told, tag))).toEqual(['h', 'g1', '2']);
  again.hangUp();
  await bridge.stop();
});
