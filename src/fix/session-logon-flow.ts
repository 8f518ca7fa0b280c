/**
 * Logon(A) in a session (FIX 4.4 volume 2, "Logon"): the first one in either direction, including its sequence number
 * and NextExpectedMsgSeqNum(789), and the in-session reset by ResetSeqNumFlag(141)=Y.
 */
import type { Instant } from '../runtime/clock.ts';
import type { Message } from './message.ts';
import type { SessionCore } from './session-core.ts';
import { objectionToTerms } from './session-logon.ts';

export class LogonFlow {
  readonly #core: SessionCore;
  /** Resets of the peer in a row, with nothing else from it in between. */
  #resets = 0;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** An initiator sends the first Logon(A). */
  begin(now: Instant): void {
    const { settings, outbox, speaker } = this.#core;
    if (settings.resetsOnLogon) this.#core.reset(1, 1);
    this.#core.isResetAsked = settings.resetsOnLogon;
    const nextExpected = settings.saysNextExpected ? outbox.nextIn : undefined;
    speaker.logon(settings.heartBtIntS, settings.resetsOnLogon, nextExpected, now);
  }

  /** Processes the peer's first message, whose only remaining check is its sequence number. */
  first(logon: Message, seq: number, now: Instant): void {
    const core = this.#core;
    const { settings, outbox } = core;
    const isAcceptor = settings.role === 'acceptor';
    const resets = logon.bool(141) === true;
    const isAnew = isAcceptor ? resets || settings.resetsOnLogon : resets && !core.isResetAsked;
    if (isAnew && !isAcceptor && !settings.allowsReset) {
      core.close('a reset that is not allowed');
      return;
    }
    const expected = isAnew ? 1 : outbox.nextIn;
    if (seq < expected) {
      this.tooLow(expected, seq, now);
      return;
    }
    const wanted = logon.int(789);
    const ours = isAnew ? 1 : outbox.nextOut;
    if (wanted !== undefined && (wanted < 1 || wanted > ours)) {
      const wrong =
        wanted < 1 ? 'too low, expecting at least 1' : `too high, expecting at most ${ours}`;
      core.end(`NextExpectedMsgSeqNum ${wrong} but received ${wanted}`, now);
      return;
    }
    this.#resets = 0;
    if (isAnew) core.reset(1, 1);
    const heartBtIntS = this.#heartBtIntS(logon);
    const sends789 = settings.saysNextExpected || (isAcceptor && wanted !== undefined);
    if (isAcceptor || (resets && !core.isResetAsked)) {
      const nextExpected = seq === expected ? seq + 1 : expected;
      core.speaker.logon(heartBtIntS, resets, sends789 ? nextExpected : undefined, now);
    }
    core.isResetAsked = false;
    core.activate(heartBtIntS, now);
    if (seq === expected) core.advance(seq + 1, now);
    else {
      core.gap.keep(seq, 'done');
      // A peer that supports our 789 resends without a request.
      if (wanted !== undefined && sends789) core.gap.found(expected, seq, now.monoMs);
      else core.miss(seq, now);
    }
    const mayHaveMissed = isAcceptor ? ours - 1 : ours - 2;
    if (wanted !== undefined && wanted <= mayHaveMissed) {
      const range = core.replay.ask(wanted, mayHaveMissed);
      if (range !== undefined) core.effects.fetch(range.fromSeq, range.toSeq);
    }
    if (wanted !== undefined) core.confirmed(wanted - 1);
    core.effects.loggedOn();
    core.application.onLogon?.(core, now);
    core.heldMessages.fetch();
  }

  /** Processes a Logon(A) while logged on: a reset, or an error. */
  inSession(logon: Message, seq: number, now: Instant): void {
    const core = this.#core;
    if (logon.bool(43) === true && seq < core.outbox.nextIn) return;
    if (logon.bool(141) !== true) {
      if (seq === core.outbox.nextIn) core.advance(seq + 1, now);
      const text = 'Logon(A) while logged on';
      if (core.settings.dialect === 'quickfix') core.close(text);
      else core.end(text, now);
      return;
    }
    const objection = objectionToTerms(logon, core.settings);
    if (objection !== undefined) {
      core.end(objection, now);
      return;
    }
    if (seq !== 1) {
      core.end(`MsgSeqNum of a reset is 1 but received ${seq}`, now);
      return;
    }
    if (core.isResetAsked) {
      core.isResetAsked = false;
      core.gap.clear();
      core.advance(2, now);
      return;
    }
    // A peer that takes our answer for another request would never stop.
    this.#resets = core.outbox.nextIn === 2 ? this.#resets + 1 : 1;
    if (this.#resets > core.settings.maxSameResends) {
      const text = 'ResetSeqNumFlag(141)=Y was repeated too often';
      core.foldedAlarm('reset_in_place', text, now);
      core.end(text, now);
      return;
    }
    core.reset(1, 1);
    core.advance(2, now);
    const heartBtIntS = this.#heartBtIntS(logon);
    core.beat(heartBtIntS, now);
    core.speaker.logon(heartBtIntS, true, logon.has(789) ? 2 : undefined, now);
  }

  /** Requests a reset to 1. Until the peer responds, its messages still have the old numbers. */
  askReset(now: Instant): void {
    const core = this.#core;
    core.isResetAsked = true;
    core.replay.stop();
    core.outbox.reset(core.outbox.nextIn, 1);
    core.begunAnew();
    core.speaker.logon(core.settings.heartBtIntS, true, undefined, now);
  }

  /** An initiator chooses the interval: another one in an answer may end the supervision, or exceed any timer. */
  #heartBtIntS(logon: Message): number {
    const { heartBtIntS, role } = this.#core.settings;
    return role === 'acceptor' ? (logon.int(108) ?? heartBtIntS) : heartBtIntS;
  }

  tooLow(expected: number, seq: number, now: Instant): void {
    this.#core.end(`MsgSeqNum too low, expecting ${expected} but received ${seq}`, now);
  }
}
