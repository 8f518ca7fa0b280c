/**
 * Risk checks before anything is signed: size, notional, price collar, open orders, rate, repeated orders; first for
 * the session, then for its account. They fail closed: a collar without a reference price refuses the order
 * (docs/ARCHITECTURE.md, "Risk").
 */
import { type Denial, deny } from '../../domain/denial.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Terms } from '../../domain/terms.ts';
import { type Price, parseDecimal, type Side, tenTo, toAtoms } from '../../domain/units.ts';
import type { Config, RiskLimits } from '../config/config.ts';

/** The part of an order that limits apply to. */
export interface RiskPlacement {
  readonly terms: Terms;
  readonly instrument: Instrument;
  /** The best price of the opposite side, otherwise of the same side; null if the book is empty or unknown. */
  readonly reference: Price | null;
}

/** Orders that are placed together or not at all. */
export interface RiskQuestion {
  readonly places: readonly RiskPlacement[];
  /** How many of them replace no other order. */
  readonly seats: number;
  /** How many orders exist already. */
  readonly open: () => number;
  readonly nowMs: number;
}

const second = 1000;

/** The configured limits of a session or an account: its own, otherwise those of the bridge. */
export function limitsOf(config: Config, own: RiskLimits): RiskLimits {
  return { ...config.limits, ...own };
}

/** The times of the orders in the last second. Each is processed once when it is added and once when it expires. */
class LastSecond {
  #times: number[] = [];
  #oldest = 0;

  count(nowMs: number): number {
    while ((this.#times[this.#oldest] ?? nowMs) <= nowMs - second) this.#oldest += 1;
    if (this.#oldest > this.#times.length / 2) {
      this.#times = this.#times.slice(this.#oldest);
      this.#oldest = 0;
    }
    return this.#times.length - this.#oldest;
  }

  add(nowMs: number): void {
    this.#times.push(nowMs);
  }
}

/** The limits of one session or one account, and its orders in the last second. */
export class RiskGuard {
  #limits: RiskLimits;
  readonly #who: string;
  readonly #orders = new LastSecond();
  /** By the terms that make orders identical, least recently used first. */
  readonly #alike = new Map<string, LastSecond>();

  constructor(who: string, limits: RiskLimits) {
    this.#who = who;
    this.#limits = limits;
  }

  get limits(): RiskLimits {
    return this.#limits;
  }

  /** Orders of the last second; 0 without a limit for them, because then nothing is counted. */
  ordersInLastSecond(nowMs: number): number {
    return this.#orders.count(nowMs);
  }

  get hasCollar(): boolean {
    return this.#limits.priceCollarBps !== undefined;
  }

  /** Whether an order at this price is within the collar; false without a reference price. */
  isWithinCollar(side: Side, price: bigint, reference: Price | null): boolean {
    const { priceCollarBps } = this.#limits;
    if (priceCollarBps === undefined) return true;
    if (reference === null) return false;
    const bound = BigInt(10_000 + (side === 'Bid' ? priceCollarBps : -priceCollarBps));
    const worst = reference * bound;
    const asked = price * 10_000n;
    return side === 'Bid' ? asked <= worst : asked >= worst;
  }

  /** Changes the limits; the counts remain. */
  limit(limits: RiskLimits): void {
    this.#limits = limits;
  }

  /** Returns why the orders may not be placed, or undefined. Counts nothing, because another guard may refuse them. */
  refusal(question: RiskQuestion): Denial | undefined {
    return (
      this.recheck(question.places) ??
      this.#open(question) ??
      this.#rate(question) ??
      this.#repeats(question)
    );
  }

  /** Checks the limits that apply while an order waits: size and price. */
  recheck(places: readonly RiskPlacement[]): Denial | undefined {
    for (const place of places) {
      const denial = this.#size(place) ?? this.#collar(place);
      if (denial !== undefined) return denial;
    }
    return undefined;
  }

  #size({ terms, instrument }: RiskPlacement): Denial | undefined {
    const { maxOrderQty, maxNotional } = this.#limits;
    const { qtyScale, priceScale } = instrument.market;
    if (maxOrderQty !== undefined && terms.qty > atomsOf(maxOrderQty, qtyScale)) {
      return this.#deny(`OrderQty(38) is above ${maxOrderQty}`);
    }
    if (maxNotional === undefined) return undefined;
    const notional = (terms.limitPrice * terms.qty) / tenTo(qtyScale);
    if (notional > atomsOf(maxNotional, priceScale)) {
      return this.#deny(`notional is above ${maxNotional}`);
    }
    return undefined;
  }

  #collar({ terms, reference }: RiskPlacement): Denial | undefined {
    const { priceCollarBps } = this.#limits;
    // A conditional order is meant to be priced away from the market.
    if (priceCollarBps === undefined || terms.trigger !== null) return undefined;
    if (reference === null) {
      const text = `${this.#who}: no market price for the price collar`;
      return deny('bridge.no_reference_price', text);
    }
    if (this.isWithinCollar(terms.side, terms.limitPrice, reference)) return undefined;
    return this.#deny(`Price(44) is more than ${priceCollarBps} bps through the market`);
  }

