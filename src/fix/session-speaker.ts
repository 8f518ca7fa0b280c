/** The messages of a session's own (FIX 4.4 volume 2, "Administrative messages"), each built in one place. */
import type { Instant } from '../runtime/clock.ts';
import type { Liveness } from '../transport/liveness.ts';
import type { SessionOutbox } from '../transport/session-outbox.ts';
import { FieldWriter } from './field-writer.ts';
import { type Framer, type HeaderExtras, returned } from './framer.ts';
import type { Message } from './message.ts';
import { type Fault, isReject, type SessionReject, sessionRejects } from './reject.ts';
import type { ResendRange } from './session-gap.ts';
import type { SessionSettings } from './session-settings.ts';
import { utcTimestampText } from './timestamp.ts';

export interface BusinessReject {
  /** BusinessRejectReason(380). */
  readonly reason: number;
  readonly text: string;
  /** A number of the venue's table, sent in the custom tag of the settings. */
  readonly number?: number | undefined;
}

/** Rejects for which QuickFIX names no tag. */
const tagless: ReadonlySet<SessionReject> = new Set(['compId', 'sendingTime', 'invalidMsgType']);
const newSeqNo = 36;

export class Speaker {
  readonly #settings: SessionSettings;
  readonly #framer: Framer;
  readonly #outbox: SessionOutbox;
  readonly #liveness: Liveness;
  readonly #body = new FieldWriter();

  constructor(
    settings: SessionSettings,
    framer: Framer,
    outbox: SessionOutbox,
    liveness: Liveness,
  ) {
    this.#settings = settings;
    this.#framer = framer;
    this.#outbox = outbox;
    this.#liveness = liveness;
  }

  /** Sends a message that can be resent. Returns its sequence number. */
  application(msgType: string, body: Uint8Array, now: Instant, extras?: HeaderExtras): number {
    this.#frame(msgType, this.#outbox.nextOut, body, now, this.#extras(extras));
    return this.#outbox.kept();
  }

  logon(
    heartBtIntS: number,
    resets: boolean,
    nextExpected: number | undefined,
    now: Instant,
  ): void {
    const body = this.#body.clear();
    const { username, password } = this.#settings.credentials?.() ?? {};
    body.int(98, 0).int(108, heartBtIntS);
    if (resets) body.bool(141, true);
    if (username !== undefined) body.text(553, username);
    if (password !== undefined) body.text(554, password);
    if (nextExpected !== undefined) body.int(789, nextExpected);
    this.#admin('A', now);
  }

  logout(text: string | undefined, now: Instant): void {
    const body = this.#body.clear();
    if (text !== undefined) body.text(58, text);
    this.#admin('5', now);
  }

  /** Copies the TestReqID(112) of the TestRequest byte for byte. */
  heartbeat(testReqId: Uint8Array | undefined, now: Instant): void {
    const body = this.#body.clear();
    if (testReqId !== undefined) body.value(112, testReqId);
    this.#admin('0', now);
  }

  testRequest(now: Instant, testReqId = 'TEST'): void {
    this.#body.clear().text(112, testReqId);
    this.#admin('1', now);
  }

  resendRequest({ beginSeqNo, endSeqNo }: ResendRange, now: Instant): void {
    this.#body.clear().int(7, beginSeqNo).int(16, endSeqNo);
    this.#admin('2', now);
  }

  /** SequenceReset-GapFill for the messages from `fromSeq` to `nextSeq` - 1. */
  gapFill(fromSeq: number, nextSeq: number, now: Instant): void {
    this.#body.clear().int(newSeqNo, nextSeq).bool(123, true);
    const extras = { possDup: true, texts: { 122: utcTimestampText(now.wallMs) } };
    this.#frame('4', fromSeq, this.#body.bytes, now, extras);
    this.#outbox.unnumbered();
  }

  again(stored: Uint8Array, now: Instant): void {
    this.#liveness.sent(now.monoMs);
    this.#framer.reframe(stored, now.wallMs);
    this.#outbox.unnumbered();
  }

  /** Sends no response to a reject: two sides that rejected each other's rejects would never stop. */
  reject(message: Message, fault: Fault, now: Instant): void {
    if (isReject(message.msgType)) return;
    const isQuickFix = this.#settings.dialect === 'quickfix';
    const kind = isQuickFix && fault.reject === 'undefinedTag' ? 'invalidTagNumber' : fault.reject;
    const { reason, text } = sessionRejects[kind];
    const isNewSeqNo = kind === 'valueOutOfRange' && fault.tag === newSeqNo;
    const isTagless = isQuickFix && (tagless.has(kind) || isNewSeqNo);
    const body = this.#body.clear();
    const seq = message.int(34);
    if (seq !== undefined) body.int(45, seq);
    body.text(58, fault.text ?? text);
    if (!isTagless && (fault.tag !== 0 || kind === 'invalidTagNumber')) body.int(371, fault.tag);
    body.text(372, message.msgType).int(373, reason);
    this.#admin('3', now, reversedRoute(message));
  }

  /** Sends no response to a reject, as above. */
  businessReject(message: Message, reject: BusinessReject, now: Instant): void {
    if (isReject(message.msgType)) return;
    const body = this.#body.clear();
    const seq = message.int(34);
    if (seq !== undefined) body.int(45, seq);
    body.text(58, reject.text).text(372, message.msgType);
    body.int(380, reject.reason);
    const { numberTag } = this.#settings;
    if (numberTag !== undefined && reject.number !== undefined) {
      body.int(numberTag, reject.number);
    }
    this.application('j', body.bytes, now, reversedRoute(message));
  }

  news(headline: string, text: string, now: Instant): void {
    this.#body.clear().text(148, headline).int(33, 1).text(58, text);
    this.application('B', this.#body.bytes, now);
  }

  #admin(msgType: string, now: Instant, extras?: HeaderExtras): void {
    this.#frame(msgType, this.#outbox.nextOut, this.#body.bytes, now, this.#extras(extras));
    this.#outbox.numbered();
  }

  #frame(
    msgType: string,
    seq: number,
    body: Uint8Array,
    now: Instant,
    extras: HeaderExtras | undefined,
  ): void {
    this.#liveness.sent(now.monoMs);
    this.#framer.add(msgType, seq, now.wallMs, body, extras);
  }

  #extras(extras: HeaderExtras | undefined): HeaderExtras | undefined {
    if (!this.#settings.saysLastProcessed) return extras;
    return { ...extras, lastMsgSeqNumProcessed: this.#outbox.nextIn - 1 };
  }
}

/** Swaps OnBehalfOf and DeliverTo; undefined if the message was sent directly. */
function reversedRoute(message: Message): HeaderExtras | undefined {
  const route = returned.map(([from, back]) => [back, message.text(from) ?? ''] as const);
  const isRouted = route.some(([, text]) => text !== '');
  return isRouted ? { texts: Object.fromEntries(route) } : undefined;
}
