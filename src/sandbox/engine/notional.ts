/**
 * Exact products of amounts (contract G56): notional = floor(price * qty / divisor), fee = floor(notional * bps /
 * 10,000).
 */

/** floor(a * b / d) for integers a, b >= 0 and d > 0; Infinity if `a` is, or if the result is no safe integer. */
export function mulDivFloor(a: number, b: number, d: number): number {
  if (a === Number.POSITIVE_INFINITY) return a;
  const result = Number((BigInt(a) * BigInt(b)) / BigInt(d));
  return Number.isSafeInteger(result) ? result : Number.POSITIVE_INFINITY;
}

/** Rounded toward zero: neither a charge nor a rebate exceeds its rate. */
export function feeOn(notional: number, bps: number): number {
  if (bps === 0) return 0;
  if (bps > 0) return mulDivFloor(notional, bps, 10_000);
  return 0 - mulDivFloor(notional, -bps, 10_000);
}

/**
 * The maximum cost of an order to buy at `price`. It also covers any sequence of partial fills at that price or better,
 * because floors of parts never exceed the floor of the whole.
 */
export function costOf(price: number, qty: number, divisor: number, bps: number): number {
  const notional = mulDivFloor(price, qty, divisor);
  return notional + (bps > 0 ? feeOn(notional, bps) : 0);
}
