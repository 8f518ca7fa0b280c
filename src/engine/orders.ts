/**
 * The orders of one account: which orders exist, which sessions own them, and how each input changes them. This class
 * is deterministic and has no I/O: the journal keeps the inputs, and a start applies them again (docs/ARCHITECTURE.md).
 */
import { adoptedOrder } from '../domain/adopt.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { Intent } from '../domain/intent.ts';
import {
  clOrdIdOf,
  createOrder,
  hasEnded,
  isLeaving,
  isOfOtherChannel,
  type Order,
  type OrderRules,
  otherChannel,
  submissionId,
} from '../domain/order.ts';
import { intentNow } from '../domain/pending.ts';
import { isNoNews } from '../domain/stream-transition.ts';
import { entryIntent } from '../domain/terms.ts';
import { type OrderInput, transition } from '../domain/transition.ts';
import type { OrderId } from '../domain/units.ts';
import { BoundedNames } from './bounded-names.ts';
import { Exposure } from './exposure.ts';
import { type CancelScope, MassCancels } from './mass-cancels.ts';
import { type Entry, legName, OrderIndex } from './order-index.ts';
import { OrderKeys } from './order-keys.ts';
import type { NextSlice, OrdersEffect, OrdersInput } from './orders-input.ts';
import type { OrdersBounds, OrdersMemory, OrdersRest, OrdersState } from './orders-state.ts';
import type { Placement } from './placement.ts';
import { type QuotedOrder, QuoteGroups, type QuotesInput } from './quote-groups.ts';

export interface Placements {
  readonly session: string;
  readonly places: readonly Placement[];
}

/** Random runs set it lower, so that it is reached. */
export const ordersBounds: OrdersBounds = { endedOrders: 10_000, spentNames: 100_000 };

export class Orders {
  readonly #rulesOf: (session: string) => OrderRules;
  readonly #index = new OrderIndex();
  readonly #keys = new OrderKeys();
  /** Keys of ended orders. */
  readonly #ended: BoundedNames;
  /** `session/ClOrdID` of requests without an order, or whose order is forgotten; they may not be used again. */
  readonly #spent: BoundedNames;
  /** Counts only the orders that sessions of the bridge sent. */
  readonly #exposure = new Exposure();
  readonly #quotes = new QuoteGroups((key) => this.stands(key));
  readonly #massCancels = new MassCancels(this.#index);
  #lastSeq = 0;
  #lastName = { session: '', clOrdId: '', name: '' };

  constructor(rulesOf: (session: string) => OrderRules, bounds: OrdersBounds = ordersBounds) {
    this.#rulesOf = rulesOf;
    this.#ended = new BoundedNames(bounds.endedOrders);
    this.#spent = new BoundedNames(bounds.spentNames);
  }

