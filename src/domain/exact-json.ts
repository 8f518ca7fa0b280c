/** JSON with exact integers of any size: an amount is written as `{"$":"123"}`, because a JSON number is a float. */

/**
 * Writes the same text as JSON.stringify with a replacer would. JSON.stringify calls the replacer for every member, and
 * each order is written twice, so this function walks the tree itself, in half the time.
 */
export function exactJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`;
    case 'bigint':
      return `{"$":"${value}"}`;
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? list(value) : members(value as Record<string, unknown>);
    default:
      return 'null';
  }
}

export function parseExactJson(text: string): unknown {
  return exactValue(JSON.parse(text));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these.
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

function list(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) text += text === '' ? exactJson(value) : `,${exactJson(value)}`;
  return `[${text}]`;
}

/** Omits undefined members. */
function members(values: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined) continue;
    const { first, later } = keyOf(name);
    text += (text === '' ? first : later) + exactJson(value);
  }
  return text === '' ? '{}' : `${text}}`;
}

interface Key {
  readonly first: string;
  readonly later: string;
}

/** Most keys belong to a few of our own types, so their quoted form is cached. */
const keys = new Map<string, Key>();
const maxKeys = 1024;

function keyOf(name: string): Key {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const quoted = exactJson(name);
  const key = { first: `{${quoted}:`, later: `,${quoted}:` };
  if (keys.size < maxKeys) keys.set(name, key);
  return key;
}

/** Restores the amounts of a parsed value in place, in a tenth of the time of a reviver. */
export function exactValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // A member may itself be named `$`, as a market may be; its value is never a string.
  if ('$' in value && typeof value.$ === 'string') return BigInt(value.$);
  const members = value as Record<string, unknown>;
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object' && member !== null) members[name] = exactValue(member);
  }
  return value;
}
