/** The orders at the venue of a random walk (`walk-venue.ts`), from every channel, and its stream of events. */
import type { Denial } from '../../src/domain/denial.ts';
import type { Fill } from '../../src/domain/event.ts';
import type { AlgoIntent, PlaceIntent } from '../../src/domain/intent.ts';
import type { Standing } from '../../src/domain/stated.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { denialOf } from '../../src/venue/refusals.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import { silentEvent, spot } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import type { WalkRules } from './walk-rules.ts';

/** The action that an event names. */
export interface Cause {
  readonly hash: string;
  readonly nonce: number;
}

interface Opened {
  readonly orderId: OrderId;
  /** The key of the order at the bridge; null for an order of another channel. */
  readonly key: string | null;
}

export interface Resting extends Opened {
  readonly side: PlaceIntent['side'];
  readonly price: Price;
  readonly expiresAtMs: number | null;
  /** The algo whose slice this is. */
  readonly algo: Algo | null;
  /** The action that placed it. */
  readonly hash: string;
  /** The order that it replaced, the algo whose slice it is, or the conditional that fired it. */
  readonly parentId: OrderId | null;
  readonly legIndex: number | null;
  readonly isFired?: boolean;
  readonly fills: Fill[];
  qty: bigint;
  leaves: bigint;
}

/** A stored conditional order. */
interface Stored extends Opened {
  readonly nested: PlaceIntent;
  readonly triggeredId: OrderId;
  readonly cause: Cause;
  /** The action inside. */
  readonly inner: Cause;
}

interface Algo extends Opened {
  readonly intent: AlgoIntent;
  readonly cause: Cause;
  sent: bigint;
  filled: bigint;
  slices: number;
  isStopped: boolean;
}

/** What an order is placed for. */
interface Placing {
  readonly parentOrderId?: OrderId | null;
  readonly legIndex?: number;
  /** The conditional that fires it. */
  readonly fired?: OrderId;
}

interface Trade {
  readonly key: string | null;
  readonly price: bigint;
  readonly qty: bigint;
}

export class WalkBook {
  readonly live = new Map<OrderId, Resting>();
  readonly stored = new Map<OrderId, Stored>();
  readonly algos = new Map<OrderId, Algo>();
  /** All orders that have been live, for their receipts. */
  readonly known = new Map<OrderId, Resting>();
  /** The keys of the bridge's orders by all ids that they have had. */
  readonly keys = new Map<OrderId | null, string | null>();
  readonly events: VenueEvent[] = [];
  /** By the ids of the trades. */
  readonly trades = new Map<string, Trade>();
  /** The ids of orders of other channels. */
  readonly others = new Set<OrderId>();
  readonly #dice: Dice;
  readonly #rules: WalkRules;
  /** The venue's clock. */
  nowMs = 0;
  #lastOther = 0;

  constructor(dice: Dice, rules: WalkRules) {
    this.#dice = dice;
    this.#rules = rules;
  }

  /** The keys of the bridge's orders that are open, each with the quantity that is left. */
  open(): Map<string, bigint> {
    const open = new Map<string, bigint>();
    for (const { algo, key, leaves } of this.live.values()) {
      if (key !== null && algo === null) open.set(key, leaves);
    }
    for (const { key, nested } of this.stored.values()) if (key !== null) open.set(key, nested.qty);
    for (const { filled, intent, key } of this.algos.values()) {
      if (key !== null) open.set(key, intent.totalQty - filled);
    }
    return open;
  }

