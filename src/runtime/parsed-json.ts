/** Parses JSON; returns undefined for any other text, which the subsequent schema check rejects too. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
