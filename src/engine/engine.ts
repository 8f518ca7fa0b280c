/**
 * One account as a state machine without I/O (docs/decisions/0247-the-account-engine.md): inputs go in with their time,
 * effects come out. `orders` knows the FIX life cycle, `venue` carries orders out; this file passes results between
 * them. The same inputs give the same effects, so the journal holds the inputs, and a start applies them again.
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { Intent } from '../domain/intent.ts';
import { type Order, submissionId } from '../domain/order.ts';
import { entryIntent } from '../domain/terms.ts';
import type { OrderInput } from '../domain/transition.ts';
import type { Orders } from './orders.ts';
import type { OrdersEffect, OrdersInput } from './orders-input.ts';
import {
  isVenueUpdate,
  type Moment,
  type RequestRef,
  type VenuePort,
  type VenueUpdate,
  type Withdrawal,
} from './venue-port.ts';

/** Requests of clients, operators and the bridge itself to the orders. */
export type Request = Exclude<OrdersInput, { readonly kind: 'event' }>;

export type EngineInput<VenueInput, Event extends StreamEvent = StreamEvent> =
  /** A command that the gate has accepted, an operator's action, or an event of the stream. */
  | Request
  | { readonly kind: 'event'; readonly event: Event }
  /** The gate's verdict on a request that waited. */
  | { readonly kind: 'judged'; readonly id: number; readonly denial: Denial | null }
  /** Withdraws placements of this session (null: of all sessions) that have not left the bridge. */
  | { readonly kind: 'withdraw'; readonly session: string | null; readonly denial: Denial }
  /** Ends a transaction that has cancels: withdraws requests whose orders are being canceled, unless they were sent. */
  | { readonly kind: 'withdraw_canceled' }
  /** `started`: the previous process has ended. `resume`: the stream has caught up. `open`: the venue is known. */
  | { readonly kind: 'started' | 'resume' | 'open' }
  | { readonly kind: 'venue'; readonly input: VenueInput };

/** The effects of the orders that are not for the venue, and all effects of the venue. */
export type EngineEffect<VenueEffect> =
  | Exclude<OrdersEffect, { readonly kind: 'send' | 'misnamed' }>
  | VenueEffect;

export interface EngineParts<VenueInput, VenueEffect, Event extends StreamEvent = StreamEvent> {
  readonly orders: Orders;
  readonly venue: VenuePort<VenueInput, VenueEffect, Event>;
  /** The client_order_id that the venue gets for a request; null sends none. */
  readonly clientOrderId: (session: string, clOrdId: string) => string | null;
}

const wentDown = deny('bridge.venue_unreachable', 'the bridge went down before it was sent');
/** The refusal of an order that was canceled before it left the bridge. */
export const canceledUnsent = deny('bridge.canceled_unsent', 'canceled before it was sent');

export class AccountEngine<
  VenueInput,
  VenueEffect extends { readonly kind: string },
  Event extends StreamEvent = StreamEvent,
