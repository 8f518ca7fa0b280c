/** Plays one scenario once: what we say, what the counterparty must say, and what somebody there must do. */

import { pause } from './awaited.ts';
import { Bindings } from './bindings.ts';
import { bridgeActText } from './bridge-act.ts';
import type { Desk } from './desk.ts';
import { DeskError } from './desk-options.ts';
import type { Untrusted } from './desk-tls.ts';
import { type Basis, judge } from './expectation.ts';
import { resolveTime } from './fix-line.ts';
import {
  fieldOf,
  type Heard,
  type Incoming,
  isHousekeeping,
  orderIdOf,
  typeName,
} from './heard.ts';
import { Ladder } from './ladder.ts';
import { LineError, parseLine } from './line.ts';
import { describe, type Prompt } from './prompt.ts';
import type { Attempt, Outcome, Rung } from './record.ts';
import { tracesOf } from './reported.ts';
import { needsHand, type Play, type Scenario, type Step } from './scenario.ts';
import { isEarlier, isFarewell, isOfLine, typesHandled } from './step-messages.ts';

export interface PlayerParts {
  readonly desk: Desk;
  readonly scenario: Scenario;
  readonly play: Play;
  /** Of the interview: `symbol`, `qty`, … */
  readonly values: Readonly<Record<string, string>>;
  readonly answerWithinMs: number;
  /** How long somebody may take for what a prompt asks. */
  readonly promptWithinMs: number;
  /** Orders of attempts before: what is still said of them is no news here. Those of this one are added. */
  readonly earlierOrders: Set<string>;
  /** Makes ids unique over runs. */
  readonly prefix: string;
  readonly signal: AbortSignal;
  readonly rung: (rung: Rung) => void;
  /** Resolves when a program has acted, or at once where a person is asked. */
  readonly prompt: (prompt: Omit<Prompt, 'id'>) => Promise<void>;
  /** What was traded at a market that is not ours is taken back, where a program can. */
  readonly tidy: () => Promise<void>;
}

/** Ends the scenario; what is wrong stands in the ladder. */
class Failed extends Error {}
/** Ends the scenario without a verdict on the counterparty. */
class Inconclusive extends Error {}

const silenceMs = 300;
const aliveRule: Basis = {
  rule: 'The session goes on: a sign of life comes',
  ref: 'FIX 4.4 vol. 2, Test Request(1); FIXP 1.1, Keepalive',
};