  place(
    { expiresAtMs, price, qty, side, timeInForce }: PlaceIntent,
    opened: Opened,
    cause: Cause,
    leg: Placing = {},
  ): void {
    const { fired, legIndex = null, parentOrderId = null } = leg;
    const parentId = parentOrderId ?? fired ?? null;
    const facts = { hash: cause.hash, fills: [], algo: null, qty, leaves: qty, legIndex, parentId };
    const isFired = fired !== undefined;
    const order = { ...opened, side, price, expiresAtMs, ...facts, isFired };
    this.#enter(order);
    if (timeInForce === 'ioc') {
      if (fired === undefined || this.#dice.hits(500)) {
        this.say(cause, { kind: 'accepted', ...termsOf(order), legIndex, parentOrderId });
      }
      if (this.#dice.hits(700)) this.#fill(order, this.#part(qty), cause);
      if (order.leaves > 0n) this.end(order, 'canceled', cause);
      return;
    }
    // An order that crosses the book trades before it rests, but nobody could know the trade of an order with another id.
    const mayCross = parentOrderId === null && !this.#rules.isRenaming;
    if (mayCross && qty > 1n && this.#dice.hits(100)) this.#fill(order, 1n, cause);
    const kind = parentOrderId === null ? 'resting' : 'replaced';
    // The event of the trigger may be all that is said of the beginning of its order.
    if (fired === undefined || this.#dice.hits(500)) {
      this.say(cause, { kind, ...termsOf(order), legIndex, parentOrderId });
    }
    if (this.#dice.hits(100)) this.#fill(order, this.#part(order.leaves), cause);
  }

  store(stored: Stored): void {
    const { cause, key, orderId, triggeredId } = stored;
    this.stored.set(orderId, stored);
    for (const id of [orderId, triggeredId]) this.keys.set(id, key);
    this.say(cause, { kind: 'accepted', orderId });
  }

  start(intent: AlgoIntent, opened: Opened, cause: Cause): void {
    const counts = { sent: 0n, filled: 0n, slices: 0, isStopped: false };
    const algo = { ...opened, intent, cause, ...counts };
    this.algos.set(opened.orderId, algo);
    this.keys.set(opened.orderId, opened.key);
    this.say(cause, { kind: 'accepted', orderId: opened.orderId });
    this.#slice(algo);
  }

  /** The next slice of an algo. */
  slice(): void {
    const [algo] = this.algos.values();
    if (algo !== undefined) this.#slice(algo);
  }

  #slice(algo: Algo): void {
    const { intent, isStopped, orderId: parentOrderId, sent, slices } = algo;
    const left = intent.totalQty - sent;
    const isBusy = this.#sliceOf(algo) !== undefined;
    if (isStopped || isBusy || left === 0n) return;
    const { limitPrice: price, side, strategy } = intent;
    const qty = left < strategy.sliceQty ? left : strategy.sliceQty;
    const orderId = `${parentOrderId}-${slices}` as OrderId;
    const { key } = algo;
    const { hash } = algo.cause;
    const facts = { hash, fills: [], expiresAtMs: null, parentId: parentOrderId, legIndex: slices };
    const order = { orderId, key, side, price, ...facts, algo, qty, leaves: qty as bigint };
    this.#enter(order);
    algo.sent += qty;
    algo.slices += 1;
    this.say(algo.cause, {
      kind: 'resting',
      ...termsOf(order),
      parentOrderId,
      legIndex: slices,
    });
  }

  #sliceOf(algo: Algo): Resting | undefined {
    return [...this.live.values()].find((one) => one.algo === algo);
  }

  #sliceEnded(algo: Algo, isFilled: boolean): void {
    if (!isFilled && this.#dice.hits(500)) algo.isStopped = true;
    const isDone = algo.isStopped || algo.sent === algo.intent.totalQty;
    if (!isDone || !this.algos.delete(algo.orderId)) return;
    this.say(algo.cause, { kind: 'algo_done', orderId: algo.orderId });
  }

  /** Ends an order, an algo or a conditional order. Returns false if none with this id is open. */
  cancel(orderId: OrderId, cause: Cause | null): boolean {
    const order = this.live.get(orderId);
    if (order !== undefined) this.end(order, 'canceled', cause);
    else if (this.stored.delete(orderId)) this.say(cause, { kind: 'canceled', orderId });
    else return this.#stop(orderId, cause);
    return true;
  }

  #stop(orderId: OrderId, cause: Cause | null): boolean {
    const algo = this.algos.get(orderId);
    if (algo === undefined) return false;
    this.algos.delete(orderId);
    const slice = this.#sliceOf(algo);
    if (slice !== undefined) this.end(slice, 'canceled', cause);
    const kind = this.#dice.hits(500) ? 'algo_done' : 'canceled';
    this.say(cause, { kind, orderId });
    return true;
  }

