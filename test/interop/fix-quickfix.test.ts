/** QuickFIX C++ as the other side, on real sockets, with CAUSEWAY44.xml loaded and its validation on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authority } from '../transport/authority.ts';
import { Bridge } from './bridge.ts';
import { hasQuickFix, QuickFix } from './line-peer.ts';

describe.skipIf(!hasQuickFix)('QuickFIX C++ as a client', () => {
  let quickFix: QuickFix;
  beforeAll(() => {
    quickFix = new QuickFix();
  });
  beforeEach(() => quickFix.forget());
  afterAll(() => quickFix.remove());

  test('logs on, sends orders, takes reports, and logs out', async () => {
    const { bridge, port } = await Bridge.open('QUICKFIX');
    const peer = quickFix.start('initiator', port);
    await peer.says('logon');
    for (let i = 1; i <= 20; i += 1) peer.tell(`order A${i}`);
    await peer.says('app 8 A20');
    expect(bridge.orders).toEqual(Array.from({ length: 20 }, (_, i) => `A${i + 1}`));
    expect(peer.count('app 8')).toBe(20);
    expect(peer.count('sends 3')).toBe(0);
    peer.tell('logout');
    await peer.says('logout');
    await bridge.until(() => bridge.ends.length === 1);
    expect(bridge.ends[0]?.graceful).toBe(true);
    await peer.quit();
    await bridge.close();
  });

  test('fills a gap that the bridge asks for', async () => {
    const { bridge, port } = await Bridge.open('QUICKFIX');
    const peer = quickFix.start('initiator', port);
    await peer.says('logon');
    peer.tell('skip 5');
    peer.tell('order B1');
    await peer.says('admin 2');
    await peer.says('app 8 B1');
    expect(bridge.orders).toEqual(['B1']);
    expect(bridge.status.queued).toBe(0);
    await peer.quit();
    await bridge.close();
  });

  test('gets what it missed after a reconnect: reports that were lost, and reports that waited', async () => {
    const { bridge, port } = await Bridge.open('QUICKFIX');
    const first = quickFix.start('initiator', port);
    await first.says('logon');
    for (let i = 1; i <= 5; i += 1) first.tell(`order C${i}`);
    await first.says('app 8 C5');
    await first.kill();
    await bridge.until(() => bridge.ends.length === 1);
    expect(bridge.ends[0]?.graceful).toBe(false);
    bridge.report('WAITED');
    expect(bridge.status.held).toBe(1);
    const second = quickFix.start('initiator', port);
    await second.says('app 8 WAITED');
    second.tell('forget 4');
    await second.says('did forget 4');
    bridge.report('LATER');
    await second.says('sends 2');
    await second.says('app 8 LATER');
    expect(second.count('app 8 WAITED E6 Y')).toBeGreaterThan(0);
    expect(second.count('app 8 C5 E5 Y')).toBeGreaterThan(0);
    await second.quit();
    await bridge.close();
  });

  test('starts anew with ResetSeqNumFlag', async () => {
    const { bridge, port } = await Bridge.open('QUICKFIX');
    const first = quickFix.start('initiator', port);
    await first.says('logon');
    first.tell('order D1');
    await first.says('app 8 D1');
    await first.quit();
    await bridge.until(() => bridge.ends.length === 1);
    const second = quickFix.start('initiator', port, 'reset');
    await second.says('logon');
    second.tell('order D2');
    await second.says('app 8 D2');
    expect(bridge.status.nextIn).toBe(3);
    expect(bridge.status.nextOut).toBe(3);
    await second.quit();
    await bridge.close();
  });

  test('is logged out by the bridge, and answers', async () => {
    const { bridge, port } = await Bridge.open('QUICKFIX');
    const peer = quickFix.start('initiator', port);
    await peer.says('logon');
    bridge.act((session, now) => session.speaker.news('Maintenance', 'in a moment', now));
    await peer.says('app B');
    bridge.directory.roster.stop(bridge.status.name, 'Maintenance');
    await peer.says('admin 5 Maintenance');
    await bridge.until(() => bridge.ends.length === 1);
    expect(bridge.ends[0]?.graceful).toBe(true);
    await peer.quit();
    await bridge.close();
  });

  test('speaks through TLS', async () => {
    const authority = new Authority();
    const ca = join(quickFix.folder, 'ca.crt');
    writeFileSync(ca, authority.cert);
    const { bridge, port } = await Bridge.open('QUICKFIX', authority.issue('localhost'));
    const peer = quickFix.start('initiator', port, 'tls-ca', ca);
    await peer.says('logon');
    peer.tell('order E1');
    await peer.says('app 8 E1');
    await peer.quit();
    await bridge.close();
    authority.remove();
  });
});
