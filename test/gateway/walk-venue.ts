/** A venue in memory with one account: its nonces, its receipts and what it makes of an action (`walk-book.ts`). */
import type { Intent, Leg, PlaceIntent } from '../../src/domain/intent.ts';
import type { Order } from '../../src/domain/order.ts';
import type { Statement } from '../../src/domain/stated.ts';
import type { OrderId } from '../../src/domain/units.ts';
import type { Orders } from '../../src/engine/orders.ts';
import type { NewOrders } from '../../src/signer/digest.ts';
import type { Found } from '../../src/venue/outbox/submission-life.ts';
import { nothingOfNonces, type Verdict } from '../../src/venue/verdict.ts';
import { spot } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import { refusedBy } from '../venue/outbox/outbox-bench.ts';
import { type Cause, refused, WalkBook } from './walk-book.ts';
import { seenBefore } from './walk-door.ts';
import type { WalkRules } from './walk-rules.ts';

/** A request on its way. */
export interface Copy extends Cause {
  readonly id: number;
  readonly asked: { readonly key: string; readonly requestId: string } | null;
  readonly placed: NewOrders;
  /** The keys at the bridge of the orders that it places. */
  readonly keys: ReadonlyMap<OrderId, string>;
  readonly intent: Intent;
  /** The order inside a conditional order. */
  readonly nested: Cause | null;
  /** When its bytes were made. */
  readonly madeMs: number;
  /** Nobody waits for its answer. */
  readonly isAbandoned: boolean;
}

export class WalkVenue {
  readonly book: WalkBook;
  /** How often the placement of each request was applied. */
  readonly placed = new Map<string, number>();
  isCalm = false;
  readonly #dice: Dice;
  readonly #rules: WalkRules;
  readonly #used = new Map<number, string>();
  readonly #receipts = new Map<string, Verdict>();
  #floor = 0;
  #window: number;
  #lastWritten = 0;
  /** So many more requests arrive too late. */
  #skewed = 0;

  constructor(dice: Dice, rules: WalkRules) {
    this.#dice = dice;
    this.#rules = rules;
    this.book = new WalkBook(dice, rules);
    this.#window = rules.window;
  }

  /** Whether another program has used a nonce of the account. */
  get hasStranger(): boolean {
    return this.#lastWritten > 0;
  }

  get floor(): number {
    return this.#floor;
  }

  /** The venue gives each account more or fewer nonces from now on. */
  resize(): void {
    this.#window = this.#dice.pick([6, 12, 40]);
  }

  isUsed(nonce: number): boolean {
    return this.#used.has(nonce);
  }

  receipt(hash: string, nonce: number | null): Found {
    const verdict = this.#receipts.get(hash);
    if (verdict?.kind === 'accepted') return { kind: 'applied', seq: null };
    if (verdict?.kind === 'refused') {
      return { kind: 'refused', refusal: verdict.refusal, text: verdict.text };
    }
    const isOther = nonce !== null && this.#used.has(nonce);
    return { kind: isOther ? 'superseded' : 'nothing' };
  }

  /** The venue's record of an order, as `stream-rebuild.ts` reads it; undefined if the venue does not know it. */
  statementOf({ orderId, pending, venueRef }: Order): Statement | undefined {
    if (orderId === null) return undefined;
    const order = this.#hasReceipt(orderId) ? this.book.standing(orderId) : undefined;
    if (order === undefined) {
      const verdict = this.#receipts.get(venueRef?.slice(2) ?? '');
      if (verdict?.kind !== 'refused') return undefined;
      const denial = refused(verdict.refusal.name);
      const none = { leavesQty: null, filledQty: null, fills: [] };
      return { order: { orderId, status: 'rejected', ...none, denial }, child: null };
    }
    const isReplacing = pending?.kind === 'replace' && pending.way === 'leg';
    const hash = isReplacing ? pending.venueRef?.slice(2) : undefined;
    const child = [...this.book.known.values()].find((one) => one.hash === hash);
    return { order, child: (child && this.book.standing(child.orderId)) ?? null };
  }

