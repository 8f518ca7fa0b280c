/** Builds a constant example of each message, which documents show in bytes. */
import type { Json, JsonObject } from './json.ts';
import type { CharacterEncoding, Encoding, Field, ScalarEncoding, Section } from './model.ts';

/** Contains every field, group and data of the schema's current version, with small distinct values. */
export function exampleOf(section: Section): JsonObject {
  const example: Record<string, Json> = {};
  for (const field of section.fields) {
    if (field.constant === undefined) example[field.name] = exampleValue(field.encoding, field);
  }
  for (const group of section.groups) example[group.name] = [exampleOf(group)];
  for (const { name, characters } of section.data) {
    example[name] = characters === undefined ? 'c0ffee' : exampleText(name, characters, 8);
  }
  return example;
}

function exampleValue(encoding: Encoding, field: Field): Json {
  switch (encoding.kind) {
    case 'scalar':
      return exampleNumber(encoding, field.offset + 1);
    case 'enum':
      return encoding.values[0]?.name ?? null;
    case 'set':
      return encoding.choices.slice(0, 1).map(({ name }) => name);
    case 'text':
      return exampleText(field.name, encoding.characters, encoding.length);
    case 'array':
      return Array.from({ length: encoding.length }, (_, index) =>
        exampleNumber(encoding.element, index + 1),
      );
    case 'composite':
      return exampleOf({ blockLength: 0, fields: encoding.members, groups: [], data: [] });
  }
}

function exampleNumber({ primitive, min, max }: ScalarEncoding, wish: number): Json {
  if (primitive.name === 'char') return 'A';
  return Math.min(Math.max(wish % 100, Number(min)), Number(max));
}

function exampleText(name: string, characters: CharacterEncoding, length: number): string {
  return characters === 'ascii' ? name.toUpperCase().slice(0, length) : name.slice(0, length);
}
