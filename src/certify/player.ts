/**
 * Plays one scenario once: messages that we send, messages that the counterparty must send, and instructions for people
 * there.
 */
import { awaited } from './awaited.ts';
import { Bindings } from './bindings.ts';
import { bridgeActText } from './bridge-act.ts';
import { type Basis, judge } from './expectation.ts';
import { withTime } from './fix-line.ts';
import { Ladder } from './ladder.ts';
import { LineError, parseLine } from './line.ts';
import { Failed, MessageCheck, type MessageCheckParts } from './message-check.ts';
import { describe, type Prompt } from './prompt.ts';
import type { Incoming, ReceivedMessage } from './received-message.ts';
import { type Attempt, type Outcome, type Rung, sentence } from './record.ts';
import { tracesOf } from './reported.ts';
import { needsHand, type Play, type Step, type Verb } from './scenario.ts';
import { CertificationError } from './session-options.ts';
import type { Untrusted } from './test-tls.ts';

export interface PlayerParts extends Omit<MessageCheckParts, 'ladder' | 'bindings' | 'handled'> {
  /** Values from the interview: `symbol`, `qty`, … */
  readonly values: Readonly<Record<string, string>>;
  /** The orders of this attempt are added to it. */
  readonly earlierOrders: Set<string>;
  readonly rung: (rung: Rung) => void;
  /** Resolves when a program has acted; at once if a person has to act. */
  readonly prompt: (prompt: Omit<Prompt, 'id'>) => Promise<void>;
  /** Undoes trades on a market that is not ours, if a program can do that. */
  readonly tidy: () => Promise<void>;
}

const aliveRule: Basis = {
  rule: 'The session is alive and responds',
  ref: 'FIX 4.4 vol. 2, Test Request(1); FIXP 1.1, Keepalive',
};

type Acts = Readonly<Record<Verb, (step: Step, following?: Step) => Promise<void> | void>>;

/** What the desk does to the connection, as evidence. */
const ownActs: Readonly<Partial<Record<Verb, string>>> = {
  'hang up': 'cuts the connection',
  'leave site': 'gives its address up and continues at its backup site',
  silence: 'sends nothing on its own from now on',
  'stop reading': 'reads nothing from now on',
};

export class Player {
  readonly #parts: PlayerParts;
  readonly #acts: Acts;
  readonly #ladder: Ladder;
  readonly #bindings: Bindings;
  /** The message types that the scenario expects. */
  readonly #handled: ReadonlySet<string>;
  readonly #check: MessageCheck;
  #hasTraded = false;
  #probes = 0;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
    this.#acts = this.#actsOf(parts);
    this.#ladder = new Ladder(parts.rung);
    this.#handled = typesHandled(parts.play);
    const { session, values, prefix } = parts;
    const fresh = (name: string) => `${prefix}-${name}`;
    this.#bindings = new Bindings((name) => session.live(name), fresh, values);
    const own = { ladder: this.#ladder, bindings: this.#bindings, handled: this.#handled };
    this.#check = new MessageCheck({ ...parts, ...own });
  }

  async play(): Promise<Attempt> {
    const { session } = this.#parts;
    const startedMs = Date.now();
    session.begin(this.#ladder, this.#handled);
    let outcome: Outcome = 'passed';
    let reason = '';
    try {
      await this.#steps();
      await this.#check.nothingUnasked();
      this.#check.heedStop();
    } catch (error) {
      if (error instanceof Failed) outcome = 'failed';
      else if (error instanceof CertificationError || error instanceof LineError)
        outcome = 'inconclusive';
      else throw error;
      reason = error.message;
    }
    const { firstUnmet } = this.#ladder;
    if (firstUnmet !== undefined) {
      outcome = 'failed';
      reason ||= sentence(firstUnmet);
    }
    if (outcome !== 'passed' && session.isCorrected) {
      outcome = 'inconclusive';
      reason = 'the counterparty expected a higher MsgSeqNum(34), which the desk did not know';
    }
    const bridge = this.#parts.play.setup === 'bridge' ? session.options.bridge : undefined;
    const venue = bridge === undefined ? [] : tracesOf(this.#ladder.reports, bridge);
    await session.wire.comeBack();
    await this.#tidy(outcome);
    const { rungs, orderIds } = this.#ladder;
    for (const orderId of orderIds) this.#parts.earlierOrders.add(orderId);
    return { startedMs, endedMs: Date.now(), outcome, reason, ladder: [...rungs], venue };
  }

  async #steps(): Promise<void> {
    const { steps } = this.#parts.play;
    for (const [index, step] of steps.entries()) {
      this.#check.heedStop();
      await this.#step(step, steps[index + 1]);
    }
  }

  async #step(step: Step, following: Step | undefined): Promise<void> {
    const { session, play } = this.#parts;
    const { says, verb } = step;
    const isPrompt = needsHand({ ...play, steps: [step] }, session.options.direction);
    if (says !== undefined && !isPrompt) this.#ladder.note('note', says);
    const own = ownActs[verb];
    if (own !== undefined) this.#ladder.note('desk', own);
    await this.#acts[verb](step, following);
  }

