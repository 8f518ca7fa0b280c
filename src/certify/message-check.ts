/** Waits for the message that a step expects from the counterparty or our own bridge, and checks it tag by tag. */
import { awaited } from './awaited.ts';
import type { Bindings } from './bindings.ts';
import { type Basis, judge } from './expectation.ts';
import { isRequest } from './fixp-message.ts';
import type { Ladder } from './ladder.ts';
import { parseLine } from './line.ts';
import { describe } from './prompt.ts';
import {
  fieldOf,
  type Incoming,
  isHousekeeping,
  orderIdOf,
  type ReceivedMessage,
  typeName,
} from './received-message.ts';
import { sentence } from './record.ts';
import type { Play, Scenario, Step } from './scenario.ts';
import { CertificationError } from './session-options.ts';
import type { TestSession } from './test-session.ts';

export interface MessageCheckParts {
  readonly session: TestSession;
  readonly scenario: Scenario;
  readonly play: Play;
  readonly ladder: Ladder;
  readonly bindings: Bindings;
  /** The message types that the scenario expects. */
  readonly handled: ReadonlySet<string>;
  /** The counterparty is a client that sends requests on its own; if no scenario expects them, they are no error. */
  readonly hasOwnTraffic: boolean;
  readonly answerWithinMs: number;
  /** The time limit for a person to follow a prompt. */
  readonly promptWithinMs: number;
  /** Orders of earlier attempts, whose reports are ignored. */
  readonly earlierOrders: ReadonlySet<string>;
  /** The prefix of all ids of this run, and the longer prefix of this attempt. */
  readonly run: string;
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/** Ends the scenario as failed; the failure is in the ladder. */
export class Failed extends Error {}

/** Messages that the counterparty may send although no session has begun. */
const refusals = new Set(['3', 'NegotiationReject', 'EstablishmentReject']);
const silenceMs = 300;
const knockMs = 200;
const rule = 'The connection ends only where the scenario ends it';
const stays: Step = { verb: 'peer', text: '', rule, ref: 'scenario' };

export class MessageCheck {
  readonly #parts: MessageCheckParts;
  /** A prompt is displayed whose result has not been seen. */
  isAsked = false;

  constructor(parts: MessageCheckParts) {
    this.#parts = parts;
  }

