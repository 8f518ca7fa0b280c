/**
 * The path of a submission out of the bridge (docs/decisions/0247-the-account-engine.md): it waits for a nonce, and
 * passes the gate again if it has waited. Then it gets its bytes and is handed to the signer. A submission that needs
 * another nonce takes the same path again.
 */
import type { ConditionalIntent } from '../../domain/intent.ts';
import { refusalNamed } from '../../domain/refusal.ts';
import type { Moment, OrdersView, VenueUpdate, Withdrawal } from '../../engine/venue-port.ts';
import { invariant } from '../../runtime/invariant.ts';
import { type ActionBytes, idsOf } from './action-bytes.ts';
import { actionOf, placeAction } from './action-of.ts';
import type { Nonces } from './nonces.ts';
import type { OrderIdCheck } from './order-id-check.ts';
import type { OutboxEffect } from './outbox-types.ts';
import { placesSomething, type SignedBytes, type Submission } from './submission.ts';
import type { SubmissionIndex } from './submission-index.ts';
import { isLateAfter } from './submission-life.ts';

export interface DepartureParts {
  readonly submissions: SubmissionIndex;
  readonly bytes: ActionBytes;
  readonly nonces: Nonces;
  readonly ids: OrderIdCheck;
  readonly patienceMs: number;
  readonly orders: Pick<OrdersView, 'intentNow'>;
  readonly emit: (effect: VenueUpdate | OutboxEffect) => void;
  /** Ends a submission that has no copy on its way. */
  readonly refuse: (own: Submission, why: Withdrawal, now: Moment) => void;
}

const maxWaiting = 10_000;
const priorities = ['cancel', 'place'] as const;

export class Departures {
  readonly #parts: DepartureParts;
  /** No waiting submission begins before `open`; what was recorded is sent again from `resume` on. */
  #isHeld: boolean;
  /** The id of the submission that the gate is checking. */
  #judging: number | null = null;

  constructor(parts: DepartureParts, isHeld: boolean) {
    this.#parts = parts;
    this.#isHeld = isHeld;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  enter(own: Submission, isJudged: boolean, now: Moment): void {
    const { nonces, submissions } = this.#parts;
    own.isJudged = isJudged || !placesSomething(own);
    own.wantedMs = now.wallMs;
    submissions.add(own);
    const ahead = submissions.waiting(own.priority).length;
    if (ahead >= maxWaiting) {
      const text = nonces.isLatched ? 'nonces are latched' : 'too many wait for a nonce';
      this.#refuse(own, 'bridge.backpressure', text, now);
      return;
    }
    submissions.wait(own);
    if (ahead === 0) this.pump(now);
    if (own.state === 'nesting' || (own.state === 'waiting' && this.#judging !== own.id)) {
      this.#waits(own);
    }
  }

  judged(id: number, denial: Withdrawal | null, now: Moment): void {
    const { refuse, submissions } = this.#parts;
    if (this.#judging === id) this.#judging = null;
    const own = submissions.get(id);
    if (own === undefined) return;
    if (denial !== null) refuse(own, denial, now);
    else {
      own.isJudged = true;
      if (own.state === 'nesting' && own.nonce !== null) this.#nested(own, own.nonce, now);
    }
    this.pump(now);
    if (own.state === 'waiting') this.#waits(own);
  }

  /** Starts the submissions that can be sent; called when a nonce may be free. */
  pump(now: Moment): void {
    if (this.#isHeld || this.#judging !== null) return;
    for (const priority of priorities) {
      for (;;) {
        const own = this.#parts.submissions.get(this.#parts.submissions.waiting(priority)[0] ?? 0);
        if (own === undefined || !this.#mayBegin(own)) break;
        if (this.#isOutdated(own)) continue;
        if (!own.isJudged) {
          this.#judging = own.id;
          this.#parts.emit({ kind: 'judge', id: own.id, asked: own.asked });
          return;
        }
        this.#begin(own, now);
      }
    }
  }

  /** A request that has waited takes its intent from the orders again: fills may have changed it (decision 0082). */
  #isOutdated(own: Submission): boolean {
    const { asked, intent } = own;
    if (asked === null) return false;
    const intentNow = this.#parts.orders.intentNow(asked);
    if (intentNow !== null) {
      own.intent = intentNow ?? intent;
      return false;
    }
    this.#parts.submissions.forget(own);
    this.#parts.emit({ kind: 'outdated', asked });
    return true;
  }

  /** The gate does not check a submission that could not be sent anyway. */
  #mayBegin({ intent, priority }: Submission): boolean {
    const { nonces } = this.#parts;
    return intent.kind === 'conditional' ? nonces.isPairDecided() : nonces.isFreeFor(priority);
  }

  #begin(own: Submission, now: Moment): void {
    const stopped = this.#parts.ids.stopped(own.intent);
    if (stopped !== undefined && placesSomething(own)) {
      this.#refuse(own, 'bridge.gate_closed', stopped, now);
      return;
    }
    if (own.intent.kind === 'conditional') {
      this.#beginNested(own, own.intent, now);
      return;
    }
    const nonce = this.#parts.nonces.reserve(own.priority, own.formerNonce);
    invariant(nonce !== undefined, 'what begins has a nonce');
    this.#parts.submissions.leaveQueue(own);
    this.prepare(own, nonce, now);
  }

  /** A conditional order takes two actions; the outer one contains the signature of the nested one (G20). */
  #beginNested(own: Submission, intent: ConditionalIntent, now: Moment): void {
    const pair = this.#parts.nonces.reservePair();
    invariant(pair !== undefined, 'what begins with a nested order has two nonces');
    if (pair === 'refused') {
      const text = 'a stored order would hold the nonces';
      this.#refuse(own, 'bridge.conditional_unconfirmed', text, now);
      return;
    }
    this.#parts.submissions.leaveQueue(own);
    const action = placeAction(intent.nested);
    const head = { nonce: pair.nested, clientOrderId: null, madeMs: now.wallMs };
    const bytes = this.#parts.bytes.of(head, action);
    this.#parts.nonces.signed(pair.nested, bytes.hash);
    own.nested = { nonce: pair.nested, bytes, signature: null };
    own.nonce = pair.outer;
    own.state = 'nesting';
    own.isJudged = false;
    this.#signNested(own);
  }

  /** Continues a submission that the previous process has not sent, unless it would place something late. */
  resume(own: Submission, now: Moment): void {
    if (this.isLate(own, now)) {
      this.#refuse(own, 'bridge.stale', 'the bridge was down while it waited', now);
    } else if (own.state === 'nesting') {
      own.startedMs = now.monoMs;
      own.failures += 1; // The previous process may have had it signed.
      this.#signNested(own);
    }
  }

  /** Whether it would place an order longer after its request than the client waits. */
  isLate(own: Submission, { wallMs }: Moment): boolean {
    return placesSomething(own) && isLateAfter(wallMs - (own.wantedMs ?? wallMs), this.#parts);
  }

  #signNested({ id, nested }: Submission): void {
    if (nested === null) return;
    const { bytes, nonce } = nested;
    this.#parts.emit({ kind: 'sign', id, nonce, bytes });
  }

  /** The nested order is signed. If another channel has used one of the two nonces meanwhile, it needs two others. */
  #nested(own: Submission, outer: number, now: Moment): void {
    const { nonces } = this.#parts;
    const isTaken = nonces.isSettled(outer) || nonces.isSettled(own.nested?.nonce ?? outer);
    if (isTaken) this.again(own, now);
    else this.prepare(own, outer, now);
  }

