/**
 * TypeScript from a schema: a file and a class a message, the header, and the codes. One object serves any number of
 * messages, one after the other:
 *
 *   const fault = order.wrap(bytes, at);         order.encode(bytes, at).setQty(5).setSymbol('BTC').bytes
 *   if (fault === undefined) order.qty …
 *
 * `wrap` answers what is wrong with the bytes, walks every count and length once, and after it nothing read can be
 * outside the message. 64-bit integers have four forms: a number that throws beyond 2^53, `…Big`, and the halves.
 */
import { blankMessage } from './blank.ts';
import { putImage, versionedLength } from './generate-block.ts';
import { finished, inComment } from './generate-class.ts';
import { accessorsOf, leavesOf, quoted } from './generate-fields.ts';
import { groupSource } from './generate-group.ts';
import {
  hasParts,
  type Owner,
  partCount,
  partFields,
  partMethods,
  read,
  walk,
  write,
} from './generate-parts.ts';
import type { Message, MessageHeader, Schema } from './model.ts';
import { className, fileName } from './naming.ts';

export interface GenerateOptions {
  /** What generated files import their footing from. */
  readonly runtime: string;
  /** The name of the schema's file, for the heading. */
  readonly source: string;
}

/** The files by name. */
export function generate(schema: Schema, options: GenerateOptions): Map<string, string> {
  const files = new Map<string, string>();
  const add = (name: string, lines: readonly string[]) => {
    if (files.has(name)) throw new Error(`two messages would share the file ${name}`);
    files.set(name, withImports(lines, options));
  };
  add('message-header.ts', headerSource(schema));
  if (schema.enums.length + schema.sets.length > 0) add('codes.ts', codesSource(schema));
  for (const message of schema.messages) {
    add(`${fileName(message.name)}.ts`, messageSource(schema, message));
  }
  return files;
}

function withImports(lines: readonly string[], { runtime, source }: GenerateOptions): string {
  const body = lines.join('\n');
  const used = footing.filter((name) => new RegExp(`(?<![#.\\w])${name}\\b`).test(body));
  const heading = [
    `// Generated from ${source} by "causeway sbe generate". Change the schema, not this file.`,
    '// biome-ignore-all lint: generated',
    '// biome-ignore-all format: generated',
  ];
  if (used.length > 0) heading.push(`import { ${used.join(', ')} } from ${quoted(runtime)};`, '');
  return `${[...heading, body.trimEnd()].join('\n')}\n`;
}

const footing = [
  'beyond',
  'cut',
  'decoded',
  'highOf',
  'isFilled',
  'joined',
  'noOctets',
  'noRoom',
  'notInVersion',
  'noView',
  'outside',
  'placeOf',
  'putCharacters',
  'putOctets',
  'putPairs',
  'putText',
  'putWhole',
  'shorter',
  'textAt',
  'wrongOrder',
  'wrongTemplate',
];

function messageSource(schema: Schema, message: Message): string[] {
  const { littleEndian, version } = schema;
  const name = className(message.name);
  const owner: Owner = {
    className: name,
    label: message.name,
    section: message,
    littleEndian,
    version,
  };
  const leaves = leavesOf(message.fields, message.name);
  const description = message.description === '' ? '' : ` ${inComment(message.description)}.`;
  return [
    ...message.groups.flatMap((group) => groupSource(owner, group)),
    ...finished(name, [
      `/** ${message.name} (${message.id}).${description} */`,
      `export class ${name} {`,
      `  static readonly templateId = ${message.id};`,
      `  static readonly schemaId = ${schema.id};`,
      `  static readonly schemaVersion = ${version};`,
      `  static readonly blockLength = ${message.blockLength};`,
      '  #bytes: Uint8Array = noOctets;',
      '  /** Where these bytes begin in their buffer, which the view and the octets cover whole. */',
      '  #base = 0;',
      '  #view = noView;',
      '  #octets = noOctets;',
      '  #version = 0;',
      '  #limit = 0;',
      '  /** The block, and the end of the message so far. */',
      '  #at = 0;',
      '  #end = 0;',
      ...partFields(owner),
      '',
      ...wrapMethod(schema, owner, message),
      ...encodeMethod(schema, owner, message),
      ...wholeMethods(schema, owner),
      ...take,
      ...leaves.flatMap((leaf) => accessorsOf(leaf, littleEndian)),
      ...partMethods(owner),
      '}',
    ]),
  ];
}

/** The view over a buffer is kept as long as messages come in the same bytes, or in bytes of the same buffer. */
const take = [
  '  #take(bytes: Uint8Array): void {',
  '    if (this.#view.buffer !== bytes.buffer) {',
  '      this.#view = new DataView(bytes.buffer);',
  '      this.#octets = Buffer.from(bytes.buffer);',
  '    }',
  '    this.#bytes = bytes;',
  '    this.#base = bytes.byteOffset;',
  '  }',
];
const taken = ['    if (this.#bytes !== bytes) this.#take(bytes);', '    const view = this.#view;'];

