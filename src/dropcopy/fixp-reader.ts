/**
 * A reader of drop copies that speaks FIXP: it may ask and acknowledge (docs/DROPCOPY.md, "Over FIXP"); whatever else it
 * sends is for the client behind it to refuse.
 */
import type { FixpApplication, FixpAppSession, FixpSessionEnd } from '../fixp/application.ts';
import type { SeqRange } from '../fixp/session-ids.ts';
import type { ReportSettings } from '../mapping/fix/report-message.ts';
import { writeAnswer } from '../mapping/sbe/answer-message.ts';
import { writeReport } from '../mapping/sbe/report-message.ts';
import type { Instant } from '../runtime/clock.ts';
import { frameOf } from './copy-text.ts';
import { lossNews } from './loss-news.ts';
import { mostUnreadBytes, type ServedReader } from './relay.ts';
import type { CopyOutput, Said } from './said.ts';
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
  /** Whoever answers what no reader may ask. */
  readonly client: FixpApplication;
  /**
   * We connected out, so that ours is the client's flow: nothing that is said is kept by the session, and what arrived is
   * known by the consumer's Applied alone.
   */
  readonly isClient: boolean;
}

/** No message to a reader is longer: a report, a hundred lines of News, a client's request of 64 KiB and its header. */
const maxMessageBytes = 80 * 1024;

export class FixpReader implements FixpApplication, CopyOutput {
  readonly #parts: FixpReaderParts;
  readonly #out = Buffer.alloc(maxMessageBytes);
  #session: FixpAppSession | undefined;
  /** Counts on whatever session id the client negotiates, as numbers on the wire do not. */
  #said = 0;
  isHere = false;

  constructor(parts: FixpReaderParts) {
    this.#parts = parts;
  }

  /** The session by which the reader is spoken to; known before it is first established. */
  bind(session: FixpAppSession): void {
    this.#session = session;
    this.#parts.reader.bind(this);
  }

  get hasRoom(): boolean {
    return this.isHere && this.#parts.unreadBytes() < mostUnreadBytes;
  }

  get nextSeq(): number {
    return this.#parts.isClient ? (this.#session?.nextOut ?? 1) : this.#said + 1;
  }

  say(said: Said): void {
    for (const message of this.#write(said)) {
      this.#said += 1;
      this.#session?.send(message, this.#parts.clock.now());
    }
  }

  /** What a server said is in the session's store, and is sent again until the client has it. */
  askConfirmation(): void {
    if (!this.#parts.isClient) this.#parts.reader.confirmed(this.#said);
  }

  onApplied({ toSeq }: SeqRange): void {
    this.#parts.reader.confirmed(toSeq);
  }

  onNotApplied(): void {
    this.#parts.reader.begunAnew();
  }

  /** What is not acknowledged goes out again in the new flow. */
  onNegotiated(): void {
    this.#parts.reader.begunAnew();
  }

  onEstablished(session: FixpAppSession, now: Instant): void {
    const { client, isClient, reader, relay, wantsOrders } = this.#parts;
    this.isHere = true;
    client.onEstablished?.(session, now);
    if (isClient) reader.begunAnew();
    relay.arrived(reader, wantsOrders);
  }

  onDisconnect(session: FixpAppSession, end: FixpSessionEnd, now: Instant): void {
    this.isHere = false;
    this.#parts.reader.left();
    this.#parts.client.onDisconnect?.(session, end, now);
  }

  onMessage(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    const { client } = this.#parts;
    const heard = readReaderMessage(message);
    if (heard === undefined) {
      client.onMessage(message, seq, session, now);
      return;
    }
    if (typeof heard === 'string') {
      session.giveUp(heard, now);
      return;
    }
    this.#obey(heard);
    session.applied({ fromSeq: seq, toSeq: seq }, now);
  }

  onAboveRate(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    this.#parts.client.onAboveRate?.(message, seq, session, now);
  }

  onSetAside(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    this.#parts.client.onSetAside?.(message, seq, session, now);
  }

  #obey(heard: ReaderMessage): void {
    const { reader, relay } = this.#parts;
    switch (heard.kind) {
      case 'request':
        relay.ask(reader, this, heard.request);
        return;
      case 'acknowledge':
        relay.acknowledge(reader, this, heard.account, heard.execId);
        return;
      case 'trades':
        relay.askTrades(reader, this, heard.request);
        return;
      case 'trade_word':
        if (heard.refusal !== null) relay.tradeRefused(reader, heard.refusal);
    }
  }

  /** Each message is lent until the next one is asked for. */
  *#write(said: Said): Iterable<Uint8Array> {
    const { settings } = this.#parts;
    switch (said.kind) {
      case 'report': {
        const { copy, possResend, reqId } = said;
        const frame = { ...frameOf(copy), possResend, requested: reqId !== null };
        yield writeReport(this.#out, copy.report, settings, frame);
        return;
      }
      case 'state':
        yield writeReport(this.#out, said.order.report, settings, frameOf(said.order));
        return;
      case 'answer':
        yield writeRequestAck(this.#out, said.answer);
        return;
      case 'gap':
      case 'lost':
        yield writeAnswer(this.#out, lossNews(said), settings);
        return;
      case 'totals':
        for (const news of totalsNews(said)) yield writeAnswer(this.#out, news, settings);
        return;
      case 'request':
        yield writeInbound(this.#out, said);
        return;
      case 'trade':
        yield writeTrade(this.#out, said);
        return;
      case 'trade_answer':
        yield writeTradeAnswer(this.#out, said.answer);
    }
  }
}
