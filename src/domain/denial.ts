/** A refusal as it happened: the row of the table that rules it, and the words that came with it. */
import type { Reason } from './event.ts';
import {
  finerRefusal,
  isRefusalNumber,
  type Refusal,
  type RefusalNumber,
  refusalNamed,
  refusalOf,
} from './refusal.ts';

export interface Denial {
  readonly refusal: Refusal;
  readonly text: string | null;
  /** A number that the venue itself stated; null leaves it to the table. */
  readonly number: RefusalNumber | null;
  /** Only what the venue said; null is unknown and is never read as reusable (R31). */
  readonly nonceConsumed: boolean | null;
}

/** A check of the bridge itself (contract D.6). */
export function deny(name: string, text: string | null = null): Denial {
  return { refusal: refusalNamed(name), text, number: null, nonceConsumed: null };
}

/** What the venue's stream gives as the reason of a refusal or a cancel. */
export function denialOf(reason: Reason, nonceConsumed: boolean | null = null): Denial {
  const refusal = finerRefusal(reason.code, reason.text) ??
    refusalOf(reason.code) ?? {
      ...refusalNamed('ENGINE_REJECTED'),
      name: reason.code,
      code: reason.code,
      text: `${reason.code}:`,
    };
  const number = isRefusalNumber(reason.number) ? reason.number : null;
  return { refusal, text: reason.text === '' ? null : reason.text, number, nonceConsumed };
}

export function isDenial(value: unknown): value is Denial {
  return typeof value === 'object' && value !== null && 'refusal' in value;
}
