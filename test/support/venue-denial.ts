import type { Denial } from '../../src/domain/denial.ts';
import { venueRefusal } from '../../src/venue/refusals.ts';

/** A refusal by any row of the table, the bridge's own or the venue's. */
export function denied(name: string, text: string | null = null): Denial {
  return { refusal: venueRefusal(name), text, number: null, isSpent: null };
}