  /** Not every venue has a receipt of an order that a trigger fired. */
  #hasReceipt(orderId: OrderId): boolean {
    return this.#rules.isReceipted || this.book.known.get(orderId)?.isFired !== true;
  }

  /** The same bytes have the same answer. */
  take(copy: Copy): Verdict {
    const { madeMs, nonce, placed } = copy;
    const floor = this.#floor;
    const { isForgettingKeys, isTerse } = this.#rules;
    const window = this.#window;
    const before = this.#receipts.get(copy.hash);
    if (before !== undefined) {
      if (!isForgettingKeys) return before;
      return seenBefore(this.#dice, placed.kind !== 'none', nonce < floor);
    }
    const isStale = Math.abs(this.book.nowMs - madeMs) > 60_000;
    if (isStale || this.#isSkewed()) return refusedBy('expired', { nonceConsumed: false });
    const isStated = !isTerse && this.#dice.hits(500);
    const floors = isStated ? { nonceFloor: floor, nonceWindow: window } : {};
    const stated = { ...floors, nonceConsumed: this.#dice.hits(500) ? false : null };
    if (nonce < floor) return refusedBy('nonce_below_floor', stated);
    if (this.#used.has(nonce)) return refusedBy('nonce_replayed', stated);
    const isNarrow = !this.isCalm && this.#dice.hits(10);
    if (nonce >= floor + window || isNarrow) {
      const facts = { nonceFloor: floor, nonceWindow: window, nonceConsumed: false };
      return refusedBy('nonce_outside_window', facts);
    }
    // Both nonces are used when the conditional order is stored.
    const code = this.#refusal(copy);
    const isPlacement = placed.kind !== 'none';
    // A check before the engine leaves the nonce, and the same bytes may still be taken.
    if (code !== undefined && isPlacement && this.#dice.hits(200)) {
      return refusedBy(code, { nonceConsumed: false });
    }
    if (copy.nested !== null && code === undefined) this.#use(copy.nested.nonce, copy.hash);
    this.#use(nonce, copy.hash);
    const verdict: Verdict =
      code === undefined
        ? { kind: 'accepted', seq: null, orderIds: this.#named(copy), nonce: nothingOfNonces }
        : refusedBy(code, { nonceConsumed: this.#dice.hits(800) ? true : null });
    this.#receipts.set(copy.hash, verdict);
    if (code === undefined) this.#apply(copy);
    else this.#sayRefused(copy, code);
    return verdict;
  }

  /** A talkative venue has an event for each order that was not placed, and names the order of a cancel. */
  #sayRefused(copy: Copy, code: string): void {
    const { intent, placed } = copy;
    const denial = refused(code);
    const said = { kind: 'rejected', denial } as const;
    const { isDetailed } = this.#rules;
    if ('orderId' in placed) this.book.say(copy, { ...said, orderId: placed.orderId });
    else if (placed.kind !== 'legs' || !isDetailed || intent.kind !== 'group') {
      const named = 'orderId' in intent && isDetailed ? intent.orderId : null;
      this.book.say(copy, { ...said, parentOrderId: named });
    } else if (placed.legIds.every((id) => id === null)) this.book.say(copy, said);
    else {
      for (const [legIndex, { cancelOrderId }] of intent.legs.entries()) {
        const orderId = placed.legIds[legIndex];
        if (!orderId) continue;
        const of = { legIndex, parentOrderId: cancelOrderId, orderId: this.#nameOf(orderId) };
        this.book.say(copy, { ...said, ...of });
      }
    }
  }

  /** For a while the clocks are so far apart that every action has expired. */
  #isSkewed(): boolean {
    if (this.isCalm) return false;
    if (this.#dice.hits(8)) this.#skewed = this.#dice.below(100);
    this.#skewed -= 1;
    return this.#skewed > 0;
  }

  /** A single submit names the first order that it places, or none; a batch one for each leg. */
  #named({ placed }: Copy): readonly (OrderId | null)[] {
    if (placed.kind === 'none' || this.#dice.hits(300)) return [];
    if (placed.kind !== 'legs') return [placed.orderId];
    const legIds = placed.legIds.map((id) => id && this.#nameOf(id));
    if (this.#dice.hits(500)) return legIds;
    return legIds.filter((id) => id !== null).slice(0, 1);
  }

  #refusal({ intent, nested }: Copy): string | undefined {
    const { algos, live, stored } = this.book;
    const isPoor = !this.isCalm && this.#dice.hits(80);
    const isFull = live.size >= this.#rules.mostLive;
    const full = isFull ? 'account_open_order_cap_exceeded' : undefined;
    switch (intent.kind) {
      case 'conditional': {
        const isUsed = this.#used.has(nested?.nonce ?? 0) || (nested?.nonce ?? 0) < this.#floor;
        return isUsed || isPoor ? 'insufficient_balance' : undefined;
      }
      case 'place':
      case 'algo':
        return isPoor ? 'insufficient_balance' : full;
      case 'cancel': {
        const of = { order: live, conditional: stored, algo: algos }[intent.target];
        return of.has(intent.orderId) ? undefined : 'order_not_open';
      }
      case 'amend': {
        const order = live.get(intent.orderId);
        if (order === undefined) return 'order_not_open';
        const least = this.#rules.amendQty === 'total' ? order.qty - order.leaves : 0n;
        return intent.newQty <= least ? 'invalid_amend' : undefined;
      }
      case 'group': {
        const isGone = ({ cancelOrderId }: Leg) =>
          cancelOrderId !== null && !live.has(cancelOrderId);
        if (intent.legs.some(isGone)) return 'order_not_open';
        return isPoor ? 'insufficient_balance' : undefined;
      }
    }
  }

  #apply(copy: Copy): void {
    const { book } = this;
    const { intent, placed } = copy;
    if (intent.kind === 'cancel') book.cancel(intent.orderId, copy);
    else if (intent.kind === 'amend') book.amend(intent.orderId, intent.newQty, copy);
    else if (intent.kind === 'group' && placed.kind === 'legs') {
      if (placed.legIds.some((id) => id !== null)) this.#count(copy);
      for (const [index, leg] of intent.legs.entries()) {
        this.#leg(copy, leg, index, placed.legIds[index] ?? null);
      }
    } else if ('orderId' in placed) {
      const { orderId } = placed;
      const opened = { orderId, key: copy.keys.get(orderId) ?? null };
      this.#count(copy);
      if (intent.kind === 'algo') book.start(intent, opened, copy);
      else if (intent.kind === 'place') book.place(intent, opened, copy);
      else if (intent.kind === 'conditional' && placed.kind === 'conditional') {
        const inner = { hash: copy.hash, nonce: copy.nonce, ...copy.nested };
        const { nested } = intent;
        book.store({ ...opened, nested, triggeredId: placed.triggeredId, cause: copy, inner });
      }
    }
  }

  #leg(copy: Copy, leg: Leg, legIndex: number, derived: OrderId | null): void {
    const { book } = this;
    const { displaced } = this.#rules;
    const { cancelOrderId: parentOrderId } = leg;
    const end = () => book.say(copy, { kind: 'canceled', orderId: parentOrderId, legIndex });
    if (parentOrderId !== null) book.live.delete(parentOrderId);
    if (derived === null) {
      if (parentOrderId !== null) end();
      return;
    }
    const place: PlaceIntent = { ...leg, kind: 'place', market: spot.marketId };
    const opened = { orderId: this.#nameOf(derived), key: copy.keys.get(derived) ?? null };
    if (parentOrderId !== null && displaced === 'before') end();
    book.place(place, opened, copy, { parentOrderId, legIndex });
    if (parentOrderId !== null && displaced === 'after') end();
  }

  /** The venue's id of a leg. */
  #nameOf(derived: OrderId): OrderId {
    return this.#rules.isRenaming ? (`0xaaaa${derived.slice(6)}` as OrderId) : derived;
  }

  #count({ asked }: Copy): void {
    const name = `${asked?.key} ${asked?.requestId}`;
    this.placed.set(name, (this.placed.get(name) ?? 0) + 1);
  }

  /** Another channel uses one of the next nonces, for an action that is refused or for one that changes something. */
  intrude(isRefused: boolean): void {
    this.#write(this.#floor + this.#dice.below(4), isRefused);
  }

  /** Another writer does not let its nonces hold the floor. */
  keepUp(): void {
    const isAhead = Math.max(-1, ...this.#used.keys()) > this.#floor;
    if (this.#rules.isShared && isAhead) this.#write(this.#floor, true);
  }

  #write(nonce: number, isRefused: boolean): void {
    const { isOfAgent, isShared } = this.#rules;
    const isBridge = isShared && nonce % 2 === 1;
    if (!isOfAgent && (this.#used.has(nonce) || isBridge)) return;
    this.#lastWritten += 1;
    const cause = { hash: `${this.#lastWritten}`.padStart(64, 'd'), nonce };
    if (!isOfAgent) this.#use(nonce, cause.hash);
    if (isRefused) this.book.say(cause, { kind: 'rejected', denial: refused('order_not_open') });
    else this.book.meddle(cause);
  }

  #use(nonce: number, hash: string): void {
    this.#used.set(nonce, hash);
    while (this.#used.has(this.#floor)) this.#floor += 1;
  }
}

/** The keys at the bridge of the orders that a request places, by the ids that the bridge has derived. */
export function keysOf(
  orders: Pick<Orders, 'groups'>,
  key: string,
  placed: NewOrders,
): ReadonlyMap<OrderId, string> {
  const { members = [] } = orders.groups.group(key) ?? {};
  if (placed.kind === 'none') return new Map();
  const ids = placed.kind === 'legs' ? placed.legIds : [placed.orderId];
  return new Map(
    ids.flatMap((id, leg) => {
      const member = members.find(({ legIndex }) => legIndex === leg)?.key ?? key;
      return id === null ? [] : [[id, member]];
    }),
  );
}
