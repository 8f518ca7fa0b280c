/**
 * The orders of one account: which there are, whose they are, and what each input does to them. Deterministic and
 * without I/O: the journal keeps the inputs, and a start applies them again (docs/ARCHITECTURE.md, "Durability").
 */
import { adoptedOrder } from '../domain/adopt.ts';
import { denialOf } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Intent } from '../domain/intent.ts';
import {
  createOrder,
  hasEnded,
  isOfOtherChannel,
  type Order,
  type OrderRules,
  type Owner,
  otherChannel,
  submissionId,
} from '../domain/order.ts';
import type { Report } from '../domain/report.ts';
import { entryIntent, type Terms } from '../domain/terms.ts';
import { type OrderInput, transition } from '../domain/transition.ts';
import type { OrderId } from '../domain/units.ts';
import { BoundedNames } from './bounded-names.ts';
import { type Kept, OrderShelf } from './order-shelf.ts';
import {
  QuoteDesk,
  type QuotedOrder,
  type QuoteState,
  type QuotesInput,
  type SessionAnswer,
} from './quote-desk.ts';

/** An input of one order names it by its key; an event of the stream finds its order by the venue's ids. */
export type DeskInput =
  | {
      readonly kind: 'entry';
      readonly owner: Owner;
      readonly clOrdId: string;
      readonly instrument: Instrument;
      readonly terms: Terms;
      readonly nowMs: number;
    }
  | QuotesInput
  | { readonly kind: 'event'; readonly event: StreamEvent }
  /** The event is of an order of another channel, which is followed from here on. */
  | {
      readonly kind: 'adopt';
      readonly event: StreamEvent;
      readonly instrument: Instrument;
      readonly accountName: string;
    }
  | { readonly kind: 'order'; readonly key: string; readonly input: OrderInput }
  /** A ClOrdID that was used for a request which never became an order's own. */
  | { readonly kind: 'spent'; readonly session: string; readonly clOrdId: string };

export type DeskEffect =
  | { readonly kind: 'report'; readonly session: string; readonly report: Report }
  | ({ readonly kind: 'answer' } & SessionAnswer)
  | {
      readonly kind: 'send';
      readonly key: string;
      readonly requestId: string;
      readonly intent: Intent;
    }
  | {
      readonly kind: 'wait';
      readonly key: string;
      readonly requestId: string;
      readonly ms: number;
    }
  /** An event of an order that this desk does not know: another channel's, or one older than its memory. */
  | { readonly kind: 'foreign'; readonly event: StreamEvent }
  | { readonly kind: 'alarm'; readonly text: string };

export interface DeskState {
  /** The ended ones first, in the order of their ends. */
  readonly orders: readonly Readonly<Kept>[];
  readonly spent: readonly string[];
  readonly lastSeq: number;
  readonly quotes: QuoteState;
}

/** What is older is forgotten, so that memory and snapshots stay of one size however long the bridge runs. */
export interface DeskMemory {
  /** Orders that have ended: for status requests and late events. */
  readonly endedOrders: number;
  /** ClOrdIDs besides those of remembered orders that are refused as duplicates. */
  readonly spentNames: number;
}

const defaultMemory: DeskMemory = { endedOrders: 10_000, spentNames: 100_000 };

export class Desk {
  readonly #rulesOf: (session: string) => OrderRules;
  readonly #shelf = new OrderShelf();
  /** Keys of ended orders. */
  readonly #ended: BoundedNames;
  /** `session/ClOrdID` of requests without an order, or whose order is forgotten: not to be used again. */
  readonly #spent: BoundedNames;
  /** How many orders of each session are open. */
  readonly #openOf = new Map<string, number>();
  readonly #quotes = new QuoteDesk();
  #openCount = 0;
  #lastSeq = 0;
  #lastName = { session: '', clOrdId: '', name: '' };

  constructor(rulesOf: (session: string) => OrderRules, memory: DeskMemory = defaultMemory) {
    this.#rulesOf = rulesOf;
    this.#ended = new BoundedNames(memory.endedOrders);
    this.#spent = new BoundedNames(memory.spentNames);
  }

  /** The seq of the last event that was applied. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get(key: string): Order | undefined {
    return this.#shelf.get(key)?.order;
  }

  byClOrdId(session: string, clOrdId: string): Order | undefined {
    return this.#shelf.named(this.#nameOf(session, clOrdId))?.order;
  }

  /** Of the orders that sessions of the bridge sent. */
  byVenueId(id: string): Order | undefined {
    const order = this.#shelf.withVenueId(id)?.order;
    return order === undefined || isOfOtherChannel(order) ? undefined : order;
  }

  isSpent(session: string, clOrdId: string): boolean {
    const name = this.#nameOf(session, clOrdId);
    return this.#shelf.named(name) !== undefined || this.#spent.has(name);
  }

  /** How many orders that sessions of the bridge sent are open. */
  get openCount(): number {
    return this.#openCount;
  }

  openOf(session: string): number {
    return this.#openOf.get(session) ?? 0;
  }

