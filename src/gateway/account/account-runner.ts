/**
 * The I/O around one account's engine (docs/decisions/0247-the-account-engine.md): every event becomes an input, the
 * input is recorded, and the effects of the engine are carried out. Reports are sent with the record of their input
 * (J2); requests to the venue wait until that record is durable (J1). State changes only in a transaction, and a
 * transaction is one commit.
 */
import type { AlarmEffect, OrderAlarm } from '../../domain/alarm.ts';
import type { Denial } from '../../domain/denial.ts';
import type { StreamEvent } from '../../domain/event.ts';
import type { GroupAnswer } from '../../domain/quote-group.ts';
import type { Report } from '../../domain/report.ts';
import type { Statement } from '../../domain/stated.ts';
import type { Account, OrderId } from '../../domain/units.ts';
import { EffectSums } from '../../engine/effect-sums.ts';
import {
  canceledUnsent,
  type EngineEffect,
  type EngineInput,
  type Request,
} from '../../engine/engine.ts';
import type { Journal } from '../../engine/journal.ts';
import { MassCancels } from '../../engine/mass-cancels.ts';
import type { Orders, Placements } from '../../engine/orders.ts';
import type { Moment, RequestRef } from '../../engine/venue-port.ts';
import { type Clock, pause } from '../../runtime/clock.ts';
import { hexOf } from '../../runtime/hex.ts';
import { invariant } from '../../runtime/invariant.ts';
import { nowUs } from '../../runtime/latency.ts';
import type { Scheme } from '../../signer/scheme.ts';
import type { Signer, SignResult } from '../../signer/signer.ts';
import type { Transactions } from '../../store/transactions.ts';
import type { SignedSend } from '../../venue/action-json.ts';
import type { Dispatcher } from '../../venue/dispatcher.ts';
import { KeyChoice } from '../../venue/key-choice.ts';
import type { OutboxAlarm } from '../../venue/outbox/alarm.ts';
import type { Outbox } from '../../venue/outbox/outbox.ts';
import type { NonceRange, OutboxEffect, OutboxInput } from '../../venue/outbox/outbox-types.ts';
import { isStopped, placesSomething, type Submission } from '../../venue/outbox/submission.ts';
import type { Found } from '../../venue/outbox/submission-life.ts';
import type { SoughtAction } from '../../venue/reconcile.ts';
import { venueRefusal } from '../../venue/refusals.ts';
import type { VenueEvent } from '../../venue/venue-event.ts';
import { discoveryProblem } from '../../venue/venue-reads.ts';
import { noAnswer, type Verdict } from '../../venue/verdict.ts';
import type { EngineSettings } from '../config/engine-settings.ts';
import { AccountWaits } from './account-waits.ts';
import type { Hops } from './hops.ts';
import type { Observer } from './observer.ts';
import type { OpenEngine } from './open-engine.ts';

type Input = EngineInput<OutboxInput, VenueEvent>;
type Effect = EngineEffect<OutboxEffect>;
type Submit = Extract<OutboxEffect, { kind: 'submit' }>;
type Discover = Extract<OutboxEffect, { kind: 'discover' }>;
type Nested = Extract<OutboxEffect, { kind: 'sign' }>;
type Later = Extract<OutboxEffect, { kind: 'withdraw' | 'probe' | 'sign' | 'look' | 'discover' }>;