  get memory(): OrdersMemory {
    return { index: this.#index, spent: this.#spent };
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Returns keys for orders and groups that are entered in this transaction. */
  newKeys(alias: string, count: number): readonly string[] {
    return this.#keys.next(alias, count);
  }

  get(key: string): Order | undefined {
    return this.#index.get(key)?.order;
  }

  byClOrdId(session: string, clOrdId: string): Order | undefined {
    return this.#index.named(this.#nameOf(session, clOrdId))?.order;
  }

  /** Finds only orders that sessions of the bridge sent. */
  byVenueId(id: string): Order | undefined {
    const order = this.#index.withVenueId(id)?.order;
    return order === undefined || isOfOtherChannel(order) ? undefined : order;
  }

  /** Finds only orders that no session of the bridge sent, as far as it knows, by their name at the venue. */
  fromOtherChannel(name: string): Order | undefined {
    return this.#index.fromOtherChannel(name);
  }

  isSpent(session: string, clOrdId: string): boolean {
    const name = this.#nameOf(session, clOrdId);
    return this.#index.named(name) !== undefined || this.#spent.has(name);
  }

  /** How many orders of the bridge's sessions may be at the venue: open, in flight or waiting. */
  get openCount(): number {
    return this.#exposure.total;
  }

  openOf(session: string): number {
    return this.#exposure.of(session);
  }

  /** The id of an order that has ended, for a cancel that must do nothing at the venue. */
  get endedOrderId(): OrderId | null {
    for (const key of this.#ended) {
      const orderId = this.get(key)?.orderId;
      if (orderId) return orderId;
    }
    return null;
  }

  /** Returns the order in a quote slot, followed by the orders that will replace it. */
  quoted(session: string, slot: string): readonly Order[] {
    return this.#quotes.keysOf(session, slot).flatMap((key) => this.#asMeant(key) ?? []);
  }

  /** Whether an order is live; null if it is not yet, or if a cancel of it has been requested. */
  stands(key: string): boolean | null {
    const order = this.#asMeant(key);
    if (order === undefined || hasEnded(order)) return false;
    return order.phase === 'live' && !isLeaving(order) ? true : null;
  }

  /** Returns the number of open orders that are meant. */
  count(meant: CancelScope): number {
    return this.#massCancels.count(meant);
  }

  get isMassCanceling(): boolean {
    return this.#massCancels.isRunning;
  }

  /** Groups of quotes, each of which is one action. */
  get groups(): Pick<QuoteGroups, 'group' | 'held' | 'started' | 'unsent'> {
    return this.#quotes;
  }

  /** Returns the session and ClOrdID of a request. */
  clientOf(key: string, requestId: string): { session: string; clOrdId: string } | undefined {
    const group = this.#quotes.group(key);
    if (group !== undefined) return { session: group.session, clOrdId: group.quoteId };
    const order = this.get(key);
    if (order === undefined) return undefined;
    const clOrdId = requestId === submissionId ? order.clOrdId : clOrdIdOf(requestId);
    return { session: order.owner.session, clOrdId };
  }

  /** Returns the session of a request and the orders that it would place: none for a cancel or an amend. */
  placements(key: string, requestId: string): Placements {
    const places = this.#keysUnder(key).flatMap((member): readonly Placement[] => {
      const order = this.get(member);
      if (order === undefined) return [];
      const { instrument, owner, pending, terms } = order;
      const place = { instrument, quoteId: owner.quoteId, terms };
      if (requestId === submissionId) return [place];
      const isLeg = pending?.kind === 'replace' && pending.way === 'leg';
      return isLeg ? [{ ...place, terms: pending.terms }] : [];
    });
    return { session: this.clientOf(key, requestId)?.session ?? otherChannel, places };
  }

