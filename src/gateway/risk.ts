/**
 * Checks before anything is signed: size, notional, price collar, open orders, rate, repeated orders; for a session
 * and again for its account. Fails closed: a collar without a reference price refuses (docs/ARCHITECTURE.md, "Risk").
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Terms } from '../domain/terms.ts';
import { type Price, parseDecimal, tenTo, toAtoms } from '../domain/units.ts';
import type { RiskLimits } from './config.ts';

/** What is asked, with what the check must know of the moment. */
export interface RiskQuestion {
  readonly terms: Terms;
  readonly instrument: Instrument;
  /** Best price of the opposite side, else of the same side; null when the book is empty or not known. */
  readonly reference: Price | null;
  readonly openOrders: number;
  readonly nowMs: number;
}

const second = 1000;

/** When orders went out in the last second. Each time is looked at when it comes and when it goes, however many there are. */
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

/** The limits of one session or one account, and what it did in the last second. */
export class RiskGuard {
  #limits: RiskLimits;
  readonly #who: string;
  readonly #orders = new LastSecond();
  /** By likeness; first the one that has had no order for longest. */
  readonly #alike = new Map<string, LastSecond>();

  constructor(who: string, limits: RiskLimits) {
    this.#who = who;
    this.#limits = limits;
  }

  /** Other limits from now on; what was counted stays counted. */
  limit(limits: RiskLimits): void {
    this.#limits = limits;
  }

  /** Why the order may not go out, or undefined; one that may is counted. */
  check(question: RiskQuestion): Denial | undefined {
    const denial =
      this.#size(question) ??
      this.#collar(question) ??
      this.#open(question.openOrders) ??
      this.#rate(question.nowMs) ??
      this.#repeats(question);
    if (denial === undefined) this.#count(question);
    return denial;
  }

  #size({ terms, instrument }: RiskQuestion): Denial | undefined {
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

  #collar({ terms, reference }: RiskQuestion): Denial | undefined {
    const { priceCollarBps } = this.#limits;
    // What waits for a trigger is priced away from the market on purpose.
    if (priceCollarBps === undefined || terms.trigger !== null) return undefined;
    if (reference === null) return deny('bridge.no_reference_price', `${this.#who}: price collar`);
    const bound = BigInt(10_000 + (terms.side === 'Bid' ? priceCollarBps : -priceCollarBps));
    const worst = reference * bound;
    const asked = terms.limitPrice * 10_000n;
    const isBeyond = terms.side === 'Bid' ? asked > worst : asked < worst;
    return isBeyond
      ? this.#deny(`Price(44) is more than ${priceCollarBps} bps through the market`)
      : undefined;
  }

  #open(openOrders: number): Denial | undefined {
    const { maxOpenOrders } = this.#limits;
    if (maxOpenOrders === undefined || openOrders < maxOpenOrders) return undefined;
    return this.#deny(`${openOrders} open orders`);
  }

  #rate(nowMs: number): Denial | undefined {
    const { ordersPerSecond } = this.#limits;
    if (ordersPerSecond === undefined) return undefined;
    if (this.#orders.count(nowMs) < ordersPerSecond) return undefined;
    return deny('bridge.throttled', `${this.#who}: ${ordersPerSecond} orders a second`);
  }

  #repeats({ terms, instrument, nowMs }: RiskQuestion): Denial | undefined {
    const { maxDuplicatesPerSecond } = this.#limits;
    if (maxDuplicatesPerSecond === undefined) return undefined;
    const alike = this.#alike.get(likeness(terms, instrument))?.count(nowMs) ?? 0;
    if (alike < maxDuplicatesPerSecond) return undefined;
    return this.#deny(`${maxDuplicatesPerSecond} orders alike in a second`);
  }

  #count({ terms, instrument, nowMs }: RiskQuestion): void {
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

/** The configuration was checked, so what does not fit the scale is cut: a limit never widens. */
function atomsOf(decimal: string, scale: number): bigint {
  const parsed = parseDecimal(decimal);
  if (parsed === undefined) throw new Error(`limit ${decimal} is no decimal`);
  return toAtoms(parsed, scale) ?? parsed.mantissa / tenTo(parsed.scale - scale);
}

function likeness({ side, limitPrice, qty }: Terms, { securityId }: Instrument): string {
  return `${securityId} ${side} ${limitPrice} ${qty}`;
}
