/** JSON with exact integers of any size: an amount stands as `{"$":"123"}`, because a JSON number is a float. */

export function exactJson(value: object): string {
  return JSON.stringify(value, tagBigints);
}

export function parseExactJson(text: string): unknown {
  return JSON.parse(text, untagBigints);
}

function tagBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $: value.toString() } : value;
}

function untagBigints(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$' in value)) return value;
  return BigInt(String(value.$));
}
