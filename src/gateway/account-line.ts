/**
 * Everything between one account's desk and the venue: what the desk wants sent gets a nonce, is recorded (J1), then
 * signed, then sent; what the venue says goes back into the desk and is recorded with the reports that it causes (J2).
 * All that changes state runs in a turn, and a turn is one commit (docs/ARCHITECTURE.md, "Durability").
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { ConditionalIntent, Intent } from '../domain/intent.ts';
import type { Report } from '../domain/report.ts';
import type { Outcome as DeskOutcome } from '../domain/transition.ts';
import type { Account, OrderId } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Action, ActionEnvelope, SignedAction } from '../signer/action.ts';
import type { CanonicalEncoder } from '../signer/canonical.ts';
import { type Derivation, type NewOrders, newOrders } from '../signer/digest.ts';
import type { NonceAllocator, Reservation } from '../signer/nonce-allocator.ts';
import type { Scheme } from '../signer/scheme.ts';
import type { Signer } from '../signer/signer.ts';
import type { Turns } from '../store/turns.ts';
import type { SignedSend } from '../venue/action-json.ts';
import type { Outcome } from '../venue/submission.ts';
import { ResignRefused, type Submitter } from '../venue/submitter.ts';
import type { Refusing } from '../venue/verdict.ts';
import { actionOf, placeAction } from './action-of.ts';
import type { Desk, DeskEffect, DeskInput } from './desk.ts';
import { encodeRecord, encodeState, type PreparedAction } from './desk-record.ts';

export interface LineParts {
  readonly account: Account;
  readonly desk: Desk;
  /** Where the journal of the desk ends. */
  readonly journalEnd: number;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly nonces: NonceAllocator;
  readonly signer: Signer;
  readonly scheme: Scheme;
  readonly encoder: CanonicalEncoder;
  readonly derivation: Derivation;
  readonly submitter: Submitter;
  /** The client_order_id of a request; undefined sends none. */
  readonly clientOrderId: (session: string, clOrdId: string) => string | undefined;
  /** Inside a turn. */
  readonly report: (session: string, report: Report) => void;
  readonly foreign: (event: StreamEvent) => void;
  readonly alarm: (text: string) => void;
  readonly unknownAfterMs: number;
}

/** One request of an order on its way: the same until its outcome, however often it is signed anew. */
interface Errand {
  readonly key: string;
  readonly requestId: string;
  readonly intent: Intent;
  readonly action: Action;
  readonly priority: 'place' | 'cancel';
  readonly clientOrderId: string | undefined;
}

interface Waiting {
  readonly key: string;
  readonly requestId: string;
  readonly intent: Intent;
  readonly untilMs: number;
}

interface Ready {
  readonly errand: Errand;
  readonly reservation: Reservation;
  readonly canonical: Uint8Array;
  readonly hash: string;
  readonly supersedes: Reservation['supersedes'];
}

/** How long an order may wait for a nonce before it is refused (contract D.6). */
const nonceWaitMs = 5_000;
const maxWaiting = 10_000;
const snapshotEvery = 10_000;

export class AccountLine {
  readonly account: Account;
  readonly desk: Desk;
  readonly #parts: LineParts;
  readonly #errands = new Map<string, Errand>();
  readonly #waiting: Waiting[] = [];
  #journalEnd: number;
  #sinceSnapshot = 0;
  #inputs: DeskInput[] = [];
  #actions: PreparedAction[] = [];
  #ready: Ready[] = [];
  #isJoined = false;

  constructor(parts: LineParts) {
    this.#parts = parts;
    this.account = parts.account;
    this.desk = parts.desk;
    this.#journalEnd = parts.journalEnd;
  }

  /** Inside a turn: changes the desk, and does what the desk then wants. */
  apply(input: DeskInput): void {
    this.#join();
    this.#inputs.push(input);
    for (const effect of this.desk.apply(input)) this.#do(effect);
  }

  /** Events of the stream, in order; resolves when they and what they caused are durable. */
  hear(events: readonly StreamEvent[]): Promise<void> {
    const { turns, nonces, submitter } = this.#parts;
    return new Promise((resolve) => {
      turns.run(() => {
        for (const event of events) {
          if (event.nonce !== null && event.actionHash !== null) {
            nonces.consumed(Number(event.nonce));
          }
          this.apply({ kind: 'event', event });
        }
        turns.after(() => {
          for (const { actionHash, seq } of events) {
            if (actionHash !== null) submitter.observed(actionHash.replace(/^0x/, ''), seq);
          }
          resolve();
        });
      });
      this.#retryWaiting();
    });
  }