  /** See `intentNow` in `domain/pending.ts`. A group is one action: if it has placed one order, it has placed all. */
  intentNow(key: string, requestId: string): Intent | null | undefined {
    const intents = this.#keysUnder(key).map((member) => {
      const order = this.get(member);
      return order ? intentNow(order, requestId, this.#rulesOf(order.owner.session)) : null;
    });
    return intents.includes(null) ? null : intents[0];
  }

  /** Whether a request is still open. If `venueRef` is given: whether the outcome of that action is still not known. */
  awaits(key: string, requestId: string, venueRef?: string): boolean {
    const group = this.#quotes.group(key);
    if (group?.members.length === 0) return this.#quotes.isInFlight(key);
    if (group !== undefined) {
      return group.members.some((member) => this.awaits(member.key, requestId, venueRef));
    }
    const order = this.get(key);
    if (order === undefined || hasEnded(order)) return false;
    const { pending, phase } = order;
    if (requestId === submissionId) {
      return phase === 'pending_new' && (venueRef ?? order.venueRef) === order.venueRef;
    }
    if (pending?.requestId !== requestId) return false;
    return venueRef === undefined || (pending.venueRef === venueRef && pending.refused === null);
  }

  /** Whether a venue id belongs to an order that was sent under another key. */
  isOfAnother(key: string, orderId: OrderId): boolean {
    const owner = this.#index.withVenueId(orderId)?.order.owner;
    const group = this.#quotes.group(key);
    // A group is forgotten once it is complete, and a late answer to it names one of its orders.
    if (group === undefined && this.#index.get(key) === undefined) return false;
    const members = group?.members ?? [{ key }];
    return owner !== undefined && members.every((member) => member.key !== owner.key);
  }

  /** Whether all orders that are sent under this key are being canceled. */
  isBeingCanceled(key: string): boolean {
    const orders = this.#keysUnder(key).map((member) => this.get(member));
    return orders.length > 0 && orders.every((order) => order !== undefined && isLeaving(order));
  }

  /** Like `isBeingCanceled`, but also true if a mass cancel will reach the orders later. */
  isMeantToEnd(key: string): boolean {
    const orders = this.#keysUnder(key).map((member) => this.#asMeant(member));
    return orders.length > 0 && orders.every((order) => order !== undefined && isLeaving(order));
  }

  /** Returns the order as it will be once a pending mass cancel has reached it. */
  #asMeant(key: string): Order | undefined {
    const entry = this.#index.get(key);
    const text = entry && this.#massCancels.about(entry);
    return text === undefined ? entry?.order : { ...(entry as Entry).order, ownCancel: text };
  }

  /** The orders that are sent under a key: the one with this key, or the members of the group. */
  #keysUnder(key: string): readonly string[] {
    return this.#quotes.group(key)?.members.map((member) => member.key) ?? [key];
  }

  *all(): IterableIterator<Order> {
    for (const { order } of this.#index.all()) yield order;
  }

  /** The open orders that sessions of the bridge sent: a client sees these, and the bridge may cancel them. */
  *open(): IterableIterator<Order> {
    for (const order of this.openOnVenue()) if (!isOfOtherChannel(order)) yield order;
  }

  /** Every known open order of the account, from any channel. */
  *openOnVenue(): IterableIterator<Order> {
    for (const { order } of this.#index.open()) yield order;
  }

  apply(input: OrdersInput): readonly OrdersEffect[] {
    switch (input.kind) {
      case 'entry':
        return this.#enter(input);
      case 'quotes':
        return this.#quote(input);
      case 'order':
        return this.#quotes.group(input.key) === undefined
          ? this.#stepOne(input.key, input.input)
          : this.#stepGroup(input.key, input.input);
      case 'mass_cancel':
        this.#massCancels.begin(input.meant, input.text);
        return this.#cancelNext(input);
      case 'mass_cancel_next':
        return this.#cancelNext(input);
      case 'spent':
        this.#spent.add(this.#nameOf(input.session, input.clOrdId));
        return [];
      case 'event':
        return this.#onEvent(input.event);
      case 'adopt':
        return this.#adopt(input);
    }
  }

  state(): OrdersState {
    const ended = [...this.#ended].flatMap((key) => this.#index.get(key) ?? []);
    const open = [...this.#index.open()];
    return {
      orders: [...ended, ...open].map(({ order, names, venueIds }) => ({ order, names, venueIds })),
      spent: [...this.#spent],
      ...this.rest(),
    };
  }

  rest(): OrdersRest {
    return {
      lastSeq: this.#lastSeq,
      lastKey: this.#keys.last,
      sharedSeats: this.#exposure.shared(),
      quotes: this.#quotes.state(),
      massCancels: this.#massCancels.state(),
    };
  }

  /** Restores a state; only allowed before the first input. */
  restore(state: OrdersState): void {
    for (const _ of this.restoring(state));
  }

  /** Restores in steps, so that a long start does not block other work, such as renewing a shard's lease. */
  *restoring(state: OrdersState): Generator<void> {
    const shared = state.sharedSeats ?? [];
    const before = new Map(
      shared.flatMap(([first = '', ...rest]) => rest.map((key) => [key, first])),
    );
    const isNumbered = state.firstSpent !== undefined;
    const arrived = state.orders.toSorted((a, b) => (a.arrival ?? 0) - (b.arrival ?? 0));
    for (const [index, kept] of arrived.entries()) {
      if (index % 500 === 499) yield;
      const { order } = kept;
      const entry = this.#index.restore(kept);
      if (!hasEnded(order)) this.#takeSeat(entry, before.get(order.owner.key));
      else if (!isNumbered) this.#index.end(entry, true);
    }
    for (const { order } of state.orders) if (hasEnded(order)) this.#ended.add(order.owner.key);
    if (isNumbered) this.#index.takeChanges();
    this.#spent.restore(state.spent, state.firstSpent ?? 0);
    this.#lastSeq = state.lastSeq;
    this.#keys.restore(state.lastKey ?? 0);
    this.#quotes.restore(state.quotes);
    for (const group of state.quotes.groups) this.#index.nameLegs(group);
    this.#massCancels.restore(state.massCancels ?? []);
  }

  #enter(input: Extract<OrdersInput, { kind: 'entry' }>): readonly OrdersEffect[] {
    const { owner, instrument, terms } = input;
    this.#create(input, input.nowMs);
    const intent = entryIntent(terms, instrument);
    return [{ kind: 'send', key: owner.key, requestId: submissionId, intent }];
  }

  /** Ignores the event if it does not describe its order well enough, or has an id that the order no longer has. */
  #adopt({ event, instrument, accountName }: Extract<OrdersInput, { kind: 'adopt' }>) {
    const order = adoptedOrder(event, instrument, accountName);
    if (order === undefined || this.get(order.owner.key) !== undefined) return [];
    const entry = this.#index.add(order);
    if (order.orderId !== null) this.#index.identify(entry, order.orderId);
    return this.#step(order.owner.key, { kind: 'event', event });
  }

  #quote(input: QuotesInput): readonly OrdersEffect[] {
    this.#keys.take(input.key);
    for (const order of input.orders) this.#create(order, input.nowMs);
    this.#quotes.enter(input);
    const { awaits = [], flight, intent, key, nowMs } = input;
    if (awaits.length === 0) return [{ kind: 'send', key, requestId: submissionId, intent }];
    // A client's cancel may be refused for good; the bridge's own is repeated until the order has ended.
    const text = `quote ${flight.quoteId} takes its place`;
    return awaits.flatMap((order) => this.#step(order, { kind: 'own_cancel', text, nowMs }));
  }

  #create(
    { owner, clOrdId, instrument, terms }: Omit<QuotedOrder, 'legIndex'>,
    nowMs: number,
  ): void {
    const { key, session } = owner;
    this.#keys.take(key);
    const displaced = this.#index.get(key);
    const entry = this.#index.add(createOrder(owner, clOrdId, instrument, terms, nowMs));
    if (displaced?.seat !== undefined) this.#exposure.release(displaced);
    this.#index.name(entry, this.#nameOf(session, clOrdId));
    this.#takeSeat(entry, this.#quotes.keysOf(session, owner.slot ?? '').at(-1));
  }

  #stepGroup(key: string, input: OrderInput): readonly OrdersEffect[] {
    const isRefused = input.kind === 'answered' && input.outcome.kind === 'refused';
    const answers = isRefused ? this.#quotes.refused(key, input.outcome.denial) : [];
    const steps = this.#quotes.fan(key, input);
    return [...answers, ...steps.flatMap(([member, each]) => this.#step(member, each))];
  }

  #onEvent(event: StreamEvent): readonly OrdersEffect[] {
    if (event.seq <= this.#lastSeq) return [];
    this.#lastSeq = event.seq;
    if (event.kind === 'halt' || event.kind === 'resume') return [];
    const ofGroup = isNoNews(event) ? undefined : this.#onGroupRefusal(event);
    if (ofGroup !== undefined) return ofGroup;
    const { isOfQuotes, keys } = this.#index.about(event);
    if (keys.length === 0) return isNoNews(event) ? [] : [{ kind: 'foreign', event }];
    // A child that is an order of its own does not continue the order that it replaces.
    return keys.flatMap((key, index) => {
      const isDisplaced = index > 0 || isOfQuotes;
      return this.#step(key, { kind: 'event', event, isDisplaced });
    });
  }

  /** The refusal of a group that names none of our orders applies to all of its orders, or only answers the client. */
  #onGroupRefusal(event: StreamEvent): readonly OrdersEffect[] | undefined {
    const { denial, engineTsMs: nowMs, kind, orderId } = event;
    const isOfOne = this.#index.withVenueId(orderId ?? '') !== undefined;
    if (kind !== 'rejected' || isOfOne || denial === null) return undefined;
    const key = this.#quotes.byAction(event) ?? '';
    const group = this.#quotes.group(key);
    if (group === undefined) return undefined;
    const outcome = { kind: 'refused', denial } as const;
    const refused = { kind: 'answered', requestId: submissionId, outcome, nowMs } as const;
    return [
      ...this.#quotes.refused(key, denial),
      ...group.members.flatMap((member) => this.#step(member.key, refused)),
    ];
  }

  #cancelNext({ atOnce, nowMs }: NextSlice): readonly OrdersEffect[] {
    const { keys, text } = this.#massCancels.slice(atOnce);
    return keys.flatMap((key) => this.#step(key, { kind: 'own_cancel', text, nowMs }));
  }

  /** An order that a mass cancel will reach is canceled first, before its client may replace it. */
  #stepOne(key: string, input: OrderInput): readonly OrdersEffect[] {
    const entry = input.kind === 'replace' ? this.#index.get(key) : undefined;
    const text = entry && this.#massCancels.about(entry);
    if (input.kind !== 'replace' || text === undefined) return this.#step(key, input);
    const cancel = { kind: 'own_cancel', text, nowMs: input.nowMs } as const;
    return [...this.#step(key, cancel), ...this.#step(key, input)];
  }

  #step(key: string, input: OrderInput): readonly OrdersEffect[] {
    const kept = this.#index.get(key);
    if (kept === undefined) {
      // The order has ended long ago; that is usual for a group of quotes with a late answer.
      if (input.kind === 'answered' || input.kind === 'outdated') return [];
      const text = `no order ${key} for an input of kind ${input.kind}`;
      return [{ kind: 'alarm', code: 'unknown_order', text, orderId: key }];
    }
    const before = kept.order;
    const { session } = before.owner;
    const accepted = input.kind === 'answered' && input.outcome.kind === 'accepted';
    const stated = accepted ? input.outcome.orderId : null;
    if (stated !== null && this.isOfAnother(key, stated)) {
      const text = `the venue gave ${key} the id of another order, ${stated}`;
      return [{ kind: 'alarm', code: 'foreign_answer', text, orderId: stated }];
    }
    const { order, reports, requests } = transition(before, input, this.#rulesOf(session));
    this.#index.change(kept, order, input.kind === 'bust' || input.kind === 'correct');
    this.#indexOrder(before, kept, input);
    if (hasEnded(order) && !hasEnded(before)) this.#retire(kept);
    else if (hasEnded(before) && !hasEnded(order)) this.#revive(kept);
    const effects: OrdersEffect[] = [];
    for (const report of reports) {
      // The ClOrdID of a request that was refused is used, and names nothing.
      if (report.kind === 'cancel_reject' && report.clOrdId !== order.clOrdId)
        this.#spent.add(this.#index.unname(kept, this.#nameOf(session, report.clOrdId)));
      effects.push({ kind: 'report', session, report }, ...this.#quotes.onReport(report));
    }
    for (const request of requests) {
      if (request.kind === 'alarm') effects.push({ ...request, orderId: order.orderId ?? key });
      else effects.push({ key, ...request });
    }
    const freed = hasEnded(order) ? this.#quotes.ended(key) : [];
    for (const group of freed) effects.push({ kind: 'send', requestId: submissionId, ...group });
    return effects;
  }

  #indexOrder(before: Order, entry: Entry, input: OrderInput): void {
    const { orderId, owner } = entry.order;
    if (input.kind === 'sent') {
      const leg = input.legIndex === undefined ? null : legName(input.venueRef, input.legIndex);
      for (const id of [input.venueRef, leg, input.orderId, input.firedOrderId]) {
        if (id != null) this.#index.identify(entry, id);
      }
    }
    if (input.kind === 'cancel' || input.kind === 'replace') {
      const old = this.#index.name(entry, this.#nameOf(owner.session, input.clOrdId));
      for (const name of old) this.#spent.add(name);
    }
    if (orderId !== null && orderId !== before.orderId) this.#index.identify(entry, orderId);
  }

  /** Forgets the orders that ended longest ago; their ClOrdIDs stay used for a while. */
  #retire(entry: Entry): void {
    if (!isOfOtherChannel(entry.order)) this.#exposure.release(entry);
    this.#index.end(entry, true);
    for (const forgotten of this.#ended.add(entry.order.owner.key)) {
      for (const name of this.#index.forget(forgotten)) this.#spent.add(name);
    }
  }

  /** The venue has the order after all, so it counts as open again and may not be forgotten. */
  #revive(entry: Entry): void {
    this.#takeSeat(entry);
    this.#ended.delete(entry.order.owner.key);
    this.#index.end(entry, false);
  }

  /** `before` is the key of the order to replace. */
  #takeSeat(entry: Entry, before = ''): void {
    if (!isOfOtherChannel(entry.order)) this.#exposure.take(entry, this.#index.get(before));
  }

  /** One request needs its name several times. The last name is kept, because a new string would be hashed again. */
  #nameOf(session: string, clOrdId: string): string {
    const last = this.#lastName;
    if (last.clOrdId === clOrdId && last.session === session) return last.name;
    const name = `${session}/${clOrdId}`;
    this.#lastName = { session, clOrdId, name };
    return name;
  }
}
