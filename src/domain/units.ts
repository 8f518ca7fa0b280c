/**
 * Exact units (contract C.12). Amounts are bigint atoms: price atoms are 10^-priceScale of the quote currency,
 * quantity atoms 10^-qtyScale of a unit. They are never floats, and a client's number is never rounded.
 */
declare const unit: unique symbol;
type Brand<T, Name extends string> = T & { readonly [unit]: Name };

export type Price = Brand<bigint, 'Price'>;
export type Qty = Brand<bigint, 'Qty'>;
/** Micro units of the settlement currency; negative is a rebate. */
export type FeeMicro = Brand<bigint, 'FeeMicro'>;
/** `0x` and 40 lowercase hex digits. */
export type Account = Brand<string, 'Account'>;
/** `0x` and 64 lowercase hex digits. */
export type OrderId = Brand<string, 'OrderId'>;
export type MarketId = Brand<number, 'MarketId'>;

export type Side = 'Bid' | 'Ask';
export type Book = 'YES' | 'NO';
export type TimeInForce = 'gtc' | 'ioc' | 'fok' | 'post_only';
export type StpMode = 'cancel_maker' | 'cancel_taker' | 'reject' | 'skip_self';

export const maxSafeAtoms = 2n ** 53n - 1n;
export const maxU64 = 2n ** 64n - 1n;
export const feeScale = 6;
/** The last millisecond of the year 9999. FIX has no form for a later time. */
export const latestMs = 253_402_300_799_999;
/** The highest number of 32 bits that is not SBE's null value. */
export const maxU32 = 2 ** 32 - 2;

/** The largest scale of an amount: SBE has no exponent below its negative. */
export const maxScale = 18;

/** A number exactly as the client wrote it: `mantissa` × 10^-`scale`. The market determines the atoms. */
export interface Decimal {
  readonly mantissa: bigint;
  readonly scale: number;
}

/** More digits than any market needs; it bounds the work on hostile input. */
const maxDecimalChars = 40;
const decimalForm = /^-?(?:\d+\.?\d*|\.\d+)$/;

/** How many digits a JavaScript number holds exactly; most amounts are shorter. */
const exactDigits = 15;

/** Digits with at most one dot and a leading minus; no exponent, plus sign or space. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > maxDecimalChars) return undefined;
  return shortDecimal(text) ?? anyDecimal(text);
}

/** Returns undefined for values that need `anyDecimal`. */
function shortDecimal(text: string): Decimal | undefined {
  const { length } = text;
  let mantissa = 0;
  let dot = length;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) mantissa = mantissa * 10 + code - 48;
    else if (code === 46 && dot === length) dot = at;
    else return undefined;
  }
  const digits = dot === length ? length : length - 1;
  if (digits === 0 || digits > exactDigits) return undefined;
  return { mantissa: BigInt(mantissa), scale: digits - dot };
}

function anyDecimal(text: string): Decimal | undefined {
  if (!decimalForm.test(text)) return undefined;
  const dot = text.indexOf('.');
  if (dot < 0) return { mantissa: BigInt(text), scale: 0 };
  const scale = text.length - dot - 1;
  const digits = text.slice(0, dot) + text.slice(dot + 1);
  return { mantissa: BigInt(digits), scale };
}

const powersOfTen = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

export function tenTo(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}

/** Returns the atoms at `scale`, or undefined if a digit other than zero would be lost. */
export function toAtoms(decimal: Decimal, scale: number): bigint | undefined {
  const shift = scale - decimal.scale;
  if (shift >= 0) return decimal.mantissa * tenTo(shift);
  const divisor = tenTo(-shift);
  return decimal.mantissa % divisor === 0n ? decimal.mantissa / divisor : undefined;
}

/** The shortest exact decimal, without exponent. */
export function formatAtoms(atoms: bigint, scale: number): string {
  if (scale === 0) return String(atoms);
  const sign = atoms < 0n ? '-' : '';
  const digits = String(atoms < 0n ? -atoms : atoms).padStart(scale + 1, '0');
  const point = digits.length - scale;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  const whole = sign + digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

/** The number of digits of AvgPx(6) beyond those of a price, as far as SBE has an exponent for them. */
export const averageDigits = 2;

/** The scale of AvgPx(6) on a market with this scale of prices. */
export function averageScale(priceScale: number): number {
  return Math.min(priceScale + averageDigits, maxScale);
}

/** Σ(price × qty) / Σqty with this many digits beyond those of a price, rounded half to even. */
export function averagePrice(notional: bigint, qty: bigint, digits = averageDigits): bigint {
  if (qty === 0n) return 0n;
  const scaled = notional * tenTo(digits);
  const quotient = scaled / qty;
  const twice = 2n * (scaled % qty);
  if (twice < qty) return quotient;
  if (twice > qty) return quotient + 1n;
  return quotient + (quotient & 1n);
}
