/**
 * The half of an account's engine that knows this venue (docs/decisions/0247-the-account-engine.md): an intent becomes
 * an action with a nonce, is signed and sent, and ends in exactly one outcome. It has no I/O, clock or randomness:
 * results are inputs with a time, and everything to do is an effect.
 */
import type { CancelIntent, Intent } from '../../domain/intent.ts';
import { refusalNamed } from '../../domain/refusal.ts';
import { isNoNews } from '../../domain/stream-transition.ts';
import type { Account, OrderId } from '../../domain/units.ts';
import type {
  Moment,
  OrdersView,
  RequestRef,
  VenuePort,
  VenueUpdate,
  Wanted,
  Withdrawal,
} from '../../engine/venue-port.ts';
import type { ActionMaker } from '../../signer/made-action.ts';
import { doubtfulRefusals, passingRefusals } from '../../signer/signer.ts';
import type { VenueEvent } from '../venue-event.ts';
import { noAnswer, nothingOfNonces, type Verdict } from '../verdict.ts';
import { ActionBytes } from './action-bytes.ts';
import type { Alarm } from './alarm.ts';
import { Departures } from './departures.ts';
import { type NonceOptions, Nonces, type NonceView } from './nonces.ts';
import { OrderIdCheck } from './order-id-check.ts';
import type { OutboxEffect, OutboxInput, OutboxState, Unsigned } from './outbox-types.ts';
import { acceptedUpdate, overdueText, refusedUpdate } from './outcome-updates.ts';
import { noOrder, OwnCancels } from './own-cancels.ts';
import {
  isStopped,
  newSubmission,
  orderIdOf,
  placesSomething,
  type SignatureText,
  type SignedBytes,
  type Submission,
} from './submission.ts';
import { SubmissionIndex } from './submission-index.ts';
import {
  advance,
  type Outcome,
  type Step,
  type SubmissionEvent,
  type SubmissionRules,
} from './submission-life.ts';

export interface OutboxParts {
  readonly account: Account;
  readonly maker: ActionMaker;
  readonly rules: SubmissionRules;
  readonly nonces: NonceOptions;
  /** Whether a refused cancel is known to consume its nonce, so that the outbox may fill holes (G22). */
  readonly mayFill: boolean;
  readonly orders: OrdersView;
}

/** The minimum time between two alarms about unknown outcomes. */
const quietMs = 60_000;

export class Outbox implements VenuePort<OutboxInput, OutboxEffect, VenueEvent> {
  readonly #parts: OutboxParts;
  readonly #submissions = new SubmissionIndex();
  readonly #bytes: ActionBytes;
  readonly #nonces: Nonces;
  readonly #ids: OrderIdCheck;
  readonly #ownCancels: OwnCancels;
  readonly #departures: Departures;
  #effects: (VenueUpdate | OutboxEffect)[] = [];
  #lastId: number;
  #isDiscovering = false;
  #quietUntilMs = 0;
  #floorSeen: number | null = null;

