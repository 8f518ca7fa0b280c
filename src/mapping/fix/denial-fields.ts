/** The reason fields: the message's own reason, the venue's number and code, the text (contract D.0). */
import type { Denial } from '../../domain/denial.ts';
import { other, type Refusal, refusalText, venueNumber } from '../../domain/refusal.ts';
import type { FieldWriter } from '../../fix/field-writer.ts';
import type { CustomTags } from './tags.ts';

export interface DenialSettings {
  readonly tags: CustomTags;
  /** `reject.numberMap` of the venue profile. */
  readonly numberMap?: Readonly<Record<string, number | null>>;
}

export type ReasonOf = 'order' | 'cancel' | 'replace' | 'quote' | 'massCancel';

/** VenueRejectNumber(9101), which is always a number of the venue's own table. */
export function numberOf(denial: Denial, { numberMap }: DenialSettings): number | null {
  return denial.number ?? venueNumber(denial.refusal, numberMap);
}

/** With a venue number, the reason is always "other". */
export function reasonOf(
  denial: Denial,
  settings: DenialSettings,
  which: ReasonOf & keyof Refusal,
): number {
  return numberOf(denial, settings) === null ? (denial.refusal[which] ?? other) : other;
}

export function writeText(out: FieldWriter, { refusal, text }: Denial): void {
  out.text(58, refusalText(refusal, text));
}

/** Writes 9101, 9102, and 9111 if the venue made a statement about the nonce. */
export function writeVenueCode(out: FieldWriter, denial: Denial, settings: DenialSettings): void {
  const { tags } = settings;
  const number = numberOf(denial, settings);
  if (number !== null) out.int(tags.venueRejectNumber, number);
  if (denial.refusal.code !== null) out.text(tags.venueCode, denial.refusal.code);
}

export function writeNonceConsumed(out: FieldWriter, denial: Denial, tags: CustomTags): void {
  if (denial.isSpent !== null) out.bool(tags.nonceConsumed, denial.isSpent);
}
