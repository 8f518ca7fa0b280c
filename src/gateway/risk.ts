/**
 * Checks before anything is signed: size, notional, price collar, open orders, rate, repeated orders; for a session
 * and again for its account. Fails closed: a collar without a reference price refuses (docs/ARCHITECTURE.md, "Risk").
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Terms } from '../domain/terms.ts';
import { type Price, parseDecimal, toAtoms } from '../domain/units.ts';
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

/** The limits of one session or one account, and what it did in the last second. */
export class RiskGuard {
  #limits: RiskLimits;
  readonly #who: string;
  #times: number[] = [];
  #alike = new Map<string, number[]>();

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
    const notional = (terms.limitPrice * terms.qty) / 10n ** BigInt(qtyScale);
    if (maxNotional !== undefined && notional > atomsOf(maxNotional, priceScale)) {
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
    this.#times = recent(this.#times, nowMs);
    if (this.#times.length < ordersPerSecond) return undefined;
    return deny('bridge.throttled', `${this.#who}: ${ordersPerSecond} orders a second`);
  }

  #repeats({ terms, instrument, nowMs }: RiskQuestion): Denial | undefined {
    const { maxDuplicatesPerSecond } = this.#limits;
    if (maxDuplicatesPerSecond === undefined) return undefined;
    const times = recent(this.#alike.get(likeness(terms, instrument)) ?? [], nowMs);
    if (times.length < maxDuplicatesPerSecond) return undefined;
    return this.#deny(`${maxDuplicatesPerSecond} orders alike in a second`);
  }

  #count({ terms, instrument, nowMs }: RiskQuestion): void {
    const { ordersPerSecond, maxDuplicatesPerSecond } = this.#limits;
    if (ordersPerSecond !== undefined) this.#times.push(nowMs);
    if (maxDuplicatesPerSecond === undefined) return;
    for (const [like, times] of this.#alike) {
      if ((times.at(-1) ?? 0) <= nowMs - second) this.#alike.delete(like);
    }
    const like = likeness(terms, instrument);
    this.#alike.set(like, [...recent(this.#alike.get(like) ?? [], nowMs), nowMs]);
  }

  #deny(text: string): Denial {
    return deny('bridge.limit', `${this.#who}: ${text}`);
  }
}

/** The configuration was checked, so what does not fit the scale is cut: a limit never widens. */
function atomsOf(decimal: string, scale: number): bigint {
  const parsed = parseDecimal(decimal);
  if (parsed === undefined) throw new Error(`limit ${decimal} is no decimal`);
  return toAtoms(parsed, scale) ?? parsed.mantissa / 10n ** BigInt(parsed.scale - scale);
}

function recent(times: readonly number[], nowMs: number): number[] {
  return times.filter((time) => time > nowMs - second);
}

function likeness({ side, limitPrice, qty }: Terms, { securityId }: Instrument): string {
  return `${securityId} ${side} ${limitPrice} ${qty}`;
}
