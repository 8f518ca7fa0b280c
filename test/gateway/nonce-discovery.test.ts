/** How a bridge learns the nonces of its accounts (contract G19). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

const shipped = join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const folder = mkdtempSync(join(tmpdir(), 'causeway-discovery-'));
let bridge: Bridge | undefined;

afterEach(async () => {
  await bridge?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('R15: with the hash route out of use everything still works: nothing from it is ever signed', async () => {
  const profileFile = join(folder, 'venue.yaml');
  const text = readFileSync(shipped, 'utf8');
  const without = text.replace('discovery: hash_route', 'discovery: first_reject');
  expect(without).not.toBe(text);
  writeFileSync(profileFile, without);
  bridge = await startBridge({ profileFile });
  await bridge.admin('POST', '/faults', {
    kind: 'fail_before',
    status: 500,
    path: '/actions/hash',
    times: null,
  });
  const [session] = bridge.sessions;
  if (session === undefined) throw new Error('no session');
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  await peer.logon();
  for (const id of ['a', 'b', 'c']) {
    peer.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
    await peer.next((said) => fieldOf(said, '11') === id && fieldOf(said, '150') === '0');
  }
  peer.hangUp();
});
