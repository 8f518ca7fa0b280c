/** Switches of the venue's profile that change what clients may do (contract C.6, C.7, C.12). */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { admissionRules } from '../../src/gateway/features.ts';
import type { Nonces } from '../../src/venue/outbox/nonces.ts';
import { startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { quickProfile, sandboxProfile } from '../support/quick-files.ts';

/** The shipped profile with one line changed. */
function profileWith(
  line: string,
  changed: string,
  file = quickProfile(mkdtempSync(join(tmpdir(), 'causeway-switches-'))),
): string {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(line);
  writeFileSync(file, text.replace(line, changed));
  return file;
}

async function loggedOn(profileFile: string) {
  const bridge = await startBridge({ profileFile });
  const alpha = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  expect(typeOf(await alpha.logon())).toBe('A');
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  return { alpha, bridge };
}

const offTick = '55=BTC-USDC|54=1|38=0.01|40=2|44=30000.001|59=1|60=now';

test.each([
  ['localChecks: false', false],
  ['localChecks: true', true],
])('with %s, a price between two ticks is refused by the bridge: %s', async (line, isLocal) => {
  const { alpha, bridge } = await loggedOn(profileWith('localChecks: false', line));
  alpha.say(`D|11=a|${offTick}`);
  const end = await alpha.next((message) => fieldOf(message, '150') === '8');
  expect(fieldOf(end, '9102') === 'bridge.price_precision').toBe(isLocal);
  alpha.hangUp();
  await bridge.stop();
});

test('what the venue has not confirmed of its markets is not checked on mainnet', () => {
  const checks = (confirmed: boolean | string[], environment: 'local' | 'mainnet') =>
    admissionRules({ ...sandboxProfile, confirmed, localChecks: true }, environment).localChecks;
  expect(checks(false, 'local')).toBe(true);
  expect(checks(false, 'mainnet')).toBe(false);
  expect(checks(['markets'], 'mainnet')).toBe(true);
});

test.each([
  ['skipUnchanged: true', 1],
  ['skipUnchanged: false', 2],
])('with %s, a quote that is sent twice is %i orders at the venue', async (line, orders) => {
  const { alpha, bridge } = await loggedOn(profileWith('skipUnchanged: true', line));
  for (const quoteId of ['q1', 'q2']) {
    alpha.say(`i|117=${quoteId}|301=2|296=1|302=s|304=1|295=1|299=e|55=ETH-USDC|132=2000|134=0.1`);
    await alpha.next((message) => typeOf(message) === 'b' && fieldOf(message, '117') === quoteId);
  }
  const { runner: account } = bridge.gateway.accounts[0]?.bound ?? expect.fail('no account');
  await expect.poll(() => [...account.orders.all()].length).toBe(orders);
  alpha.hangUp();
  await bridge.stop();
});

test('R83: the legs and nonces that the venue allows outrank the profile, also if it states them later', async () => {
  const file = profileWith('window: 256', 'window: 10', profileWith('legs: 32', 'legs: 1'));
  const bridge = await startBridge({ profileFile: file });
  const nonces = () => bridge.gateway.accounts[0]?.bound.runner.nonces as Nonces;
  expect(nonces().snapshot().window).toBe(256);
  const limits = { kind: 'fail_before', status: 500, path: '/order-entry/limits', times: 1 };
  await bridge.restart(async () => void (await bridge.admin('POST', '/faults', limits)));
  nonces().stated({ floor: 0, window: 9, from: 'answer' });
  const alpha = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  expect(typeOf(await alpha.logon())).toBe('A');
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  const twoLegs = '301=2|296=1|302=s|304=1|295=1|299=e|55=ETH-USDC|132=2000|133=3000|134=1|135=1';
  const isAnswer = (message: string) => typeOf(message) === 'b';
  alpha.say(`i|117=q1|${twoLegs}`);
  expect(fieldOf(await alpha.next(isAnswer), '9102')).toBe('bridge.limit');
  const { account } = bridge.gateway.accounts[0]?.bound.runner ?? expect.fail('no account');
  await bridge.admin('POST', `/streams/${account}`, { number: 300 });
  await expect.poll(() => nonces().snapshot().window).toBe(256);
  alpha.say(`i|117=q2|${twoLegs}`);
  expect(fieldOf(await alpha.next(isAnswer), '297')).toBe('0');
  alpha.hangUp();
  await bridge.stop();
});

test('G20: an account has as many stored orders as the profile allows, also after a restart', async () => {
  const { alpha, bridge } = await loggedOn(profileWith('maxPerAccount: 32', 'maxPerAccount: 1'));
  const stored = async (peer: FixPeer, id: string) => {
    peer.say(`D|11=${id}|55=ETH-USDC|54=2|38=0.1|40=J|99=4000|59=1|60=now`);
    const isEnd = (one: string) => fieldOf(one, '11') === id && fieldOf(one, '150') !== 'A';
    const told = await peer.next(isEnd);
    return ['150', '103', '9102'].map((tag) => fieldOf(told, tag));
  };
  expect(await stored(alpha, 'first')).toEqual(['0', undefined, undefined]);
  expect(await stored(alpha, 'second')).toEqual(['8', '3', 'bridge.limit']);
  alpha.say('F|11=c|41=first|55=ETH-USDC|54=2|60=now');
  await alpha.next((one) => fieldOf(one, '11') === 'c' && fieldOf(one, '150') === '4');
  expect(await stored(alpha, 'third')).toEqual(['0', undefined, undefined]);
  alpha.hangUp();
  await bridge.restart();
  const again = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  expect(typeOf(await again.logon())).toBe('A');
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  expect(await stored(again, 'fourth')).toEqual(['8', '3', 'bridge.limit']);
  again.hangUp();
  await bridge.stop();
});
