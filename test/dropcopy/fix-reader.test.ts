import { expect, test } from 'vitest';
import { FixReader } from '../../src/dropcopy/fix-reader.ts';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { SessionDirectory } from '../../src/fix/session-directory.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import type { Link, LinkListener } from '../../src/transport/link.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { bench, everything, reports, text } from './copies.ts';

const peer = { address: '192.0.2.1' };
const rules = { reports: true, acknowledge: 'session', openOrders: false } as const;

/** The reader's connection: what it says, and what it heard. */
class Wire implements Link {
  readonly peer = peer;
  readonly bufferedBytes = 0;
  heard = '';
  listener: LinkListener | undefined;

  listen(listener: LinkListener): void {
    this.listener = listener;
  }

  write(bytes: Uint8Array): void {
    this.heard += Buffer.from(bytes).toString('latin1').replaceAll('\x01', '|');
  }

  pause(): void {}
  resume(): void {}
  end(): void {}
  destroy(): void {}

  /** ExecID(17) of the copies. */
  get copies(): string[] {
    return [...this.heard.matchAll(/\|17=([^|]*)\|/g)].map(([, execId = '']) => execId);
  }
}

/** A bridge on this store, with one reader. */
async function bridgeOn(store: MemoryStore) {
  const on = await bench({ store });
  const directory = new SessionDirectory({
    dictionary: causeway44(),
    transactions: on.transactions,
    clock: on.clock,
  });
  const reader = await on.relay.open('R', everything, rules);
  const output = new FixReader({
    ...{ relay: on.relay, reader, text, clock: on.clock },
    client: { onMessage: () => {} },
    unreadBytes: () => 0,
  });
  const identity = { senderCompId: 'BRIDGE', targetCompId: 'DROP' };
  const settings = sessionSettings({ identity, role: 'acceptor' });
  const session = await directory.add({ settings, application: output });
  output.bind(session);
  const message = (line: string) => {
    return clientBytes(line, { client: 'DROP', server: 'BRIDGE' }, on.clock.now().wallMs);
  };
  return {
    ...on,
    async logon(msgSeqNum: number): Promise<Wire> {
      const wire = new Wire();
      directory.admit(message(`A|34=${msgSeqNum}|98=0|108=30`), peer, on.clock.now());
      directory.attach(session, wire, message(`A|34=${msgSeqNum}|98=0|108=30`));
      await on.settle();
      return wire;
    },
    say: (wire: Wire, line: string) => wire.listener?.data(message(line)),
  };
}

test('a copy made while the reader logs out goes out once, whatever becomes of the bridge', async () => {
  const store = new MemoryStore();
  const [first, second, third] = reports(2);
  if (first === undefined || second === undefined || third === undefined) throw new Error();
  const bridge = await bridgeOn(store);
  const wire = await bridge.logon(1);
  bridge.tell([first]);
  await bridge.settle();
  // It has said goodbye and has not hung up yet.
  bridge.say(wire, '5|34=2');
  bridge.tell([second, third]);
  await bridge.settle();
  expect(wire.copies).toEqual([first.execId]);

  const next = await bridgeOn(store);
  const again = await next.logon(3);
  expect(again.copies).toEqual([second.execId, third.execId]);
});

test('a copy with a time that FIX cannot express stops the reader, and not the bridge', async () => {
  const bridge = await bridgeOn(new MemoryStore());
  const wire = await bridge.logon(1);
  const [first, second] = reports(1);
  if (first === undefined || second === undefined) throw new Error();
  bridge.tell([first, { ...second, transactTimeMs: 8e15 }, first]);
  await bridge.settle();
  expect(wire.copies).toEqual([first.execId]);
  expect(bridge.alarms).toEqual([expect.stringMatching(/^R: copy 2 .* cannot be written/)]);
});
