import type { Instrument } from '../domain/instrument.ts';
import type { Terms } from '../domain/terms.ts';

/** An order that would be placed at the venue. */
export interface Placement {
  readonly instrument: Instrument;
  readonly terms: Terms;
  readonly quoteId: string | null;
}
