import type { z } from 'zod';

/** Parses JSON; returns undefined for any other text, which the subsequent schema check rejects too. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined if the text is not JSON of this shape. */
export function parsedAs<T>(shape: z.ZodType<T>, text = ''): T | undefined {
  return shape.safeParse(parsedJson(text)).data;
}