  constructor(parts: OutboxParts, state?: OutboxState) {
    this.#parts = parts;
    this.#bytes = new ActionBytes(parts.account, parts.maker);
    this.#nonces = new Nonces(parts.nonces, state?.nonces);
    this.#ids = new OrderIdCheck(this.#alarm, state?.stoppedKinds);
    const ownCancels = state?.ownCancels ?? { isOfUse: parts.mayFill, lastUnfillable: -1 };
    this.#ownCancels = new OwnCancels(parts.orders, parts.maker, ownCancels, this.#alarm);
    this.#lastId = state?.lastId ?? 0;
    this.#departures = new Departures(
      {
        submissions: this.#submissions,
        bytes: this.#bytes,
        nonces: this.#nonces,
        ids: this.#ids,
        patienceMs: parts.rules.patienceMs,
        orders: parts.orders,
        emit: (effect) => this.#effects.push(effect),
        refuse: (own, why, now) => this.#dropUnsent(own, why, now),
      },
      state?.isHeld ?? false,
    );
    this.#isDiscovering = state?.isDiscovering ?? false;
    this.#floorSeen = state?.floorSeen ?? null;
    this.#quietUntilMs = state?.quietUntilMs ?? 0;
    if (state !== undefined) this.#submissions.restore(state);
  }

  get nonces(): NonceView {
    return this.#nonces;
  }

  get waiting(): SubmissionIndex['waitingCount'] {
    return this.#submissions.waitingCount;
  }

  get(id: number): Submission | undefined {
    return this.#submissions.get(id);
  }

  /** Whether the wake-up time of the submission has come. */
  isDue(id: number, { monoMs }: Moment): boolean {
    const own = this.#submissions.get(id);
    if (own?.state === 'waiting') return monoMs >= own.startedMs + this.#parts.rules.patienceMs;
    return own !== undefined && own.state !== 'out' && monoMs >= own.wakeMs;
  }

  /** Returns the effects since the last call, in order. */
  takeEffects(): readonly (VenueUpdate | OutboxEffect)[] {
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }

  want(wanted: Wanted, isJudged: boolean, now: Moment): void {
    this.#lastId += 1;
    const own = newSubmission(this.#lastId, { ...wanted, fencedId: null }, now.monoMs);
    this.#departures.enter(own, isJudged, now);
  }

  carried(): (asked: RequestRef) => boolean {
    return this.#submissions.asked();
  }

  judged(id: number, denial: Withdrawal | null, now: Moment): void {
    this.#departures.judged(id, denial, now);
  }

  step(input: OutboxInput, now: Moment): void {
    if (input.kind === 'floor') this.#discovered(input);
    else if (input.kind === 'discover') this.#discover(now);
    else if (input.kind === 'unlatch') this.#nonces.unlatched();
    else this.#ofOne(input, now);
  }

  #ofOne(input: Extract<OutboxInput, { readonly id: number }>, now: Moment): void {
    const own = this.#submissions.get(input.id);
    if (own === undefined) return;
    if (input.kind === 'answered') this.#answered(own, input.verdict, now);
    else if (input.kind === 'found') this.#advance(own, input, now);
    else if (input.kind === 'signed') this.#nestedSigned(own, input.signature);
    else if (input.kind === 'unsigned') this.#unsigned(own, input, now);
    else this.#timePassed(own, now);
  }

  #answered(own: Submission, given: Verdict, now: Moment): void {
    const isForeign =
      given.kind === 'accepted' && this.#ids.isOfAnother(own, given.orderIds, this.#parts.orders);
    const verdict = isForeign ? noAnswer('the answer names the order of another action') : given;
    this.#advance(own, { kind: 'answered', verdict }, now);
  }

  #nestedSigned(own: Submission, signature: SignatureText): void {
    if (own.state !== 'nesting' || own.nested === null) return;
    own.nested = { ...own.nested, signature };
    this.#effects.push({ kind: 'judge', id: own.id, asked: own.asked });
  }

  /** The signer refused; nothing left the bridge this time. */
  #unsigned(own: Submission, { code, text }: Unsigned, now: Moment): void {
    if (own.nonce === null) return;
    this.#alarm('not_signed', `signer refused nonce ${own.nonce}: ${code} ${text}`, orderIdOf(own));
    if (own.isUnknown || own.asked === null) {
      this.#advance(own, { kind: 'unsigned', mayBeSigned: passingRefusals.has(code) }, now);
      return;
    }
    // If another channel has used the outer nonce meanwhile, the nested one may belong to another action by now.
    const isNested = own.state === 'nesting' && !this.#nonces.isSettled(own.nonce);
    const { bytes, nonce } = isNested && own.nested ? own.nested : { ...own, nonce: own.nonce };
    // Bytes that were signed before keep their nonce, whatever the signer answers now.
    const isUnsigned = !own.hasLeft && own.failures === 0 && !doubtfulRefusals.has(code);
    if (isUnsigned && bytes !== null) this.#nonces.unsigned(nonce, bytes.hash);
    // The signer has another action for the nonce, or no longer knows it, so only a filler can consume it.
    if (code === 'other_digest' || code === 'nonce_too_old') this.#nonces.dead(nonce);
    const mayGoAgain = this.#nonces.isDead(nonce) && !this.#departures.isLate(own, now);
    if (own.withdrawn !== null) this.#dropUnsent(own, own.withdrawn, now);
    else if (mayGoAgain) this.#departures.again(own, now);
    else {
      const refusal = refusalNamed('bridge.venue_unreachable');
      this.#dropUnsent(own, { refusal, text: `signer: ${code}` }, now);
    }
  }

  /** An event proves that its nonce is used. */
  beforeEvent(event: VenueEvent): void {
    const { kind, nonce, venueRef } = event;
    if (nonce === null || !this.#isNews(event)) return;
    const [at, hash] = [Number(nonce), venueRef?.slice(2)];
    if (hash !== undefined && this.#submissions.isOfStranger(hash, at)) this.#nonces.suspect(at);
    this.#nonces.shown(at, kind === 'rejected', hash);
  }

  /** An event ends the submission that it names, and any other one with the same nonce. */
  afterEvent(event: VenueEvent, now: Moment): void {
    const { nonce, seq, venueRef } = event;
    if (venueRef === null || !this.#isNews(event)) return;
    const named = this.#submissions.byHash(venueRef.slice(2));
    const owner = nonce === null ? undefined : this.#submissions.byNonce(Number(nonce));
    if (owner !== undefined && owner !== named) this.#advance(owner, { kind: 'superseded' }, now);
    if (named !== undefined) this.#advance(named, { kind: 'observed', seq }, now);
  }

  misnamed(kind: Intent['kind'], ours: OrderId, theirs: OrderId): void {
    this.#ids.differ(kind, ours, theirs);
  }

  /** Where each agent has its own nonces, an action that is not ours says nothing of them (G21). */
  #isNews(event: VenueEvent): boolean {
    if (this.#parts.nonces.rules.scope !== 'agent' || isNoNews(event)) return !isNoNews(event);
    const [hash, nonce] = [event.venueRef?.slice(2) ?? '', Number(event.nonce)];
    return hash === this.#nonces.digestOf(nonce) || this.#submissions.isOwn(hash, nonce);
  }

  #discovered({ asked, askedFrom, floor, window }: Extract<OutboxInput, { kind: 'floor' }>): void {
    this.#isDiscovering = false;
    if (floor === null) {
      this.#nonces.unstated(false);
      return;
    }
    this.#nonces.discovered(floor, asked, askedFrom, window);
    for (const own of this.#submissions.all()) this.#nonces.stillOut(own);
  }

  #timePassed(own: Submission, now: Moment): void {
    if (own.state === 'waiting') {
      if (!this.isDue(own.id, now)) return;
      const refusal = refusalNamed('bridge.nonce_window');
      this.#dropUnsent(own, own.stated ?? { refusal, text: 'no nonce became free' }, now);
    } else if (this.#isOver(own)) this.#forget(own);
    else this.#advance(own, { kind: 'time' }, now);
  }

  /** An accepted submission without an event is complete if no order waits for it and its nonce blocks no other. */
  #isOver({ asked, nonce, state }: Submission): boolean {
    if (state !== 'accepted' || asked === null || nonce === null) return false;
    return !this.#parts.orders.awaits(asked) && this.#nonces.state(nonce) !== 'sent';
  }

  /** Called for a withdrawal request. Matching placements end, or are not sent again if the venue may have them. */
  withdraw(matches: (asked: RequestRef) => boolean, why: Withdrawal, now: Moment): void {
    for (const own of this.#submissions.all()) {
      if (own.asked === null || !placesSomething(own) || !matches(own.asked)) continue;
      if (own.state === 'waiting' || own.state === 'nesting') this.#dropUnsent(own, why, now);
      else {
        if (!isStopped(own)) own.withdrawn = why;
        if (own.state === 'out') this.#effects.push({ kind: 'withdraw', id: own.id });
        else this.#advance(own, { kind: 'withdrawn' }, now);
      }
    }
  }

  /** Ends matching requests that wait for a nonce; what is already recorded is sent first (R100). */
  withdrawWaiting(matches: (asked: RequestRef) => boolean, why: Withdrawal, now: Moment): void {
    for (const own of this.#submissions.all()) {
      const isMade = own.bytes !== null || own.priority === 'cancel';
      if (!isMade && own.asked !== null && matches(own.asked)) this.#dropUnsent(own, why, now);
    }
  }

  /** The previous process has ended, so everything in flight may have arrived. Nothing is sent before `resume`. */
  started(): void {
    this.#departures.hold();
    this.#isDiscovering = false;
    this.#quietUntilMs = 0;
    this.#ownCancels.reset(this.#parts.mayFill);
    this.#ids.reset();
    this.#nonces.restarted();
    for (const own of this.#submissions.all()) {
      const { asked, nonce, state } = own;
      if (nonce === null) continue;
      const isAwaited = asked !== null && this.#parts.orders.awaits(asked);
      if (isAwaited && state !== 'nesting')
        Object.assign(own, { state: 'pausing', isUnknown: true });
      if (isAwaited || state === 'nesting') this.#nonces.stillOut(own);
      else this.#forget(own);
    }
  }

  /** The stream has caught up: actions that may be at the venue are sent again, byte for byte with the same key. */
  resume(now: Moment): void {
    for (const own of this.#submissions.all()) {
      if (own.state === 'waiting' || own.state === 'nesting') this.#departures.resume(own, now);
      else this.#advance(own, { kind: 'resumed', wallMs: now.wallMs }, now);
    }
  }

  open(now: Moment): void {
    this.#departures.open(now);
  }

  /** Called after each input: starts submissions that can now be sent, and handles the needs of the nonces. */
  settle(now: Moment): void {
    this.#startWaiting(now);
    for (const demand of this.#nonces.demands()) {
      if (demand.kind === 'alarm')
        this.#alarm(demand.alarm, `nonce ${demand.nonce}: ${demand.alarm}`);
      else if (demand.kind === 'fill') this.#fill(demand.nonce, now);
      else if (demand.kind === 'discover') this.#discover(now);
    }
  }

  /** Queries the venue for its nonce floor, unless a query is pending. */
  #discover({ wallMs }: Moment): void {
    if (this.#isDiscovering || !this.#nonces.mayAsk) return;
    this.#isDiscovering = true;
    const head = { nonce: 0, clientOrderId: null, madeMs: wallMs };
    const { text } = this.#bytes.of(head, { kind: 'Cancel', order_id: noOrder });
    const { floor: askedFrom, statedFloor: asked } = this.#nonces;
    this.#effects.push({ kind: 'discover', envelope: text, asked, askedFrom });
  }

  state(): OutboxState {
    return {
      lastId: this.#lastId,
      ...this.#submissions.state(),
      nonces: this.#nonces.snapshot(),
      ownCancels: this.#ownCancels.state(),
      stoppedKinds: this.#ids.stoppedKinds,
      isHeld: this.#departures.isHeld,
      isDiscovering: this.#isDiscovering,
      floorSeen: this.#floorSeen,
      quietUntilMs: this.#quietUntilMs,
    };
  }

  #notify(id: number, event: SubmissionEvent, now: Moment): void {
    const own = this.#submissions.get(id);
    if (own !== undefined) this.#advance(own, event, now);
  }

  #advance(own: Submission, event: SubmissionEvent, now: Moment): void {
    for (const step of advance(own, event, now.monoMs, this.#parts.rules)) {
      this.#carryOut(own, step, now);
    }
  }

  /** Called when the floor may have moved and a nonce may be free. */
  #startWaiting(now: Moment): void {
    const { floor } = this.#nonces;
    if (floor !== this.#floorSeen) {
      this.#floorSeen = floor;
      const ids = this.#submissions.beyondInOrder();
      for (const id of ids) this.#notify(id, { kind: 'floor_moved' }, now);
    }
    this.#departures.pump(now);
  }

  #carryOut(own: Submission, step: Step, now: Moment): void {
    const { asked, bytes, id, nonce } = own;
    if (bytes === null || nonce === null) return;
    switch (step.kind) {
      case 'send':
        this.#submissions.beyond.delete(id);
        this.#departures.send(own, bytes);
        break;
      case 'wake':
        if (own.state === 'beyond' && own.refused !== null) {
          this.#submissions.beyond.add(id);
          this.#nonces.answeredFloor({ ...own.refused, code: own.refused.refusal.code });
        }
        this.#effects.push({ kind: 'wake', id, atMs: step.atMs });
        break;
      case 'look':
        this.#effects.push({ kind: 'look', id, hash: bytes.hash });
        break;
      case 'fence':
        this.#fence(own, bytes, nonce, now);
        break;
      case 'probe':
        this.#effects.push({ kind: 'probe' });
        break;
      case 'again': {
        const { nonce: facts, refusal } = step.after;
        this.#nonces.answered(nonce, { outcome: 'refused', code: refusal.code, nonce: facts });
        this.#departures.again(own, now);
        break;
      }
      case 'act':
        this.#effects.push({ ...step, bytes });
        break;
      case 'unknown':
        this.#nonces.answered(nonce, { outcome: 'unknown', code: null, nonce: nothingOfNonces });
        if (asked !== null) this.#effects.push({ kind: 'outcome', asked, outcome: step });
        break;
      case 'overdue':
        this.#overdue(own, bytes.hash, nonce, now);
        break;
      case 'accepted':
        this.#accepted(own, step);
        break;
      case 'end':
        this.#end(own, step.outcome, now);
    }
  }

  #accepted(
    own: Submission,
    answer: Pick<Extract<Outcome, { kind: 'accepted' }>, 'nonce' | 'orderIds'>,
  ): void {
    const { asked, nonce } = own;
    if (nonce === null) return;
    this.#nonces.answered(nonce, { outcome: 'accepted', code: null, nonce: answer.nonce });
    this.#ids.compare(own, answer.orderIds);
    if (asked !== null) this.#effects.push(acceptedUpdate(asked, answer));
  }

  #end(own: Submission, outcome: Outcome, now: Moment): void {
    const { asked, fencedId, nonce, state } = own;
    this.#forget(own);
    if (asked === null) this.#ownCancels.judge(outcome, nonce);
    if (fencedId !== null) {
      const isTaken = outcome.kind === 'accepted';
      this.#notify(fencedId, { kind: isTaken ? 'superseded' : 'not_fenced' }, now);
      return;
    }
    if (outcome.kind === 'accepted') {
      if (state !== 'accepted') this.#accepted(own, outcome);
      return;
    }
    if (nonce !== null && outcome.neverSent) this.#nonces.released(nonce);
    else if (nonce !== null) {
      const said = outcome.venueCode ?? outcome.refusal.code;
      // A filler follows an earlier action with its nonce, so it shows nobody else that this one has used it.
      const code = asked === null && said === 'nonce_replayed' ? 'nonce_below_floor' : said;
      this.#nonces.answered(nonce, { outcome: 'refused', code, nonce: outcome.nonce });
    }
    if (asked !== null) this.#effects.push(refusedUpdate(asked, outcome));
  }

  /** Ends a submission that the venue has no open copy of. Its nonce is free again only if no copy has left. */
  #dropUnsent(own: Submission, why: Withdrawal, now: Moment): void {
    const neverSent = !own.hasLeft;
    this.#end(own, { kind: 'refused', ...why, nonce: nothingOfNonces, neverSent }, now);
  }

  #forget(own: Submission): void {
    this.#submissions.forget(own);
    this.#departures.forget(own);
    if (own.isUnknown) this.#dropFences(own.id);
  }

  /** The outcome is known, so the nonce needs no fence. */
  #dropFences(fencedId: number): void {
    for (const fence of this.#submissions.all()) {
      if (fence.fencedId !== fencedId) continue;
      this.#forget(fence);
      this.#effects.push({ kind: 'withdraw', id: fence.id });
    }
  }

  /** A fence is a cancel with the same nonce. It is rebuilt each time, because the venue refuses old bytes. */
  #fence(fenced: Submission, bytes: SignedBytes, nonce: number, now: Moment): void {
    const intent = this.#ownCancels.fence(bytes);
    if (intent === undefined) {
      fenced.withdrawn = null; // Only the action itself can settle it.
      this.#advance(fenced, { kind: 'not_fenced' }, now);
    } else this.#departures.goOut(this.#own(intent, fenced.id, now), nonce, now);
  }

  #fill(nonce: number, now: Moment): void {
    const intent = this.#departures.isHeld ? undefined : this.#ownCancels.filler(nonce);
    if (intent === undefined) return;
    this.#nonces.reserveHole(nonce);
    this.#departures.prepare(this.#own(intent, null, now), nonce, now);
  }

  #own(intent: CancelIntent, fencedId: number | null, now: Moment): Submission {
    this.#lastId += 1;
    const wanted = { asked: null, intent, clientOrderId: null, fencedId };
    const own = newSubmission(this.#lastId, wanted, now.monoMs);
    this.#submissions.add(own);
    return own;
  }

  /** Many overdue outcomes at once raise only one alarm. */
  #overdue(own: Submission, hash: string, nonce: number, { monoMs }: Moment): void {
    if (monoMs < this.#quietUntilMs) return;
    this.#quietUntilMs = monoMs + quietMs;
    const open = this.#submissions.all().filter(({ isUnknown }) => isUnknown);
    this.#alarm('outcome_open', overdueText(hash, nonce, open.length), orderIdOf(own));
  }

  readonly #alarm: Alarm = (code, text, orderId) => {
    this.#effects.push({ kind: 'alarm', code, text, orderId });
  };
}
