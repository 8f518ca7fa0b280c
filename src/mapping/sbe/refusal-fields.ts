/** The reason fields: the message's own reason, the venue's number and code, the text (contract D.0). */
import type { Denial } from '../../domain/denial.ts';
import { refusalText } from '../../domain/refusal.ts';
import { type DenialSettings, numberOf } from '../fix/denial-fields.ts';
import { YesNo } from './generated/codes.ts';

/** The setters of every message with a Refusal. */
export interface RefusalFields {
  setRefusalReason(value: number | undefined): unknown;
  setRefusalVenueRejectNumber(value: number | undefined): unknown;
  setRefusalNonceConsumed(value: number): unknown;
}

interface RefusalWords {
  setVenueCode(value: string): unknown;
  setText(value: string): unknown;
  readonly bytes: Uint8Array;
}

/** `reason` is the message's own reason; null if it has none for this refusal. */
export function writeRefusalFields(
  out: RefusalFields,
  denial: Denial,
  reason: number | null,
  settings: DenialSettings,
): void {
  out.setRefusalReason(reason ?? undefined);
  out.setRefusalVenueRejectNumber(numberOf(denial, settings) ?? undefined);
  const { isSpent } = denial;
  if (isSpent !== null) out.setRefusalNonceConsumed(isSpent ? YesNo.Yes : YesNo.No);
}

/** Writes the final fields of a message and returns the message. */
export function writeRefusalWords(out: RefusalWords, { refusal, text }: Denial): Uint8Array {
  if (refusal.code !== null) out.setVenueCode(named(refusal.code));
  out.setText(refusalText(refusal, text));
  return out.bytes;
}

const maxNameBytes = 255;

/** An id that was accepted over FIX may be longer than this field, so it is truncated. */
export function named(text: string): string {
  // A UTF-16 code unit takes at most three bytes.
  if (text.length * 3 <= maxNameBytes || Buffer.byteLength(text) <= maxNameBytes) return text;
  return Buffer.from(text).subarray(0, maxNameBytes).toString('utf8').replace(/�+$/, '');
}
