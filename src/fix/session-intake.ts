/**
 * Processes each inbound message (FIX 4.4 volume 2, "Session protocol"). The order of the checks in `take` is the
 * specification; `#admin` handles the administrative message types.
 */
import type { Instant } from '../runtime/clock.ts';
import { Throttle } from '../transport/throttle.ts';
import type { Message } from './message.ts';
import { type Fault, faultText, isReject } from './reject.ts';
import type { SessionCore } from './session-core.ts';
import { HeaderCheck, isStandardType } from './session-header.ts';
import type { LogonFlow } from './session-logon-flow.ts';
import type { ReplayOutput } from './session-replay.ts';
import type { Validator } from './validator.ts';

/** Message types to which the session layer responds. */
const adminTypes: ReadonlySet<string> = new Set(['0', '1', '2', '3', '4', '5', 'A']);

export class Intake {
  readonly #core: SessionCore;
  readonly #logons: LogonFlow;
  readonly #validator: Validator;
  readonly #header: HeaderCheck;
  readonly #throttle: Throttle<string>;
  readonly #isLikeQuickFix: boolean;

  constructor(core: SessionCore, logons: LogonFlow, validator: Validator) {
    this.#core = core;
    this.#logons = logons;
    this.#validator = validator;
    this.#header = new HeaderCheck(core.settings);
    this.#throttle = new Throttle(core.settings);
    this.#isLikeQuickFix = core.settings.dialect === 'quickfix';
  }

  /** Processes a message while logged on. */
  take(message: Message, now: Instant): void {
    const core = this.#core;
    const type = message.msgType;
    if (core.phase === 'left' || (core.ignoresPeer && type !== '5')) return;
    const seq = message.int(34);
    const isVersion = this.#header.isOurVersion(message);
    // A response to our Logout(5) ends the session whatever its header: its peer would respond to another Logout too.
    if (type === '5' && (core.phase === 'leaving' || !isVersion)) {
      this.#logout(message, seq ?? 0, now);
      return;
    }
    if (!isVersion) {
      if (seq === core.outbox.nextIn) core.advance(seq + 1, now);
      core.leave('Incorrect BeginString', now, 'BeginString');
      return;
    }
    if (seq === undefined) {
      core.end('Received message without MsgSeqNum', now);
      return;
    }
    if (seq > core.settings.maxMsgSeqNum) {
      core.end('MsgSeqNum is beyond the limit', now);
      return;
    }
    const fault = this.#faultOf(message, type);
    const isIncomplete = fault !== undefined && !this.#header.isWhole(message);
    const headerFault = isIncomplete ? fault : this.#header.compIdsAndTime(message, now.wallMs);
    if (headerFault !== undefined) {
      this.#refuse(message, seq, headerFault, now);
      return;
    }
    if (type === 'A' && fault === undefined) {
      this.#logons.inSession(message, seq, now);
      return;
    }
    if (type === '5') {
      this.#logout(message, seq, now);
      return;
    }
    if (type === '4' && message.bool(123) !== true) {
      this.#sequenceReset(message, seq, fault, now);
      return;
    }
    const expected = core.outbox.nextIn;
    const isPossDup = message.bool(43) === true;
    if (isPossDup && type !== '4' && (seq < expected || !this.#isLikeQuickFix)) {
      const dupFault = this.#header.possDup(message);
      if (dupFault !== undefined) {
        this.#refuse(message, seq, dupFault, now);
        return;
      }
    }
    if (seq > expected) {
      this.#early(message, type, seq, fault, now);
      return;
    }
    if (seq === expected) {
      if (fault === undefined && this.#waits(message, type, seq, now)) return;
      this.#expected(message, type, seq, fault, now);
      if (core.gap.queued > 0) this.#drain(now);
      return;
    }
    const isResend = type === '2' && fault === undefined;
    if (isResend && this.#isLikeQuickFix) this.#resend(message, now);
    else if (!isPossDup) this.#logons.tooLow(expected, seq, now);
  }

  /** Messages to which the session layer itself responds are not set aside: they do not involve the application. */
  #faultOf(message: Message, type: string): Fault | undefined {
    const isTaken = adminTypes.has(type) || this.#core.effects.takes(message.raw, contentOf);
    return isTaken ? this.#validator.validate(message) : setAside;
  }

  /** Processes the message that waited. Its header was checked when it arrived, which may be long ago. */
  takeAwaited(message: Message, now: Instant): void {
    const core = this.#core;
    if (!core.isTalking || core.ignoresPeer) return;
    const type = message.msgType;
    this.#expected(message, type, core.awaitedSeq, this.#faultOf(message, type), now);
    if (core.gap.queued > 0) this.#drain(now);
  }

  /** Processes the first message of a connection. An acceptor's peer was checked before it got the session. */
  takeFirst(message: Message, now: Instant): void {
    const core = this.#core;
    const seq = message.int(34);
    const isVersion = this.#header.isOurVersion(message);
    if (!isVersion || seq === undefined || this.#header.compIdsAndTime(message, now.wallMs)) {
      core.close('the first message is not for this session');
      return;
    }
    if (message.msgType === '5') {
      if (seq === core.outbox.nextIn) core.advance(seq + 1, now);
      core.close(logoutReason(message));
      return;
    }
    if (message.msgType !== 'A') {
      core.close('the first message is not a Logon(A)');
      return;
    }
    if (this.#validator.validate(message) !== undefined) {
      core.close('a faulty Logon(A)');
      return;
    }
    this.#logons.first(message, seq, now);
  }

  /** Whether the application needs more information to process this message. If so, it is processed later. */
  #waits(message: Message, type: string, seq: number, now: Instant): boolean {
    const core = this.#core;
    if (adminTypes.has(type)) return false;
    const over = core.application.waitsFor?.(message, now);
    return core.waitFor(over, seq, () => message.detach());
  }

  /** Processes the expected message: its sequence number is consumed regardless of its content. */
  #expected(
    message: Message,
    type: string,
    seq: number,
    fault: Fault | undefined,
    now: Instant,
  ): void {
    this.#core.advance(seq + 1, now);
    if (isReject(type)) this.#core.rejectedByPeer(message, now);
    if (fault !== undefined) {
      this.#faulty(message, type, fault, now);
      return;
    }
    if (!this.#admin(message, type, now)) this.#deliver(message, type, now);
  }

  /** Processes an administrative message in sequence; returns false for an application message. */
  #admin(message: Message, type: string, now: Instant): boolean {
    switch (type) {
      case '0':
        if (message.has(112)) this.#core.answered(message.text(112) ?? '');
        return true;
      case '3':
        return true;
      case '1':
        this.#core.speaker.heartbeat(message.bytes(112), now);
        return true;
      case '2':
        this.#resend(message, now);
        return true;
      case '4':
        this.#gapFill(message, now);
        return true;
      default:
        return false;
    }
  }