export interface RunnerParts extends Omit<OpenEngine, 'journal'> {
  readonly account: Account;
  readonly journal: Pick<Journal<OutboxInput, VenueEvent>, 'append' | 'end' | 'rest'>;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly signer: Signer;
  readonly scheme: Scheme;
  readonly dispatcher: Dispatcher;
  readonly hops: Hops;
  readonly observer: Observer;
  readonly patienceMs: number;
  readonly unknownAfterMs: number;
  /** All of these are called within a transaction. */
  readonly report: (session: string, report: Report) => void;
  readonly answer: (session: string, answer: GroupAnswer) => void;
  /** Returns why a request that waited may no longer be placed. */
  readonly authorize: (release: Placements) => Denial | undefined;
  /** Returns the input for an event of another channel, if the bridge tracks its order. */
  readonly foreign: (event: StreamEvent) => Request | undefined;
  /** Called for a halt, its end, and a refusal. */
  readonly trading: (event: StreamEvent) => void;
  /** Carries out acts on gates, credentials, markets and pace. */
  readonly act: (step: Extract<OutboxEffect, { kind: 'act' }>) => void;
  readonly alarm: (alarm: Omit<AlarmEffect<OrderAlarm | OutboxAlarm>, 'kind'>) => void;
  /** Whether another account of the bridge has an order with this id. */
  readonly isOfOtherAccount: (orderId: OrderId) => boolean;
  /** Checks on the stream whether a frame was lost. */
  readonly probe: () => void;
  readonly lookUp: (action: SoughtAction) => Promise<Found>;
  /** Queries the venue for the account's nonce with an unsigned envelope (G19). */
  readonly currentNonce: (envelope: string) => Promise<NonceRange>;
}

const concernTrading: ReadonlySet<string> = new Set(['halt', 'resume', 'rejected']);
/** The pauses between queries for the nonce floor: the first, and the longest while one follows another. */
const [discoverPauseMs, longestPauseMs] = [10, 250];

export class AccountRunner {
  readonly account: Account;
  readonly #parts: RunnerParts;
  readonly keys: KeyChoice;
  readonly #waits: AccountWaits;
  /** Submissions for which a timer will report an unknown outcome to the client. */
  readonly #watched = new WeakSet<Submission>();
  /** The keys that signed the orders inside conditional orders. */
  readonly #nestedKeys = new WeakMap<Submission, Account>();
  readonly #sums = new EffectSums();
  #inputs: Input[] = [];
  #settings: EngineSettings | undefined;
  #now: Moment = { wallMs: 0, monoMs: 0 };
  /** These effects wait for the record of this transaction. */
  #submits: Submit[] = [];
  #later: Later[] = [];
  #isJoined = false;
  #isStopped = false;
  #isCancelDue = false;
  #mayAskMs = 0;
  #askPauseMs = 0;
  /** The end of the query for the nonce floor that is under way or comes next. */
  #discovery = Promise.withResolvers<void>();