function wrapMethod(
  { header, id: schemaId, littleEndian }: Schema,
  owner: Owner,
  { id: templateId, groups }: Message,
): string[] {
  const { label } = owner;
  const needed = versionedLength(owner, 'version', 'needed');
  const get = (field: MessageHeader['version']) => read('view', 'start', field, littleEndian);
  return [
    '  /** Takes the message whose header is at `at`; answers what is wrong with it. */',
    '  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {',
    ...taken,
    '    const start = this.#base + at;',
    '    const limit = this.#base + Math.min(end, bytes.length);',
    `    if (start + ${header.size} > limit) return cut('${label}', ${header.size}, limit - start);`,
    `    if (${get(header.templateId)} !== ${templateId} || ${get(header.schemaId)} !== ${schemaId}) return wrongTemplate('${label}');`,
    `    const blockLength = ${get(header.blockLength)};`,
    `    const version = ${get(header.version)};`,
    `    const needed = ${needed};`,
    `    if (blockLength < needed) return shorter('${label}', blockLength, needed, version);`,
    `    ${hasParts(owner) ? 'let' : 'const'} next = start + ${header.size} + blockLength;`,
    `    if (next > limit) return cut('${label}', blockLength, limit - start - ${header.size});`,
    '    this.#version = version;',
    `    this.#at = start + ${header.size};`,
    '    this.#limit = limit;',
    ...walk(owner),
    ...(hasParts(owner) ? [`    this.#part = ${partCount(owner)};`] : []),
    ...(groups.length > 0 ? ['    this.#open = undefined;'] : []),
    '    this.#end = next;',
    '    return undefined;',
    '  }',
  ];
}

function encodeMethod(schema: Schema, owner: Owner, message: Message): string[] {
  const { header, littleEndian } = schema;
  const { label } = owner;
  const put = (field: MessageHeader['version'], value: string) =>
    `      ${write('view', 'start', field, value, littleEndian)};`;
  const image = blankMessage(schema, message);
  const blockLength = versionedLength(owner, 'version', 'written');
  const earlier = [
    `    if (version < ${schema.version}) {`,
    put(header.blockLength, 'blockLength'),
    put(header.version, 'version'),
    '    }',
  ];
  return [
    "  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */",
    `  encode(bytes: Uint8Array, at = 0, version = ${schema.version}): this {`,
    ...taken,
    `    if (version > ${schema.version}) throw notInVersion('${label}', version);`,
    `    if (at + ${image.length} > bytes.length) throw noRoom('${label}');`,
    '    const start = this.#base + at;',
    ...putImage(image, 'view', 'start'),
    `    const blockLength = ${blockLength};`,
    ...(schema.version > 0 ? earlier : []),
    '    this.#version = version;',
    '    this.#limit = this.#base + bytes.length;',
    `    this.#at = start + ${header.size};`,
    `    this.#end = start + ${header.size} + blockLength;`,
    ...(hasParts(owner) ? ['    this.#part = 0;'] : []),
    ...(message.groups.length > 0 ? ['    this.#open = undefined;'] : []),
    '    return this;',
    '  }',
  ];
}

function wholeMethods({ header }: Schema, owner: Owner): string[] {
  const reach = hasParts(owner) ? [`    this.#reach(${partCount(owner)});`] : [];
  return [
    '  /** The version of the schema that the message was written in. */',
    '  get actingVersion(): number {',
    '    return this.#version;',
    '  }',
    '  /** With the header; groups and data that were not written are empty. */',
    '  get length(): number {',
    ...reach,
    `    return this.#end - this.#at + ${header.size};`,
    '  }',
    '  /** The message with its header, lent until the buffer is used again. */',
    '  get bytes(): Uint8Array {',
    ...reach,
    `    return new Uint8Array(this.#view.buffer, this.#at - ${header.size}, this.#end - this.#at + ${header.size});`,
    '  }',
  ];
}

function headerSource({ header, littleEndian }: Schema): string[] {
  const leaves = leavesOf(header.members, header.typeName);
  return [
    '/** Stands before every message; tells which it is. */',
    'export class MessageHeader {',
    `  static readonly size = ${header.size};`,
    '  #view = noView;',
    '  #at = 0;',
    '',
    '  /** False when the bytes end before the header does. */',
    '  wrap(bytes: Uint8Array, at = 0): boolean {',
    `    if (at + ${header.size} > bytes.length) return false;`,
    '    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);',
    '    this.#at = bytes.byteOffset + at;',
    '    return true;',
    '  }',
    ...leaves.flatMap((leaf) => gettersOnly(accessorsOf(leaf, littleEndian))),
    '}',
  ];
}

function gettersOnly(lines: readonly string[]): string[] {
  const setter = lines.findIndex((line) => line.startsWith('  set'));
  return setter < 0 ? [...lines] : lines.slice(0, setter);
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
