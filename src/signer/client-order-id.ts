/**
 * The client_order_id that goes into the signed bytes (contract G11): the client's own where the venue's alphabet
 * takes it, else a digest of session and ClOrdID(11). The bridge's store keeps both.
 */
import { hash } from 'node:crypto';

interface Rule {
  readonly pattern: string;
  readonly send: 'always' | 'never';
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Undefined if the profile does not send one. */
export function venueClientOrderId(
  rule: Rule,
  session: string,
  clOrdId: string,
): string | undefined {
  if (rule.send === 'never') return undefined;
  if (isAllowed(rule.pattern, clOrdId)) return clOrdId;
  const digest = hash('sha256', JSON.stringify([session, clOrdId]), 'hex');
  const stand = toBase32(digest.slice(0, 40));
  if (isAllowed(rule.pattern, stand)) return stand;
  throw new Error(`clientOrderId.pattern ${rule.pattern} takes no base32 digest, such as ${stand}`);
}

/** Without this, the first ClOrdID(11) that the venue's alphabet does not take would stop the bridge. */
export function takesEveryName({ pattern, send }: Rule): boolean {
  try {
    return send === 'never' || isAllowed(pattern, base32);
  } catch {
    return false;
  }
}

const compiled = new Map<string, RegExp>();

/** Only characters without escapes pass, whatever the pattern allows, so an escape never breaks a signature. */
function isAllowed(pattern: string, value: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(pattern);
    compiled.set(pattern, expression);
  }
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value) && expression.test(value);
}

/** 20 bytes in hex are 32 letters: no padding is ever needed. */
function toBase32(hex: string): string {
  const digits = BigInt(`0x${hex}`).toString(32).padStart(32, '0');
  return digits.replaceAll(/./g, (digit) => base32.charAt(Number.parseInt(digit, 32)));
}
