/** A venue in memory with one account: its nonces, its open orders, its receipts and its stream of events. */
import type { Intent, Leg } from '../../src/domain/intent.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../src/domain/units.ts';
import type { NewOrders } from '../../src/signer/digest.ts';
import type { Found } from '../../src/venue/outbox/submission-life.ts';
import { denialOf } from '../../src/venue/refusals.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import { nothingOfNonces, type Verdict } from '../../src/venue/verdict.ts';
import { silentEvent, spot } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import { refusedBy } from '../venue/outbox/outbox-bench.ts';

/** A request on its way. */
export interface Copy {
  readonly id: number;
  readonly asked: { readonly key: string; readonly requestId: string } | null;
  readonly hash: string;
  readonly nonce: number;
  readonly placed: NewOrders;
  readonly intent: Intent;
  /** The order inside a conditional order. */
  readonly nested: { readonly nonce: number; readonly hash: string } | null;
  /** Nobody waits for its answer. */
  readonly isAbandoned: boolean;
}

interface Resting {
  qty: bigint;
  leaves: bigint;
}

/** A stored conditional order. */
interface Stored {
  readonly copy: Copy;
  readonly triggeredId: OrderId;
  readonly leaves: bigint;
}

export class WalkVenue {
  readonly live = new Map<string, Resting>();
  readonly stored = new Map<string, Stored>();
  readonly events: VenueEvent[] = [];
  /** How often the placement of each key was applied. */
  readonly placed = new Map<string, number>();
  isCalm = false;
  filled = 0n;
  readonly #dice: Dice;
  readonly #window: number;
  readonly #used = new Map<number, string>();
  readonly #receipts = new Map<string, Verdict>();
  #floor = 0;

  constructor(dice: Dice, window: number) {
    this.#dice = dice;
    this.#window = window;
  }

  get floor(): number {
    return this.#floor;
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

  /** The same bytes have the same answer. */
  take(copy: Copy): Verdict {
    const before = this.#receipts.get(copy.hash);
    if (before !== undefined) return before;
    const { nonce } = copy;
    const floor = this.#floor;
    const stated = this.#dice.hits(500) ? { nonceFloor: floor, nonceWindow: this.#window } : {};
    if (nonce < floor) return refusedBy('nonce_below_floor', stated);
    if (this.#used.has(nonce)) return refusedBy('nonce_replayed', stated);
    if (nonce >= floor + this.#window) {
      const facts = { nonceFloor: floor, nonceWindow: this.#window, nonceConsumed: false };
      return refusedBy('nonce_outside_window', facts);
    }
    // Both nonces are used when the conditional order is stored.
    const code = this.#refusal(copy);
    if (copy.nested !== null && code === undefined) this.#use(copy.nested.nonce, copy.hash);
    this.#use(nonce, copy.hash);
    const verdict: Verdict =
      code === undefined
        ? { kind: 'accepted', seq: null, orderIds: [], nonce: nothingOfNonces }
        : refusedBy(code, { nonceConsumed: true });
    this.#receipts.set(copy.hash, verdict);
    if (code === undefined) this.#apply(copy);
    else {
      const denial = denialOf({ code, number: null, text: '' });
      const { placed } = copy;
      const orderId = 'orderId' in placed ? placed.orderId : null;
      this.#say(copy, { kind: 'rejected', denial, orderId });
    }
    return verdict;
  }

  #refusal({ intent, nested }: Copy): string | undefined {
    switch (intent.kind) {
      case 'conditional': {
        const isUsed = this.#used.has(nested?.nonce ?? 0) || (nested?.nonce ?? 0) < this.#floor;
        return isUsed || (!this.isCalm && this.#dice.hits(100))
          ? 'insufficient_balance'
          : undefined;
      }
      case 'place':
        return !this.isCalm && this.#dice.hits(100) ? 'insufficient_balance' : undefined;
      case 'cancel':
        return (intent.target === 'order' ? this.live : this.stored).has(intent.orderId)
          ? undefined
          : 'order_not_open';
      case 'amend': {
        const order = this.live.get(intent.orderId);
        if (order === undefined) return 'order_not_open';
        return intent.newQty <= order.qty - order.leaves ? 'invalid_amend' : undefined;
      }
      case 'group': {
        const isGone = ({ cancelOrderId }: Leg) =>
          cancelOrderId !== null && !this.live.has(cancelOrderId);
        if (intent.legs.some(isGone)) return 'order_not_open';
        return !this.isCalm && this.#dice.hits(60) ? 'insufficient_balance' : undefined;
      }
      default:
        throw new Error(`no ${intent.kind} here`);
    }
  }

  #apply(copy: Copy): void {
    const { intent, placed } = copy;
    if (intent.kind === 'cancel') {
      this.live.delete(intent.orderId);
      this.stored.delete(intent.orderId);
      this.#say(copy, { kind: 'canceled', orderId: intent.orderId });
    } else if (intent.kind === 'amend') {
      const order = this.live.get(intent.orderId) as Resting;
      order.leaves = intent.newQty - (order.qty - order.leaves);
      order.qty = intent.newQty;
      const facts = { qty: order.qty as Qty, leavesQty: order.leaves as Qty };
      this.#say(copy, { kind: 'amended', orderId: intent.orderId, ...facts });
    } else if (intent.kind === 'conditional' && placed.kind === 'conditional') {
      this.#count(copy);
      const { orderId, triggeredId } = placed;
      this.stored.set(orderId, { copy, triggeredId, leaves: intent.nested.qty });
      this.#say(copy, { kind: 'accepted', orderId });
    } else if (intent.kind === 'place' && placed.kind === 'order') {
      this.#count(copy);
      this.#rests(copy, placed.orderId, intent.qty);
    } else if (intent.kind === 'group' && placed.kind === 'legs') {
      if (intent.legs.some(({ cancelOrderId, qty }) => cancelOrderId === null && qty > 0n)) {
        this.#count(copy);
      }
      for (const [index, leg] of intent.legs.entries()) {
        this.#leg(copy, leg, index, placed.legIds[index] ?? null);
      }
    }
  }

  #leg(copy: Copy, { cancelOrderId, qty }: Leg, legIndex: number, orderId: OrderId | null): void {
    if (cancelOrderId !== null) this.live.delete(cancelOrderId);
    if (qty > 0n && orderId !== null) {
      this.#rests(copy, orderId, qty, { parentOrderId: cancelOrderId, legIndex });
    } else this.#say(copy, { kind: 'canceled', orderId: cancelOrderId, legIndex });
  }

  #rests(copy: Copy, orderId: OrderId, qty: bigint, leg: Partial<VenueEvent> = {}): void {
    this.live.set(orderId, { qty, leaves: qty });
    const kind = leg.parentOrderId ? 'replaced' : 'resting';
    this.#say(copy, { kind, orderId, qty: qty as Qty, leavesQty: qty as Qty, ...leg });
    if (this.#dice.hits(100)) this.#fill(orderId, 1n + BigInt(this.#dice.below(Number(qty))));
  }

  #count({ asked }: Copy): void {
    const name = `${asked?.key} ${asked?.requestId}`;
    this.placed.set(name, (this.placed.get(name) ?? 0) + 1);
  }

