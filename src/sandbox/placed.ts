/**
 * Builds a record whose members are at the profile's JSON pointers (contract part B, `records.*`). They are added to
 * `record`, also inside its existing members.
 */
export function placed(
  pointers: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>>,
  record: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const [name, pointer] of Object.entries(pointers)) {
    const value = values[name];
    if (value !== undefined) place(record, pointer, value);
  }
  return record;
}

function place(record: Record<string, unknown>, pointer: string, value: unknown): void {
  const path = pointer.split('/').slice(1).map(unescaped);
  const last = path.pop();
  if (last === undefined) return;
  let target = record;
  for (const name of path) {
    const next = target[name];
    const inner = (typeof next === 'object' && next !== null ? next : {}) as typeof record;
    target[name] = inner;
    target = inner;
  }
  target[last] = value;
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
