/**
 * From what the desk wants to the venue's answer: a nonce, the record (J1), the signature, the request, and again with
 * a fresh nonce where the venue says so (docs/ARCHITECTURE.md, "Nonces" and "Submitting has three outcomes").
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { Intent } from '../domain/intent.ts';
import type { Outcome as DeskOutcome } from '../domain/transition.ts';
import type { OrderId } from '../domain/units.ts';
import { DelayLine } from '../runtime/delay-line.ts';
import { nowUs } from '../runtime/latency.ts';
import { PassingMap } from '../runtime/passing-map.ts';
import type { Action, ActionKind } from '../signer/action.ts';
import { newOrders } from '../signer/digest.ts';
import type { Reservation } from '../signer/nonce-allocator.ts';
import type { SignedSend } from '../venue/action-json.ts';
import type { Found, Outcome } from '../venue/submission.ts';
import { ResignRefused, type Settled } from '../venue/submitter.ts';
import type { Refusing } from '../venue/verdict.ts';
import { actionOf } from './action-of.ts';
import { Conditionals } from './conditionals.ts';
import {
  type Asked,
  canceledUnsent,
  derivedIds,
  type Errand,
  type ErrandOwner,
  type ErrandParts,
  envelopeOf,
  type Named,
  type ReadyErrand,
} from './errand.ts';
import { Fences } from './fences.ts';
import type { Passage } from './hops.ts';
import { IdWatch } from './id-watch.ts';
import { NonceQueue } from './nonce-queue.ts';
import type { PreparedAction } from './prepared-action.ts';
import { Resumption } from './resumption.ts';

/** For a `null` key nobody waits. */
type Answered = Pick<Errand, 'key' | 'requestId'>;

const maxWaiting = 10_000;
const firstProbeMs = 250;
const slowestProbeMs = 10_000;

export class Errands {
  readonly #parts: ErrandParts;
  readonly #owner: ErrandOwner;
  readonly #ids: IdWatch;
  readonly #fences: Fences;
  readonly #conditionals: Conditionals;
  readonly #resumption: Resumption;
  readonly #byHash = new PassingMap<string, ReadyErrand>();
  readonly #waiting = new NonceQueue();
  /** Accepted, and not seen on the stream yet. */
  readonly #unseen: DelayLine<Asked>;
  #recorded: PreparedAction[] = [];
  #ready: ReadyErrand[] = [];

