/**
 * A drop-copy reader over FIXP, which may send requests and acknowledgements (docs/DROPCOPY.md, "Over FIXP"). The
 * client behind it refuses everything else.
 */
import type { News } from '../domain/answer.ts';
import type { FixpApplication, FixpAppSession, FixpSessionEnd } from '../fixp/application.ts';
import type { SeqRange } from '../fixp/session-ids.ts';
import type { ReportSettings } from '../mapping/fix/report-message.ts';
import { writeAnswer } from '../mapping/sbe/answer-message.ts';
import { writeReport } from '../mapping/sbe/report-message.ts';
import type { Instant } from '../runtime/clock.ts';
import { type CopyMessage, type CopyOutput, written } from './copy-output.ts';
import { frameOf } from './copy-text.ts';
import { lossNews } from './loss-news.ts';
import { maxUnreadBytes, type ServedReader } from './relay.ts';
import {
  type ReaderMessage,
  readReaderMessage,
  writeInbound,
  writeRequestAck,
  writeTrade,
  writeTradeAnswer,
} from './sbe-copy-messages.ts';
import { totalsNews } from './totals-news.ts';

export interface FixpReaderParts extends ServedReader {
  readonly settings: ReportSettings;
  /** Refuses requests that a reader may not make. */
  readonly client: FixpApplication;
  /** We connected out, so our flow is the client's, which is not stored: only the consumer's Applied confirms it. */
  readonly isClient: boolean;
}

/** The longest messages to a reader: a report, 100 lines of News, a client's request of 64 KiB with its header. */
const maxMessageBytes = 80 * 1024;

export class FixpReader implements FixpApplication, CopyOutput {
  readonly #parts: FixpReaderParts;
  readonly #out = Buffer.alloc(maxMessageBytes);
  #session: FixpAppSession | undefined;
  /** Counts across session ids, unlike the sequence numbers on the wire. */
  #sent = 0;

  constructor(parts: FixpReaderParts) {
    this.#parts = parts;
  }

  /** Sets the session of the reader, which exists before it is first established. */
  bind(session: FixpAppSession): void {
    this.#session = session;
    this.#parts.reader.bind(this);
  }

  /** A session that is ending holds messages, as over FIX. */
  get isHere(): boolean {
    return this.#session?.isActive === true;
  }

  get hasRoom(): boolean {
    return this.isHere && this.#parts.unreadBytes() < maxUnreadBytes;
  }

  get nextSeq(): number {
    return this.#parts.isClient ? (this.#session?.nextOut ?? 1) : this.#sent + 1;
  }

  send(message: CopyMessage): void {
    for (const part of message.kind === 'totals' ? totalsNews(message) : [message]) {
      const bytes = written(() => this.#write(part));
      this.#sent += 1;
      this.#session?.send(bytes, this.#parts.clock.now());
    }
  }

  /** A server's messages are in the session's store and are sent again until the client has them. */
  askConfirmation(): void {
    if (!this.#parts.isClient) this.#parts.reader.confirmed(this.#sent);
  }

  onApplied({ toSeq }: SeqRange): void {
    this.#parts.reader.confirmed(toSeq);
  }

  onNotApplied(): void {
    this.#parts.reader.begunAnew();
  }

  /** Unacknowledged copies are sent again in the new flow. */
  onReset(): void {
    this.#parts.reader.begunAnew();
  }

  onEstablished(session: FixpAppSession, now: Instant): void {
    const { client, isClient, reader, relay } = this.#parts;
    client.onEstablished?.(session, now);
    if (isClient) reader.begunAnew();
    relay.arrived(reader);
  }

  onDisconnect(session: FixpAppSession, end: FixpSessionEnd, now: Instant): void {
    this.#parts.reader.left();
    this.#parts.client.onDisconnect?.(session, end, now);
  }

  onMessage(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    const { client } = this.#parts;
    const decoded = readReaderMessage(message);
    if (decoded === undefined) {
      client.onMessage(message, seq, session, now);
      return;
    }
    if (typeof decoded === 'string') {
      session.giveUp(decoded, now);
      return;
    }
    this.#handle(decoded);
    session.applied({ fromSeq: seq, toSeq: seq }, now);
  }

  onAboveRate(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    this.#parts.client.onAboveRate?.(message, seq, session, now);
  }

  onSetAside(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    this.#parts.client.onSetAside?.(message, seq, session, now);
  }

  #handle(decoded: ReaderMessage): void {
    const { reader, relay } = this.#parts;
    switch (decoded.kind) {
      case 'request':
        relay.ask(reader, this, decoded.request);
        return;
      case 'acknowledge':
        relay.acknowledgements.add(reader, this, decoded.account, decoded.execId);
        return;
      case 'trades':
        relay.askTrades(reader, this, decoded.request);
        return;
      case 'trade_word':
        if (decoded.refusal !== null) relay.tradeRefused(reader, decoded.refusal);
    }
  }

  /** The message is valid until the next one is written. */
  #write(message: Exclude<CopyMessage, { kind: 'totals' }> | News): Uint8Array {
    const { settings } = this.#parts;
    switch (message.kind) {
      case 'report': {
        const { copy, possResend, reqId } = message;
        const frame = { ...frameOf(copy), possResend, requested: reqId !== null };
        return writeReport(this.#out, copy.report, settings, frame);
      }
      case 'state':
        return writeReport(this.#out, message.order.report, settings, frameOf(message.order));
      case 'answer':
        return writeRequestAck(this.#out, message.answer);
      case 'gap':
      case 'lost':
        return writeAnswer(this.#out, lossNews(message), settings);
      case 'news':
        return writeAnswer(this.#out, message, settings);
      case 'request':
        return writeInbound(this.#out, message);
      case 'trade':
        return writeTrade(this.#out, message);
      case 'trade_answer':
        return writeTradeAnswer(this.#out, message.answer);
    }
  }
}
