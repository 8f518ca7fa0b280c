/**
 * Generates TypeScript from a schema: a file and a class for each message, the header, the codes, the types that
 * messages share, and one file that exports all messages. One object serves any number of messages, one after the
 * other:
 *
 *   const fault = order.wrap(bytes, at);         order.encode(bytes, at).setQty(5).setSymbol('BTC').bytes
 *   if (fault === undefined) order.qty …
 *
 * `wrap` returns the fault in the bytes. It checks every count and length once, so that no later read is outside the
 * message. 64-bit integers have accessors for a number that throws beyond 2^53, a bigint (`…Big`), and optionally the
 * halves.
 */
import * as flyweight from './flyweight.ts';
import { CompositeClasses, inComment, type Use } from './generate-class.ts';
import { quoted } from './generate-fields.ts';
import { structuralTypes } from './generate-layout.ts';
import { messageSource } from './generate-section.ts';
import type { Message, Schema } from './model.ts';
import { className, fileName } from './naming.ts';

export interface GenerateOptions {
  /** The folder from which generated files import `block.ts` and `flyweight.ts`. */
  readonly runtime: string;
  /** The name of the schema's file, for the heading. */
  readonly source: string;
  /** The template ids of messages to read and to write; if absent, all are both. */
  readonly only?: { readonly read: Picked; readonly write: Picked } | undefined;
  /** Whether 64-bit integers also have accessors for their two halves. */
  readonly halves?: boolean;
  /** Composites with a class, which are objects in their messages; the others are flattened. */
  readonly shared?: readonly string[];
}

type Picked = (templateId: number) => boolean;

/** Parses ids and ranges of ids, such as 200-225,100; undefined for other text. Empty text means none. */
export function templateIds(text: string): Picked | undefined {
  const ranges: (readonly [number, number])[] = [];
  for (const item of text === '' ? [] : text.split(',')) {
    const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(item) ?? [];
    if (first === undefined) return undefined;
    ranges.push([Number(first), Number(last)]);
  }
  return (id) => ranges.some(([first, last]) => first <= id && id <= last);
}

/** Returns the files by name. */
export function generate(schema: Schema, options: GenerateOptions): Map<string, string> {
  const { littleEndian, messages } = schema;
  const { halves = false, only, shared = [] } = options;
  const files = new Map<string, string>();
  const add = (name: string, lines: readonly string[]) => {
    if (files.has(name)) throw new Error(`two messages would share the file ${name}`);
    files.set(name, withImports(lines, options));
  };
  const composites = new CompositeClasses({ littleEndian, halves }, new Set(shared));
  const useOf = ({ id }: Message): Use => ({
    reads: only?.read(id) ?? true,
    writes: only?.write(id) ?? true,
  });
  const used = messages.filter((message) => useOf(message).reads || useOf(message).writes);
  add('message-header.ts', headerSource(schema, composites));
  for (const message of used) {
    const lines = messageSource({ schema, composites, use: useOf(message) }, message);
    add(`${fileName(message.name)}.ts`, lines);
  }
  const names = used.map(({ name }) => fileName(name)).sort();
  add('messages.ts', [
    '/** All messages, to be imported together. */',
    ...names.map((name) => `export * from './${name}.ts';`),
  ]);
  if (schema.enums.length + schema.sets.length > 0) add('codes.ts', codesSource(schema));
  const types = typesSource(composites, structuralTypes(used, littleEndian));
  if (types.length > 0) add('types.ts', types);
  return files;
}

function withImports(lines: readonly string[], { runtime, source }: GenerateOptions): string {
  const body = lines.join('\n').trim();
  const uses = (name: string, after = '\\b') =>
    new RegExp(`(?<![#.\\w])${name}${after}`).test(body);
  const used = Object.keys(flyweight)
    .sort()
    .filter((name) => uses(name, '\\('));
  const imports = [
    ...(uses('sbe') ? [`import * as sbe from ${quoted(`${runtime}/block.ts`)};`] : []),
    ...(used.length > 0
      ? [`import { ${used.join(', ')} } from ${quoted(`${runtime}/flyweight.ts`)};`]
      : []),
    ...(uses('types') ? ["import * as types from './types.ts';"] : []),
  ];
  const heading = [
    `// Generated from ${source} by "causeway sbe generate". Change the schema, not this file.`,
    '// biome-ignore-all lint: generated',
    '// biome-ignore-all format: generated',
    ...imports,
    ...(imports.length > 0 ? [''] : []),
  ];
  return `${[...heading, body].join('\n')}\n`;
}

function headerSource(schema: Schema, composites: CompositeClasses): string[] {
  const { members, size, typeName } = schema.header;
  const use = { reads: true, writes: false };
  const { methods, objects } = composites.ofBlock(members, typeName, use);
  return [
    '/** Precedes every message and identifies it. */',
    'export class MessageHeader {',
    `  static readonly size = ${size};`,
    `  readonly #block = new sbe.Block({ name: '${typeName}', groups: [], data: [] });`,
    ...objects.map(
      ({ member, offset, type }) =>
        `  readonly ${member} = new types.${type}(this.#block, ${offset});`,
    ),
    '',
    '  /** False when the bytes end before the header does. */',
    '  wrap(bytes: Uint8Array, at = 0): boolean {',
    `    if (at + ${size} > bytes.length) return false;`,
    '    this.#block.at = this.#block.take(bytes, at);',
    '    return true;',
    '  }',
    ...methods,
    '}',
  ];
}

function codesSource(schema: Schema): string[] {
  const lines: string[] = [];
  for (const { typeName, values } of schema.enums) {
    lines.push(`export const ${className(typeName)} = {`);
    for (const { name, value, description } of values) {
      if (description !== '') lines.push(`  /** ${inComment(description)}. */`);
      lines.push(`  ${name}: ${value},`);
    }
    lines.push('} as const;', '');
  }
  for (const { typeName, primitive, choices } of schema.sets) {
    lines.push(`/** The bits of ${typeName}. */`, `export const ${className(typeName)} = {`);
    for (const { name, bit } of choices) {
      lines.push(`  ${name}: ${primitive.size === 8 ? `${1n << BigInt(bit)}n` : 2 ** bit},`);
    }
    lines.push('} as const;', '');
  }
  return lines;
}

function typesSource(
  composites: CompositeClasses,
  { data, dimensions }: ReturnType<typeof structuralTypes>,
): string[] {
  const table = (comment: string, name: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [`/** ${comment} */`, `export const ${name} = {`, ...lines, '} as const;', ''];
  return [
    ...table('The header of variable data.', 'data', data),
    ...table('The header of a group.', 'dimensions', dimensions),
    ...composites.source(),
  ];
}
