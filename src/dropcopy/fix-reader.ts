/**
 * A drop-copy reader over FIX 4.4, which may send requests and acknowledgements (docs/DROPCOPY.md, "Messages"). The
 * client behind it refuses everything else.
 */
import type { Application, AppSession, SessionEnd } from '../fix/application.ts';
import { longestWritten } from '../fix/framer.ts';
import type { Message } from '../fix/message.ts';
import { sides, subscriptions } from '../mapping/fix/codes.ts';
import type { Instant } from '../runtime/clock.ts';
import { type CopyMessage, type CopyOutput, NotWritable, written } from './copy-output.ts';
import type { CopyRequest } from './copy-request.ts';
import { copyTags, copyTypes } from './copy-tags.ts';
import type { CopyText } from './copy-text.ts';
import type { TradeCriteria } from './reader-state.ts';
import { maxUnreadBytes, type ServedReader } from './relay.ts';
import type { TradeRefusal, TradeRequest } from './trade-request.ts';

export interface FixReaderParts extends ServedReader {
  readonly text: CopyText;
  /** Refuses requests that a reader may not make. */
  readonly client: Application;
}

/** TrdRptStatus(939). */
const rejectedTrade = '1';
const possResendExtras = { possResend: true } as const;

export class FixReader implements Application, CopyOutput {
  readonly #parts: FixReaderParts;
  #session: AppSession | undefined;

  constructor(parts: FixReaderParts) {
    this.#parts = parts;
  }

  /** Sets the session of the reader, which exists before its first logon. */
  bind(session: AppSession): void {
    this.#session = session;
    this.#parts.reader.bind(this);
  }

  /** A session that is logging out holds messages, so a copy would be sent a second time at the next logon. */
  get isHere(): boolean {
    return this.#session?.isActive === true;
  }

  /** A copy behind a held message would not be sent yet, and the numbers may be reset before it is. */
  get hasRoom(): boolean {
    if (!this.isHere || this.#session?.held !== 0) return false;
    return this.#parts.unreadBytes() < maxUnreadBytes;
  }

  get nextSeq(): number {
    return this.#session?.nextOut ?? 1;
  }

  send(message: CopyMessage): void {
    const { msgType, body } = written(() => this.#parts.text.write(message));
    if (body.length > longestWritten) throw new NotWritable(`35=${msgType}, ${body.length} bytes`);
    const extras = 'possResend' in message && message.possResend ? possResendExtras : undefined;
    this.#session?.send(msgType, body, this.#parts.clock.now(), extras);
  }

  askConfirmation(): void {
    this.#session?.askConfirmation(this.#parts.clock.now());
  }

  onLogon(session: AppSession, now: Instant): void {
    this.#parts.client.onLogon?.(session, now);
    this.#parts.relay.arrived(this.#parts.reader);
  }

  onDisconnect(session: AppSession, end: SessionEnd, now: Instant): void {
    this.#parts.reader.left();
    this.#parts.client.onDisconnect?.(session, end, now);
  }

  onConfirmed(seq: number): void {
    this.#parts.reader.confirmed(seq);
  }

  onRejected(seq: number): void {
    this.#parts.reader.rejected(seq);
  }

  onReset(): void {
    this.#parts.reader.begunAnew();
  }

  onMessage(message: Message, session: AppSession, now: Instant): void {
    const { client, reader, relay } = this.#parts;
    switch (message.msgType) {
      case copyTypes.request:
        relay.ask(reader, this, readRequest(message));
        return;
      case copyTypes.acknowledge:
        relay.acknowledgements.add(reader, this, message.text(1) ?? null, message.text(17) ?? '');
        return;
      case 'AD':
        relay.askTrades(reader, this, readTradeRequest(message));
        return;
      case 'AR':
        if (message.text(939) === rejectedTrade) relay.tradeRefused(reader, readRefusal(message));
        return;
      default:
        client.onMessage(message, session, now);
    }
  }
}

function readRequest(message: Message): CopyRequest {
  const { reqId, reqType, fromExecId, toExecId, fromTime, toTime } = copyTags;
  return {
    reqId: message.text(reqId) ?? '',
    reqType: message.int(reqType) ?? 0,
    account: message.text(1) ?? null,
    fromExecId: message.text(fromExecId) ?? null,
    toExecId: message.text(toExecId) ?? null,
    fromMs: message.utcMs(fromTime) ?? null,
    toMs: message.utcMs(toTime) ?? null,
    fromSeq: message.int(copyTags.fromVenueSeq) ?? null,
    toSeq: message.int(copyTags.toVenueSeq) ?? null,
  };
}

function readRefusal(message: Message): TradeRefusal {
  return {
    tradeReportId: message.text(571) ?? '',
    reason: message.text(751) ?? null,
    text: message.text(58) ?? null,
  };
}

function readTradeRequest(message: Message): TradeRequest {
  return {
    tradeRequestId: message.text(568) ?? '',
    requestType: message.int(569) ?? 0,
    subscription: subscriptions.word(message.text(263)) ?? 'snapshot',
    criteria: readCriteria(message),
  };
}

const dayMs = 86_400_000;

/** TrdCapDtGrp: one entry is the start of a range or a whole day; two are start and end. */
function readCriteria(message: Message): TradeCriteria {
  const [from, to] = message.entries(580);
  const day = to === undefined ? from?.dateMs(75) : undefined;
  return {
    symbol: message.text(55) ?? null,
    side: sides.word(message.text(54)) ?? null,
    orderId: message.text(37) ?? null,
    clOrdId: message.text(11) ?? null,
    execId: message.text(17) ?? null,
    fromMs: from?.utcMs(60) ?? from?.dateMs(75) ?? null,
    toMs: to?.utcMs(60) ?? endOfDay(to?.dateMs(75) ?? day),
  };
}

function endOfDay(dateMs: number | undefined): number | null {
  return dateMs === undefined ? null : dateMs + dayMs - 1;
}
