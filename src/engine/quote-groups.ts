/**
 * The quotes of one account: which order is in each slot, and which groups are in flight. A group is one action for
 * several orders, so each result of the group applies to all of its orders (contract C.7).
 */
import type { Denial } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { GroupIntent } from '../domain/intent.ts';
import { hasEnded, type Order, type Owner } from '../domain/order.ts';
import {
  answerOf,
  applyReport,
  type GroupAnswer,
  type GroupInFlight,
  type Stands,
} from '../domain/quote-group.ts';
import type { PlannedOrder } from '../domain/quote-plan.ts';
import type { Report } from '../domain/report.ts';
import type { OrderInput } from '../domain/transition.ts';
import { invariant } from '../runtime/invariant.ts';
import { ShortLivedMap } from '../runtime/short-lived-map.ts';
import { isOfEarlierVersion } from './order-keys.ts';

export interface QuotedOrder extends Omit<PlannedOrder, 'slot' | 'takesPlace'> {
  readonly owner: Owner;
}

export interface QuotesInput {
  readonly kind: 'quotes';
  /** Identifies the group, as an order's key identifies an order. */
  readonly key: string;
  readonly session: string;
  readonly flight: GroupInFlight;
  readonly orders: readonly QuotedOrder[];
  readonly intent: GroupIntent;
  /** Keys of orders that must end before the group is sent; absent in journals of earlier versions. */
  readonly awaits?: readonly string[];
  readonly nowMs: number;
}

/** A group that waits until these orders have ended. */
interface Held {
  readonly awaits: readonly string[];
  readonly intent: GroupIntent;
}

export interface Group {
  readonly key: string;
  readonly session: string;
  readonly quoteId: string;
  readonly members: readonly { readonly key: string; readonly legIndex: number }[];
  readonly venueRef: string | null;
  /** HTTP has answered, or nobody waits for that. The group is kept until its client is answered (see `#settle`). */
  readonly isAnswered: boolean;
}

/** Keys of the open orders of a slot, the latest last. Journals of earlier versions named at most two. */
type Slot = readonly string[];
type FormerSlot = { readonly live: string | null; readonly next: string | null };

export interface QuoteState {
  readonly groups: readonly Group[];
  readonly flights: readonly (readonly [session: string, flight: GroupInFlight])[];
  readonly slots: readonly (readonly [name: string, slot: Slot | FormerSlot])[];
  readonly held?: readonly (readonly [key: string, held: Held])[];
}

export interface SessionAnswer {
  readonly kind: 'answer';
  readonly session: string;
  readonly answer: GroupAnswer;
}

export class QuoteGroups {
  readonly #groups = new ShortLivedMap<string, Group>();
  readonly #byHash = new Map<string, string>();
  readonly #flights = new Map<string, readonly GroupInFlight[]>();
  readonly #slots = new Map<string, Slot>();
  readonly #held = new Map<string, Held>();
  readonly #stands: Stands;

  constructor(stands: Stands) {
    this.#stands = stands;
  }

  enter({ key, session, flight, orders, awaits = [], intent }: QuotesInput): void {
    if (awaits.length > 0) this.#held.set(key, { awaits, intent });
    const isNew = !this.#groups.has(key) || isOfEarlierVersion(key);
    invariant(isNew, 'one key, one group of quotes:', key);
    const members = orders.map(({ owner, legIndex }) => ({ key: owner.key, legIndex }));
    const { quoteId } = flight;
    this.#groups.set(key, { key, session, quoteId, members, venueRef: null, isAnswered: false });
    this.#flights.set(session, [...this.#flightsOf(session), flight]);
    for (const { owner } of orders) this.#fill(owner, [...this.#slotOf(owner), owner.key]);
  }

  group(key: string): Pick<Group, 'session' | 'quoteId' | 'members'> | undefined {
    return this.#groups.get(key);
  }