  /** An order of the venue that has ended, for a cancel that must do nothing. */
  get endedOrderId(): OrderId | null {
    for (const key of this.#ended) {
      const orderId = this.get(key)?.orderId ?? null;
      if (orderId !== null) return orderId;
    }
    return null;
  }

  /** The order that a quote's slot holds, or is about to. */
  quoted(session: string, slot: string): Order | undefined {
    return this.get(this.#quotes.keyOf(session, slot) ?? '');
  }

  /** Who asked for what goes out under this key and request. */
  clientOf(key: string, requestId: string): { session: string; clOrdId: string } | undefined {
    const group = this.#quotes.group(key);
    if (group !== undefined) return { session: group.session, clOrdId: group.quoteId };
    const order = this.get(key);
    if (order === undefined) return undefined;
    const clOrdId = requestId === submissionId ? order.clOrdId : requestId;
    return { session: order.owner.session, clOrdId };
  }

  /** Whether what became of the request is still waited for; of this action alone where one is named. */
  awaits(key: string, requestId: string, actionHash?: string): boolean {
    const group = this.#quotes.group(key);
    if (group?.members.length === 0) return this.#quotes.isInFlight(key);
    if (group !== undefined) {
      return group.members.some((member) => this.awaits(member.key, requestId, actionHash));
    }
    const order = this.get(key);
    if (order === undefined || hasEnded(order)) return false;
    const isOf = (request: { readonly actionHash: string | null }) =>
      actionHash === undefined || request.actionHash === actionHash;
    if (requestId === submissionId) return order.phase === 'pending_new' && isOf(order);
    return order.pending?.requestId === requestId && isOf(order.pending);
  }

  /** Whether every order that goes out under this key is to be canceled anyway. */
  isGivenUp(key: string): boolean {
    const members = this.#quotes.group(key)?.members ?? [{ key }];
    const isCanceled = ({ key: member }: { readonly key: string }) => {
      const order = this.get(member);
      return order !== undefined && (order.ownCancel !== null || order.pending?.kind === 'cancel');
    };
    return members.length > 0 && members.every(isCanceled);
  }

  /** All that are remembered, the ended ones too. */
  *all(): IterableIterator<Order> {
    for (const { order } of this.#shelf.all()) yield order;
  }

  /** The open orders that sessions of the bridge sent: what a client sees, and what the bridge may cancel. */
  *open(): IterableIterator<Order> {
    for (const order of this.openOnVenue()) if (!isOfOtherChannel(order)) yield order;
  }

  /** Every open order of the account that is known, whatever channel it came by. */
  *openOnVenue(): IterableIterator<Order> {
    for (const order of this.all()) if (!hasEnded(order)) yield order;
  }

  apply(input: DeskInput): readonly DeskEffect[] {
    switch (input.kind) {
      case 'entry':
        return this.#enter(input);
      case 'quotes':
        return this.#quote(input);
      case 'order':
        return this.#quotes.group(input.key) === undefined
          ? this.#step(input.key, input.input)
          : this.#stepGroup(input.key, input.input);
      case 'spent':
        this.#spent.add(this.#nameOf(input.session, input.clOrdId));
        return [];
      case 'event':
        return this.#hear(input.event);
      case 'adopt':
        return this.#adopt(input);
    }
  }

  state(): DeskState {
    const ended = [...this.#ended].flatMap((key) => this.#shelf.get(key) ?? []);
    const open = [...this.#shelf.all()].filter(({ order }) => !hasEnded(order));
    return {
      orders: [...ended, ...open].map(({ order, names, venueIds }) => ({ order, names, venueIds })),
      spent: [...this.#spent],
      lastSeq: this.#lastSeq,
      quotes: this.#quotes.state(),
    };
  }

  /** Takes up where `state` was taken; only on a new desk. */
  restore(state: DeskState): void {
    for (const { order, names, venueIds } of state.orders) {
      const { key, session } = order.owner;
      this.#shelf.add(order);
      for (const name of names) this.#shelf.name(key, name);
      for (const id of venueIds) this.#shelf.identify(key, id);
      if (hasEnded(order)) this.#ended.add(key);
      else this.#countOpen(session, 1);
    }
    for (const name of state.spent) this.#spent.add(name);
    this.#lastSeq = state.lastSeq;
    this.#quotes.restore(state.quotes);
  }

  #enter(input: Extract<DeskInput, { kind: 'entry' }>): readonly DeskEffect[] {
    const { owner, instrument, terms } = input;
    this.#create(input, input.nowMs);
    const intent = entryIntent(terms, instrument);
    return [{ kind: 'send', key: owner.key, requestId: submissionId, intent }];
  }

  /** Nothing where the event says too little of its order. */
  #adopt({ event, instrument, accountName }: Extract<DeskInput, { kind: 'adopt' }>) {
    const order = adoptedOrder(event, instrument, accountName);
    if (order === undefined) return [];
    const { key, session } = order.owner;
    this.#shelf.add(order);
    if (order.orderId !== null) this.#shelf.identify(key, order.orderId);
    this.#countOpen(session, 1);
    return this.#step(key, { kind: 'event', event });
  }

  #quote(input: QuotesInput): readonly DeskEffect[] {
    for (const order of input.orders) this.#create(order, input.nowMs);
    this.#quotes.enter(input);
    return [{ kind: 'send', key: input.key, requestId: submissionId, intent: input.intent }];
  }

  #create(
    { owner, clOrdId, instrument, terms }: Omit<QuotedOrder, 'legIndex'>,
    nowMs: number,
  ): void {
    const { key, session } = owner;
    this.#shelf.add(createOrder(owner, clOrdId, instrument, terms, nowMs));
    this.#shelf.name(key, this.#nameOf(session, clOrdId));
    this.#countOpen(session, 1);
  }

  #stepGroup(key: string, input: OrderInput): readonly DeskEffect[] {
    const answers =
      input.kind === 'answered' && input.outcome.kind === 'refused'
        ? this.#quotes.refused(key, input.outcome.denial)
        : [];
    const steps = this.#quotes.fan(key, input);
    return [
      ...answers.map(answerEffect),
      ...steps.flatMap(([member, each]) => this.#step(member, each)),
    ];
  }

  #hear(event: StreamEvent): readonly DeskEffect[] {
    if (event.seq <= this.#lastSeq) return [];
    this.#lastSeq = event.seq;
    if (event.kind === 'halt' || event.kind === 'resume') return [];
    const keys = this.#about(event);
    if (keys.length === 0) return this.#hearOfGroup(event) ?? [{ kind: 'foreign', event }];
    const effects: DeskEffect[] = [];
    for (const key of keys) {
      for (const effect of this.#step(key, { kind: 'event', event })) effects.push(effect);
    }
    return effects;
  }

  /** The refusal of a group that only cancels names none of its orders. */
  #hearOfGroup(event: StreamEvent): readonly DeskEffect[] | undefined {
    const key = this.#quotes.byAction(event);
    if (key === undefined || event.kind !== 'rejected' || event.reason === null) return undefined;
    return this.#quotes.refused(key, denialOf(event.reason, event.nonceConsumed)).map(answerEffect);
  }

  /**
   * The order itself first; by its parent or its action where it is not known by its own id yet. A replaced event is
   * news for both orders that it names, because a side of a quote takes another quote's place.
   */
  #about({ kind, orderId, parentOrderId, actionHash }: StreamEvent): readonly string[] {
    const keys: string[] = [];
    for (const id of [orderId, parentOrderId, actionHash]) {
      const key = id === null ? undefined : this.#shelf.withVenueId(id)?.order.owner.key;
      if (key === undefined || keys.includes(key)) continue;
      keys.push(key);
      if (kind !== 'replaced') break;
    }
    return keys;
  }