  async expect(step: Step, from: 'peer' | 'bridge'): Promise<void> {
    if (step.text === 'nothing') return this.#expectNothing(step, from);
    if (step.text === 'closed') return this.#expectClosed(step);
    const { inbox } = this.#parts.session.wire.conversation;
    const { msgType } = parseLine(step.text);
    const isPending = (one: Incoming) => {
      if (one.kind === 'closed') return true;
      if (one.kind !== 'message' || one.from !== from || this.#isLate(one.message)) return false;
      if (this.#isOfOwnTraffic(one) && !this.#fits(step, one)) return false;
      if (step.among === true) return one.message.msgType === msgType && this.#fits(step, one);
      return one.message.msgType === msgType ? !isEarlier(step, one) : !isHousekeeping(one.message);
    };
    const endMs = performance.now() + this.within(step);
    const incoming = await inbox.take(isPending, endMs, this.#parts.signal);
    // An optional message is only looked for; any other message is left to the next step.
    if (incoming?.kind !== 'message' || (step.optional && !this.#fits(step, incoming))) {
      if (incoming !== undefined) inbox.putBack(incoming);
      return this.#missed(step, from);
    }
    const found = incoming.message;
    this.isAsked = false;
    const verdicts = judge(step, found, this.#parts.bindings, this.basis(step));
    const wrong = verdicts.find(({ isMet }) => !isMet);
    if (from === 'bridge') {
      if (wrong === undefined) return;
      // The counterparty may have caused this.
      this.refuseUnasked();
      const { name, wanted, got } = wrong;
      throw new CertificationError(`the bridge sent ${name} ${got} instead of ${wanted}`);
    }
    this.#parts.ladder.judged(found, verdicts);
    if (wrong === undefined) return;
    if (found.msgType === msgType) throw new Failed(sentence(wrong));
    throw new Failed(`${sentence(wrong)}${textOf(found)}${this.#hint(found)}`);
  }

  /** A stop of the run ends every wait early, so that silence proves nothing. */
  heedStop(): void {
    if (this.#parts.signal.aborted) throw new CertificationError('the run was stopped');
  }

  /** The message did not arrive: unless it is optional, that ends the scenario. */
  #missed(step: Step, from: 'peer' | 'bridge'): void {
    this.heedStop();
    if (step.optional) return;
    const { waiting } = this.#parts.session.wire.conversation.inbox;
    const end = waiting.find((one) => one.kind === 'closed');
    if (this.isAsked && end === undefined) {
      throw new CertificationError(
        `the instruction was not followed: ${describe(this.shown(step))}`,
      );
    }
    const wanted = typeName(parseLine(step.text).msgType);
    if ((end?.by ?? from) === 'bridge') {
      // The counterparty may have caused this.
      this.refuseUnasked();
      throw new CertificationError(
        `the bridge ${end ? 'closed the connection' : 'was silent'} before the expected ${wanted}`,
      );
    }
    this.verdict(step, 'message', wanted, end === undefined ? 'nothing' : 'the connection closed');
  }

  shown(step: Step): string {
    return this.#parts.bindings.copy().fill(step.text);
  }

  async #expectNothing(step: Step, from: 'peer' | 'bridge'): Promise<void> {
    const silentMs = step.within === undefined ? silenceMs : this.ms(step.within);
    await awaited(silentMs, this.#parts.signal);
    this.heedStop();
    if (from === 'bridge') return;
    const extra = this.#unasked();
    const got = extra === undefined ? 'nothing' : typeName(extra.msgType);
    this.verdict(step, 'message', 'nothing', got);
  }

  async #expectClosed(step: Step): Promise<void> {
    const { session, signal } = this.#parts;
    const { inbox } = session.wire.conversation;
    const endMs = performance.now() + this.within(step);
    const isOver = (one: Incoming) =>
      one.kind === 'closed' || (one.kind === 'message' && isFarewell(one.message));
    session.answerFarewell();
    const stopKnocking = this.#knock();
    let found = await inbox.take(isOver, endMs, signal);
    stopKnocking();
    session.answerFarewell();
    if (found?.kind === 'message') {
      found = await inbox.take((one) => one.kind === 'closed', endMs, signal);
    }
    this.isAsked = false;
    const got = found === undefined ? 'open' : 'closed';
    this.verdict(step, 'connection', 'closed', got);
    // If the bridge says farewell, the counterparty answers.
    inbox.drop((one) => one.kind === 'message' && isFarewell(one.message));
    if (step.among !== true) this.refuseUnasked();
    inbox.clear();
  }

  /** While we do not read, only sending reveals that the other end has closed. */
  #knock(): () => void {
    const { session } = this.#parts;
    if (session.wire.conversation.isReading) return () => {};
    const knocking = setInterval(() => session.probe('KNOCK'), knockMs);
    return () => clearInterval(knocking);
  }

  /** The last check: there was no unexpected message, such as a Reject(3), and no unexpected end of the connection. */
  async nothingUnasked(): Promise<void> {
    const { wire } = this.#parts.session;
    if (wire.wasCutByUs) return;
    if (wire.isOpen) await wire.quiet();
    this.refuseUnasked();
    const { waiting } = wire.conversation.inbox;
    if (waiting.some((one) => one.kind === 'closed' && one.by === 'peer'))
      this.verdict(stays, 'connection', 'open', 'closed');
  }

  /** On a connection that must be refused, a server sends nothing but its refusal. */
  refuseWelcome(received: readonly ReceivedMessage[]): void {
    this.#refuse(received.find((one) => !refusals.has(one.msgType) && !isFarewell(one)));
  }

  refuseUnasked(): void {
    this.#refuse(this.#unasked());
  }

  #refuse(extra: ReceivedMessage | undefined): void {
    if (extra === undefined) return;
    const got = `${typeName(extra.msgType)}${textOf(extra)}`;
    const rule = 'No message is sent that the scenario does not expect';
    this.#parts.ladder.judged(extra, [
      { tag: 0, name: 'message', wanted: 'nothing', got, isMet: false, rule, ref: 'scenario' },
    ]);
    throw new Failed(`unasked for: ${got}${this.#hint(extra)}`);
  }