  #actsOf({ play, session, signal }: PlayerParts): Acts {
    return {
      logon: () => session.logon(play.setup),
      open: () => session.open(play.setup),
      'hang up': () => session.cut(),
      'leave site': () => {
        session.cut();
        return arranged(() => session.wire.leaveSite());
      },
      renew: () => session.renew(),
      silence: () => session.silence(),
      probe: () => this.#probe(),
      desk: (step, following) => this.#sendStep(step, following),
      raw: ({ garbled = false, text }) => void session.sendRaw(this.#bindings.fill(text), garbled),
      reader: (step) => this.#reader(step),
      untrusted: (step) => this.#untrusted(step),
      second: (step) => this.#second(step),
      wait: ({ text }) => awaited(this.#check.ms(text), signal),
      alive: (step) => this.#alive(step),
      'stop reading': () => session.wire.conversation.stopReading(),
      peer: (step) => this.#check.expect(step, 'peer'),
      ask: (step) => this.#ask('person', step, step.text, this.#suggestion(step.does ?? step.text)),
      contra: (step) => this.#another('contra', step),
      venue: (step) => this.#another('venue', step),
      bridge: (step) => this.#another('bridge', step),
      client: (step) => this.#client(step),
      server: (step) => this.#check.expect(step, this.#isClient ? 'bridge' : 'peer'),
    };
  }

  /** Whether the counterparty is the client. */
  get #isClient(): boolean {
    return this.#parts.session.options.direction === 'acceptor';
  }