  #step(key: string, input: OrderInput): readonly DeskEffect[] {
    const kept = this.#shelf.get(key);
    if (kept === undefined) {
      return [{ kind: 'alarm', text: `no order ${key} for an input of kind ${input.kind}` }];
    }
    const before = kept.order;
    const { session } = before.owner;
    const { order, reports, requests } = transition(before, input, this.#rulesOf(session));
    kept.order = order;
    this.#index(before, order, input);
    if (hasEnded(order) && !hasEnded(before)) this.#retire(key, session);
    const effects: DeskEffect[] = [];
    for (const report of reports) {
      effects.push({ kind: 'report', session, report });
      for (const answer of this.#quotes.hear(report)) effects.push(answerEffect(answer));
    }
    for (const request of requests) {
      effects.push(request.kind === 'alarm' ? request : { key, ...request });
    }
    return effects;
  }

  #index(before: Order, order: Order, input: OrderInput): void {
    const { key, session } = order.owner;
    if (input.kind === 'sent') {
      for (const id of [input.actionHash, input.orderId, input.firedOrderId]) {
        if (id !== null && id !== undefined) this.#shelf.identify(key, id);
      }
    }
    if (input.kind === 'cancel' || input.kind === 'replace') {
      this.#shelf.name(key, this.#nameOf(session, input.clOrdId));
    }
    if (order.orderId !== null && order.orderId !== before.orderId) {
      this.#shelf.identify(key, order.orderId);
    }
  }

  /** The orders that ended longest ago make room; their ClOrdIDs stay spent for a while. */
  #retire(key: string, session: string): void {
    this.#countOpen(session, -1);
    for (const forgotten of this.#ended.add(key)) {
      for (const name of this.#shelf.forget(forgotten)) this.#spent.add(name);
    }
  }

  /** One request asks for its name several times: a string that is made anew is hashed anew. */
  #nameOf(session: string, clOrdId: string): string {
    const last = this.#lastName;
    if (last.clOrdId === clOrdId && last.session === session) return last.name;
    const name = `${session}/${clOrdId}`;
    this.#lastName = { session, clOrdId, name };
    return name;
  }

  #countOpen(session: string, by: 1 | -1): void {
    if (session !== otherChannel) this.#openCount += by;
    this.#openOf.set(session, this.openOf(session) + by);
  }
}

function answerEffect(said: SessionAnswer): DeskEffect {
  return { kind: 'answer', ...said };
}
