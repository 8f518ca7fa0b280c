/**
 * Conditions that must hold whatever clients and the venue do. A violation is a bug, and the state can no longer be
 * trusted, so the transaction ends with an exception before anything false is recorded or reported.
 */
export function invariant(holds: boolean, rule: string, subject = ''): asserts holds {
  if (!holds) throw new Error(`bug in the bridge: ${rule} ${subject}`.trimEnd());
}