  /** The rate comes first: refusals of types that are not offered are kept like any message to the client. */
  #deliver(
    message: Message,
    type: string,
    now: Instant,
    isOffered = this.#core.settings.offered?.has(type) ?? true,
  ): void {
    const core = this.#core;
    const { maxRateRefusals } = core.settings;
    const verdict = this.#throttle.judge(type, now.monoMs);
    if (verdict === 'within') {
      if (isOffered) core.application.onMessage(message, core, now);
      else core.speaker.businessReject(message, notOffered, now);
      return;
    }
    const text = 'Message rate above the limit of this session';
    core.speaker.businessReject(message, { reason: 0, text, number: 101 }, now);
    if (verdict === 'above') return;
    core.foldedAlarm('rate', `more than ${maxRateRefusals} refusals for the rate`, now);
    core.end(text, now);
  }

  #faulty(message: Message, type: string, fault: Fault, now: Instant): void {
    if (fault === setAside) {
      const text = `message ${message.int(34)} of type ${type} stopped the bridge before and was rejected`;
      this.#core.foldedAlarm('set_aside', text, now);
    }
    const isStandard = fault.reject === 'invalidMsgType' && isStandardType(type);
    if (isStandard) this.#deliver(message, type, now, false);
    else this.#core.speaker.reject(message, fault, now);
  }

  /** Sends a Reject(3) outside the usual sequence; consumes an expected number. A wrong id or time ends the session. */
  #refuse(message: Message, seq: number, fault: Fault, now: Instant): void {
    if (seq === this.#core.outbox.nextIn) this.#core.advance(seq + 1, now);
    this.#core.speaker.reject(message, fault, now);
    const endsIt = fault.reject === 'compId' || fault.reject === 'sendingTime';
    if (endsIt) this.#core.leave(undefined, now, faultText(fault));
  }

  /** A sequence number above the expected one: the message is queued, and the gap is requested once. */
  #early(
    message: Message,
    type: string,
    seq: number,
    fault: Fault | undefined,
    now: Instant,
  ): void {
    const { gap } = this.#core;
    const isResend = type === '2' && fault === undefined;
    gap.keep(seq, isResend ? 'done' : message);
    // A ResendRequest is answered at once; otherwise two sides that both have a gap would wait for each other.
    if (isResend) this.#resend(message, now);
    if (isResend && this.#isLikeQuickFix) return;
    if (this.#core.isTalking) this.#core.miss(seq, now);
  }

  /** Processes queued messages that now follow in sequence. */
  #drain(now: Instant): void {
    const core = this.#core;
    core.gap.dropBelow(core.outbox.nextIn);
    while (core.isTalking) {
      const seq = core.outbox.nextIn;
      const message = core.gap.take(seq);
      if (message === undefined) return;
      if (message === 'done') core.advance(seq + 1, now);
      else {
        const type = message.msgType;
        const fault = this.#faultOf(message, type);
        if (fault === undefined && this.#waits(message, type, seq, now)) return;
        this.#expected(message, type, seq, fault, now);
      }
    }
  }

  #logout(message: Message, seq: number, now: Instant): void {
    const core = this.#core;
    if (seq === core.outbox.nextIn) core.advance(seq + 1, now);
    core.isGraceful = !core.ignoresPeer;
    if (core.phase === 'leaving') {
      core.close(core.endReason);
      return;
    }
    core.speaker.logout(undefined, now);
    core.endReason = logoutReason(message);
    core.phase = 'left';
    core.deadlineMs = now.monoMs + core.settings.closeWaitMs;
    if (core.settings.closeWaitMs === 0) core.close(core.endReason);
  }

  #gapFill(message: Message, now: Instant): void {
    const newSeqNo = message.int(36) ?? 0;
    const expected = this.#core.outbox.nextIn - 1;
    const isGood = newSeqNo >= expected && newSeqNo <= this.#core.settings.maxMsgSeqNum;
    if (!isGood) this.#badNewSeqNo(message, now);
    this.#core.advance(isGood ? newSeqNo : expected, now);
  }

  /** SequenceReset-Reset: its own number is ignored, and it can only move forward. */
  #sequenceReset(message: Message, seq: number, fault: Fault | undefined, now: Instant): void {
    if (fault !== undefined) {
      this.#refuse(message, seq, fault, now);
      return;
    }
    const core = this.#core;
    const newSeqNo = message.int(36) ?? 0;
    const expected = core.outbox.nextIn;
    if (newSeqNo < expected || newSeqNo > core.settings.maxMsgSeqNum) {
      this.#badNewSeqNo(message, now);
      return;
    }
    if (newSeqNo > expected) core.advance(newSeqNo, now);
    else {
      const text = `SequenceReset to ${expected}, which was expected anyway`;
      core.foldedAlarm('reset_in_place', text, now);
    }
    if (core.gap.queued > 0) this.#drain(now);
  }

  #badNewSeqNo(message: Message, now: Instant): void {
    this.#core.speaker.reject(message, { reject: 'valueOutOfRange', tag: 36 }, now);
  }

  #resend(message: Message, now: Instant): void {
    const core = this.#core;
    core.counts.resends += 1;
    const begin = message.int(7) ?? 0;
    const end = message.int(16) ?? 0;
    const last = core.outbox.nextOut - 1;
    const wrongTag = begin < 1 || begin > last ? 7 : end !== 0 && end < begin ? 16 : undefined;
    if (wrongTag !== undefined) {
      core.speaker.reject(message, { reject: 'valueOutOfRange', tag: wrongTag }, now);
      return;
    }
    if (core.replay.count(begin, end) > core.settings.maxSameResends) {
      core.foldedAlarm('resend_loop', `ResendRequest ${begin}-${end} was repeated too often`, now);
      core.end('The same ResendRequest was repeated too often', now);
      return;
    }
    const range = core.replay.ask(begin, end === 0 ? last : Math.min(end, last));
    if (range !== undefined) core.effects.fetch(range.fromSeq, range.toSeq);
  }

  /** The output of a replay. */
  replayOutput(now: Instant): ReplayOutput {
    const { speaker } = this.#core;
    return {
      again: (bytes) => speaker.again(bytes, now),
      gapFill: (fromSeq, newSeqNo) => speaker.gapFill(fromSeq, newSeqNo, now),
      beyondRetention: (oldestKept) => {
        const text = `messages below ${oldestKept} are no longer kept and were not resent`;
        this.#core.foldedAlarm('beyond_retention', text, now);
        speaker.news('Resend incomplete', text, now);
      },
    };
  }
}

const setAside: Fault = {
  reject: 'other',
  tag: 0,
  text: 'This message stopped the bridge before and is not taken again',
};

const notOffered = { reason: 3, text: 'Unsupported Message Type' };

/** Fields that change when a message is sent again, with the same number or a new one. */
const ofOneSending = new Set(['8', '9', '10', '34', '43', '52', '97', '122', '369']);

function contentOf(message: Uint8Array): string {
  const fields = Buffer.from(message).toString('latin1').split('\u0001');
  return fields.filter((field) => !ofOneSending.has(field.slice(0, field.indexOf('=')))).join('|');
}

/** Cut as on the FIXP lane: the state of each order that cancel-on-disconnect cancels contains it. */
function logoutReason(logout: Message): string {
  const text = logout.text(58)?.slice(0, 256);
  return text === undefined ? 'logged out by the peer' : `logged out by the peer: ${text}`;
}
