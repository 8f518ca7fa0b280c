import { expect, test } from 'vitest';
import { FixReader } from '../../src/dropcopy/fix-reader.ts';
import type { ReaderRules } from '../../src/dropcopy/reader.ts';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { SessionDirectory } from '../../src/fix/session-directory.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import type { Link, LinkListener } from '../../src/transport/link.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { bench, everything, reports, text } from './copies.ts';

const peer = { address: '192.0.2.1' };

/** The reader's connection: what it says, and what it heard. */
class Wire implements Link {
  readonly peer = peer;
  readonly bufferedBytes = 0;
  heard = '';
  /** What is written does not arrive. */
  isDead = false;
  listener: LinkListener | undefined;

  listen(listener: LinkListener): void {
    this.listener = listener;
  }

  write(bytes: Uint8Array): void {
    if (!this.isDead) this.heard += Buffer.from(bytes).toString('latin1').replaceAll('\x01', '|');
  }

  pause(): void {}
  resume(): void {}
  end(): void {}
  destroy(): void {}

  /** ExecID(17) of the copies. */
  get copies(): string[] {
    return [...this.heard.matchAll(/\|35=8\|.*?\|17=([^|]*)\|/g)].map(([, execId = '']) => execId);
  }
}

/** Held messages are read from it when the test says so, as from a slow disk. */
class SlowStore extends MemoryStore {
  release = () => {};

  override async held(...asked: Parameters<MemoryStore['held']>) {
    await new Promise<void>((resolve) => {
      this.release = resolve;
    });
    return super.held(...asked);
  }
}

/** A bridge on this store, with one reader. */
async function bridgeOn(store: MemoryStore, acknowledge: ReaderRules['acknowledge'] = 'session') {
  const on = await bench({ store });
  const directory = new SessionDirectory({
    dictionary: causeway44(),
    transactions: on.transactions,
    clock: on.clock,
  });
  const rules = { reports: true, acknowledge, openOrders: false };
  const reader = await on.relay.open('R', everything, rules);
  const output = new FixReader({
    ...{ relay: on.relay, reader, text, clock: on.clock },
    client: { onMessage: () => {} },
    unreadBytes: () => 0,
  });
  const identity = { senderCompId: 'BRIDGE', targetCompId: 'DROP' };
  const settings = sessionSettings({ identity, role: 'acceptor', allowsReset: true });
  const session = await directory.add({ settings, application: output });
  output.bind(session);
  const message = (line: string) => {
    return clientBytes(line, { client: 'DROP', server: 'BRIDGE' }, on.clock.now().wallMs);
  };
  return {
    ...on,
    session,
    async logon(msgSeqNum: number, more = ''): Promise<Wire> {
      const wire = new Wire();
      const logon = message(`A|34=${msgSeqNum}|98=0|108=30${more}`);
      directory.admit(logon, peer, on.clock.now());
      directory.attach(session, wire, logon);
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

test('a copy does not wait behind a held message, where a reset would take it for acknowledged', async () => {
  const store = new SlowStore();
  const bridge = await bridgeOn(store, 'reader');
  const [first, second] = reports(1);
  if (first === undefined || second === undefined) throw new Error();
  const wire = await bridge.logon(1);
  // It names an unknown copy, and hangs up before it is refused.
  bridge.say(wire, 'UK|34=2|17=unknown|1=desk');
  wire.listener?.closed();
  await bridge.settle();
  expect(bridge.session.held).toBe(1);

  const next = await bridge.logon(3);
  bridge.tell([first, second]);
  await bridge.settle();
  next.isDead = true;
  store.release();
  await bridge.settle();
  expect([bridge.session.held, next.copies]).toEqual([0, []]);
  next.listener?.closed();

  const anew = await bridge.logon(1, '|141=Y');
  expect(anew.copies).toEqual([first.execId, second.execId]);
});