  async #client(step: Step): Promise<void> {
    this.#hasTraded = true;
    if (!this.#isClient) {
      this.#parts.session.sendLine(this.#bindings.fill(step.text));
      return;
    }
    const line = this.#suggestion(step.text);
    await this.#ask('client', step, `Send ${describe(line)}`, line);
    await this.#check.expect(step, 'peer');
  }

  async #another(who: 'contra' | 'venue' | 'bridge', step: Step): Promise<void> {
    const { session } = this.#parts;
    const isMessage = who === 'contra';
    const line = isMessage ? this.#bindings.fill(step.text) : this.#bindings.value(step.text);
    // Orders on the market and acts on the bridge are undone at the end.
    if (who !== 'venue') this.#hasTraded = true;
    if (!this.#isClient) {
      const suggestion = isMessage ? this.#suggestion(step.text) : line;
      await this.#ask(who, step, wordsOf[who](line), suggestion);
    } else if (isMessage) await arranged(() => session.wire.contra(line));
    else {
      this.#ladder.note(who, line);
      await arranged(async () => {
        if (who === 'venue') await session.options.bridge?.venue(line);
        else await session.actUpon(line);
      });
    }
  }

  async #ask(who: Prompt['who'], step: Step, text: string, line: string): Promise<void> {
    const { scenario, prompt } = this.#parts;
    const words = step.says === undefined ? text : `${step.says}. ${text}`;
    this.#ladder.note('person', words);
    this.#check.isAsked = true;
    const asked = { scenario: scenario.id, text: this.#bindings.value(words), who, line };
    await arranged(() => prompt(asked));
  }

  /** The id that we propose; the counterparty may choose its own. */
  #suggestion(text: string): string {
    const filled = this.#bindings.copy().fill(text);
    return filled
      .split('|')
      .filter((part) => !part.startsWith('34='))
      .map((part) => withTime(part, Date.now()))
      .join('|');
  }

  async #sendStep(step: Step, following: Step | undefined): Promise<void> {
    const { session, signal } = this.#parts;
    if (step.burst !== undefined) {
      session.sendMany(step.burst, () => this.#bindings.fill(step.text));
      return;
    }
    for (let count = 0; count < (step.times ?? 1); count += 1) {
      if (!session.wire.conversation.isOpen) return;
      session.sendLine(this.#bindings.fill(step.text), step.garbled);
      if (step.times === undefined || following === undefined) continue;
      await awaited(30, signal);
      this.#check.heedStop();
      if (session.wire.conversation.inbox.waiting.some((one) => isOfLine(one, following.text)))
        return;
    }
  }

  async #second(step: Step): Promise<void> {
    const { session } = this.#parts;
    if (step.text !== 'closed') {
      await session.sendSecond(this.#bindings.fill(step.text));
      return;
    }
    const { isClosed, received } = await session.wire.secondEnds(this.#check.within(step));
    this.#check.refuseWelcome(received);
    this.#check.verdict(step, 'second connection', 'closed', isClosed ? 'closed' : 'open');
  }

  /** For a server this is the counterparty's own server; otherwise our own bridge serves both. */
  async #reader(step: Step): Promise<void> {
    const { wire } = this.#parts.session;
    if (step.text === 'logon') return arranged(() => wire.openReader());
    const judged = (message: ReceivedMessage, bindings: Bindings) =>
      judge(step, message, bindings, this.#check.basis(step));
    const fits = (message: ReceivedMessage) =>
      judged(message, this.#bindings.copy()).every(({ isMet }) => isMet);
    const found = await wire.readerReceives(fits, this.#check.within(step));
    if (found !== undefined) this.#ladder.judged(found, judged(found, this.#bindings));
    else if (this.#isClient)
      throw new CertificationError('our other reader did not receive the same');
    else {
      const wanted = describe(this.#check.shown(step));
      this.#check.verdict(step, 'other reader', wanted, 'nothing');
    }
  }

  async #untrusted(step: Step): Promise<void> {
    const { session, signal } = this.#parts;
    const kind = step.text as Untrusted;
    session.cut();
    const { port } = session.options;
    const isRefused = await port.isRefused?.(kind, this.#check.within(step), signal);
    if (isRefused === undefined)
      throw new CertificationError(`no connection on which to present a certificate: ${kind}`);
    const got = isRefused ? 'refused' : 'taken';
    this.#check.verdict(step, `${kind} certificate`, 'refused', got);
  }

  async #probe(): Promise<void> {
    this.#probes += 1;
    const id = `${this.#parts.prefix}-P${this.#probes}`;
    const expected = this.#parts.session.probe(id);
    await this.#check.expect({ verb: 'peer', among: true, ...aliveRule, ...expected }, 'peer');
  }

  /** Sends a TestRequest at every heartbeat for that time; only the responses may arrive. */
  async #alive(step: Step): Promise<void> {
    const { session, signal } = this.#parts;
    const { inbox } = session.wire.conversation;
    const endMs = performance.now() + this.#check.ms(this.#bindings.fill(step.text));
    for (;;) {
      await this.#probe();
      this.#check.refuseUnasked();
      inbox.drop((one) => one.kind === 'message');
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) return;
      this.#check.heedStop();
      await awaited(Math.min(leftMs, session.options.heartBtIntS * 1000), signal);
    }
  }

  /** Resets everything that could affect the next scenario. */
  async #tidy(outcome: Outcome): Promise<void> {
    const { play, session, tidy } = this.#parts;
    const { options, wire } = session;
    if (this.#hasTraded) {
      this.#ladder.note('note', 'The scenario is over; what is left is canceled');
      const isOurs = play.setup === 'bridge' && this.#isClient;
      try {
        await (isOurs ? options.bridge?.tidy() : tidy());
      } catch (error) {
        // This does not end the run.
        const why = error instanceof Error ? error.message : String(error);
        this.#ladder.note('note', `what is left could not be taken back: ${why}`);
      }
      const mayCancel = !this.#isClient && !options.isReader;
      if (mayCancel && wire.isOpen) await session.cancelAll(`${this.#parts.prefix}-tidy`);
      if (wire.isOpen) await wire.quiet();
    }
    if (outcome === 'passed' && wire.isOpen) wire.conversation.inbox.clear();
    else if (outcome !== 'passed' || !wire.wasCutByUs) session.doubt();
  }
}

/** The prompt for a step that we cannot carry out ourselves. */
const wordsOf = {
  contra: (line: string) => `Let another participant send ${describe(line)}`,
  venue: (line: string) => line,
  bridge: bridgeActText,
} as const;

/** A failure of the environment is not a verdict on the counterparty, and does not end the run. */
async function arranged(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    throw new CertificationError(error instanceof Error ? error.message : String(error));
  }
}

/** Message types that the scenario expects, to which the session must not respond. */
function typesHandled({ steps }: Play): ReadonlySet<string> {
  const expected = steps.filter(
    ({ verb, text }) => verb === 'peer' && text !== 'closed' && text !== 'nothing',
  );
  return new Set(expected.map(({ text }) => parseLine(text).msgType));
}

function isOfLine(one: Incoming, line: string): boolean {
  if (one.kind !== 'message') return one.kind === 'closed';
  return !['closed', 'nothing'].includes(line) && parseLine(line).msgType === one.message.msgType;
}
