/** A refusal: its row in the table of refusals, and its text. */
import { noReason, type Refusal, refusalNamed } from './refusal.ts';

export interface Denial {
  readonly refusal: Refusal;
  readonly text: string | null;
  /** A number that the venue itself stated; null means the table's number. */
  readonly number: number | null;
  /** Whether the venue stated that the request was used up, VenueNonceConsumed(9111); null without a statement. */
  readonly isSpent: boolean | null;
  /** Set if another copy of the refused action may have been applied, or still may be. */
  readonly decidesNothing?: true;
}

/** A refusal by the bridge itself (contract D.6). */
export function deny(name: string, text: string | null = null): Denial {
  return { refusal: refusalNamed(name), text, number: null, isSpent: null };
}

export const unexplained: Denial = { refusal: noReason, text: null, number: null, isSpent: null };

export function isDenial(value: unknown): value is Denial {
  return typeof value === 'object' && value !== null && 'refusal' in value;
}
