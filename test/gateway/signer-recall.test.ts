/** The signer inside the bridge: its ledger, its anchor, and the journal (docs/decisions/0285-ledger-of-the-signer.md). */
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedgerFile } from '../../src/signer/ledger-file.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

let bridge: Bridge;
let ledger: string;

beforeAll(async () => {
  bridge = await startBridge({ config: { shutdownGraceMs: 50 } });
  ledger = join(dirname(bridge.configFile), 'signer', 'signer.ledger');
});

afterAll(() => bridge.stop());

/** What the signer would read if the process were killed now. */
function digestsOnDisk(): string[] {
  const copy = `${ledger}.copy`;
  copyFileSync(ledger, copy);
  const file = openLedgerFile(copy, {
    durability: 'process',
    environment: 'local',
    mayCreate: false,
  });
  const digests: string[] = [];
  file.read((entry) => digests.push(entry.toString('hex', 28, 60)));
  file.close();
  return digests;
}

test('a signer inside has each placement on the disk before it is sent, and does not start on a lost ledger', async () => {
  const alpha = bridge.user();
  const peer = await FixPeer.connect(bridge.gateway.port, alpha);
  await peer.logon();
  // What stays open at the venue keeps its nonce; what is settled can never be signed again.
  await bridge.admin('POST', '/faults', { kind: 'hold', delayMs: null, path: '/trading/actions' });
  peer.say('D|11=one|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === 'A');
  peer.hangUp();
  expect(digestsOnDisk()).toHaveLength(1);
  const kept = `${ledger}.kept`;
  const lost = bridge.restart(async () => {
    renameSync(ledger, kept);
  });
  await expect(lost).rejects.toThrow(/there is no ledger of signed nonces/);
  await bridge.restart(async () => {
    renameSync(kept, ledger);
    await bridge.admin('POST', '/faults/release');
  });
  expect(digestsOnDisk()).toHaveLength(1);
  expect(bridge.alarms).toEqual([]);
});

test('it starts without its ledger as its refusal says: an operator removes signer.anchor', async () => {
  const lost = bridge.restart(async () => rmSync(ledger));
  await expect(lost).rejects.toThrow(/with signer\.mode inline, remove signer\.anchor from/);
  await bridge.restart(async () =>
    rmSync(join(dirname(bridge.configFile), 'gateway', 'signer.anchor')),
  );
  expect(digestsOnDisk()).toEqual([]);
});
