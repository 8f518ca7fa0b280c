/**
 * FIX decimals to and from exact atoms (price atoms are 10^-scale of a unit). Text in, bigint out; no float takes
 * part and nothing is rounded: digits beyond the scale that are not zero are refused (contract C.12).
 */

/** Why a decimal has no atoms: not a FIX decimal, finer than the scale, or above 64 bits. */
export type DecimalFault = 'format' | 'precision' | 'range';

const minus = 45;
const dot = 46;
const zero = 48;
/** A number of so many digits is below 2^53, so plain arithmetic on it is exact. */
const exactDigits = 15;
const maxDigits = 40;
const maxAtoms = 2n ** 64n - 1n;

export function decimalAtoms(
  bytes: Uint8Array,
  start: number,
  end: number,
  scale: number,
): bigint | DecimalFault {
  const isNegative = bytes[start] === minus;
  let digits = 0;
  let significant = 0;
  let fraction = -1;
  let atoms = 0;
  let isTooFine = false;
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === dot && fraction < 0) {
      fraction = 0;
      continue;
    }
    const digit = byte - zero;
    if (digit < 0 || digit > 9) return 'format';
    digits += 1;
    if (fraction >= 0 && ++fraction > scale) {
      isTooFine ||= digit !== 0;
      continue;
    }
    if (significant > 0 || digit > 0) significant += 1;
    if (significant <= exactDigits) atoms = atoms * 10 + digit;
  }
  if (digits === 0) return 'format';
  if (isTooFine) return 'precision';
  const missing = scale - Math.min(Math.max(fraction, 0), scale);
  if (significant > exactDigits) return longAtoms(bytes, start, end, scale, missing);
  if (significant + missing > exactDigits) {
    const exact =
      significant + missing > maxDigits ? maxAtoms + 1n : BigInt(atoms) * 10n ** BigInt(missing);
    return atoms === 0 ? 0n : inRange(isNegative ? -exact : exact);
  }
  const shifted = atoms * (powersOfTen[missing] as number);
  return BigInt(isNegative ? -shifted : shifted);
}

const powersOfTen = Array.from({ length: exactDigits + 1 }, (_, power) => 10 ** power);

function longAtoms(
  bytes: Uint8Array,
  start: number,
  end: number,
  scale: number,
  missing: number,
): bigint | DecimalFault {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const [whole = '', fraction = ''] = text.split('.');
  const digits = (whole + fraction.slice(0, scale)).replace(/^(-?)0+/, '$1');
  if (digits.length + missing > maxDigits) return 'range';
  return inRange(BigInt(digits) * 10n ** BigInt(missing));
}

function inRange(atoms: bigint): bigint | DecimalFault {
  return atoms > maxAtoms || atoms < -maxAtoms ? 'range' : atoms;
}

/** The shortest exact decimal: no exponent, no trailing zeros. */
export function decimalText(atoms: bigint, scale: number): string {
  const isNegative = atoms < 0n;
  const digits = (isNegative ? -atoms : atoms).toString().padStart(scale + 1, '0');
  let end = digits.length;
  const point = digits.length - scale;
  while (end > point && digits.charCodeAt(end - 1) === zero) end -= 1;
  const text =
    end > point ? `${digits.slice(0, point)}.${digits.slice(point, end)}` : digits.slice(0, point);
  return isNegative ? `-${text}` : text;
}
