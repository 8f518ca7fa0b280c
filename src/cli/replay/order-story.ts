/** Describes the life of one order step by step, as the engine processed it. The order is found by any of its names. */
import { type Order, statusOf } from '../../domain/order.ts';
import { formatAtoms } from '../../domain/units.ts';
import type { AccountReplay } from '../../gateway/account/account-replay.ts';
import type { Step } from './account-check.ts';
import { type Effect, effectWords, type Input, inputWords, timeText } from './words.ts';

export interface StoryStep {
  readonly record: number;
  readonly time: string;
  readonly sentences: readonly string[];
}

/** The keys of all orders with a name: the client's ClOrdID, the venue's id, or our key. */
export class OrderNames {
  readonly keys = new Set<string>();
  /** Requests with this ClOrdID that never became orders. */
  readonly refused: string[] = [];
  readonly #name: string;
  #isBegun = false;

  constructor(name: string) {
    this.#name = name;
  }

  readonly note = ({ atMs, effects, input, replay }: Step): void => {
    if (!this.#isBegun) this.#begin(replay);
    this.#isBegun = true;
    if (input.kind === 'entry') this.#compare(input.owner.key, input.clOrdId);
    else if (input.kind === 'order' && 'clOrdId' in input.input) {
      this.#compare(input.key, input.input.clOrdId);
    } else if (input.kind === 'quotes') {
      const { flight, orders } = input;
      for (const { clOrdId, owner } of orders) this.#compare(owner.key, clOrdId, flight.quoteId);
    } else if (input.kind === 'spent' && input.clOrdId === this.#name) {
      this.refused.push(`${timeText(atMs)}  ${inputWords(input)}`);
    }
    for (const effect of effects) {
      if (effect.kind !== 'report') continue;
      const { firedOrderId, orderId, owner, parentOrderId } = effect.report.order;
      this.#compare(owner.key, effect.report.clOrdId, orderId, parentOrderId, firedOrderId);
    }
  };

  /** Orders in a snapshot may have no further records. */
  #begin({ orders }: AccountReplay): void {
    for (const { names, order, venueIds } of orders.state().orders) {
      const { key, session } = order.owner;
      const ids = names.map((name) => name.slice(session.length + 1));
      this.#compare(key, ...ids, ...venueIds);
    }
  }

  #compare(key: string, ...names: readonly (string | null)[]): void {
    if (key === this.#name || names.includes(this.#name)) this.keys.add(key);
  }
}

export class OrderStory {
  readonly key: string;
  readonly steps: StoryStep[] = [];
  /** The order's key, and the keys of its quote groups. */
  readonly #keys: Set<string>;
  /** The order's submissions and their fences. */
  readonly #submissions = new Set<number>();
  /** Ids and action hashes by which the stream refers to the order. */
  readonly #venueIds = new Set<string>();
  #order: Order | undefined;

  constructor(key: string) {
    this.key = key;
    this.#keys = new Set([key]);
  }

  get heading(): string {
    const { clOrdId = '', owner } = this.#order ?? {};
    return `Order ${this.key} of ${owner?.session || 'another channel'}, ClOrdID ${clOrdId}`;
  }

  get end(): string {
    if (this.#order === undefined) return 'Nothing is left of it.';
    const { cumQty, instrument, leavesQty } = this.#order;
    const [filled, open] = [cumQty, leavesQty].map((qty) =>
      formatAtoms(qty, instrument.market.qtyScale),
    );
    const status = statusOf(this.#order, { pendingStates: true });
    return `In the end it is ${status}, filled ${filled}, open ${open}.`;
  }

  readonly note = ({ atMs, effects, input, record, replay }: Step): void => {
    this.#order = replay.orders.get(this.key) ?? this.#order;
    const own = effects.filter((effect) => this.#isOwn(effect, replay));
    const isAbout = this.#isAbout(input, replay);
    if (own.length === 0 && !isAbout) return;
    const { firedOrderId, orderId, parentOrderId } = this.#order ?? {};
    for (const id of [firedOrderId, orderId, parentOrderId]) if (id) this.#venueIds.add(id);
    const caused = own.filter(({ kind }) => kind !== 'wake').map(effectWords);
    const sentences = [inputWords(input, this.#order?.instrument), ...caused];
    const last = this.steps.at(-1);
    if (last?.record !== record) this.steps.push({ record, time: timeText(atMs), sentences });
    else
      this.steps[this.steps.length - 1] = { ...last, sentences: [...last.sentences, ...sentences] };
  };

  #isOwn(effect: Effect, replay: AccountReplay): boolean {
    switch (effect.kind) {
      case 'report':
        return effect.report.order.owner.key === this.key;
      case 'answer':
        return effect.answer.quoteId === this.#order?.owner.quoteId;
      case 'wait':
        return effect.key === this.key;
      case 'alarm':
        return effect.orderId === this.key || this.#venueIds.has(effect.orderId ?? '');
      case 'submit':
      case 'sign':
        if (!this.#isOfIt(effect.id, replay)) return false;
        this.#venueIds.add(`0x${effect.bytes.hash}`);
        return true;
      default:
        return 'id' in effect && this.#isOfIt(effect.id, replay);
    }
  }

  #isOfIt(id: number, { core }: AccountReplay): boolean {
    const { asked, fencedId } = core.outbox.get(id) ?? {};
    const isFence = this.#submissions.has(fencedId ?? id);
    if (isFence || this.#keys.has(asked?.key ?? '')) this.#submissions.add(id);
    return this.#submissions.has(id);
  }

  #isAbout(input: Input, replay: AccountReplay): boolean {
    switch (input.kind) {
      case 'entry':
        return input.owner.key === this.key;
      case 'quotes':
        if (!input.orders.some(({ owner }) => owner.key === this.key)) return false;
        this.#keys.add(input.key);
        return true;
      case 'order':
        return this.#keys.has(input.key);
      case 'judged':
        return this.#isOfIt(input.id, replay);
      case 'venue':
        return 'id' in input.input && this.#isOfIt(input.input.id, replay);
      case 'event': {
        const { orderId, parentOrderId, venueRef } = input.event;
        return [venueRef, orderId, parentOrderId].some((id) => this.#venueIds.has(id ?? ''));
      }
      default:
        return false;
    }
  }
}
