import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  InexactNumber,
  JsonSyntaxError,
  parseJson,
  parseJsonBytes,
} from '../../src/sandbox/strict-json.ts';

const safe = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().filter((value) => !Object.is(value, -0)),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value;

test('what JSON.stringify writes of safe values comes back equal, with any white space', () => {
  fc.assert(
    fc.property(safe, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      expect(parseJson(JSON.stringify(value, null, space))).toEqual(value);
    }),
  );
});

test('what JSON.parse refuses is refused, too', () => {
  fc.assert(
    fc.property(safe, fc.nat(), fc.string({ maxLength: 2 }), (value, at, insert) => {
      const text = JSON.stringify(value);
      const place = at % (text.length + 1);
      const changed = text.slice(0, place) + insert + text.slice(place);
      let isJson = true;
      try {
        JSON.parse(changed);
      } catch {
        isJson = false;
      }
      if (!isJson) expect(() => parseJson(changed)).toThrow(JsonSyntaxError);
    }),
  );
});

describe('R13: a number that a double would change keeps its text', () => {
  test.each(['9007199254740992', '-9007199254740993', '1.0', '1e3', '0.1', '-0', '1E+2'])(
    '%s',
    (text) => {
      expect(parseJson(text)).toEqual(new InexactNumber(text));
      expect(parseJson(`[${text}]`)).toEqual([new InexactNumber(text)]);
    },
  );

  test.each([0, -1, 9_007_199_254_740_991, -9_007_199_254_740_991, 123_456_789_012_345])(
    '%d is exact',
    (value) => {
      expect(parseJson(`{"a":${value}}`)).toEqual({ a: value });
    },
  );
});

test.each([
  ['{"a":1,"a":2}', 'duplicate key'],
  ['{"__proto__":1}', '__proto__'],
  ['[01]', 'starts with 0'],
  ['[-]', 'not a number'],
  ['{"a":1', 'not closed'],
  ['["a', 'not closed'],
  ['["\n"]', 'not closed'],
  ['["\\x"]', 'wrong escape'],
  ['[1,]', 'not a JSON value'],
  ['{1:2}', 'a key must be a string'],
  ['{"a" 1}', 'a colon'],
  ['1 2', 'after the end'],
  ['', 'too early'],
  ['['.repeat(18) + ']'.repeat(18), 'nested deeper'],
])('%s is refused, and the message says where', (text, message) => {
  expect(() => parseJson(text)).toThrow(message);
  expect(() => parseJson(text)).toThrow(/at character \d+/);
});

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJsonBytes(Buffer.of(0x22, 0xff, 0x22))).toThrow('not UTF-8');
});
