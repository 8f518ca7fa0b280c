/** Clients cannot raise as many alarms as they like, and the alarms that they cause hide no others. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

let bridge: Bridge;
afterEach(() => bridge.stop());

const codes = () => bridge.lines.flatMap(({ code }) => code ?? []);

async function logon(): Promise<FixPeer> {
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  return peer;
}

async function refused(peer: FixPeer, order: string): Promise<void> {
  peer.say(`D|${order}|54=1|38=0.1|40=2|59=1|60=now`);
  const clOrdId = fieldOf(`|${order}|`, '11');
  await peer.next((one) => fieldOf(one, '11') === clOrdId && fieldOf(one, '39') === '8');
}

test('orders that the signer refuses raise one alarm a minute for each of its reasons, not one for each order', async () => {
  bridge = await startBridge();
  await bridge.restart(async () => {
    const file = join(dirname(bridge.configFile), 'signer.yaml');
    const signer = parse(readFileSync(file, 'utf8')) as { keys: { policy: object }[] };
    for (const { policy } of signer.keys) Object.assign(policy, { actions: ['Cancel'] });
    writeFileSync(file, stringify(signer));
  });
  const peer = await logon();
  for (let each = 0; each < 20; each += 1) {
    await refused(peer, `11=signer-${each}|55=BTC-USDC|44=40000`);
  }
  expect(codes().filter((code) => code === 'not_signed')).toHaveLength(1);
  peer.hangUp();
});

test('orders that the venue refuses for want of a scope raise one alarm a minute', async () => {
  bridge = await startBridge();
  const peer = await logon();
  const alias = bridge.user().accounts[0];
  const own = bridge.gateway.accounts.find(({ config }) => config.name === alias);
  const { agents = [] } =
    bridge.sandbox.info.accounts.find(({ account }) => account === own?.config.account) ?? {};
  for (const { agentId } of agents) {
    await bridge.admin('POST', `/agents/${agentId}`, { scopes: ['cancel'] });
  }
  for (let each = 0; each < 20; each += 1) {
    await refused(peer, `11=scope-${each}|55=BTC-USDC|44=40000`);
  }
  expect(codes().filter((code) => code === 'INVALID_SCOPE')).toHaveLength(1);
  peer.hangUp();
});