> {
  readonly orders: Orders;
  readonly #venue: VenuePort<VenueInput, VenueEffect, Event>;
  readonly #clientOrderId: EngineParts<VenueInput, VenueEffect>['clientOrderId'];
  #effects: EngineEffect<VenueEffect>[] = [];

  constructor({ clientOrderId, orders, venue }: EngineParts<VenueInput, VenueEffect, Event>) {
    this.orders = orders;
    this.#venue = venue;
    this.#clientOrderId = clientOrderId;
  }

  step(input: EngineInput<VenueInput, Event>, now: Moment): readonly EngineEffect<VenueEffect>[] {
    this.#effects = [];
    this.#dispatch(input, now);
    this.#venue.settle(now);
    this.#passEffects(now);
    return this.#effects;
  }

  #dispatch(input: EngineInput<VenueInput, Event>, now: Moment): void {
    switch (input.kind) {
      case 'judged':
        this.#venue.judged(input.id, input.denial && withdrawalOf(input.denial), now);
        break;
      case 'withdraw':
        this.#withdraw(input.session, input.denial, now);
        break;
      case 'withdraw_canceled':
        this.#withdrawCanceled(now);
        break;
      case 'started':
        this.#venue.started();
        this.#refuseHeld(() => true, wentDown, now);
        this.#venue.withdrawWaiting(
          ({ key }) => this.orders.groups.group(key) !== undefined,
          withdrawalOf(wentDown),
          now,
        );
        this.#passEffects(now);
        this.#restoreEarlier(now);
        break;
      case 'resume':
        this.#venue.resume(now);
        this.#restartWaits();
        break;
      case 'open':
        this.#venue.open(now);
        break;
      case 'venue':
        this.#venue.step(input.input, now);
        break;
      case 'event':
        // What the orders have passed must not end a submission that they wait for.
        if (input.event.seq <= this.orders.lastSeq) break;
        this.#venue.beforeEvent(input.event);
        this.#apply(input, false, now);
        this.#venue.afterEvent(input.event, now);
        break;
      default:
        this.#apply(input, isJudged(input), now);
    }
  }

  /** `isJudged`: see `VenuePort.want`. Otherwise the order's request has waited. */
  #apply(input: OrdersInput, isJudged: boolean, now: Moment): void {
    for (const effect of this.orders.apply(input)) this.#perform(effect, isJudged, now);
  }

  #perform(effect: OrdersEffect, isJudged: boolean, now: Moment): void {
    if (effect.kind === 'misnamed') {
      const { key, ours, theirs } = effect;
      const order = this.orders.get(key);
      if (order !== undefined) this.#venue.misnamed(intentKindOf(order), ours, theirs);
      return;
    }
    if (effect.kind !== 'send') {
      this.#effects.push(effect);
      return;
    }
    const { intent, key, requestId } = effect;
    const client = this.orders.clientOf(key, requestId);
    if (client === undefined) return;
    const clientOrderId = this.#clientOrderId(client.session, client.clOrdId);
    this.#venue.want({ asked: { key, requestId }, intent, clientOrderId }, isJudged, now);
    this.#passEffects(now);
  }

  /** Passes the venue's effects to the orders, which may make further requests to the venue. */
  #passEffects(now: Moment): void {
    for (
      let effects = this.#venue.takeEffects();
      effects.length > 0;
      effects = this.#venue.takeEffects()
    ) {
      for (const effect of effects) {
        if (isVenueUpdate(effect)) this.#onUpdate(effect, now);
        else this.#effects.push(effect);
      }
    }
  }

  #onUpdate(update: VenueUpdate, now: Moment): void {
    const { key, requestId } = update.asked;
    const input = orderInput(update, now);
    const isKnown =
      update.kind === 'outcome' &&
      update.outcome.kind === 'accepted' &&
      requestId === submissionId &&
      this.orders.get(key)?.submission === 'answered';
    if (!isKnown) this.#apply({ kind: 'order', key, input }, false, now);
  }

  #withdraw(session: string | null, denial: Denial, now: Moment): void {
    const matches = ({ key, requestId }: RequestRef) =>
      session === null || this.orders.clientOf(key, requestId)?.session === session;
    // Held groups are refused first, because the end of another order would release them.
    this.#refuseHeld((key) => matches({ key, requestId: submissionId }), denial, now);
    this.#venue.withdraw(matches, withdrawalOf(denial), now);
  }

  #withdrawCanceled(now: Moment): void {
    this.#refuseHeld((key) => this.orders.isBeingCanceled(key), canceledUnsent, now);
    const matches = ({ key }: RequestRef) => this.orders.isBeingCanceled(key);
    this.#venue.withdrawWaiting(matches, withdrawalOf(canceledUnsent), now);
  }

  /** The latest first: a group may wait for orders of an earlier one, whose end would release it. */
  #refuseHeld(matches: (key: string) => boolean, denial: Denial, now: Moment): void {
    for (const key of this.orders.groups.held.toReversed()) {
      if (matches(key)) this.#refuse({ key, requestId: submissionId }, denial, now);
    }
  }

  /** Journals of earlier versions lack the requests that waited for room: orders wait again, others are refused. */
  #restoreEarlier(now: Moment): void {
    const isCarried = this.#venue.carried();
    const isGroupCarried = (key: string) => isCarried({ key, requestId: submissionId });
    for (const key of this.orders.groups.unsent) {
      if (!isGroupCarried(key)) this.#refuse({ key, requestId: submissionId }, wentDown, now);
    }
    this.orders.groups.started(isGroupCarried);
    for (const { instrument, owner, pending, phase, terms } of [...this.orders.open()]) {
      const { key } = owner;
      const isLost = (requestId: string) => !isCarried({ key, requestId });
      if (phase === 'created' && owner.quoteId === null && isLost(submissionId)) {
        const intent = entryIntent(terms, instrument);
        this.#perform({ kind: 'send', key, requestId: submissionId, intent }, false, now);
      }
      if (pending === null || pending.held || pending.venueRef !== null) continue;
      if (isLost(pending.requestId))
        this.#refuse({ key, requestId: pending.requestId }, wentDown, now);
    }
  }

  /** Refuses a request none of which has left the bridge. */
  #refuse({ key, requestId }: RequestRef, denial: Denial, now: Moment): void {
    const outcome = { kind: 'refused', denial } as const;
    const input = { kind: 'answered', requestId, outcome, nowMs: now.wallMs } as const;
    this.#apply({ kind: 'order', key, input }, false, now);
  }

  /** Restarts the waits for an event that ends an order, because the timers ended with the previous process. */
  #restartWaits(): void {
    for (const { owner, pending } of this.orders.open()) {
      if (pending === null || pending.held || pending.refused === null) continue;
      const { requestId } = pending;
      this.#effects.push({ kind: 'wait', key: owner.key, requestId, ms: 0 });
    }
  }
}

function orderInput(update: VenueUpdate, { wallMs: nowMs }: Moment): OrderInput {
  const { requestId } = update.asked;
  switch (update.kind) {
    case 'waits':
      return { kind: 'waiting', requestId, nowMs };
    case 'outdated':
      return { kind: 'outdated', requestId, nowMs };
    case 'outcome':
      return { kind: 'answered', requestId, outcome: update.outcome, nowMs };
    case 'sent': {
      const { asked: _, atMs, kind, ...ids } = update;
      return { kind, requestId, ...ids, nowMs: atMs };
    }
  }
}

function intentKindOf({ instrument, owner, terms }: Order): Intent['kind'] {
  return owner.quoteId === null ? entryIntent(terms, instrument).kind : 'group';
}

function isJudged(input: OrdersInput): boolean {
  if (input.kind === 'order') return input.input.kind === 'replace';
  return input.kind === 'entry' || input.kind === 'quotes';
}

function withdrawalOf({ refusal, text }: Denial): Withdrawal {
  return { refusal, text: text ?? '' };
}
