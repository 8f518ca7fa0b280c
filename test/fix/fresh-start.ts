import type { SessionStart } from '../../src/fix/session-core.ts';

/** A session of which the store has nothing. */
export const freshStart: SessionStart = {
  nextIn: 1,
  nextOut: 1,
  heldTo: 0,
  releasedTo: 0,
  periodStartMs: 0,
};
