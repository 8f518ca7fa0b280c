/**
 * What must hold whatever clients and the venue do. Where it does not, the mistake is ours and state can no longer be
 * trusted, so the turn ends with an exception before anything untrue is recorded or reported.
 */
export function invariant(holds: boolean, rule: string, subject = ''): asserts holds {
  if (!holds) throw new Error(`bug in the bridge: ${rule} ${subject}`.trimEnd());
}