export class Player {
  readonly #parts: PlayerParts;
  readonly #ladder: Ladder;
  readonly #bindings: Bindings;
  /** Types that the scenario waits for. */
  readonly #handled: ReadonlySet<string>;
  /** Somebody has been asked for something that is not seen yet. */
  #isAsked = false;
  #hasTraded = false;
  #probes = 0;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
    this.#ladder = new Ladder(parts.rung);
    this.#handled = typesHandled(parts.play);
    const { desk, values, prefix } = parts;
    const fresh = (name: string) => `${prefix}-${name}`;
    this.#bindings = new Bindings((name) => desk.live(name), fresh, values);
  }

  async play(): Promise<Attempt> {
    const { desk } = this.#parts;
    const startedMs = Date.now();
    desk.begin(this.#ladder, this.#handled);
    let outcome: Outcome = 'passed';
    let reason = '';
    try {
      await this.#steps();
      await this.#nothingUnasked();
    } catch (error) {
      if (error instanceof Failed) outcome = 'failed';
      else if (isOfWorld(error)) outcome = 'inconclusive';
      else throw error;
      reason = error.message;
    }
    if (this.#ladder.isBroken) outcome = 'failed';
    if (outcome === 'failed') reason ||= firstBroken(this.#ladder);
    const bridge = this.#parts.play.stand === 'bridge' ? desk.options.bridge : undefined;
    const venue = bridge === undefined ? [] : tracesOf(this.#ladder.rungs, bridge);
    await this.#tidy(outcome);
    const { rungs, orderIds } = this.#ladder;
    for (const orderId of orderIds) this.#parts.earlierOrders.add(orderId);
    return { startedMs, endedMs: Date.now(), outcome, reason, ladder: [...rungs], venue };
  }

  async #steps(): Promise<void> {
    const { steps } = this.#parts.play;
    for (const [index, step] of steps.entries()) {
      if (this.#parts.signal.aborted) throw new Inconclusive('the run was stopped');
      await this.#step(step, steps[index + 1]);
    }
  }

  async #step(step: Step, following: Step | undefined): Promise<void> {
    const { desk, play } = this.#parts;
    const isPrompt = needsHand({ ...play, steps: [step] }, desk.options.direction);
    if (step.says !== undefined && !isPrompt) this.#ladder.note('note', step.says);
    switch (step.verb) {
      case 'logon':
        return desk.logon(play.stand);
      case 'open':
        return desk.open(play.stand);
      case 'hang up':
        this.#ladder.note('desk', 'cuts the connection');
        return desk.cut();
      case 'renew':
        return desk.renew();
      case 'silence':
        this.#ladder.note('desk', 'says nothing by itself from here on');
        return desk.silence();
      case 'probe':
        return this.#probe();
      case 'desk':
        return this.#say(step, following);
      case 'raw':
        desk.sayRaw(this.#bindings.fill(step.text), step.garbled ?? false);
        return;
      case 'untrusted':
        return this.#untrusted(step);
      case 'second':
        return this.#second(step);
      case 'wait':
        return pause(this.#ms(step.text));
      case 'alive':
        return this.#alive(step);
      case 'stop reading':
        this.#ladder.note('desk', 'reads nothing from here on');
        return desk.wire.conversation.stopReading();
      case 'peer':
        return this.#expect(step, 'peer');
      case 'ask':
        return this.#ask('person', step, step.text);
      case 'contra':
      case 'venue':
      case 'bridge':
        return this.#another(step.verb, step);
      case 'client':
        return this.#client(step);
      case 'server':
        return this.#expect(step, this.#isClient ? 'bridge' : 'peer');
    }
  }

  /** The counterparty is the client, or we are. */
  get #isClient(): boolean {
    return this.#parts.desk.options.direction === 'acceptor';
  }

  async #client(step: Step): Promise<void> {
    this.#hasTraded = true;
    if (!this.#isClient) {
      this.#parts.desk.say(this.#bindings.fill(step.text));
      return;
    }
    const line = this.#suggestion(step.text);
    await this.#ask('client', step, `Send ${describe(line)}`, line);
    await this.#expect(step, 'peer');
  }

  async #another(who: 'contra' | 'venue' | 'bridge', step: Step): Promise<void> {
    const { desk } = this.#parts;
    const line = this.#bindings.fill(step.text);
    // What is left at the market, or of an act upon the bridge, is taken back in the end.
    if (who !== 'venue') this.#hasTraded = true;
    if (!this.#isClient) {
      await this.#ask(who, step, wordsOf[who](line), this.#suggestion(step.text));
    } else if (who === 'contra') await arranged(() => desk.wire.contra(line));
    else {
      this.#ladder.note(who, line);
      await arranged(async () => {
        if (who === 'venue') await desk.options.bridge?.venue(line);
        else await desk.actUpon(line);
      });
    }
  }

  async #ask(
    who: Prompt['who'],
    step: Step,
    text: string,
    line = step.does ?? text,
  ): Promise<void> {
    const { scenario, prompt } = this.#parts;
    const words = step.says === undefined ? text : `${step.says}. ${text}`;
    this.#ladder.note('person', words);
    this.#isAsked = true;
    const asked = { scenario: scenario.id, text: this.#bindings.fill(words), who, line };
    await arranged(() => prompt(asked));
  }

  /** Ids are proposed, but the counterparty may choose its own. */
  #suggestion(text: string): string {
    const filled = this.#bindings.copy().fill(text);
    return filled
      .split('|')
      .filter((part) => !part.startsWith('34='))
      .map((part) => {
        const at = part.indexOf('=');
        return `${part.slice(0, at + 1)}${resolveTime(part.slice(at + 1), Date.now())}`;
      })
      .join('|');
  }

  async #say(step: Step, following: Step | undefined): Promise<void> {
    const { desk } = this.#parts;
    if (step.burst !== undefined) {
      desk.sayMany(step.burst, () => this.#bindings.fill(step.text));
      return;
    }
    for (let count = 0; count < (step.times ?? 1); count += 1) {
      if (!desk.wire.conversation.isOpen) return;
      desk.say(this.#bindings.fill(step.text), step.garbled);
      if (step.times === undefined || following === undefined) continue;
      await pause(30);
      if (desk.wire.conversation.inbox.waiting.some((one) => isOfLine(one, following.text))) return;
    }
  }

  async #second(step: Step): Promise<void> {
    const { desk } = this.#parts;
    if (step.text !== 'closed') {
      await desk.saySecond(this.#bindings.fill(step.text));
      return;
    }
    const isClosed = await desk.wire.secondCloses(this.#within(step));
    this.#verdict('second connection', 'closed', isClosed ? 'closed' : 'open', isClosed, step);
  }

  async #untrusted(step: Step): Promise<void> {
    const { desk, signal } = this.#parts;
    const kind = step.text as Untrusted;
    desk.cut();
    const { port } = desk.options;
    const isRefused = await port.isRefused?.(kind, this.#within(step), signal);
    if (isRefused === undefined) throw new Inconclusive(`nobody was shown a certificate: ${kind}`);
    const got = isRefused ? 'refused' : 'taken';
    this.#verdict(`${kind} certificate`, 'refused', got, isRefused, step);
  }

  async #probe(): Promise<void> {
    this.#probes += 1;
    const id = `${this.#parts.prefix}-P${this.#probes}`;
    const expected = this.#parts.desk.probe(id);
    await this.#expect({ verb: 'peer', among: true, ...aliveRule, ...expected }, 'peer');
  }

  /** For so long a sign of life is asked for at every heartbeat, and nothing else comes. */
  async #alive(step: Step): Promise<void> {
    const { desk, signal } = this.#parts;
    const { inbox } = desk.wire.conversation;
    const endMs = performance.now() + this.#ms(this.#bindings.fill(step.text));
    for (;;) {
      await this.#probe();
      this.#refuseUnasked();
      inbox.clear();
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) return;
      if (signal.aborted) throw new Inconclusive('the run was stopped');
      await pause(Math.min(leftMs, desk.options.heartBtIntS * 1000));
    }
  }

  async #expect(step: Step, from: 'peer' | 'bridge'): Promise<void> {
    if (step.text === 'nothing') return this.#expectNothing(step, from);
    if (step.text === 'closed') return this.#expectClosed(step);
    const { inbox } = this.#parts.desk.wire.conversation;
    const { msgType } = parseLine(step.text);
    const isPending = (one: Incoming) => {
      if (one.kind === 'closed') return true;
      if (one.kind !== 'message' || one.from !== from || this.#isLate(one.message)) return false;
      if (step.among === true) return one.message.msgType === msgType && this.#fits(step, one);
      return one.message.msgType === msgType ? !isEarlier(step, one) : !isHousekeeping(one.message);
    };
    const endMs = performance.now() + this.#within(step);
    // What is optional is only looked for; what comes instead is for the next step.
    const isWanted = step.optional
      ? (one: Incoming) => isPending(one) && this.#fits(step, one)
      : isPending;
    const found = await this.#patiently(inbox, isWanted, isPending, endMs, step);
    if (found === undefined) return;
    this.#isAsked = false;
    const verdicts = judge(step, found, this.#bindings, this.#basis(step));
    const wrong = verdicts.find(({ isMet }) => !isMet);
    if (from === 'bridge') {
      if (wrong === undefined) return;
      // It may be the counterparty's doing.
      this.#refuseUnasked();
      const { name, wanted, got } = wrong;
      throw new Inconclusive(`the bridge said ${name} ${got}, not ${wanted}`);
    }
    this.#ladder.judged(found, verdicts);
    if (wrong !== undefined) throw new Failed(sentence(wrong));
  }

  /** The message, or undefined where an optional one stays away; all else ends the scenario. */
  async #patiently(
    inbox: Desk['wire']['conversation']['inbox'],
    isWanted: (one: Incoming) => boolean,
    isPending: (one: Incoming) => boolean,
    endMs: number,
    step: Step,
  ): Promise<Heard | undefined> {
    const { signal } = this.#parts;
    const found = step.optional
      ? await inbox.glance(isWanted, isPending, endMs, signal)
      : await inbox.take(isWanted, endMs, signal);
    if (found?.kind === 'message') return found.message;
    if (found !== undefined) inbox.putBack(found);
    if (step.optional) return undefined;
    const got = found === undefined ? 'nothing' : 'the connection closed';
    if (this.#isAsked && found === undefined) {
      throw new Inconclusive(`nobody did what was asked for: ${describe(this.#shown(step))}`);
    }
    const { msgType } = parseLine(step.text);
    this.#verdict('message', typeName(msgType), got, false, step);
    return undefined;
  }

  #shown(step: Step): string {
    return this.#bindings.copy().fill(step.text);
  }

  async #expectNothing(step: Step, from: 'peer' | 'bridge'): Promise<void> {
    await pause(step.within === undefined ? silenceMs : this.#ms(step.within));
    if (from === 'bridge') return;
    const extra = this.#unasked();
    const got = extra === undefined ? 'nothing' : typeName(extra.msgType);
    this.#verdict('message', 'nothing', got, extra === undefined, step);
  }

  async #expectClosed(step: Step): Promise<void> {
    const { desk, signal } = this.#parts;
    const { inbox } = desk.wire.conversation;
    const endMs = performance.now() + this.#within(step);
    const isOver = (one: Incoming) =>
      one.kind === 'closed' || (one.kind === 'message' && isFarewell(one.message));
    desk.answerFarewell();
    desk.wire.conversation.throwAway();
    let found = await inbox.take(isOver, endMs, signal);
    desk.answerFarewell();
    if (found?.kind === 'message') {
      found = await inbox.take((one) => one.kind === 'closed', endMs, signal);
    }
    this.#isAsked = false;
    inbox.clear();
    const got = found === undefined ? 'open' : 'closed';
    this.#verdict('connection', 'closed', got, found !== undefined, step);
  }

  /** The last check: the counterparty must not have answered with what nobody wanted, such as a Reject(3). */
  async #nothingUnasked(): Promise<void> {
    const { desk } = this.#parts;
    if (!desk.wire.isOpen) return;
    await desk.wire.quiet();
    this.#refuseUnasked();
  }

  #refuseUnasked(): void {
    const extra = this.#unasked();
    if (extra === undefined) return;
    const text = fieldOf(extra, 58) ?? fieldOf(extra, 'Reason');
    const got = `${typeName(extra.msgType)}${text === undefined ? '' : `: ${text}`}`;
    const rule = 'Nothing is said that the scenario does not call for';
    this.#ladder.judged(extra, [
      { tag: 0, name: 'message', wanted: 'nothing', got, isMet: false, rule, ref: 'scenario' },
    ]);
    throw new Failed(`unasked for: ${got}`);
  }

  #unasked(): Heard | undefined {
    for (const one of this.#parts.desk.wire.conversation.inbox.waiting) {
      if (one.kind === 'message' && one.from === 'peer' && this.#isTold(one.message)) {
        return one.message;
      }
    }
    return undefined;
  }

  /** The end of an order of an earlier attempt may be told long after that was over. */
  #isLate(message: Heard): boolean {
    const orderId = orderIdOf(message);
    return orderId !== undefined && this.#parts.earlierOrders.has(orderId);
  }

  /** More than what keeps a session alive: an echo that nobody asked for, more of what the scenario counts. */
  #isTold(message: Heard): boolean {
    const { msgType } = message;
    const { stand } = this.#parts.play;
    if (this.#isLate(message)) return false;
    // A bridge that stands behind our end may ask for a Heartbeat(0) of its own accord.
    if (msgType === '0') return fieldOf(message, 112) !== undefined && stand === 'engine';
    if (msgType === '2' || msgType === '4') return this.#handled.has(msgType);
    return !isHousekeeping(message);
  }

  #fits(step: Step, one: Incoming): boolean {
    if (one.kind !== 'message') return false;
    const basis = this.#basis(step);
    return judge(step, one.message, this.#bindings.copy(), basis).every(({ isMet }) => isMet);
  }

  #verdict(name: string, wanted: string, got: string, isMet: boolean, step: Step): void {
    const verdict = { tag: 0, name, wanted, got, isMet, ...this.#basis(step) };
    this.#ladder.note('note', isMet ? `${name}: ${got}` : `wanted ${wanted}, got ${got}`, [
      verdict,
    ]);
    if (!isMet) throw new Failed(sentence(verdict));
  }

  #basis({ rule, ref }: Step): Basis {
    const { scenario } = this.#parts;
    return { rule: rule ?? scenario.rule, ref: ref ?? scenario.ref };
  }

  #within(step: Step): number {
    const { answerWithinMs, promptWithinMs } = this.#parts;
    if (this.#isAsked) return promptWithinMs;
    return step.within === undefined ? answerWithinMs : this.#ms(step.within);
  }

  #ms(text: string): number {
    const [, amount = '0', unit] = /^([\d.]+)(ms|s|hb)$/.exec(text) ?? [];
    const unitMs =
      unit === 'hb' ? this.#parts.desk.options.heartBtIntS * 1000 : unit === 's' ? 1000 : 1;
    return Math.round(Number(amount) * unitMs);
  }

  /** Nothing of one scenario may reach the next. */
  async #tidy(outcome: Outcome): Promise<void> {
    const { desk, play } = this.#parts;
    if (this.#hasTraded)
      this.#ladder.note('note', 'The scenario is over; what is left is canceled');
    if (this.#hasTraded && play.stand === 'bridge' && this.#isClient) {
      await desk.options.bridge?.tidy();
    } else if (this.#hasTraded) await this.#parts.tidy();
    if (this.#hasTraded && !this.#isClient && desk.wire.isOpen) {
      await desk.cancelAll(`${this.#parts.prefix}-tidy`);
    }
    if (this.#hasTraded && desk.wire.isOpen) await desk.wire.quiet();
    if (outcome === 'passed' && desk.wire.isOpen) desk.wire.conversation.inbox.clear();
    else if (outcome !== 'passed' || !desk.wire.wasCutByUs) desk.doubt();
  }
}

/** What somebody is asked to do in the place of ours. */
const wordsOf = {
  contra: (line: string) => `Let another participant send ${describe(line)}`,
  venue: (line: string) => line,
  bridge: bridgeActText,
} as const;

function isOfWorld(error: unknown): error is Error {
  return error instanceof Inconclusive || error instanceof DeskError || error instanceof LineError;
}

/** Whatever goes wrong with what surrounds the counterparty is no verdict on it, and no end of the run. */
async function arranged(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    throw new Inconclusive(error instanceof Error ? error.message : String(error));
  }
}

function sentence({ name, wanted, got }: { name: string; wanted: string; got: string }): string {
  return `${name}: wanted ${wanted}, got ${got}`;
}

function firstBroken(ladder: Ladder): string {
  const verdict = ladder.rungs.flatMap(({ verdicts }) => verdicts).find(({ isMet }) => !isMet);
  return verdict === undefined ? '' : sentence(verdict);
}
