/**
 * The client's flow to us (FIXP 1.1, "Idempotent flow"): each sequence number is applied once, even if it is sent
 * again. Skipped numbers are reported as NotApplied permanently. A client that goes back when it establishes gets the
 * outcome of each number, and repeated messages are dropped up to the first new one.
 */
import type { Instant } from '../runtime/clock.ts';
import { Throttle } from '../transport/throttle.ts';
import { FlowType } from './generated/codes.ts';
import type { RecoverableFlow } from './recoverable-flow.ts';
import { type FixpCore, numbered } from './session-core.ts';
import { fates } from './session-ids.ts';
import { schemaIdOf, templateIdOf } from './session-messages.ts';

/** The maximum Count of an Applied or a NotApplied. */
export const maxCount = 0xffff_ffff;

export class IdempotentFlow {
  readonly #core: FixpCore;
  readonly #answers: RecoverableFlow;
  readonly #throttle: Throttle<number>;

  constructor(core: FixpCore, answers: RecoverableFlow) {
    this.#core = core;
    this.#answers = answers;
    const { settings } = core;
    this.#throttle = new Throttle({ ...settings, cancelTypes: settings.cancelTemplates });
  }

  /** False if the client's flow is None, so that it has no messages. */
  get isNumbered(): boolean {
    return this.#core.flow?.clientFlow === FlowType.Idempotent;
  }

  /** In Establish the client sends its next sequence number, or leaves it to us. */
  resume(nextSeqNo: number | undefined, now: Instant): void {
    const core = this.#core;
    const { nextIn } = core;
    core.inSeq = this.isNumbered ? (nextSeqNo ?? nextIn) : nextIn;
    if (core.inSeq > nextIn) this.#skipped(nextIn, core.inSeq - 1, now);
    for (const { isApplied, ...run } of fates(
      { fromSeq: core.inSeq, toSeq: nextIn - 1 },
      core.ids.gaps,
    )) {
      this.#answers.report(isApplied ? 'Applied' : 'NotApplied', run, now);
    }
  }

  /** Receives an application message, which has the next number of this connection. */
  take(message: Uint8Array, now: Instant): void {
    const core = this.#core;
    const { flow, outbox, settings } = core;
    const schemaId = schemaIdOf(message);
    if (!settings.applicationSchemas.has(schemaId)) {
      const reason = numbered('schema', `schema ${schemaId} is not spoken here`);
      core.endWith('UnspecifiedError', reason, now);
    } else if (core.phase !== 'established' || flow === undefined) {
      core.misused(`an application message is not for a session that is ${core.phase}`, now);
    } else if (!this.isNumbered) {
      core.misused('the client flow is None: it has no application messages', now);
    } else if (core.inSeq > settings.maxSeqNo) {
      core.misused('the numbers of this session are used up', now);
    } else {
      const seq = core.inSeq;
      // A repeated message: it was applied before, or reported as NotApplied.
      const isNew = flow.inBase + seq >= outbox.nextIn;
      // First of all, so that the message is known if the application throws while it reads what it waits for.
      const isTaken = isNew && core.effects.takes(message, contentOf);
      if (isTaken && this.#waits(message, seq, now)) return;
      core.inSeq += 1;
      if (!isNew) return;
      this.#deliver(message, seq, isTaken, now);
      // A message that could not be decoded was not received: it ended the connection, like an error of the framing.
      if (!core.isShut) outbox.expect(flow.inBase + seq + 1);
    }
  }

  /** Whether the application needs more information to process this message. If so, it is processed later. */
  #waits(message: Uint8Array, seq: number, now: Instant): boolean {
    const core = this.#core;
    if (core.awaitedSeq === seq) return false;
    const over = core.application.waitsFor?.(message, seq, now);
    return core.waitFor(over, seq, () => Buffer.from(message));
  }

  sequence(nextSeqNo: number, now: Instant): void {
    const core = this.#core;
    if (nextSeqNo < core.inSeq || nextSeqNo > core.settings.maxSeqNo) {
      core.misused(`NextSeqNo is ${nextSeqNo} where ${core.inSeq} is expected`, now);
    } else if (core.phase === 'finishing' && nextSeqNo > core.inSeq) {
      core.misused('a message after FinishedSending', now);
    } else {
      const { nextIn } = core;
      core.inSeq = nextSeqNo;
      if (nextSeqNo > nextIn) this.#skipped(nextIn, nextSeqNo - 1, now);
    }
  }

  #skipped(fromSeq: number, toSeq: number, now: Instant): void {
    const { counts, flow, outbox } = this.#core;
    if (flow === undefined || !this.#notApplied(fromSeq, toSeq, now)) return;
    counts.gaps += 1;
    outbox.expect(flow.inBase + toSeq + 1);
  }

  /** Recorded, so that the client gets the same outcome if it goes back. Returns false if there are too many gaps. */
  #notApplied(fromSeq: number, toSeq: number, now: Instant): boolean {
    const core = this.#core;
    const { ids, settings } = core;
    if (ids.gaps.length >= settings.maxGaps || toSeq - fromSeq >= maxCount) {
      core.misused('too many numbers were skipped: negotiate a new session', now);
      return false;
    }
    ids.missed({ fromSeq, toSeq });
    core.saveIds();
    this.#answers.report('NotApplied', { fromSeq, toSeq }, now);
    return true;
  }

  #deliver(message: Uint8Array, seq: number, isTaken: boolean, now: Instant): void {
    const core = this.#core;
    const { application } = core;
    if (!isTaken) {
      const text = `message ${seq} stopped the bridge before and was refused`;
      core.foldedAlarm('set_aside', text, now);
      if (application.onSetAside) application.onSetAside(message, seq, core, now);
      else this.#notApplied(seq, seq, now);
      return;
    }
    const verdict = this.#throttle.judge(templateIdOf(message), now.monoMs);
    if (verdict === 'within') {
      application.onMessage(message, seq, core, now);
      return;
    }
    if (application.onAboveRate) application.onAboveRate(message, seq, core, now);
    else this.#notApplied(seq, seq, now);
    if (verdict === 'above') return;
    const text = `more than ${core.settings.maxRateRefusals} refusals for the rate`;
    core.foldedAlarm('rate', text, now);
    core.endWith('UnspecifiedError', text, now);
  }
}

/** The message contains no sequence numbers or times of the flow, so a repeated message has the same bytes. */
function contentOf(message: Uint8Array): string {
  return Buffer.from(message).toString('latin1');
}
