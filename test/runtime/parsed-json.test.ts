import { expect, test } from 'vitest';
import { parsedJson } from '../../src/runtime/parsed-json.ts';

test('JSON is its value, and any other text is undefined instead of an error', () => {
  expect(parsedJson('{"a":[1]}')).toEqual({ a: [1] });
  for (const text of ['', '{"a":', 'undefined']) expect(parsedJson(text)).toBeUndefined();
});