  end({ algo, orderId }: Resting, kind: 'canceled' | 'expired', cause: Cause | null): void {
    this.live.delete(orderId);
    const isHalt = cause === null && kind === 'canceled';
    const denial = isHalt ? refused('MARKET_HALTED') : null;
    this.say(cause, { kind, orderId, parentOrderId: algo?.orderId ?? null, denial });
    if (algo !== null) this.#sliceEnded(algo, false);
  }

  amend(orderId: OrderId, newQty: bigint, cause: Cause): void {
    const order = this.live.get(orderId) as Resting;
    const filled = order.qty - order.leaves;
    order.leaves = this.#rules.amendQty === 'total' ? newQty - filled : newQty;
    order.qty = filled + order.leaves;
    const facts = { qty: order.qty as Qty, leavesQty: order.leaves as Qty };
    this.say(cause, { kind: 'amended', orderId, ...facts });
  }

  /** An order trades. */
  trade(): void {
    const order = this.any();
    if (order !== undefined) this.#fill(order, this.#part(order.leaves));
  }

  /** A trigger fires: its order is placed, or refused. */
  fire(): void {
    const [first] = this.stored.values();
    if (first === undefined) return;
    const { cause, inner, key, nested, orderId: parentOrderId, triggeredId: orderId } = first;
    this.stored.delete(parentOrderId);
    const of = { orderId, parentOrderId };
    this.say(cause, { kind: 'triggered', ...of });
    if (this.#dice.hits(800)) this.place(nested, { orderId, key }, inner, { fired: parentOrderId });
    else this.say(inner, { kind: 'rejected', denial: refused('insufficient_balance'), ...of });
  }

  /** The venue takes an order out by itself, or a stored one, or an algo. */
  drop(): void {
    const choice = this.#dice.below(4);
    const [one] = choice === 0 ? this.stored.values() : choice === 1 ? this.algos.values() : [];
    const order = this.any();
    if (one !== undefined) this.cancel(one.orderId, null);
    else if (order !== undefined) this.end(order, choice === 2 ? 'canceled' : 'expired', null);
  }

  /** Orders expire at this time. */
  expire(nowMs: number): void {
    this.nowMs = nowMs;
    for (const order of [...this.live.values()]) {
      if (order.expiresAtMs !== null && order.expiresAtMs <= nowMs)
        this.end(order, 'expired', null);
    }
  }

  /** Another channel places an order, or cancels, amends or replaces any order of the account. */
  meddle(cause: Cause): void {
    const order = this.any();
    const choice = this.#dice.below(6);
    if (order === undefined || choice < 2) this.#placeOther(cause);
    else if (choice === 2) {
      const [one] = this.#dice.hits(500) ? this.stored.values() : this.algos.values();
      this.cancel((one ?? order).orderId, cause);
    } else if (order.algo !== null) this.end(order, 'canceled', cause);
    else if (choice === 3) this.cancel(order.orderId, cause);
    else if (choice === 4 && order.leaves > 1n) {
      const { leaves, orderId, qty } = order;
      this.amend(orderId, (this.#rules.amendQty === 'total' ? qty : leaves) - 1n, cause);
    } else if (!this.#rules.isForgetful) this.#replace(order, cause);
    else this.#placeOther(cause);
  }

  #enter(order: Resting): void {
    this.live.set(order.orderId, order);
    this.keys.set(order.orderId, order.key);
    this.known.set(order.orderId, order);
  }

  /** The receipt of an order. */
  standing(orderId: OrderId): Standing | undefined {
    const order = this.known.get(orderId);
    if (order === undefined) return undefined;
    const { fills, leaves } = order;
    const isOpen = this.live.has(orderId);
    const filledQty = fills.reduce((sum, { qty }) => sum + qty, 0n) as Qty;
    const live = fills.length > 0 ? 'partially_filled' : 'resting';
    const status = isOpen ? live : leaves === 0n ? 'filled' : 'canceled';
    const leavesQty = (isOpen ? leaves : 0n) as Qty;
    return { orderId, status, leavesQty, filledQty, fills: [...fills], denial: null };
  }

  #placeOther(cause: Cause): void {
    const qty = 1n + BigInt(this.#dice.below(6));
    const price = BigInt(100 + this.#dice.below(5)) as Price;
    const order = { orderId: this.#otherId(), key: null, side: 'Bid', price, algo: null } as const;
    this.others.add(order.orderId);
    const { hash } = cause;
    const facts = { hash, fills: [], expiresAtMs: null, parentId: null, legIndex: null };
    const one = { ...order, ...facts, qty, leaves: qty };
    this.#enter(one);
    this.say(cause, { kind: 'resting', ...termsOf(one) });
  }

  #replace(order: Resting, cause: Cause): void {
    const orderId = this.#otherId();
    const qty = order.leaves + BigInt(this.#dice.below(2));
    const of = { parentId: order.orderId, legIndex: 0 };
    const child = { ...order, orderId, ...of, hash: cause.hash, fills: [], qty, leaves: qty };
    if (order.key === null) this.others.add(orderId);
    this.live.delete(order.orderId);
    this.#enter(child);
    this.say(cause, { kind: 'replaced', ...termsOf(child), parentOrderId: order.orderId });
  }

  #otherId(): OrderId {
    this.#lastOther += 1;
    return `0x${this.#lastOther.toString(16).padStart(64, 'e')}` as OrderId;
  }

  any(): Resting | undefined {
    return this.live.size === 0 ? undefined : this.#dice.pick([...this.live.values()]);
  }

  #part(qty: bigint): bigint {
    return 1n + BigInt(this.#dice.below(Number(qty)));
  }

  /** The one who takes names the action that did so. */
  #fill(order: Resting, qty: bigint, cause: Cause | null = null): void {
    const { algo, key, orderId } = order;
    order.leaves -= qty;
    if (algo !== null) algo.filled += qty;
    if (order.leaves === 0n) this.live.delete(orderId);
    const rest = { feeMicro: 0n as FeeMicro, liquidity: 'maker', tsMs: 0 } as const;
    const fillId = `f${this.events.length}`;
    const price = (order.price + BigInt(this.#dice.below(2))) as Price;
    this.trades.set(fillId, { key, price, qty });
    const fill = { fillId, price, qty: qty as Qty, ...rest };
    order.fills.push(fill);
    const parentOrderId = algo?.orderId ?? null;
    const leavesQty = order.leaves as Qty;
    const by = this.#rules.isDetailed ? cause : null;
    this.say(by, { kind: 'fill', orderId, parentOrderId, fill, leavesQty });
    if (algo !== null && order.leaves === 0n) this.#sliceEnded(algo, true);
  }

  say(cause: Cause | null, facts: Partial<VenueEvent>): void {
    const seq = this.events.length + 1;
    const of = cause === null ? {} : { venueRef: `0x${cause.hash}`, nonce: BigInt(cause.nonce) };
    const more = this.#rules.isDetailed ? this.#detailsOf(facts) : facts;
    const event = { ...silentEvent, nonce: null, market: spot.marketId, ...of, ...more, seq };
    this.events.push(event as VenueEvent);
  }

  /** All that a talkative venue says of an order in each of its events (G41). */
  #detailsOf(facts: Partial<VenueEvent>): Partial<VenueEvent> {
    const order = this.known.get(facts.orderId ?? ('' as OrderId));
    if (order === undefined || facts.kind === 'rejected' || facts.kind === 'triggered')
      return facts;
    const { fills, leaves, legIndex, parentId, price, side } = order;
    const leavesQty = this.live.has(order.orderId) ? leaves : 0n;
    const filledQty = fills.reduce((sum, { qty }) => sum + qty, 0n);
    const sums = { qty: order.qty, filledQty, leavesQty };
    const said = { side, price, legIndex, parentOrderId: parentId, ...sums } as Partial<VenueEvent>;
    const { leavesQty: left = null, legIndex: leg = null, parentOrderId: parent = null } = facts;
    return {
      ...said,
      ...facts,
      leavesQty: left ?? said.leavesQty ?? null,
      legIndex: leg ?? legIndex,
      parentOrderId: parent ?? parentId,
    };
  }
}

export function refused(code: string): Denial {
  return denialOf({ code, number: null, text: '' });
}

function termsOf({ leaves, orderId, price, qty, side }: Resting) {
  return { orderId, side, price, qty: qty as Qty, leavesQty: leaves as Qty };
}
