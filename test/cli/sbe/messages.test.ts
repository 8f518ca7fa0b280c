import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, constantFrom, integer, property } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonMessages, messagesOf, octetsOf } from '../../../src/cli/sbe/messages.ts';
import { loadSchemas } from '../../../src/cli/sbe/schemas.ts';
import { framed } from '../../../src/fixp/framing.ts';
import { encodeWith } from '../../../src/sbe/schema-set.ts';

const schemas = loadSchemas(undefined).map(({ schema }) => schema);
const sequence = (NextSeqNo: number) =>
  encodeWith(schemas, { message: 'Sequence', fields: { NextSeqNo } });
const big = (seq: number) => framed(sequence(seq), 'big');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-messages-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: Uint8Array | string): string {
  const path = join(folder, 'input');
  writeFileSync(path, content);
  return path;
}

/** The number in each message, or the fault. */
function read(...octets: Uint8Array[]) {
  return [...messagesOf(schemas, Buffer.concat(octets))].map((message) =>
    typeof message === 'string' ? message : Number(message.fields['NextSeqNo']),
  );
}

test.each(['0a1BfF', '0a 1b ff', '0x0a 0x1b 0xff', '0a:1b:ff', '0a,1b,\nff\r\n'])(
  '%j is three bytes in hex, as an operand and in a file',
  (text) => {
    const octets = Buffer.from([0x0a, 0x1b, 0xff]);
    expect(octetsOf(text)).toEqual(octets);
    expect(octetsOf(fileOf(text))).toEqual(octets);
  },
);

test.each(['0a1', '0g', ' ', '\xff\x00'])(
  'a file with %j is taken as the bytes that it has',
  (text) => {
    const octets = Buffer.from(text, 'latin1');
    expect(octetsOf(fileOf(octets))).toEqual(octets);
  },
);

test('an operand that is neither hex nor a file is looked for as a file', () => {
  expect(() => octetsOf(join(folder, 'absent'))).toThrow('ENOENT');
});

test('messages in a row are all read, in frames of either order and without frames', () => {
  const numbers = array(integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 5 });
  assert(
    property(numbers, constantFrom('big', 'little', undefined), (list, order) => {
      const octets = list
        .map(sequence)
        .map((one) => (order === undefined ? one : framed(one, order)));
      expect(read(...octets)).toEqual(list);
    }),
  );
  expect(read()).toEqual([]);
});

test('a frame with another message inside is a fault at its place, and the next frame is read', () => {
  const other = framed(Buffer.from('08000800bd0a01000700000000000000', 'hex'), 'big');
  expect(read(big(1), other, big(3))).toEqual([
    1,
    expect.stringMatching(/^at byte 22: the schema 2749 is not 2748/),
    3,
  ]);
});

test('a frame that is cut, and bytes that begin no frame, end the reading with the place', () => {
  expect(read(big(1), big(2).subarray(0, 21))).toEqual([
    1,
    'at byte 22: the frame is longer than the 21 bytes that are left',
  ]);
  expect(read(big(1), big(2), Buffer.alloc(6), big(3))).toEqual([
    1,
    2,
    'at byte 44: encoding type 0x0 is not SBE little-endian 0xeb50',
  ]);
});

test('without frames nothing after a fault is read, because nobody knows where it begins', () => {
  expect(read(sequence(1), Buffer.alloc(1_000))).toEqual([
    1,
    expect.stringMatching(/^at byte 16: /),
  ]);
});

test('a bare message is not taken for a frame because two bytes of it look like one', () => {
  // As a frame it would have 134 MB: block length 8 and template 8 of a schema with this id.
  const octets = Buffer.from('08000800eb5001000700000000000000', 'hex');
  expect(read(octets)).toEqual([expect.stringMatching(/^at byte 0: the schema 20715 is not /)]);
});

const one = '{"message":"A","fields":{"B":1}}';

test('JSON is one message over many lines, or one a line, in the operand or in a file', () => {
  const message = { message: 'A', fields: { B: 1 } };
  expect(jsonMessages(one)).toEqual([message]);
  expect(jsonMessages(` ${one}`)).toEqual([message]);
  expect(jsonMessages(fileOf(JSON.stringify(message, null, 2)))).toEqual([message]);
  expect(jsonMessages(fileOf(`${one}\r\n${one}\n\n`))).toEqual([message, message]);
});

test('fields may be absent, a version is kept, and other members are not', () => {
  expect(jsonMessages('{"message":"A","version":2,"length":16}')).toEqual([
    { message: 'A', version: 2, fields: {} },
  ]);
});

test.each([
  ['', 1],
  [`${one}\nnothing\n`, 2],
  [`${one}\n\n${one}`, 2],
  ['[]', 1],
  ['{"message":7}', 1],
  ['{"message":"A","fields":[]}', 1],
])('%j is refused, with the line', (text, line) => {
  expect(() => jsonMessages(fileOf(text))).toThrow(
    `line ${line} is not {"message": NAME, "fields": {…}}`,
  );
});
