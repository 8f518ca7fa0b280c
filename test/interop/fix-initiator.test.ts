/** Our initiator against a QuickFIX C++ acceptor that echoes what it gets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import type { Message } from '../../src/fix/message.ts';
import { SessionDirectory } from '../../src/fix/session-directory.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { freePort } from '../../src/runtime/free-port.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Connector } from '../../src/transport/connector.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { hasQuickFix, QuickFix } from './line-peer.ts';

function order(clOrdId: string): Uint8Array {
  const body = new FieldWriter().text(11, clOrdId).int(38, 1).char(40, '2').int(44, 100);
  return body.char(54, '1').text(55, 'BTC-USDC').utc(60, Date.now()).bytes;
}

describe.skipIf(!hasQuickFix)('QuickFIX C++ as a server', () => {
  let quickFix: QuickFix;
  beforeAll(() => {
    quickFix = new QuickFix();
  });
  afterAll(() => quickFix.remove());

  test('the initiator logs on, sends what waited, is echoed, comes back after a cut, and logs out', async () => {
    const port = await freePort({ host: '127.0.0.1', port: 0 });
    const peer = quickFix.start('acceptor', port);
    await peer.says('ready');
    const transactions = new Transactions(new MemoryStore(), (error) => {
      throw error;
    });
    const directory = new SessionDirectory({
      dictionary: causeway44(),
      transactions,
      clock: systemClock,
    });
    const echoes: string[] = [];
    const ends: boolean[] = [];
    let wake = () => {};
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise<void>((resolve) => (wake = resolve));
    };
    const session = await directory.add({
      settings: sessionSettings({
        identity: { senderCompId: 'CAUSEWAY', targetCompId: 'QUICKFIX' },
        role: 'initiator',
      }),
      application: {
        onLogon: () => wake(),
        onMessage: (message: Message) => {
          echoes.push(message.text(11) ?? '');
          wake();
        },
        onDisconnect: (_, { graceful }) => {
          ends.push(graceful);
          wake();
        },
      },
    });
    const connector = new Connector({
      host: '127.0.0.1',
      port,
      clock: systemClock,
      attach: (link) => directory.attach(session, link, Buffer.alloc(0)),
    });
    directory.roster.act(session.name, (_, now) => session.send('D', order('WAITED'), now));
    connector.start();
    await until(() => echoes.includes('WAITED'));
    directory.roster.act(session.name, (_, now) => session.send('D', order('A1'), now));
    await until(() => echoes.includes('A1'));

    await peer.kill();
    await until(() => ends.length === 1);
    directory.roster.act(session.name, (_, now) => session.send('D', order('LATER'), now));
    const again = quickFix.start('acceptor', port);
    await until(() => echoes.includes('LATER'));
    expect(echoes).toEqual(['WAITED', 'A1', 'LATER']);

    connector.stop();
    directory.roster.stop(session.name, 'good night');
    await until(() => ends.length === 2);
    expect(ends).toEqual([false, true]);
    await again.quit();
    directory.close();
  });
});
