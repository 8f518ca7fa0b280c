/** Compiles the JSON pointers (RFC 6901) of the profile, which locate members in the venue's records (G41, G49). */
export type Read = (value: unknown) => unknown;

/** Returns undefined if any step of the path is missing. */
export function compilePointer(pointer: string): Read {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [only] = keys;
  if (keys.length === 1 && only !== undefined && !(only in Object.prototype)) {
    return (value) => (isObject(value) ? value[only] : undefined);
  }
  return (value) => {
    let at = value;
    for (const key of keys) at = member(at, key);
    return at;
  };
}

export type Reads<Name extends string> = Readonly<Record<Name, Read>>;

export function compilePointers<Name extends string>(
  pointers: Readonly<Record<Name, string>>,
): Reads<Name> {
  return Object.fromEntries(
    Object.entries<string>(pointers).map(([name, pointer]) => [name, compilePointer(pointer)]),
  ) as Record<Name, Read>;
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