  /** An order trades. */
  trade(): void {
    const [id, order] = this.#any() ?? [];
    if (order === undefined || id === undefined) return;
    this.#fill(id as OrderId, 1n + BigInt(this.#dice.below(Number(order.leaves))));
  }

  /** A trigger fires: its order is placed, or refused. */
  fire(): void {
    const [first] = this.stored;
    if (first === undefined) return;
    const [parentOrderId, { copy, leaves, triggeredId: orderId }] = first;
    this.stored.delete(parentOrderId);
    const of = { orderId, parentOrderId: parentOrderId as OrderId };
    this.#say(copy, { kind: 'triggered', ...of });
    const inner = { ...copy, ...copy.nested };
    if (this.#dice.hits(800)) this.#rests(inner, orderId, leaves, { parentOrderId: null });
    else {
      const denial = denialOf({ code: 'insufficient_balance', number: null, text: '' });
      this.#say(inner, { kind: 'rejected', denial, ...of });
    }
  }

  /** Another channel uses one of the next nonces for an action that is refused. */
  intrude(): void {
    const nonce = this.#floor + this.#dice.below(4);
    if (this.#used.has(nonce)) return;
    const hash = `other${nonce}`;
    this.#use(nonce, hash);
    const denial = denialOf({ code: 'order_not_open', number: null, text: '' });
    this.#say({ hash, nonce }, { kind: 'rejected', denial });
  }

  #use(nonce: number, hash: string): void {
    this.#used.set(nonce, hash);
    while (this.#used.has(this.#floor)) this.#floor += 1;
  }

  /** The venue takes an order out by itself. */
  drop(): void {
    const [id] = this.#any() ?? [];
    if (id === undefined) return;
    this.live.delete(id);
    this.#say(null, { kind: 'expired', orderId: id as OrderId });
  }

  #any(): [string, Resting] | undefined {
    const all = [...this.live];
    return all.length === 0 ? undefined : this.#dice.pick(all);
  }

  #fill(orderId: OrderId, qty: bigint): void {
    const order = this.live.get(orderId) as Resting;
    order.leaves -= qty;
    this.filled += qty;
    if (order.leaves === 0n) this.live.delete(orderId);
    const rest = { feeMicro: 0n as FeeMicro, liquidity: 'maker', tsMs: 0 } as const;
    const fillId = `f${this.events.length}`;
    const fill = { fillId, price: 10n as Price, qty: qty as Qty, ...rest };
    this.#say(null, { kind: 'fill', orderId, fill, leavesQty: order.leaves as Qty });
  }

  #say(copy: Pick<Copy, 'hash' | 'nonce'> | null, facts: Partial<VenueEvent>): void {
    const seq = this.events.length + 1;
    const of = copy === null ? {} : { venueRef: `0x${copy.hash}`, nonce: BigInt(copy.nonce) };
    const event = { ...silentEvent, nonce: null, market: spot.marketId, ...of, ...facts, seq };
    this.events.push(event as VenueEvent);
  }
}
