/** The generated code and the generic codec say the same of every message of every schema, in every version. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import type { Json, JsonObject } from '../../src/sbe/json.ts';
import type { Message, Schema } from '../../src/sbe/model.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { type Generated, readAll, writeAll } from './generated-json.ts';
import { anyMessage } from './random-message.ts';
import { wholeCode } from './whole-code.ts';

const root = join(import.meta.dirname, '../..');
const features = readFileSync(join(import.meta.dirname, 'features/features.xml'), 'utf8');
const inDictionaries = (file: string) => readFileSync(join(root, 'dictionaries', file), 'utf8');
const vectors = join(root, 'test/vectors/sbe');

const schemas: Record<string, { xml: string; shared?: readonly string[] }> = {
  'fixp.xml': { xml: inDictionaries('fixp.xml') },
  'orders.xml': { xml: inDictionaries('orders.xml') },
  'orders.xml with shared composites': {
    xml: inDictionaries('orders.xml'),
    shared: ['State', 'Instrument', 'Terms'],
  },
  'every feature, big-endian': { xml: features },
  'every feature, little-endian': { xml: features.replace('bigEndian', 'littleEndian') },
  'every feature with shared composites': {
    xml: features,
    shared: ['decimal', 'monthYear', 'engine', 'booster'],
  },
  'the examples of the standard': {
    xml: readFileSync(join(vectors, 'standard-examples.xml'), 'utf8'),
  },
};
/** Messages of two versions beside each other; other bytes stand around them. */
const space = Buffer.alloc(65_536, 0xa5);
const at = 11;

test('every schema of dictionaries/ is among those that are tried', () => {
  const files = readdirSync(join(root, 'dictionaries')).filter((file) => file.endsWith('.xml'));
  const ofSbe = files.filter((file) => inDictionaries(file).includes('messageSchema'));
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(ofSbe));
});

describe.each(Object.entries(schemas))('%s', (_, { xml, shared }) => {
  const schema = readSchema(xml);
  let objects: Map<string, Generated>;
  beforeAll(async () => {
    objects = await wholeCode(schema, shared);
  });
  const versions = Array.from({ length: schema.version + 1 }, (_version, index) => index);
  const cases = schema.messages.flatMap((message) =>
    versions
      .filter((version) => version >= message.since)
      .map((version) => ({ name: message.name, version, message })),
  );

  test.each(cases)('$name in version $version', ({ name, message, version }) => {
    const object = objects.get(name);
    fc.assert(
      fc.property(anyMessage(message, version), (fields) => {
        same(schema, message, object, fields, version);
      }),
      { numRuns: 12, seed: 7 },
    );
  });
});

function same(
  schema: Schema,
  message: Message,
  object: Generated,
  fields: JsonObject,
  version: number,
): void {
  const generic = encodeMessage(schema, { message: message.name, version, fields });
  space.fill(0xa5);
  object.encode(space, at, version);
  writeAll(object, message, fields, version);
  expect(Buffer.from(object.bytes).toString('hex')).toBe(generic.toString('hex'));
  expect(object.length).toBe(generic.length);
  expect(space[at - 1]).toBe(0xa5);
  // A message for an earlier reader may leave blank bytes of the full block behind itself.
  if (version === schema.version) expect(space[at + generic.length]).toBe(0xa5);

  const decoded = decodeMessage(schema, generic);
  if (typeof decoded === 'string') throw new Error(decoded);
  expect(decoded).toMatchObject({ message: message.name, version, length: generic.length });
  expect(withoutConstants(decoded.fields, fields)).toEqual(fields);
  expect(object.wrap(space, at, at + generic.length)).toBeUndefined();
  expect(object.actingVersion).toBe(version);
  expect(readAll(object, message, version)).toEqual(decoded.fields);
}

/** Constants are read and need not be written. */
function withoutConstants(read: Json, written: Json): Json {
  if (Array.isArray(read) && Array.isArray(written)) {
    return read.map((item, index) => withoutConstants(item, written[index]));
  }
  if (typeof read !== 'object' || read === null) return read;
  const kept = Object.entries(read as JsonObject).filter(
    ([name]) => name in (written as JsonObject),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      withoutConstants(value, (written as JsonObject)[name] ?? null),
    ]),
  );
}
