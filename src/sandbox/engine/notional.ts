/**
 * Exact products of amounts (contract G56): notional = floor(price * qty / divisor), fee = floor(notional * bps /
 * 10,000). All numbers remain safe integers; a bigint is used only if the low parts alone overflow.
 */

/** floor(a * b / d) for safe integers a, b >= 0 and d > 0; Infinity if the result would not be safe. */
export function mulDivFloor(a: number, b: number, d: number): number {
  const product = a * b;
  // A quotient of safe integers is never rounded up to the next integer: it is 1/d below, more than half an ulp.
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / d);
  const aHigh = Math.floor(a / d);
  const bHigh = Math.floor(b / d);
  const aLow = a - aHigh * d;
  const bLow = b - bHigh * d;
  const result = a * bHigh + aHigh * bLow + lowPart(aLow, bLow, d);
  return result <= Number.MAX_SAFE_INTEGER ? result : Number.POSITIVE_INFINITY;
}

function lowPart(a: number, b: number, d: number): number {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / d);
  return Number((BigInt(a) * BigInt(b)) / BigInt(d));
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