  /** The venue's clock of nonces has moved, or may have. */
  floorMoved(): void {
    this.#parts.submitter.floorMoved(this.account);
    this.#retryWaiting();
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  #do(effect: DeskEffect): void {
    switch (effect.kind) {
      case 'report':
        this.#parts.report(effect.session, effect.report);
        return;
      case 'send':
        this.#send(effect.key, effect.requestId, effect.intent);
        return;
      case 'wait':
        this.#remind(effect.key, effect.requestId, effect.ms, 'waited');
        return;
      case 'foreign':
        this.#parts.foreign(effect.event);
        return;
      case 'alarm':
        this.#parts.alarm(effect.text);
    }
  }

  #send(key: string, requestId: string, intent: Intent): void {
    if (this.#start(key, requestId, intent)) return;
    if (this.#waiting.length >= maxWaiting) {
      this.#answer(key, requestId, refused(deny('bridge.backpressure', 'no nonce is free')));
      return;
    }
    const untilMs = this.#parts.clock.now().monoMs + nonceWaitMs;
    this.#waiting.push({ key, requestId, intent, untilMs });
    this.#parts.clock.at(untilMs, () => this.#retryWaiting());
  }

  /** False while no nonce is free. */
  #start(key: string, requestId: string, intent: Intent): boolean {
    const { nonces } = this.#parts;
    const order = this.desk.get(key);
    if (order === undefined) return true;
    const { session } = order.owner;
    const clOrdId = intent.kind === 'cancel' || intent.kind === 'amend' ? requestId : order.clOrdId;
    const clientOrderId = this.#parts.clientOrderId(session, clOrdId);
    if (intent.kind === 'conditional') {
      return this.#startConditional({ key, requestId, clientOrderId }, intent);
    }
    const priority = intent.kind === 'cancel' || intent.kind === 'amend' ? 'cancel' : 'place';
    const reservation = nonces.reserve(priority);
    if (reservation === undefined) return false;
    const action = actionOf(intent);
    this.#prepare({ key, requestId, intent, action, priority, clientOrderId }, reservation);
    return true;
  }

  /** The nested order is signed first, because the outer action holds its signature (G20). */
  #startConditional(
    named: Pick<Errand, 'key' | 'requestId' | 'clientOrderId'>,
    intent: ConditionalIntent,
  ): boolean {
    const { nonces, turns, encoder } = this.#parts;
    const pair = nonces.reservePair();
    if (pair === undefined) return false;
    if (pair === 'refused') {
      const denial = deny('bridge.conditional_unconfirmed', 'a stored order would hold the nonces');
      this.#answer(named.key, named.requestId, refused(denial));
      return true;
    }
    const payload = this.#envelope(placeAction(intent.nested), pair.nested.nonce, undefined);
    const canonical = encoder.encode(payload).slice();
    const hash = this.#parts.derivation.actionHash(canonical);
    nonces.signed(pair.nested.nonce, hash);
    turns.after(() => {
      const { supersedes } = pair.nested;
      void this.#parts.signer
        .sign({ canonical, scheme: this.#parts.scheme, supersedes })
        .then((signed) => {
          turns.run(() => {
            this.#join();
            if (signed.kind === 'refused') {
              nonces.neverSent(pair.outer.nonce);
              const denial = deny('bridge.venue_unreachable', `signer: ${signed.text}`);
              this.#answer(named.key, named.requestId, refused(denial));
              return;
            }
            const nested: SignedAction = { payload, signature: signed.signature };
            const action = actionOf(intent, nested);
            this.#prepare({ ...named, intent, action, priority: 'place' }, pair.outer);
          });
        });
    });
    return true;
  }

  #envelope(action: Action, nonce: number, clientOrderId: string | undefined): ActionEnvelope {
    return {
      account: this.account,
      nonce: BigInt(nonce),
      nonce_reservation_id: null,
      ...(clientOrderId !== undefined && { client_order_id: clientOrderId }),
      ts: this.#parts.clock.now().wallMs,
      action,
    };
  }

  /** Inside a turn: J1 of an action, and its signing and sending once that is durable. */
  #prepare(errand: Errand, reservation: Reservation): Ready {
    const { encoder, derivation, nonces } = this.#parts;
    const envelope = this.#envelope(errand.action, reservation.nonce, errand.clientOrderId);
    const canonical = encoder.encode(envelope).slice();
    const digest = derivation.actionHash(canonical);
    const hash = Buffer.from(digest).toString('hex');
    nonces.signed(reservation.nonce, digest);
    const { orderId, firedOrderId } = idsOf(newOrders(derivation, envelope, canonical));
    const { key, requestId } = errand;
    this.apply({
      kind: 'order',
      key,
      input: {
        kind: 'sent',
        requestId,
        actionHash: `0x${hash}`,
        orderId,
        firedOrderId,
        nowMs: envelope.ts,
      },
    });
    this.#actions.push({
      key,
      requestId,
      nonce: envelope.nonce,
      actionHash: `0x${hash}`,
      orderId,
      canonical: Buffer.from(canonical).toString(),
    });
    this.#errands.set(hash, errand);
    const ready = { errand, reservation, canonical, hash, supersedes: reservation.supersedes };
    this.#ready.push(ready);
    return ready;
  }

  async #launch(ready: Ready): Promise<void> {
    const { errand } = ready;
    const { nonces, submitter, turns } = this.#parts;
    const send = await this.#sign(ready);
    if ('refusal' in send) {
      turns.run(() => {
        this.#join();
        nonces.neverSent(ready.reservation.nonce);
        this.#errands.delete(ready.hash);
        this.#answer(errand.key, errand.requestId, refused(send));
      });
      return;
    }
    turns.run(() => {
      this.#join();
      nonces.sent(ready.reservation.nonce);
    });
    this.#remind(errand.key, errand.requestId, this.#parts.unknownAfterMs, 'overdue');
    const settled = await submitter.submit({
      send,
      priority: errand.priority,
      onUnknown: () => this.#unknown(errand, send),
    });
    this.#settle(errand, settled.send, settled.outcome);
  }

  async #sign(ready: Ready): Promise<SignedSend | Denial> {
    const { signer, scheme } = this.#parts;
    const { canonical, supersedes, reservation } = ready;
    const signed = await signer.sign({ canonical, scheme, supersedes });
    if (signed.kind === 'refused') {
      this.#parts.alarm(`signer refused nonce ${reservation.nonce}: ${signed.code} ${signed.text}`);
      return deny('bridge.venue_unreachable', `signer: ${signed.code}`);
    }
    return {
      account: this.account,
      nonce: BigInt(reservation.nonce),
      canonical,
      actionHash: signed.digest,
      signature: signed.signature,
    };
  }

  /** For the submitter: the same errand under a fresh nonce, recorded before it is signed. */
  async resign(send: SignedSend, after: Refusing): Promise<SignedSend> {
    const { nonces, turns } = this.#parts;
    const before = Buffer.from(send.actionHash).toString('hex');
    const errand = this.#errands.get(before);
    if (errand === undefined) throw this.#cannotResign('its errand is over');
    const ready = await new Promise<Ready | undefined>((resolve) => {
      turns.run(() => {
        this.#join();
        nonces.answered(Number(send.nonce), {
          ...after.nonce,
          outcome: 'refused',
          code: after.refusal.code,
          isResend: false,
        });
        const reservation = nonces.reserve(errand.priority);
        if (reservation === undefined) {
          resolve(undefined);
          return;
        }
        this.#errands.delete(before);
        const prepared = this.#prepare(errand, reservation);
        this.#ready.splice(this.#ready.indexOf(prepared), 1);
        turns.after(() => resolve(prepared));
      });
    });
    if (ready === undefined) throw this.#cannotResign('no nonce is free');
    const signed = await this.#sign(ready);
    if ('refusal' in signed) throw new ResignRefused(signed.refusal, signed.text ?? '');
    turns.run(() => {
      this.#join();
      nonces.sent(ready.reservation.nonce);
    });
    return signed;
  }

  #cannotResign(text: string): ResignRefused {
    return new ResignRefused(deny('bridge.nonce_window').refusal, text);
  }

  #unknown(errand: Errand, send: SignedSend): void {
    this.#parts.turns.run(() => {
      this.#join();
      this.#parts.nonces.answered(Number(send.nonce), {
        outcome: 'unknown',
        code: null,
        isResend: false,
        nonceConsumed: null,
        nextUsableNonce: null,
        nonceFloor: null,
        nonceWindow: null,
      });
      this.#answer(errand.key, errand.requestId, { kind: 'unknown' });
    });
  }

  #settle(errand: Errand, send: SignedSend, outcome: Outcome): void {
    const { nonces, turns } = this.#parts;
    this.#errands.delete(Buffer.from(send.actionHash).toString('hex'));
    turns.run(() => {
      this.#join();
      if (outcome.kind === 'refused' && outcome.neverSent) nonces.neverSent(Number(send.nonce));
      else {
        nonces.answered(Number(send.nonce), {
          ...outcome.nonce,
          outcome: outcome.kind,
          code: outcome.kind === 'refused' ? outcome.refusal.code : null,
          isResend: false,
        });
      }
      this.#answer(errand.key, errand.requestId, deskOutcome(outcome));
    });
    this.floorMoved();
  }

  #answer(key: string, requestId: string, outcome: DeskOutcome): void {
    const { wallMs } = this.#parts.clock.now();
    this.apply({
      kind: 'order',
      key,
      input: { kind: 'answered', requestId, outcome, nowMs: wallMs },
    });
  }

  #remind(key: string, requestId: string, afterMs: number, kind: 'waited' | 'overdue'): void {
    const { clock, turns } = this.#parts;
    clock.at(clock.now().monoMs + afterMs, () => {
      const order = this.desk.get(key);
      const isOpen = order?.phase === 'pending_new' || order?.pending?.requestId === requestId;
      if (!isOpen) return;
      const { wallMs } = clock.now();
      turns.run(() => {
        this.apply({ kind: 'order', key, input: { kind, requestId, nowMs: wallMs } });
      });
    });
  }

  #retryWaiting(): void {
    if (this.#waiting.length === 0) return;
    const { clock, turns } = this.#parts;
    turns.run(() => {
      this.#join();
      const waiting = this.#waiting.splice(0);
      const nowMs = clock.now().monoMs;
      for (const [index, one] of waiting.entries()) {
        if (one.untilMs <= nowMs) {
          const denial = deny('bridge.nonce_window', 'no nonce became free');
          this.#answer(one.key, one.requestId, refused(denial));
        } else if (!this.#start(one.key, one.requestId, one.intent)) {
          this.#waiting.push(...waiting.slice(index));
          return;
        }
      }
    });
  }

  #join(): void {
    if (this.#isJoined) return;
    this.#isJoined = true;
    this.#parts.turns.atEnd(() => this.#endTurn());
  }

  #endTurn(): void {
    const { turns, nonces } = this.#parts;
    this.#isJoined = false;
    const stream = `desk/${this.account}`;
    if (this.#inputs.length > 0 || this.#actions.length > 0) {
      const payload = encodeRecord({ inputs: this.#inputs, actions: this.#actions });
      turns.write({ kind: 'append', stream, expected: this.#journalEnd, payload });
      this.#journalEnd += 1;
      this.#sinceSnapshot += 1;
      if (this.#sinceSnapshot >= snapshotEvery) {
        this.#sinceSnapshot = 0;
        const state = encodeState(this.desk.state());
        turns.write({ kind: 'snapshot', stream, position: this.#journalEnd, payload: state });
      }
    }
    for (const write of nonces.writes()) turns.write(write);
    const ready = this.#ready;
    this.#inputs = [];
    this.#actions = [];
    this.#ready = [];
    if (ready.length === 0) return;
    turns.after(() => {
      for (const one of ready) void this.#launch(one);
    });
  }
}

function refused(denial: Denial): DeskOutcome {
  return { kind: 'refused', denial };
}

function deskOutcome(outcome: Outcome): DeskOutcome {
  if (outcome.kind === 'accepted') {
    return { kind: 'accepted', orderId: outcome.orderIds.find((id) => id !== null) ?? null };
  }
  const { refusal, text, nonce } = outcome;
  return refused({ refusal, text, number: null, nonceConsumed: nonce.nonceConsumed });
}

function idsOf(placed: NewOrders): {
  readonly orderId: OrderId | null;
  readonly firedOrderId: OrderId | null;
} {
  switch (placed.kind) {
    case 'none':
      return { orderId: null, firedOrderId: null };
    case 'order':
      return { orderId: placed.orderId, firedOrderId: null };
    case 'legs':
      return { orderId: placed.legIds[0] ?? null, firedOrderId: null };
    case 'conditional':
      return { orderId: placed.orderId, firedOrderId: placed.triggeredId };
  }
}