  constructor(parts: RunnerParts) {
    this.account = parts.account;
    this.#parts = parts;
    this.keys = new KeyChoice(parts, (text) => parts.alarm({ code: 'key_refused', text }));
    const { clock, outbox, unknownAfterMs } = parts;
    this.#waits = new AccountWaits({
      clock,
      unknownAfterMs,
      orders: parts.orders,
      isDue: (id) => outbox.isDue(id, clock.now()),
      isOver: (inputs) => {
        parts.transactions.run(() => {
          for (const input of inputs) this.#step(input);
        });
      },
    });
  }

  get orders(): Orders {
    return this.#parts.orders;
  }

  get nonces(): Outbox['nonces'] {
    return this.#parts.outbox.nonces;
  }

  /** The number of submissions that wait for a nonce. */
  get waiting(): number {
    const { cancel, place } = this.#parts.outbox.waiting;
    return cancel + place;
  }

  get journalEnd(): number {
    return this.#parts.journal.end;
  }

  /** Whether an order waits for the venue's answer. */
  get isBusy(): boolean {
    if (this.orders.isMassCanceling) return true;
    for (const { phase, pending } of this.orders.open()) {
      if (phase === 'created' || phase === 'pending_new' || pending !== null) return true;
    }
    return false;
  }

  /** Called inside a transaction. */
  apply(input: Request): void {
    this.#step(input);
    if (input.kind === 'entry') this.#waits.cancelInTime(input.owner.key, input.terms.cancelAtMs);
  }

  /** Called within a transaction. Withdraws placements of this session (null: of all) that have not left the bridge. */
  withdraw(session: string | null, denial: Denial): void {
    this.#step({ kind: 'withdraw', session, denial });
  }

  /** Takes events of the stream, in order. Resolves when they and their effects are durable. */
  onEvents(events: readonly VenueEvent[]): Promise<void> {
    const { hops, trading, transactions } = this.#parts;
    return new Promise<void>((resolve) => {
      transactions.run(() => {
        for (const event of events) {
          this.#step({ kind: 'event', event });
          if (concernTrading.has(event.kind)) trading(event);
        }
        const { startedUs } = transactions;
        transactions.after(() => {
          hops.report.observe(nowUs() - startedUs);
          resolve();
        });
      });
    });
  }

  /** Applies the state of an order after events were lost. */
  state(key: string, statement: Statement): void {
    const nowMs = this.#parts.clock.now().wallMs;
    this.#run({ kind: 'order', key, input: { kind: 'stated', statement, nowMs } });
  }

  /** Called before the stream starts. */
  started(): void {
    this.#run({ kind: 'started' });
  }

  /** Queries the venue for the nonce floor if it can be asked; resolves once it has answered or the query failed. */
  discover(): Promise<void> {
    const { promise } = this.#discovery;
    this.#onResult({ kind: 'discover' });
    return this.nonces.mayAsk ? promise : Promise.resolve();
  }

  /** Called within a transaction: issues nonces again although the venue's floor went backward. */
  unlatch(): void {
    this.#step({ kind: 'venue', input: { kind: 'unlatch' } });
  }

  /** Called once the stream has caught up. */
  resume(): void {
    this.#run({ kind: 'resume' });
    for (const { owner, terms } of this.orders.open()) {
      this.#waits.cancelInTime(owner.key, terms.cancelAtMs);
    }
  }

  /** Called once the venue's status is known. */
  open(): void {
    this.#run({ kind: 'open' });
  }

  /** Stops sending requests to the venue. */
  stop(): void {
    const { journal, state, transactions } = this.#parts;
    transactions.run(() => {
      invariant(this.#inputs.length === 0, 'a stop has a transaction of its own');
      this.#isStopped = true;
      journal.rest(state);
    });
  }

  #run(input: Input): void {
    this.#parts.transactions.run(() => this.#step(input));
  }

  /** The result of an effect becomes an input. */
  #onResult(input: OutboxInput): void {
    this.#run({ kind: 'venue', input });
  }

  /** Called within a transaction. */
  #step(input: Input): void {
    if (this.#isStopped) return;
    this.#join();
    this.#inputs.push(input);
    const effects = this.#parts.engine.step(input, this.#now);
    this.#sums.add(effects);
    // Questions are answered once all effects of their step are carried out, so that its reports leave in order.
    const questions = effects.map((effect) => this.#perform(effect));
    for (const question of questions) {
      const next = question?.();
      if (next !== undefined) this.#step(next);
    }
  }

  #join(): void {
    if (this.#isJoined) return;
    const { clock, newSettings, transactions } = this.#parts;
    this.#isJoined = true;
    this.#now = clock.now();
    this.#settings = newSettings();
    transactions.atEnd(() => this.#endTransaction());
  }

  /** Returns the question of an effect; its answer is the next input. */
  #perform(effect: Effect): (() => Input | undefined) | undefined {
    const { act, alarm, answer, foreign, report } = this.#parts;
    switch (effect.kind) {
      case 'report':
        report(effect.session, effect.report);
        break;
      case 'answer':
        answer(effect.session, effect.answer);
        break;
      case 'alarm':
        alarm(effect);
        break;
      case 'act':
        act(effect);
        break;
      case 'judge': {
        const { asked, id } = effect;
        return () => ({ kind: 'judged', id, denial: asked && this.#denial(asked, true) });
      }
      case 'foreign':
        return () => foreign(effect.event);
      case 'submit':
        this.#submits.push(effect);
        break;
      case 'wait':
        this.#waits.request(effect);
        break;
      case 'wake':
        this.#waits.submission(effect);
        break;
      default:
        this.#later.push(effect);
    }
    return undefined;
  }

  /** The signer works during the disk sync (docs/decisions/0032-transactions.md). */
  #endTransaction(): void {
    const { account, journal, observer, state, transactions } = this.#parts;
    if (this.#inputs.some(isCancel)) this.#step({ kind: 'withdraw_canceled' });
    this.#continueMassCancel();
    this.#isJoined = false;
    const [inputs, submits, later] = [this.#inputs, this.#submits, this.#later];
    [this.#inputs, this.#submits, this.#later] = [[], [], []];
    if (inputs.length > 0) {
      const effects = this.#sums.take();
      const record = { at: this.#now, inputs, effects, settings: this.#settings };
      const payload = journal.append(record, state);
      observer.recorded(account, payload, submits);
    }
    if (submits.length > 0) {
      const { startedUs } = transactions;
      let signing: readonly Promise<SignResult>[] = [];
      transactions.afterWrite(() => {
        signing = submits.map(({ bytes }) => this.keys.sign(bytes));
      });
      transactions.after(() => {
        for (const [index, one] of submits.entries()) {
          void this.#submit(one, signing[index] ?? this.keys.sign(one.bytes), startedUs);
        }
      });
    }
    if (later.length === 0) return;
    transactions.after(() => {
      for (const effect of later) this.#performLater(effect);
    });
  }

  /**
   * The next slice of a mass cancel gets its own transaction, once this transaction is durable and most of its cancels
   * have left.
   */
  #continueMassCancel(): void {
    const { clock, outbox, transactions } = this.#parts;
    if (this.#isCancelDue || !this.orders.isMassCanceling) return;
    const { atOnce } = MassCancels;
    if (outbox.waiting.cancel >= atOnce) return;
    this.#isCancelDue = true;
    transactions.after(() => {
      this.#isCancelDue = false;
      this.#run({ kind: 'mass_cancel_next', atOnce, nowMs: clock.now().wallMs });
    });
  }

  /** Called when the record is durable (J1). */
  async #submit(one: Submit, signing: Promise<SignResult>, startedUs: number): Promise<void> {
    const { account, clock, dispatcher, hops, observer, outbox, patienceMs } = this.#parts;
    const { asked, bytes, id, nonce, priority } = one;
    const times = { startedUs, recordedUs: nowUs(), signedUs: 0, sentUs: 0, answeredUs: 0 };
    hops.record.observe(times.recordedUs - startedUs);
    const signed = await signing;
    const own = outbox.get(id);
    if (this.#isStopped || own?.bytes?.hash !== bytes.hash) return;
    const answered = (verdict: Verdict) => {
      if (observer.passed !== undefined && times.sentUs !== 0 && times.answeredUs === 0) {
        times.answeredUs = nowUs();
        observer.passed(bytes.hash, times);
      }
      this.#onResult({ kind: 'answered', id, verdict: this.#verified(verdict) });
    };
    if (own.withdrawn !== null && (!own.hasLeft || isStopped(own))) {
      answered({ kind: 'unsent', ...own.withdrawn });
      return;
    }
    if (signed.kind === 'refused') return this.#unsigned(id, signed);
    // While a database is away, a record may take minutes.
    if (placesSomething(own) && clock.now().monoMs - own.startedMs > patienceMs) {
      const refusal = venueRefusal('bridge.backpressure');
      answered({ kind: 'unsent', refusal, text: 'it was recorded or signed too late' });
      return;
    }
    times.signedUs = nowUs();
    const session = asked === null ? undefined : this.orders.get(asked.key)?.owner.session;
    hops.sign.observe(times.signedUs - times.recordedUs);
    this.#watch(own);
    const { key, signature } = signed;
    const nested = own.nested ? (this.#nestedKeys.get(own) ?? null) : undefined;
    const send: SignedSend = {
      account,
      nonce: BigInt(nonce),
      canonical: bytes.text,
      hash: bytes.hash,
      signature,
      otherKey: this.keys.inPlaceOf(key),
    };
    dispatcher.submit({
      id,
      send: dispatcher.prepared(send),
      priority,
      // A copy that the venue may have is sent again at any time, because its outcome must become known (0255).
      denial: () => (asked === null || own.isUnknown ? null : this.#denial(asked)),
      sent: () => hops.sent(times, session),
      answered: (verdict) => this.keys.answered({ key, nested }, bytes, verdict, answered),
    });
  }

  /** Starts the timer that will report an unknown outcome to the client. */
  #watch(own: Submission): void {
    if (own.asked === null || this.#watched.has(own)) return;
    this.#watched.add(own);
    this.#waits.answer(own.asked);
  }

  /** An acceptance that names another account's order is the answer to another request. */
  #verified(verdict: Verdict): Verdict {
    if (verdict.kind !== 'accepted') return verdict;
    const { alarm, isOfOtherAccount } = this.#parts;
    const id = verdict.orderIds.find((each) => each !== null && isOfOtherAccount(each));
    if (id == null) return verdict;
    const text = `an answer names ${id}, the order of another account; it is ignored`;
    alarm({ code: 'foreign_answer', text, orderId: id });
    return noAnswer('the answer names the order of another account');
  }

  /** Called when the record of the input is durable. */
  #performLater(effect: Later): void {
    const { account, dispatcher, lookUp, outbox, probe } = this.#parts;
    switch (effect.kind) {
      case 'withdraw':
        dispatcher.withdraw(effect.id);
        break;
      case 'probe':
        probe();
        break;
      case 'sign':
        void this.#signNested(effect);
        break;
      case 'look': {
        const { hash, id } = effect;
        const own = outbox.get(id);
        // After a start, an action that is too old to be sent again is only looked up.
        if (own !== undefined) this.#watch(own);
        const nonce = own?.isOverdueTold === true ? own.nonce : null;
        void lookUp({ account, hash, nonce })
          .catch((error: Error): Found => ({ kind: 'unreadable', problem: error.message }))
          .then((found) => this.#onResult({ kind: 'found', id, found }));
        break;
      }
      case 'discover':
        void this.#askForNonces(effect);
    }
  }

  async #signNested(effect: Nested): Promise<void> {
    const { id } = effect;
    const signed = await this.keys.sign(effect.bytes);
    if (signed.kind === 'refused') return this.#unsigned(id, signed);
    const own = this.#parts.outbox.get(id);
    if (own !== undefined) this.#nestedKeys.set(own, signed.key);
    const { bytes, scheme } = signed.signature;
    this.#onResult({ kind: 'signed', id, signature: { scheme, hex: hexOf(bytes) } });
  }

  #unsigned(id: number, { code, text }: Extract<SignResult, { kind: 'refused' }>): void {
    this.#onResult({ kind: 'unsigned', id, code, text });
  }

  async #askForNonces(question: Discover): Promise<void> {
    const { asked, askedFrom, envelope } = question;
    const { alarm, clock, currentNonce, outbox } = this.#parts;
    // If the floor has not moved, the next input repeats the query.
    const waitMs = this.#mayAskMs - clock.now().monoMs;
    if (waitMs > 0) await pause(clock, waitMs);
    this.#askPauseMs =
      waitMs > 0 ? Math.min(2 * this.#askPauseMs, longestPauseMs) : discoverPauseMs;
    this.#mayAskMs = clock.now().monoMs + this.#askPauseMs;
    let found: NonceRange = { floor: null };
    try {
      found = await currentNonce(envelope);
    } catch (error) {
      // A read that the bridge itself aborted while stopping says nothing about the venue.
      const text = discoveryProblem(error, outbox.nonces.floor !== null);
      if (!this.#isStopped) alarm({ code: 'nonces_unknown', text });
    }
    this.#onResult({ kind: 'floor', ...found, asked, askedFrom });
    this.#discovery.resolve();
    this.#discovery = Promise.withResolvers();
  }

  /** Why the gate denies what a request places. One that waits is also refused if its order is to end. */
  #denial({ key, requestId }: RequestRef, isWaiting = false): Denial | null {
    const release = this.orders.placements(key, requestId);
    if (release.places.length === 0) return null;
    if (isWaiting && this.orders.isMeantToEnd(key)) return canceledUnsent;
    return this.#parts.authorize(release) ?? null;
  }
}

function isCancel(input: Input): boolean {
  if (input.kind === 'mass_cancel' || input.kind === 'mass_cancel_next') return true;
  if (input.kind !== 'order') return false;
  return input.input.kind === 'cancel' || input.input.kind === 'own_cancel';
}
