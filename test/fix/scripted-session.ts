/** A session without a host: what it is told and what it says as text, time set by hand, and all that it asks for. */
import { Decoder } from '../../src/fix/decoder.ts';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { Framer } from '../../src/fix/framer.ts';
import { FixSession } from '../../src/fix/session.ts';
import type { SessionStart } from '../../src/fix/session-core.ts';
import { type SessionSettings, sessionSettings } from '../../src/fix/session-settings.ts';
import { fromText, toText } from '../support/fix-text.ts';
import { freshStart } from './fresh-start.ts';

const peer = { address: '192.0.2.1' };

export class ScriptedSession {
  readonly session: FixSession;
  /** Calls of the application, records, alarms and ends, in order. */
  readonly events: string[] = [];
  now = { monoMs: 0, wallMs: Date.UTC(2026, 0, 5, 12) };
  readonly #client = new Framer({
    senderCompId: 'C',
    targetCompId: 'B',
  });
  #said: string[] = [];

  constructor(settings: Partial<SessionSettings> = {}, start: Partial<SessionStart> = {}) {
    const note = (text: string) => void this.events.push(text);
    this.session = new FixSession({
      settings: sessionSettings({
        identity: { senderCompId: 'B', targetCompId: 'C' },
        role: 'initiator',
        ...settings,
      }),
      dictionary: causeway44(),
      start: { ...freshStart, ...start },
      effects: {
        record: (write) => {
          if (write.kind === 'mark') note(`${write.name} ${write.value}`);
        },
        transmit: (bytes) => void this.#said.push(...toText(bytes).split(/(?=8=FIX)/)),
        fetch: (from, to) => note(`fetch ${from}-${to}`),
        fetchHeld: () => {},
        disconnect: (reason) => note(`disconnect: ${reason}`),
        alarm: (kind, text) => note(`alarm ${kind}: ${text}`),
        gathered: () => {},
        wait: () => {},
        loggedOn: () => note('logged on'),
        takes: () => true,
      },
      application: {
        onMessage: (message) => note(`message ${message.msgSeqNum}`),
        onConfirmed: (seq) => note(`confirmed ${seq}`),
        onRejected: (seq) => note(`rejected ${seq}`),
        onReset: () => note('reset'),
        onDisconnect: (_, { graceful, reason }) => note(`ended ${graceful}: ${reason}`),
      },
    });
  }

  /** The peer's messages as bytes, `|` for SOH. */
  bytes(msgType: string, seq: number, body = '', extras = {}): Uint8Array {
    return this.#client.frame(msgType, seq, this.now.wallMs, fromText(body), extras).slice();
  }

  /** Connects; an acceptor has examined this Logon(A) before. */
  connect(logonSeq = 1, logonBody = '98=0|108=30|'): void {
    const logon = this.bytes('A', logonSeq, logonBody);
    const isAcceptor = this.session.settings.role === 'acceptor';
    if (isAcceptor) {
      const decoder = new Decoder(causeway44());
      decoder.push(logon);
      decoder.next();
      const refusal = this.session.examine(decoder.message.detach(), peer, this.now);
      if (refusal !== undefined) throw new Error(JSON.stringify(refusal));
    }
    this.session.opened(peer, this.now);
    if (isAcceptor) this.session.received(logon, this.now);
  }

  hear(msgType: string, seq: number, body = '', extras = {}): void {
    this.session.received(this.bytes(msgType, seq, body, extras), this.now);
  }

  /** What it has said since the last call: MsgType, MsgSeqNum and the body. */
  said(): string[] {
    this.session.flush();
    const said = this.#said.map((text) => {
      const [, msgType, rest] = /\|35=(\w+)\|(.*)10=\d{3}\|$/.exec(text) ?? [];
      return `${msgType} ${rest?.replace(/(?:49|52|56)=[^|]*\|/g, '').replace(/\|$/, '')}`;
    });
    this.#said = [];
    return said;
  }

  /** What happened since the last call. */
  happened(): string[] {
    return this.events.splice(0);
  }

  /** Time passes. */
  pass(ms: number): number {
    const { monoMs, wallMs } = this.now;
    this.now = { monoMs: monoMs + ms, wallMs: wallMs + ms };
    return this.session.tick(this.now);
  }
}
