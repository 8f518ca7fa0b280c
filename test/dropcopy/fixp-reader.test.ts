import { expect, test } from 'vitest';
import { FixpReader } from '../../src/dropcopy/fixp-reader.ts';
import type { ReaderRules } from '../../src/dropcopy/reader.ts';
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

async function bridge(acknowledge: ReaderRules['acknowledge'] = 'session') {
  const on = await bench();
  const { clock, relay, transactions } = on;
  const directory = new FixpDirectory({ transactions, clock });
  const rules = { reports: true, acknowledge, openOrders: false };
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
    setNumbers: (nextIn: number, nextOut: number) =>
      directory.roster.setNumbers(session.name, nextIn, nextOut),
    /** It negotiates this id, unless it has it already, and establishes it. */
    async logon(sessionId: string): Promise<Wire> {
      const wire = new Wire();
      const timestamp = BigInt(clock.now().wallMs) * 1_000_000n;
      const request = { sessionId, timestamp, credentials };
      const clientFlow = FlowType.Idempotent;
      const establish = { ...request, timestamp: timestamp + 1n, keepaliveInterval: 10_000 };
      const more = { nextSeqNo: 1, cancelOnDisconnectType: undefined, codTimeoutWindow: undefined };
      const requests = [framed({ name: 'Establish', ...establish, ...more })];
      if (session.sessionId !== sessionId)
        requests.unshift(framed({ name: 'Negotiate', ...request, clientFlow }));
      const [first = Buffer.alloc(0), second] = requests;
      directory.admit(first, peer, clock.now());
      directory.attach(session, wire, first);
      if (second !== undefined) wire.listener?.data(second);
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

test.each(['session', 'reader'] as const)(
  'copies that are not acknowledged come again when an operator sets the numbers of the session (acknowledge: %s)',
  async (acknowledge) => {
    const on = await bridge(acknowledge);
    const sessionId = '1'.repeat(32);
    const wire = await on.logon(sessionId);
    const made = reports(1);
    on.tell(made);
    await on.settle();
    expect(wire.copies).toEqual(made.map(({ execId }) => execId));
    wire.listener?.closed();
    expect(on.setNumbers(1, 1)).toBe(true);
    const next = await on.logon(sessionId);
    expect(next.copies).toEqual(made.map(({ execId }) => `${execId}*`));
  },
);