  /** Builds the action's bytes. The action may leave the bridge as soon as this input is recorded. */
  prepare(own: Submission, nonce: number, now: Moment): void {
    own.isJudged = false;
    const bytes = this.goOut(own, nonce, now);
    if (own.asked === null) return;
    const ids = idsOf(bytes.placed);
    this.#parts.emit({
      kind: 'sent',
      asked: own.asked,
      venueRef: `0x${bytes.hash}`,
      ...ids,
      atMs: now.wallMs,
    });
  }

  goOut(own: Submission, nonce: number, { wallMs }: Moment): SignedBytes {
    const action = actionOf(own.intent, this.#parts.bytes.nested(own));
    const head = { nonce, clientOrderId: own.clientOrderId, madeMs: wallMs };
    const bytes = this.#parts.bytes.of(head, action);
    if (placesSomething(own)) this.#parts.nonces.signed(nonce, bytes.hash);
    own.state = 'out';
    own.stated = null;
    this.#parts.submissions.carries(own, bytes, nonce);
    this.send(own, bytes);
    return bytes;
  }

  send({ asked, id, nonce, priority }: Submission, bytes: SignedBytes): void {
    if (nonce === null) return;
    this.#parts.nonces.sent(nonce);
    this.#parts.emit({ kind: 'submit', id, asked, nonce, priority, bytes });
  }

  /** Sends the submission again on the same path, through the gate, ahead of everything that came later. */
  again(own: Submission, now: Moment): void {
    // This is the outer nonce; the signer refused the nested one.
    if (own.state === 'nesting' && own.nonce !== null) this.#parts.nonces.released(own.nonce);
    this.#parts.submissions.unload(own);
    Object.assign(own, {
      state: 'waiting',
      formerNonce: own.nonce,
      nonce: null,
      bytes: null,
      nested: null,
      hasLeft: false,
    });
    own.isJudged = !placesSomething(own);
    this.#parts.submissions.waitFirst(own);
    this.#waitFrom(own, now);
  }

  #waitFrom(own: Submission | undefined, { monoMs }: Moment): void {
    if (own === undefined) return;
    own.startedMs = monoMs;
    this.#parts.emit({ kind: 'wake', id: own.id, atMs: monoMs + this.#parts.patienceMs });
  }

  /** Reports to the order that no part of it can be sent yet. The gate's verdict is no longer valid. */
  #waits(own: Submission): void {
    const { asked, id, startedMs, state } = own;
    if (this.#parts.submissions.get(id) !== own) return;
    own.isJudged = !placesSomething(own);
    if (asked !== null) this.#parts.emit({ kind: 'waits', asked });
    const atMs = startedMs + this.#parts.patienceMs;
    if (state === 'waiting') this.#parts.emit({ kind: 'wake', id, atMs });
  }

  /** Holds all submissions, because the previous process has ended. */
  hold(): void {
    this.#isHeld = true;
    this.#judging = null;
  }

  open(now: Moment): void {
    const { submissions } = this.#parts;
    this.#isHeld = false;
    for (const priority of priorities) {
      for (const id of submissions.waiting(priority)) this.#waitFrom(submissions.get(id), now);
    }
    this.pump(now);
  }

  forget({ id }: Submission): void {
    if (this.#judging === id) this.#judging = null;
  }

  #refuse(own: Submission, name: string, text: string, now: Moment): void {
    this.#parts.refuse(own, { refusal: refusalNamed(name), text }, now);
  }
}
