/** A bridge that is told to reload while it goes down, as by the renewal of a certificate, ends all the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, typeOf } from '../support/fix-peer.ts';
import { RunProcess } from '../support/run-process.ts';

let bridge: Bridge;
let running: RunProcess;

beforeAll(async () => {
  bridge = await startBridge();
  await bridge.gateway.stop();
  running = new RunProcess(bridge.configFile);
});

afterAll(() => running.kill());

test('a reload while the clients are logged out does not keep the bridge from its end', async () => {
  const peer = await FixPeer.connect(await running.port(), bridge.user());
  await peer.logon();
  running.signal('SIGTERM');
  await peer.next((message) => typeOf(message) === '5');
  // The client does not answer its Logout(5), so the bridge waits for it.
  running.signal('SIGHUP');
  expect(await running.ended()).toBe(0);
  peer.hangUp();
});
