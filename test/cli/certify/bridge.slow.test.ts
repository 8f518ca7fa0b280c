/** The bridge of a certification is a process that is killed, damaged and configured anew, and is as before in the end. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { BridgeSetup } from '../../../src/certify/bridge-setup.ts';
import { openCertifyBridge } from '../../../src/cli/certify/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';

const session = { senderCompId: 'PEER', targetCompId: 'CAUSEWAY' };
const credentials = { username: 'peer', password: 'of-the-test' };
const login = { ...session, ...credentials, role: 'order-entry', accounts: ['desk-a'] } as const;
const order = '55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now';
/** Processes begin slowly on a machine that is busy with other work. */
const patienceMs = 60_000;

let bridge: BridgeSetup;

beforeAll(async () => {
  bridge = await openCertifyBridge({ ...session, credentials, role: 'order-entry' });
}, patienceMs);
afterAll(() => bridge.stop(), patienceMs);

function isListening(port = bridge.port): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: bridge.host, port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

async function loggedOn(nextOut: number): Promise<FixPeer> {
  const peer = await FixPeer.connect(bridge.port, login);
  peer.nextOut = nextOut;
  expect(typeOf(await peer.logon(''))).toBe('A');
  return peer;
}

test('after a kill the bridge listens where it did before, and knows its orders', {
  timeout: patienceMs,
}, async () => {
  const before = await loggedOn(1);
  before.say(`D|11=kept|${order}`);
  await before.next((message) => fieldOf(message, '150') === '0');
  await bridge.act('kill');
  expect(await isListening()).toBe(false);
  await expect(bridge.setNumbers(1, 1)).rejects.toThrow('not running');
  await bridge.act('start');
  const after = await loggedOn(before.nextOut);
  after.say('H|790=q|11=kept|55=BTC-USDC|54=1');
  const state = await after.next((message) => fieldOf(message, '790') === 'q');
  expect(fieldOf(state, '39')).toBe('0');
  after.hangUp();
  await bridge.setNumbers(7, 9);
  const numbered = await loggedOn(7);
  numbered.hangUp();
});

test('a standby continues at the address of the bridge, a backup site at another one until the scenario is over', {
  timeout: patienceMs,
}, async () => {
  const isWhere = async () => [await isListening(), await isListening(bridge.backupPort)];
  await bridge.act('fail over');
  expect(await isWhere()).toEqual([true, false]);
  await bridge.act('lose site');
  expect(await isWhere()).toEqual([false, true]);
  await bridge.tidy();
  expect(await isWhere()).toEqual([true, false]);
});

test('a damaged store is refused, and the damage is undone when the scenario is over', {
  timeout: patienceMs,
}, async () => {
  await bridge.act('set {"markets": ["ETH-USDC"]}');
  await bridge.act('stop');
  await bridge.act('damage');
  await bridge.act('start in vain');
  await bridge.tidy();
  expect(await isListening()).toBe(true);
  await bridge.setNumbers(1, 1);
  const peer = await loggedOn(1);
  peer.say(`D|11=again|${order}`);
  const isSettled = (message: string) =>
    fieldOf(message, '11') === 'again' && fieldOf(message, '150') !== 'A';
  const report = await peer.next(isSettled);
  expect(fieldOf(report, '150')).toBe('0');
  peer.hangUp();
});

test('a bridge that starts where it should not is reported', { timeout: patienceMs }, async () => {
  await bridge.act('stop');
  await expect(bridge.act('start in vain')).rejects.toThrow('has started');
});

test('a wrong configuration is refused, and the bridge keeps running', {
  timeout: patienceMs,
}, async () => {
  await expect(bridge.act('set {"markets": "BTC-USDC"}')).rejects.toThrow('markets');
  await bridge.tidy();
  expect(await isListening()).toBe(true);
});

test('a bridge that cannot be opened leaves no folder behind', {
  timeout: patienceMs,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certify-bridge-'));
  vi.stubEnv('TMPDIR', folder);
  const opened = openCertifyBridge({ ...session, senderCompId: '', role: 'order-entry' });
  await expect(opened).rejects.toThrow('the bridge does not start');
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
