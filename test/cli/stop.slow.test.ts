/** Bridges and signers that are told to stop while they start, or to reload while they go down, end all the same. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
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
  peer.stayOpen();
  running.signal('SIGTERM');
  await peer.next((message) => typeOf(message) === '5');
  // The client does not answer its Logout(5), so the bridge waits for it.
  running.signal('SIGHUP');
  expect(await running.ended()).toBe(0);
  peer.hangUp();
});

test('a client that answers late and then closes nothing does not keep the bridge from its end', async () => {
  const stopping = new RunProcess(bridge.configFile);
  const peer = await FixPeer.connect(await stopping.port(), bridge.user());
  await peer.logon();
  peer.stayOpen();
  stopping.signal('SIGTERM');
  await peer.next((message) => typeOf(message) === '5');
  // Soon after this the bridge waits no more, and has just ended its side of the connection.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  peer.say('5');
  expect(await stopping.ended()).toBe(0);
  peer.hangUp();
});

/** The configuration of the bridge with these changes. */
function changed(name: string, changes: object): string {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as object;
  const file = join(bridge.configFile, '..', name);
  writeFileSync(file, stringify({ ...config, ...changes }), { mode: 0o600 });
  return file;
}

test('a bridge and a standby that wait for their signer end in good order when they are asked to', async () => {
  const signer = { mode: 'process', socket: 'no-signer.sock' };
  for (const options of [[], ['--standby']]) {
    const file = changed('waits.yaml', { dataDir: 'waits', signer });
    const waiting = new RunProcess(file, options);
    await waiting.says(/signer is not there yet/);
    waiting.signal('SIGTERM');
    expect(await waiting.ended()).toBe(0);
    expect(waiting.said).toContain('"event":"start_stopped"');
  }
});