  #hint({ msgType }: ReceivedMessage): string {
    const { session, hasOwnTraffic } = this.#parts;
    const isOfClient = session.options.direction === 'acceptor' && isRequest(msgType);
    if (!isOfClient || hasOwnTraffic) return '';
    return ' (a client that sends this by itself declares ownTraffic in its interview)';
  }

  #unasked(): ReceivedMessage | undefined {
    const { hasBegun, wire } = this.#parts.session;
    for (const one of wire.conversation.inbox.waiting) {
      if (one.kind !== 'message' || one.from !== 'peer') continue;
      const { message } = one;
      const isUnasked = hasBegun
        ? !this.#isOfOwnTraffic(one) && this.#isExtra(message)
        : !refusals.has(message.msgType);
      if (isUnasked) return message;
    }
    return undefined;
  }

  /** Orders and requests of an earlier attempt may be reported long after its end. */
  #isLate(message: ReceivedMessage): boolean {
    const { earlierOrders, prefix, run } = this.#parts;
    const orderId = orderIdOf(message);
    if (orderId !== undefined && earlierOrders.has(orderId)) return true;
    const ours = message.fields.filter(([, value]) => value.startsWith(run));
    return ours.length > 0 && !ours.some(([, value]) => value.startsWith(`${prefix}-`));
  }

  /** A request that the client may have sent on its own, or our bridge's possible response to one. */
  #isOfOwnTraffic({ from, message }: Extract<Incoming, { kind: 'message' }>): boolean {
    return this.#parts.hasOwnTraffic && (from === 'bridge' || isRequest(message.msgType));
  }

  /** Whether the message is more than keepalive, so that the scenario has to expect it. */
  #isExtra(message: ReceivedMessage): boolean {
    const { msgType } = message;
    const { setup } = this.#parts.play;
    if (this.#isLate(message)) return false;
    // A bridge at our end may send a TestRequest(1) on its own.
    if (msgType === '0') return fieldOf(message, 112) !== undefined && setup === 'engine';
    if (msgType === '2' || msgType === '4') return this.#parts.handled.has(msgType);
    return !isHousekeeping(message);
  }

  #fits(step: Step, one: Incoming): boolean {
    if (one.kind !== 'message') return false;
    const basis = this.basis(step);
    return judge(step, one.message, this.#parts.bindings.copy(), basis).every(({ isMet }) => isMet);
  }

  verdict(step: Step, name: string, wanted: string, got: string): void {
    const isMet = got === wanted;
    if (!isMet) this.heedStop();
    const verdict = { tag: 0, name, wanted, got, isMet, ...this.basis(step) };
    this.#parts.ladder.note('note', isMet ? `${name}: ${got}` : `wanted ${wanted}, got ${got}`, [
      verdict,
    ]);
    if (!isMet) throw new Failed(sentence(verdict));
  }

  basis({ rule, ref }: Step): Basis {
    const { scenario } = this.#parts;
    return { rule: rule ?? scenario.rule, ref: ref ?? scenario.ref };
  }

  within(step: Step): number {
    const { answerWithinMs, promptWithinMs } = this.#parts;
    // An optional message is not the one that the prompt asked for.
    const isOwnTime = step.optional === true && step.within !== undefined;
    if (this.isAsked && !isOwnTime) return promptWithinMs;
    return step.within === undefined ? answerWithinMs : this.ms(step.within);
  }

  ms(text: string): number {
    const [, amount = '0', unit] = /^([\d.]+)(ms|s|hb)$/.exec(text) ?? [];
    const unitMs =
      unit === 'hb' ? this.#parts.session.options.heartBtIntS * 1000 : unit === 's' ? 1000 : 1;
    return Math.round(Number(amount) * unitMs);
  }
}

/** The reason that the counterparty itself gives. */
function textOf(message: ReceivedMessage): string {
  const text = fieldOf(message, 58) ?? fieldOf(message, 'Reason');
  return text === undefined ? '' : `: ${text}`;
}

/** Whether this is a resend that the step does not expect. */
function isEarlier({ text }: Step, one: Incoming): boolean {
  const isResend = one.kind === 'message' && fieldOf(one.message, 43) === 'Y';
  return isResend && !/\|43=/.test(text) && parseLine(text).msgType !== '4';
}

function isFarewell({ msgType }: ReceivedMessage): boolean {
  return msgType === '5' || msgType === 'Terminate';
}
