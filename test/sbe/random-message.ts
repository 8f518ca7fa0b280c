/** Random messages of a schema as JSON, for property tests. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/sbe/json.ts';
import { floatJson, integerJson } from '../../src/sbe/json.ts';
import type {
  CharacterEncoding,
  Data,
  Encoding,
  Field,
  Group,
  Message,
  ScalarEncoding,
  Section,
} from '../../src/sbe/model.ts';

const maxEntries = 3;

/** Every field that the version has, with values in its range, null where that may be. */
export function anyMessage(message: Message, version: number): fc.Arbitrary<JsonObject> {
  return anySection(message, version);
}

function anySection(section: Section, version: number): fc.Arbitrary<JsonObject> {
  const members: Record<string, fc.Arbitrary<Json>> = {};
  for (const field of section.fields) {
    if (field.since <= version && field.constant === undefined) {
      members[field.name] = anyField(field, version);
    }
  }
  for (const group of section.groups) {
    if (group.since <= version) members[group.name] = anyGroup(group, version);
  }
  for (const data of section.data) {
    if (data.since <= version) members[data.name] = anyData(data);
  }
  return fc.record(members);
}

function anyGroup(group: Group, version: number): fc.Arbitrary<Json> {
  return fc.array(anySection(group, version), { maxLength: maxEntries });
}

function anyData({ characters, length }: Data): fc.Arbitrary<Json> {
  const maxLength = Math.min(length.max, 40);
  if (characters === undefined) {
    const octets = fc.uint8Array({ maxLength });
    return octets.map((bytes) => Buffer.from(bytes).toString('hex'));
  }
  return anyText(characters, maxLength);
}

function anyField({ encoding, presence }: Field, version: number): fc.Arbitrary<Json> {
  const value = anyValue(encoding, presence === 'optional', version);
  if (presence !== 'optional' || encoding.kind === 'composite' || encoding.kind === 'set') {
    return value;
  }
  return fc.option(value, { nil: null, freq: 3 });
}

function anyValue(encoding: Encoding, isOptional: boolean, version: number): fc.Arbitrary<Json> {
  switch (encoding.kind) {
    case 'scalar':
      return anyScalar(encoding);
    case 'enum': {
      const names = encoding.values.map((one) => one.name);
      const known = names.length === 0 ? fc.constant(0) : fc.constantFrom(...names);
      const taken = new Set(encoding.values.map((one) => one.value));
      const isFree = (code: number) =>
        !taken.has(code) && (!isOptional || code !== encoding.nullValue);
      const unknown = fc.integer({ min: 0, max: Number(encoding.primitive.max) }).filter(isFree);
      return fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: unknown });
    }
    case 'set': {
      const bits = Array.from({ length: encoding.primitive.size * 8 }, (_, bit) => bit);
      const nameOf = (bit: number): Json =>
        encoding.choices.find((choice) => choice.bit === bit)?.name ?? bit;
      return fc.subarray(bits, { maxLength: 6 }).map((some) => some.map(nameOf));
    }
    case 'text': {
      const text = anyText(encoding.characters, encoding.length);
      return isOptional ? text.filter((one) => one !== '') : text;
    }
    case 'array': {
      const { element, length } = encoding;
      const item = anyScalar(element);
      const items = fc.array(isOptional ? fc.option(item) : item, {
        minLength: length,
        maxLength: length,
      });
      return items.filter((list) => list.some((one) => one !== null));
    }
    case 'composite':
      return anySection(
        { blockLength: 0, fields: encoding.members, groups: [], data: [] },
        version,
      );
  }
}

function anyScalar({ primitive, min, max }: ScalarEncoding): fc.Arbitrary<Json> {
  if (primitive.name === 'char') {
    return fc
      .integer({ min: Number(min), max: Number(max) })
      .map((code) => String.fromCharCode(code));
  }
  if (!primitive.isFloat) return fc.bigInt({ min: BigInt(min), max: BigInt(max) }).map(integerJson);
  const range = { min: Number(min), max: Number(max), noNaN: true };
  return (primitive.size === 4 ? fc.float(range) : fc.double(range)).map((value) =>
    // JSON does not tell a negative zero.
    floatJson(value === 0 ? 0 : value),
  );
}

function anyText(characters: CharacterEncoding, maxBytes: number): fc.Arbitrary<string> {
  const highest = { ascii: 127, latin1: 255, utf8: 0xffff }[characters];
  const code = fc.integer({ min: 1, max: highest }).filter((one) => one < 0xd800 || one > 0xdfff);
  const text = fc
    .array(code, { maxLength: maxBytes })
    .map((codes) => String.fromCodePoint(...codes));
  if (characters !== 'utf8') return text;
  return text.filter((one) => Buffer.byteLength(one) <= maxBytes);
}
