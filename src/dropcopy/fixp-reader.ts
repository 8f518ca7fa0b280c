/**
 * A reader of drop copies that speaks FIXP (docs/DROPCOPY.md). It hears reports, open orders, losses and the totals of a
 * day; its recoverable flow keeps what it was told, so it has nothing to acknowledge, and whatever it sends is for the
 * client behind it to refuse.
 */
import type { News } from '../domain/answer.ts';
import type { FixpApplication, FixpAppSession, FixpSessionEnd } from '../fixp/application.ts';
import type { ReportSettings } from '../mapping/fix/report-message.ts';
import { writeAnswer } from '../mapping/sbe/answer-message.ts';
import { writeReport } from '../mapping/sbe/report-message.ts';
import type { Clock, Instant } from '../runtime/clock.ts';
import { lossNews } from './loss-news.ts';
import type { Reader } from './reader.ts';
import type { Relay } from './relay.ts';
import type { CopyVoice, Said } from './said.ts';

export interface FixpReaderParts {
  readonly relay: Relay;
  readonly reader: Reader;
  readonly settings: ReportSettings;
  readonly clock: Clock;
  /** Whoever answers what no reader may ask. */
  readonly client: FixpApplication;
  /** Bytes that the peer has not taken yet. */
  readonly unreadBytes: () => number;
  /** Whether it is told of the open orders when it first joins. */
  readonly wantsOrders: boolean;
}

/** A reader that leaves so much unread gets no more until it has read; its copies stay in the journal. */
const mostUnread = 256 * 1024;
const maxReportBytes = 4_096;

export class FixpReader implements FixpApplication, CopyVoice {
  readonly #parts: FixpReaderParts;
  readonly #out = Buffer.alloc(maxReportBytes);
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
    return this.isHere && this.#parts.unreadBytes() < mostUnread;
  }

  get nextSeq(): number {
    return this.#said + 1;
  }

  say(said: Said): void {
    const message = this.#write(said);
    if (message === undefined) return;
    this.#said += 1;
    this.#session?.send(message, this.#parts.clock.now());
  }

  /** What was said is in the session's store, and is sent again until the client has it. */
  askConfirmation(): void {
    this.#parts.reader.confirmed(this.#said);
  }

  onEstablished(session: FixpAppSession, now: Instant): void {
    this.isHere = true;
    this.#parts.client.onEstablished?.(session, now);
    this.#parts.relay.arrived(this.#parts.reader, this.#parts.wantsOrders);
  }

  onDisconnect(session: FixpAppSession, end: FixpSessionEnd, now: Instant): void {
    this.isHere = false;
    this.#parts.reader.left();
    this.#parts.client.onDisconnect?.(session, end, now);
  }

  onMessage(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    this.#parts.client.onMessage(message, seq, session, now);
  }

  onAboveRate(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    this.#parts.client.onAboveRate?.(message, seq, session, now);
  }

  /** Undefined for what only a reader that asks is told. */
  #write(said: Said): Uint8Array | undefined {
    const { settings } = this.#parts;
    switch (said.kind) {
      case 'report': {
        const { from, report } = said.copy;
        const frame = { copy: true, ...(from !== null && { originator: from }) };
        return writeReport(this.#out, report, settings, frame);
      }
      case 'state':
        return writeReport(this.#out, said.report, settings, { copy: true });
      case 'gap':
      case 'lost':
        return writeAnswer(this.#out, lossNews(said), settings);
      case 'totals':
        return writeAnswer(this.#out, totalsNews(said), settings);
      case 'request':
      case 'trade':
      case 'answer':
      case 'trade_answer':
        return undefined;
    }
  }
}

function totalsNews({ account, day, totals }: Extract<Said, { kind: 'totals' }>): News {
  const { busts, corrections, count, hash, lost, trades } = totals;
  const line = `account=${account};day=${day ?? ''};count=${count};trades=${trades};busts=${busts};corrections=${corrections};lost=${lost};hash=${hash}`;
  return { kind: 'news', headline: 'Drop copy totals', lines: [line] };
}