  /** A replacement adds no open order, so it is allowed even at the limit. */
  #open({ seats, open }: RiskQuestion): Denial | undefined {
    const { maxOpenOrders } = this.#limits;
    if (maxOpenOrders === undefined || seats === 0) return undefined;
    const openOrders = open();
    if (openOrders + seats <= maxOpenOrders) return undefined;
    const more = seats === 1 ? '' : ` and ${seats} more`;
    return this.#deny(`${openOrders} open orders${more}, at most ${maxOpenOrders}`);
  }

  #rate({ places, nowMs }: RiskQuestion): Denial | undefined {
    const { ordersPerSecond } = this.#limits;
    if (ordersPerSecond === undefined) return undefined;
    if (this.#orders.count(nowMs) + places.length <= ordersPerSecond) return undefined;
    return deny('bridge.throttled', `${this.#who}: more than ${ordersPerSecond} orders a second`);
  }

  #repeats({ places, nowMs }: RiskQuestion): Denial | undefined {
    const { maxDuplicatesPerSecond } = this.#limits;
    if (maxDuplicatesPerSecond === undefined) return undefined;
    const asked = new Map<string, number>();
    for (const { terms, instrument } of places) {
      const like = likeness(terms, instrument);
      const alike = asked.get(like) ?? this.#alike.get(like)?.count(nowMs) ?? 0;
      if (alike >= maxDuplicatesPerSecond) {
        return this.#deny(`more than ${maxDuplicatesPerSecond} orders alike in a second`);
      }
      asked.set(like, alike + 1);
    }
    return undefined;
  }

  /** Counts an order that no guard has refused. */
  count({ terms, instrument }: Omit<RiskPlacement, 'reference'>, nowMs: number): void {
    const { ordersPerSecond, maxDuplicatesPerSecond } = this.#limits;
    if (ordersPerSecond !== undefined) this.#orders.add(nowMs);
    if (maxDuplicatesPerSecond === undefined) return;
    for (const [like, times] of this.#alike) {
      if (times.count(nowMs) > 0) break;
      this.#alike.delete(like);
    }
    const like = likeness(terms, instrument);
    const times = this.#alike.get(like) ?? new LastSecond();
    times.add(nowMs);
    this.#alike.delete(like);
    this.#alike.set(like, times);
  }

  #deny(text: string): Denial {
    return deny('bridge.limit', `${this.#who}: ${text}`);
  }
}

/** A limit with more decimals than the scale is rounded down, so that it never becomes looser. */
function atomsOf(decimal: string, scale: number): bigint {
  const parsed = parseDecimal(decimal);
  if (parsed === undefined) throw new Error(`limit ${decimal} is not a decimal`);
  return toAtoms(parsed, scale) ?? parsed.mantissa / tenTo(parsed.scale - scale);
}

function likeness({ side, limitPrice, qty }: Terms, { securityId }: Instrument): string {
  return `${securityId} ${side} ${limitPrice} ${qty}`;
}
