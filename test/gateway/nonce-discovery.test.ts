/** How a bridge learns the nonces of its accounts (contract G19). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { discoveryProblem, VenueReadError } from '../../src/venue/venue-reads.ts';
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
  const session = bridge.user();
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  await peer.logon();
  for (const id of ['a', 'b', 'c']) {
    peer.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
    await peer.next((said) => fieldOf(said, '11') === id && fieldOf(said, '150') === '0');
  }
  peer.hangUp();
  await bridge.restart();
  expect(bridge.alarms).toEqual([]);
});

test('R136: a floor that another writer holds is asked for at intervals, not with each answer', async () => {
  const profileFile = join(mkdtempSync(join(tmpdir(), 'causeway-stride-')), 'venue.yaml');
  const text = readFileSync(shipped, 'utf8');
  const strided = text.replace('stride: { offset: 0, step: 1 }', 'stride: { offset: 1, step: 2 }');
  writeFileSync(profileFile, strided.replace('  window: 256', '  window: 8'));
  bridge = await startBridge({ profileFile });
  const [account] = bridge.gateway.accounts;
  const { reads } = account?.link ?? {};
  if (reads === undefined) throw new Error('no account');
  const ask = reads.currentNonce.bind(reads);
  const askedMs: number[] = [];
  reads.currentNonce = (envelope) => {
    askedMs.push(performance.now());
    return ask(envelope);
  };
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
  for (const id of ['a', 'b', 'c', 'd']) {
    peer.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  }
  // An answer that takes longer than the pause makes the next pause short again.
  const shorter = () => {
    const [first = 0, second = 0, third = 0] = askedMs.slice(-3);
    return Math.min(second - first, third - second);
  };
  await expect.poll(shorter, { timeout: 10_000 }).toBeGreaterThan(200);
  peer.hangUp();
});

test.each([401, 403])(
  'a credential that the venue refuses with %i is reported as such',
  (status) => {
    const refused = new VenueReadError('/actions/hash: UNAUTHORIZED', status);
    expect(discoveryProblem(refused, false)).toBe(
      'the venue refuses the credential of this account, so nothing can be sent: /actions/hash: UNAUTHORIZED',
    );
  },
);

test('any other fault is reported as nonces that are not known', () => {
  const away = new VenueReadError('/actions/hash: HTTP 503', 503);
  expect(discoveryProblem(away, false)).toMatch(/actions\/hash.*503/);
  expect(discoveryProblem(away, true)).toContain('were not compared with the venue');
});

test('a bridge that stops while the venue does not answer raises no alarm about nonces', async () => {
  bridge = await startBridge();
  const unanswered = { kind: 'slow', path: '/actions/hash', times: 1, delayMs: 60_000 };
  await bridge.admin('POST', '/faults', unanswered);
  // A question is asked at most every 250 ms; the fault is gone once it has been asked.
  for (let faults: unknown[] = [unanswered]; faults.length > 0; ) {
    void bridge.gateway.accounts[0]?.bound.runner.discover();
    ({ faults } = (await bridge.admin('GET', '/faults')) as { faults: unknown[] });
  }
  await bridge.stop();
  expect(bridge.alarms.join('\n')).not.toContain('nonces');
});
