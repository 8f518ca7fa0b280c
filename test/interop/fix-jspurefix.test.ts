/** jspurefix's initiator as the client, on real sockets; it writes BodyLength(9) with leading zeros. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Authority } from '../transport/authority.ts';
import { Bridge } from './bridge.ts';
import { startJspurefix } from './line-peer.ts';

test('logs on, sends orders, takes reports, and logs out', async () => {
  const { bridge, port } = await Bridge.open('JSPUREFIX');
  const peer = startJspurefix({ port });
  await peer.says('logon');
  for (let i = 1; i <= 20; i += 1) peer.tell(`order A${i}`);
  await peer.says('app 8 A20');
  expect(peer.count('app 8')).toBe(20);
  expect(bridge.orders).toHaveLength(20);
  peer.tell('logout');
  await peer.says('ended');
  await bridge.until(() => bridge.ends.length === 1);
  expect(bridge.ends[0]?.graceful).toBe(true);
  await bridge.close();
});

test('fills a gap that the bridge asks for', async () => {
  const { bridge, port } = await Bridge.open('JSPUREFIX');
  const peer = startJspurefix({ port, lastSent: 5 });
  await peer.says('admin 2');
  await peer.says('sends 4');
  peer.tell('order B1');
  await peer.says('app 8 B1');
  expect(bridge.orders).toEqual(['B1']);
  expect(bridge.status.queued).toBe(0);
  await peer.kill();
  await bridge.close();
});

test('gets what it missed after a reconnect', async () => {
  const { bridge, port } = await Bridge.open('JSPUREFIX');
  const first = startJspurefix({ port });
  await first.says('logon');
  first.tell('order C1');
  first.tell('order C2');
  await first.says('app 8 C2');
  await first.kill();
  await bridge.until(() => bridge.ends.length === 1);
  const { nextIn } = bridge.status;
  // It remembers only our Logon, so the two reports are missing.
  const second = startJspurefix({ port, lastSent: nextIn - 1, lastReceived: 1 });
  await second.says('sends 2');
  await second.says('app 8 C1 E1 Y');
  await second.says('app 8 C2 E2 Y');
  await second.kill();
  await bridge.close();
});

test('starts anew with ResetSeqNumFlag', async () => {
  const { bridge, port } = await Bridge.open('JSPUREFIX');
  const first = startJspurefix({ port });
  await first.says('logon');
  first.tell('order D1');
  await first.says('app 8 D1');
  await first.kill();
  await bridge.until(() => bridge.ends.length === 1);
  const second = startJspurefix({ port, resets: true });
  await second.says('logon');
  second.tell('order D2');
  await second.says('app 8 D2');
  expect(bridge.status.nextIn).toBe(3);
  await second.kill();
  await bridge.close();
});

test('speaks through TLS', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-jspurefix-'));
  const authority = new Authority();
  const ca = join(folder, 'ca.crt');
  writeFileSync(ca, authority.cert);
  const { bridge, port } = await Bridge.open('JSPUREFIX', authority.issue('localhost'));
  const peer = startJspurefix({ port, ca });
  await peer.says('logon');
  peer.tell('order E1');
  await peer.says('app 8 E1');
  await peer.kill();
  await bridge.close();
  authority.remove();
  rmSync(folder, { recursive: true });
});
