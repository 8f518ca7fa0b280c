/** Builds a record whose members are where JSON pointers of the profile point (contract part B, `records.*`). */
export function placed(
  pointers: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, pointer] of Object.entries(pointers)) {
    const value = values[name];
    if (value !== undefined) place(record, pointer, value);
  }
  return record;
}

function place(record: Record<string, unknown>, pointer: string, value: unknown): void {
  const path = pointer.split('/').slice(1);
  const last = path.pop();
  if (last === undefined) return;
  let target = record;
  for (const part of path) {
    const name = unescaped(part);
    const next = target[name];
    const inner = (typeof next === 'object' && next !== null ? next : {}) as typeof record;
    target[name] = inner;
    target = inner;
  }
  target[unescaped(last)] = value;
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
