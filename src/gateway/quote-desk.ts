/**
 * The quotes of one account: which order stands in each slot, and which groups of them are on their way. A group is
 * one action for several orders, so what is said of it is said to each of them (contract C.7).
 */
import type { Denial } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { GroupIntent } from '../domain/intent.ts';
import { hasEnded, type Order, type Owner } from '../domain/order.ts';
import {
  answerOf,
  type GroupAnswer,
  type GroupInFlight,
  hearReport,
} from '../domain/quote-group.ts';
import type { Report } from '../domain/report.ts';
import type { Terms } from '../domain/terms.ts';
import type { OrderInput } from '../domain/transition.ts';
import { PassingMap } from '../runtime/passing-map.ts';

export interface QuotedOrder {
  readonly owner: Owner;
  readonly clOrdId: string;
  readonly instrument: Instrument;
  readonly terms: Terms;
  readonly legIndex: number;
}

export interface QuotesInput {
  readonly kind: 'quotes';
  /** Names the group as an order's key names an order. */
  readonly key: string;
  readonly session: string;
  readonly flight: GroupInFlight;
  readonly orders: readonly QuotedOrder[];
  readonly intent: GroupIntent;
  readonly nowMs: number;
}

interface Group {
  readonly key: string;
  readonly session: string;
  readonly quoteId: string;
  readonly members: readonly { readonly key: string; readonly legIndex: number }[];
  readonly actionHash: string | null;
  /** HTTP has had its say. A group is forgotten once it is answered and nobody waits for its result. */
  readonly isAnswered: boolean;
}

/** `next` is on its way to take the place of `live`. */
interface Slot {
  readonly live: string | null;
  readonly next: string | null;
}

export interface QuoteState {
  readonly groups: readonly Group[];
  readonly flights: readonly (readonly [session: string, flight: GroupInFlight])[];
  readonly slots: readonly (readonly [name: string, slot: Slot])[];
}

export interface SessionAnswer {
  readonly session: string;
  readonly answer: GroupAnswer;
}

export class QuoteDesk {
  readonly #groups = new PassingMap<string, Group>();
  readonly #byHash = new Map<string, string>();
  readonly #flights = new Map<string, readonly GroupInFlight[]>();
  readonly #slots = new Map<string, Slot>();

  enter({ key, session, flight, orders }: QuotesInput): void {
    const members = orders.map(({ owner, legIndex }) => ({ key: owner.key, legIndex }));
    const { quoteId } = flight;
    this.#groups.set(key, { key, session, quoteId, members, actionHash: null, isAnswered: false });
    this.#flights.set(session, [...this.#flightsOf(session), flight]);
    for (const { owner } of orders) this.#fill(owner, { next: owner.key });
  }

  group(key: string): Pick<Group, 'session' | 'quoteId' | 'members'> | undefined {
    return this.#groups.get(key);
  }

  /** Whether the client has not been answered yet. */
  isInFlight(key: string): boolean {
    const session = this.#groups.get(key)?.session ?? '';
    return this.#flightsOf(session).some((flight) => flight.key === key);
  }

  /** The key of the order that a slot holds, or is about to. */
  keyOf(session: string, slot: string): string | undefined {
    const found = this.#slots.get(nameOf(session, slot));
    return found?.next ?? found?.live ?? undefined;
  }

  /** What is said of a group, to each of its orders. */
  fan(key: string, input: OrderInput): readonly (readonly [key: string, input: OrderInput])[] {
    const group = this.#groups.get(key);
    if (group === undefined) return [];
    if (input.kind === 'sent') {
      this.#groups.set(key, { ...group, actionHash: input.actionHash });
      this.#byHash.set(input.actionHash, key);
      return group.members.map(({ key: member, legIndex }) => {
        const orderId = input.legIds?.[legIndex] ?? null;
        return [member, { ...input, orderId }];
      });
    }
    if (input.kind !== 'answered') return [];
    if (input.outcome.kind !== 'unknown') this.#settle({ ...group, isAnswered: true });
    // Which order has which id is known from the legs; the answer names the first of them only.
    const { outcome } = input;
    const each = outcome.kind === 'accepted' ? { ...outcome, orderId: null } : outcome;
    return group.members.map(({ key: member }) => [member, { ...input, outcome: each }]);
  }