  /** Keys of groups that wait until other orders have ended. */
  get held(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** Keys of groups that were never prepared for sending. */
  get unsent(): readonly string[] {
    return [...this.#groups.values()].flatMap((one) => (one.venueRef === null ? [one.key] : []));
  }

  /** Called at a start, which no longer carries out what the stream has decided: HTTP will not answer to that. */
  started(isCarried: (key: string) => boolean): void {
    for (const group of this.#groups.values()) {
      if (!isCarried(group.key)) this.#settle({ ...group, isAnswered: true });
    }
  }

  /** Called when an order has ended. Returns the groups that were waiting only for this order. */
  ended(order: string): readonly { readonly key: string; readonly intent: GroupIntent }[] {
    const free: { key: string; intent: GroupIntent }[] = [];
    for (const [key, { awaits, intent }] of this.#held) {
      const left = awaits.filter((one) => one !== order);
      if (left.length > 0) this.#held.set(key, { awaits: left, intent });
      else {
        this.#held.delete(key);
        free.push({ key, intent });
      }
    }
    return free;
  }

  /** Whether the client has not been answered yet. */
  isInFlight(key: string): boolean {
    const session = this.#groups.get(key)?.session ?? '';
    return this.#flightsOf(session).some((flight) => flight.key === key);
  }

  /** The key of the order in a slot, followed by those of the orders that will replace it. */
  keysOf(session: string, slot: string): readonly string[] {
    return this.#slots.get(nameOf(session, slot)) ?? [];
  }

  /** Distributes an input of the group to each of its orders. */
  fan(key: string, input: OrderInput): readonly (readonly [key: string, input: OrderInput])[] {
    const group = this.#groups.get(key);
    if (group === undefined) return [];
    if (input.kind === 'sent') {
      this.#groups.set(key, { ...group, venueRef: input.venueRef });
      if (group.venueRef !== null) this.#byHash.delete(group.venueRef);
      this.#byHash.set(input.venueRef, key);
      return group.members.map(({ key: member, legIndex }) => {
        const orderId = input.legIds?.[legIndex] ?? null;
        return [member, { ...input, orderId, legIndex }];
      });
    }
    if (input.kind === 'waiting' || input.kind === 'overdue') {
      return group.members.map(({ key: member }) => [member, input]);
    }
    if (input.kind === 'outdated') this.#settle({ ...group, isAnswered: true });
    if (input.kind !== 'answered') return [];
    this.#held.delete(key);
    if (input.outcome.kind !== 'unknown') this.#settle({ ...group, isAnswered: true });
    // Each leg carries the id of its order; the answer names only the first order.
    const { outcome } = input;
    const each = outcome.kind === 'accepted' ? { ...outcome, orderId: null } : outcome;
    return group.members.map(({ key: member }) => [member, { ...input, outcome: each }]);
  }

  /** The responses if the group only cancels: such a group has no orders that could report the refusal. */
  refused(key: string, denial: Denial): readonly SessionAnswer[] {
    const group = this.#groups.get(key);
    if (group === undefined || group.members.length > 0) return [];
    const { session } = group;
    const flights = this.#flightsOf(session);
    const flight = flights.find((one) => one.key === key);
    const others = flights.filter((one) => one !== flight);
    this.#flights.set(session, others);
    this.#settle(group);
    const answers = flight === undefined ? [] : answerOf(flight, denial, this.#stands);
    return answers.map((answer) => ({ kind: 'answer', session, answer }));
  }

  /** Returns the group whose action an event names. */
  byAction({ venueRef }: StreamEvent): string | undefined {
    return venueRef === null ? undefined : this.#byHash.get(venueRef);
  }

  /** Updates slots and groups with a report about one of the account's orders. */
  onReport(report: Report): readonly SessionAnswer[] {
    const { owner } = report.order;
    const { session } = owner;
    if (owner.quoteId === null) return [];
    this.#move(report.order);
    const before = this.#flightsOf(session);
    const { groups, answers } = applyReport(before, report, this.#stands);
    this.#flights.set(session, groups);
    for (const { key } of before) {
      const group = this.#groups.get(key);
      if (group !== undefined) this.#settle(group);
    }
    return answers.map((answer) => ({ kind: 'answer', session, answer }));
  }

  state(): QuoteState {
    return {
      groups: [...this.#groups.values()],
      flights: [...this.#flights].flatMap(([session, flights]) =>
        flights.map((flight) => [session, flight] as const),
      ),
      slots: [...this.#slots],
      held: [...this.#held],
    };
  }

  restore({ groups, flights, slots, held = [] }: QuoteState): void {
    for (const group of groups) {
      this.#groups.set(group.key, group);
      if (group.venueRef !== null) this.#byHash.set(group.venueRef, group.key);
    }
    for (const [session, flight] of flights) {
      this.#flights.set(session, [...this.#flightsOf(session), flight]);
    }
    for (const [name, slot] of slots) {
      const keys = 'live' in slot ? [slot.live, slot.next].flatMap((key) => key ?? []) : slot;
      this.#slots.set(name, keys);
    }
    for (const [key, one] of held) this.#held.set(key, one);
  }

  #flightsOf(session: string): readonly GroupInFlight[] {
    return this.#flights.get(session) ?? [];
  }

  /** The stream may refuse a group that HTTP has accepted, so it is kept until its client is answered. */
  #settle(group: Group): void {
    const { key, venueRef, isAnswered } = group;
    this.#groups.set(key, group);
    if (!isAnswered || this.isInFlight(key)) return;
    this.#groups.delete(key);
    if (venueRef !== null) this.#byHash.delete(venueRef);
  }

  /** A new quote takes its slot once the stream confirms it; a refused one leaves the previous order there. */
  #move(order: Order): void {
    const { owner, phase } = order;
    const keys = this.#slotOf(owner);
    const at = keys.indexOf(owner.key);
    if (at < 0 || phase === 'created' || phase === 'pending_new') return;
    if (hasEnded(order)) this.#fill(owner, keys.toSpliced(at, 1));
    else if (at > 0) this.#fill(owner, keys.slice(at));
  }

  #slotOf({ session, slot = '' }: Owner): Slot {
    return this.keysOf(session, slot);
  }

  #fill({ session, slot = '' }: Owner, keys: Slot): void {
    const name = nameOf(session, slot);
    if (keys.length === 0) this.#slots.delete(name);
    else this.#slots.set(name, keys);
  }
}

function nameOf(session: string, slot: string): string {
  return `${session}/${slot}`;
}
