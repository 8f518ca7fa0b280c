import { expect, test } from 'vitest';
import { FixpReader } from '../../src/dropcopy/fixp-reader.ts';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import { Deframer, FrameWriter } from '../../src/fixp/framing.ts';
import { FlowType } from '../../src/fixp/generated/codes.ts';
import { type SessionMessage, writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import type { Link, LinkListener } from '../../src/transport/link.ts';
import { orders } from '../acceptance/parity/fixp-words.ts';
import { defaultTags } from '../support/default-tags.ts';
import { bench, everything, reports } from './copies.ts';

const peer = { address: '192.0.2.1' };
const rules = { reports: true, acknowledge: 'session', openOrders: false } as const;

/** The reader's connection. */
class Wire implements Link {
  readonly peer = peer;
  readonly bufferedBytes = 0;
  readonly #deframer = new Deframer('big', 64 * 1024);
  /** ExecIDs of the copies that it got, `*` behind those that it may know. */
  readonly copies: string[] = [];
  listener: LinkListener | undefined;

  listen(listener: LinkListener): void {
    this.listener = listener;
  }

  write(bytes: Uint8Array): void {
    this.#deframer.push(bytes);
    while (this.#deframer.next() === 'message') {
      const told = decodeMessage(orders, this.#deframer.message);
      if (typeof told === 'string' || !('ExecID' in told.fields)) continue;
      const isMarked = JSON.stringify(told.fields).includes('PossResend');
      this.copies.push(`${told.fields['ExecID']}${isMarked ? '*' : ''}`);
    }
  }

  pause(): void {}
  resume(): void {}
  end(): void {}
  destroy(): void {}
}

function framed(message: SessionMessage): Uint8Array {
  const frames = new FrameWriter('big');
  frames.put(writeSessionMessage(message));
  return Uint8Array.from(frames.bytes);
}

async function bridge() {
  const on = await bench();
  const { clock, relay, transactions } = on;
  const directory = new FixpDirectory({ transactions, clock });
  const reader = await relay.open('R', everything, rules);
  const application = new FixpReader({
    ...{ relay, reader, clock, isClient: false, unreadBytes: () => 0 },
    settings: { tags: defaultTags, feeCurrency: 'USDC' },
    client: { onMessage: () => {} },
  });
  const settings = fixpSettings({ principal: 'R', users: ['r'], role: 'acceptor' });
  const session = await directory.add({ settings, application });
  application.bind(session);
  const credentials = writeCredentials({ username: 'r' });
  return {
    ...on,
    reader,
    session,
    say: (wire: Wire, message: SessionMessage) => wire.listener?.data(framed(message)),
    async logon(sessionId: string): Promise<Wire> {
      const wire = new Wire();
      const timestamp = BigInt(clock.now().wallMs) * 1_000_000n;
      const request = { sessionId, timestamp, credentials };
      const clientFlow = FlowType.Idempotent;
      const first = framed({ name: 'Negotiate', ...request, clientFlow });
      directory.admit(first, peer, clock.now());
      directory.attach(session, wire, first);
      const establish = { ...request, timestamp: timestamp + 1n, keepaliveInterval: 10_000 };
      const more = { nextSeqNo: 1, cancelOnDisconnectType: undefined, codTimeoutWindow: undefined };
      wire.listener?.data(framed({ name: 'Establish', ...establish, ...more }));
      await on.settle();
      return wire;
    },
  };
}

test('a copy made while the reader ends its flow waits in the journal, and goes out once in the next one', async () => {
  const [first, second] = reports(1);
  if (first === undefined || second === undefined) throw new Error();
  const on = await bridge();
  const sessionId = '1'.repeat(32);
  const wire = await on.logon(sessionId);
  on.tell([first]);
  await on.settle();
  expect(wire.copies).toEqual([first.execId]);
  on.say(wire, { name: 'FinishedSending', sessionId, lastSeqNo: undefined });
  on.tell([second]);
  await on.settle();
  expect([on.session.held, on.reader.behind]).toEqual([0, 1]);
  on.say(wire, { name: 'FinishedReceiving', sessionId });
  on.say(wire, { name: 'Terminate', sessionId, code: 1, reason: '' });
  wire.listener?.closed();
  const next = await on.logon('2'.repeat(32));
  expect(next.copies).toEqual([`${first.execId}*`, second.execId]);
});