  /** A group of cancels alone has no order that could hear of its refusal. */
  refused(key: string, denial: Denial): readonly SessionAnswer[] {
    const group = this.#groups.get(key);
    if (group === undefined || group.members.length > 0) return [];
    const { session } = group;
    const flights = this.#flightsOf(session);
    const flight = flights.find((one) => one.key === key);
    this.#flights.set(
      session,
      flights.filter((one) => one !== flight),
    );
    this.#settle(group);
    return flight === undefined
      ? []
      : answerOf(flight, denial).map((answer) => ({ session, answer }));
  }

  /** The group whose action an event names. */
  byAction({ actionHash }: StreamEvent): string | undefined {
    return actionHash === null ? undefined : this.#byHash.get(actionHash);
  }

  /** A report of one of the account's orders: slots change hands, groups come to their end. */
  hear(report: Report): readonly SessionAnswer[] {
    const { owner } = report.order;
    const { session } = owner;
    if (owner.quoteId === null) return [];
    this.#move(report.order);
    const before = this.#flightsOf(session);
    const { groups, answers } = hearReport(before, report);
    this.#flights.set(session, groups);
    for (const { key } of before) {
      const group = this.#groups.get(key);
      if (group !== undefined) this.#settle(group);
    }
    return answers.map((answer) => ({ session, answer }));
  }

  state(): QuoteState {
    return {
      groups: [...this.#groups.values()],
      flights: [...this.#flights].flatMap(([session, flights]) =>
        flights.map((flight) => [session, flight] as const),
      ),
      slots: [...this.#slots],
    };
  }

  restore({ groups, flights, slots }: QuoteState): void {
    for (const group of groups) {
      this.#groups.set(group.key, group);
      if (group.actionHash !== null) this.#byHash.set(group.actionHash, group.key);
    }
    for (const [session, flight] of flights) {
      this.#flights.set(session, [...this.#flightsOf(session), flight]);
    }
    for (const [name, slot] of slots) this.#slots.set(name, slot);
  }

  #flightsOf(session: string): readonly GroupInFlight[] {
    return this.#flights.get(session) ?? [];
  }

  #settle(group: Group): void {
    const { key, actionHash, isAnswered, members } = group;
    this.#groups.set(key, group);
    const isAwaited = members.length === 0 && this.isInFlight(key);
    if (!isAnswered || isAwaited) return;
    this.#groups.delete(key);
    if (actionHash !== null) this.#byHash.delete(actionHash);
  }

  /** A new quote has its slot once the stream shows it; a refused one leaves it to the order before. */
  #move(order: Order): void {
    const { owner, phase } = order;
    const slot = this.#slots.get(nameOf(owner.session, owner.slot ?? ''));
    if (slot === undefined || phase === 'created' || phase === 'pending_new') return;
    const isNext = slot.next === owner.key;
    if (hasEnded(order)) {
      if (isNext) this.#fill(owner, { next: null });
      else if (slot.live === owner.key) this.#fill(owner, { live: null });
    } else if (isNext) this.#fill(owner, { live: owner.key, next: null });
  }

  #fill({ session, slot = '' }: Owner, change: Partial<Slot>): void {
    const name = nameOf(session, slot);
    const filled = { live: null, next: null, ...this.#slots.get(name), ...change };
    if (filled.live === null && filled.next === null) this.#slots.delete(name);
    else this.#slots.set(name, filled);
  }
}

function nameOf(session: string, slot: string): string {
  return `${session}/${slot}`;
}
