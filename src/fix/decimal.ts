/**
 * Exact atoms (price atoms are 10^-scale of a unit) as FIX decimals. No floats are used and nothing is rounded
 * (contract C.12).
 */

const zero = 48;

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