  constructor(parts: ErrandParts, owner: ErrandOwner) {
    this.#parts = parts;
    this.#owner = owner;
    this.#ids = new IdWatch(parts.alarm);
    this.#unseen = new DelayLine(parts.clock, firstProbeMs, (asked) =>
      this.#probe(asked, firstProbeMs),
    );
    this.#fences = new Fences({
      ...parts,
      endedOrderId: () => this.#fillerOrderId,
      join: () => owner.join(),
    });
    this.#conditionals = new Conditionals(parts, owner, {
      prepare: (errand, reservation) => void this.#prepare(errand, reservation),
      refuse: (asked, denial) => this.#answer(asked, refused(denial)),
    });
    this.#resumption = new Resumption(parts, owner, (action, settled) => {
      this.#settle(action, settled, true);
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get #fillerOrderId(): OrderId | null {
    return this.#parts.mayFill ? this.#owner.endedOrderId : null;
  }

  /** Inside a turn. */
  send(key: string, requestId: string, intent: Intent, clientOrderId: string | undefined): void {
    const priority = priorityOf(intent);
    const isNext = !this.#waiting.has(priority);
    if (isNext && this.#start({ key, requestId, clientOrderId }, intent)) return;
    const { clock, nonces, patienceMs } = this.#parts;
    if (this.#waiting.length >= maxWaiting) {
      const text = nonces.isLatched ? 'nonces are latched' : 'too many wait for a nonce';
      this.#answer({ key, requestId }, refused(deny('bridge.backpressure', text)));
      return;
    }
    const untilMs = clock.now().monoMs + patienceMs;
    this.#waiting.add(priority, { key, requestId, intent, untilMs, clientOrderId });
    clock.at(untilMs, () => this.retry());
  }

  /** Inside a turn: what is meant and would place something is refused, unless the venue may have it (decision 0210). */
  withdraw(isMeant: (asked: Asked) => boolean, denial: Denial): void {
    for (const one of this.#waiting.withdraw(isMeant)) this.#answer(one, refused(denial));
    this.#conditionals.withdraw(isMeant, denial);
    for (const ready of [...this.#byHash.values()]) {
      const { key, requestId } = ready.errand;
      if (key !== null && isMeant({ key, requestId })) this.#withdraw(ready, denial);
    }
  }

  /** Inside a turn: the same for what is to be canceled anyway and waits for a nonce; what is recorded goes out first (R100). */
  withdrawGivenUp(): void {
    const isMeant = ({ key }: Asked) => this.#owner.isGivenUp(key);
    for (const one of this.#waiting.withdraw(isMeant)) this.#answer(one, refused(canceledUnsent));
  }

  /** Inside a turn: a cancel of an order that has ended, so that the nonce is consumed (G22). False where none is known. */
  fill(nonce: number): boolean {
    const orderId = this.#fillerOrderId;
    if (orderId === null) return false;
    const reservation = this.#parts.nonces.reserveHole(nonce);
    const action: Action = { kind: 'Cancel', order_id: orderId };
    const own = { key: null, requestId: `fill-${nonce}`, clientOrderId: undefined };
    this.#prepare({ ...own, action, priority: 'cancel' }, reservation);
    return true;
  }

  /** A nonce may have become free. */
  retry(): void {
    if (this.#waiting.length === 0) return;
    const { clock, turns } = this.#parts;
    turns.run(() => {
      this.#owner.join();
      this.#waiting.retry(clock.now().monoMs, {
        start: (one) => this.#start(one, one.intent),
        giveUp: (one) =>
          this.#answer(one, refused(deny('bridge.nonce_window', 'no nonce became free'))),
      });
    });
  }

  /** At the end of a turn: what it made ready, and the record of that. */
  drain(): { readonly actions: readonly PreparedAction[]; readonly ready: readonly ReadyErrand[] } {
    const ready = this.#ready;
    const actions = this.#recorded;
    this.#ready = [];
    this.#recorded = [];
    return { actions, ready };
  }

  /** The record is written: the signer works while the disk does (docs/decisions/0136-sign-while-the-disk-syncs.md). */
  sign(ready: readonly ReadyErrand[]): void {
    for (const one of ready) one.signing = this.#sign(one);
  }

  /** The record is durable. */
  launch(ready: readonly ReadyErrand[]): void {
    for (const one of ready) void this.#launch(one);
  }

  /** What a process before this one recorded. */
  resume(action: PreparedAction): void {
    this.#resumption.resume(action);
  }

  /** For the submitter: takes the nonce away from an action that came to nothing, as far as anybody knows. */
  fence(send: SignedSend): Promise<Found> {
    return this.#fences.fence(send);
  }

  /** For the submitter: the same errand under a fresh nonce, recorded before it is signed. */
  async resign(send: SignedSend, after: Refusing): Promise<SignedSend> {
    const { nonces, turns } = this.#parts;
    const before = send.hash;
    const { errand, withdrawn } = this.#byHash.get(before) ?? {};
    // A filler or a fence is for its own nonce alone.
    if (errand === undefined || errand.key === null) {
      throw new ResignRefused(after.refusal, after.text);
    }
    const stopped = this.#ids.denial(errand.action.kind);
    if (stopped !== undefined) throw new ResignRefused(stopped.refusal, stopped.text ?? '');
    const isGivenUp = errand.priority === 'place' && this.#owner.isGivenUp(errand.key);
    if (isGivenUp && withdrawn === undefined) {
      throw new ResignRefused(after.refusal, `${after.text}; it is to be canceled anyway`);
    }
    const ready = await new Promise<ReadyErrand | undefined>((resolve) => {
      turns.run(() => {
        this.#owner.join();
        const word = { outcome: 'refused', code: after.refusal.code, isResend: false } as const;
        nonces.answered(Number(send.nonce), { ...after.nonce, ...word });
        this.#byHash.delete(before);
        const reservation = withdrawn === undefined ? nonces.reserve(errand.priority) : undefined;
        if (reservation === undefined) {
          resolve(undefined);
          return;
        }
        const prepared = this.#prepare(errand, reservation);
        this.#ready.splice(this.#ready.indexOf(prepared), 1);
        turns.after(() => resolve(prepared));
      });
    });
    if (ready === undefined) throw cannotResign(withdrawn);
    const signed = await this.#sign(ready);
    const result = ready.withdrawn ?? signed;
    if ('refusal' in result) {
      turns.run(() => this.#unsigned(ready));
      throw new ResignRefused(result.refusal, result.text ?? '');
    }
    this.#markSent(ready);
    return result;
  }

  /** False while no nonce is free. */
  #start(named: Named, intent: Intent): boolean {
    if (intent.kind === 'conditional') {
      return (
        this.#isStopped(named, 'PlaceConditionalOrder') || this.#conditionals.start(named, intent)
      );
    }
    const priority = priorityOf(intent);
    const action = actionOf(intent);
    if (this.#isStopped(named, action.kind)) return true;
    const reservation = this.#parts.nonces.reserve(priority);
    if (reservation === undefined) return false;
    const { key, requestId, clientOrderId } = named;
    this.#prepare({ key, requestId, clientOrderId, action, priority }, reservation);
    return true;
  }

  #isStopped(asked: Answered, kind: ActionKind): boolean {
    const denial = this.#ids.denial(kind);
    if (denial !== undefined) this.#answer(asked, refused(denial));
    return denial !== undefined;
  }

  /** Inside a turn: J1 of an action. */
  #prepare(errand: Errand, reservation: Reservation): ReadyErrand {
    const { maker, nonces, turns } = this.#parts;
    const { key, requestId } = errand;
    this.#owner.join();
    const envelope = envelopeOf(
      this.#parts,
      errand.action,
      reservation.nonce,
      errand.clientOrderId,
    );
    const made = maker.make(envelope);
    const { canonical, hash, text } = made;
    const actionHash = `0x${hash}`;
    nonces.signed(reservation.nonce, hash);
    const placed = newOrders(maker.derivation, envelope, canonical);
    const passage = { startedUs: turns.startedUs, recordedUs: 0, signedUs: 0, sentUs: 0 };
    const ready = {
      errand,
      reservation,
      made,
      placed,
      passage,
      signing: undefined,
      withdrawn: undefined,
    };
    this.#byHash.set(hash, ready);
    this.#ready.push(ready);
    if (key === null) return ready;
    const ids = derivedIds(placed);
    const sent = { ...ids, kind: 'sent', requestId, actionHash, nowMs: envelope.ts } as const;
    this.#owner.apply({ kind: 'order', key, input: sent });
    this.#recorded.push({
      key,
      requestId,
      nonce: envelope.nonce,
      actionHash,
      orderId: ids.orderId,
      canonical: text,
    });
    return ready;
  }

  async #launch(ready: ReadyErrand): Promise<void> {
    const { errand, passage } = ready;
    const { hops, submitter } = this.#parts;
    passage.recordedUs = nowUs();
    hops.record.observe(passage.recordedUs - passage.startedUs);
    const signed = await (ready.signing ?? this.#sign(ready));
    const result = ready.withdrawn ?? signed;
    if ('refusal' in result) {
      this.#notLaunched(ready, result);
      return;
    }
    passage.signedUs = nowUs();
    hops.sign.observe(passage.signedUs - passage.recordedUs);
    this.#markSent(ready);
    const { key, requestId, priority } = errand;
    if (key !== null) this.#owner.expectOutcome({ key, requestId });
    const onUnknown = (lost: SignedSend) => this.#unknown(errand, lost);
    const onSend = () => this.#handedOver(passage);
    const settled = await submitter.submit({ send: result, priority, onUnknown, onSend });
    this.#settle(errand, settled);
  }

  /** What is being signed is stopped where it would be launched; of what was launched the submitter knows how far it is. */
  #withdraw(ready: ReadyErrand, denial: Denial): void {
    if (!places(ready.errand)) return;
    ready.withdrawn ??= denial;
    this.#parts.submitter.withdraw(ready.made.hash, denial.refusal, denial.text ?? '');
  }

  /** Not signed, or not wanted any more. */
  #notLaunched(ready: ReadyErrand, denial: Denial): void {
    const { nonces, turns } = this.#parts;
    const { errand } = ready;
    turns.run(() => {
      const isGivenUp = this.#unsigned(ready);
      const mayRetry = isGivenUp && ready.withdrawn === undefined;
      const fresh = mayRetry ? nonces.reserve(errand.priority) : undefined;
      if (fresh === undefined) this.#answer(errand, refused(denial));
      else this.#prepare(errand, fresh);
    });
  }

  /**
   * Inside a turn: nothing of it left the bridge. A nonce that the signer knows of and our journal does not is given up,
   * and the answer is whether this was one.
   */
  #unsigned({ made, reservation: { nonce } }: ReadyErrand): boolean {
    const { nonces } = this.#parts;
    this.#owner.join();
    this.#byHash.delete(made.hash);
    const isGivenUp = nonces.isDead(nonce);
    if (!isGivenUp) nonces.neverSent(nonce);
    return isGivenUp;
  }

  async #sign(ready: ReadyErrand): Promise<SignedSend | Denial> {
    const { made, reservation } = ready;
    const { canonical, hash, text } = made;
    const { account, alarm, nonces, scheme, signer, turns } = this.#parts;
    const { nonce, supersedes } = reservation;
    // Reports that wait for the same record go out first: a signature takes as long as all the rest.
    await undefined;
    const signed = await signer.sign({ canonical, made, scheme, supersedes });
    if (signed.kind === 'refused') {
      alarm(`signer refused nonce ${nonce}: ${signed.code} ${signed.text}`);
      const { digest } = signed;
      if (digest !== null) {
        turns.run(() => {
          this.#owner.join();
          if (signed.code === 'other_digest') nonces.signedForAnother(nonce, digest);
          else nonces.signed(nonce, digest);
        });
      }
      return deny('bridge.venue_unreachable', `signer: ${signed.code}`);
    }
    const { signature } = signed;
    const send = { account, nonce: BigInt(nonce), canonical: text, hash, signature };
    return this.#parts.submitter.prepared(send);
  }

  /** Recorded with the turn that comes next: a start takes a nonce with a recorded action as sent anyway. */
  #markSent({ reservation }: ReadyErrand): void {
    this.#parts.nonces.sent(reservation.nonce);
  }

  /** What is sent again waited for the venue, not for us. */
  #handedOver(passage: Passage): void {
    if (passage.sentUs !== 0) return;
    const { inbound, send } = this.#parts.hops;
    passage.sentUs = nowUs();
    send.observe(passage.sentUs - passage.signedUs);
    inbound.observe(passage.sentUs - passage.startedUs);
  }

  #unknown(errand: Errand, send: SignedSend): void {
    const { nonces, turns } = this.#parts;
    turns.run(() => {
      this.#owner.join();
      nonces.answered(Number(send.nonce), {
        outcome: 'unknown',
        code: null,
        isResend: false,
        nonceConsumed: null,
        nextUsableNonce: null,
        nonceFloor: null,
        nonceWindow: null,
      });
      this.#answer(errand, { kind: 'unknown' });
    });
  }

  #settle(asked: Answered, { send, outcome }: Settled, isResumed = false): void {
    const { account, submitter, turns } = this.#parts;
    const nonce = Number(send.nonce);
    const ready = this.#byHash.get(send.hash);
    this.#byHash.delete(send.hash);
    if (ready !== undefined && asked.key !== null) {
      this.#parts.observer.settled(asked.key, outcome.kind, ready.passage);
    }
    if (ready !== undefined && outcome.kind === 'accepted') {
      this.#ids.compare(ready.errand.action.kind, ready.placed, outcome.orderIds);
    }
    turns.run(() => {
      this.#owner.join();
      // Where it could not be signed anew, its last nonce has had its word and may be another's now.
      if (ready !== undefined || isResumed) this.#settleNonce(nonce, outcome);
      this.#answer(asked, deskOutcome(outcome));
    });
    if (outcome.kind === 'accepted') this.#expectEvent(asked);
    submitter.floorMoved(account);
    this.retry();
  }

  #settleNonce(nonce: number, outcome: Outcome): void {
    const { nonces } = this.#parts;
    if (outcome.kind === 'refused' && outcome.neverSent) {
      nonces.neverSent(nonce);
      return;
    }
    const code = outcome.kind === 'refused' ? (outcome.venueCode ?? outcome.refusal.code) : null;
    nonces.answered(nonce, { ...outcome.nonce, outcome: outcome.kind, code, isResend: false });
  }

  /** What was accepted shows on the stream at once, unless a frame was lost. */
  #expectEvent({ key, requestId }: Answered): void {
    if (key !== null && this.#owner.isAwaited(key, requestId)) this.#unseen.add({ key, requestId });
  }

  #probe(asked: Asked, afterMs: number): void {
    const { clock, probe } = this.#parts;
    if (!this.#owner.isAwaited(asked.key, asked.requestId)) return;
    probe();
    const againMs = Math.min(2 * afterMs, slowestProbeMs);
    clock.at(clock.now().monoMs + againMs, () => this.#probe(asked, againMs));
  }

  #answer({ key, requestId }: Answered, outcome: DeskOutcome): void {
    if (key === null) return;
    if (outcome.kind === 'accepted' && this.#owner.isAccepted(key, requestId)) return;
    const nowMs = this.#parts.clock.now().wallMs;
    const input = { kind: 'answered', requestId, outcome, nowMs } as const;
    this.#owner.apply({ kind: 'order', key, input });
  }
}

/** Which part of the nonces and of the queue it may take. */
function priorityOf({ kind }: Intent): Errand['priority'] {
  return kind === 'cancel' || kind === 'amend' ? 'cancel' : 'place';
}

/** A group of legs may cancel alone. */
function places({ action, priority }: Errand): boolean {
  if (priority === 'cancel') return false;
  return !('legs' in action) || action.legs.some(({ qty }) => qty > 0n);
}

function cannotResign(withdrawn = deny('bridge.nonce_window', 'no nonce is free')): ResignRefused {
  return new ResignRefused(withdrawn.refusal, withdrawn.text ?? '');
}

function refused(denial: Denial): DeskOutcome {
  return { kind: 'refused', denial };
}

function deskOutcome(outcome: Outcome): DeskOutcome {
  if (outcome.kind === 'accepted') {
    return { kind: 'accepted', orderId: outcome.orderIds.find((id) => id !== null) ?? null };
  }
  const { nonce, refusal, text } = outcome;
  return refused({ refusal, text, number: null, nonceConsumed: nonce.nonceConsumed });
}
