/** Generates the tables for `block.ts`: what a message or entry has in addition to the fields of its block. */
import { blankBlock, blankDimension, blankMessage } from './blank.ts';
import type { Use } from './generate-class.ts';
import { plus } from './generate-fields.ts';
import {
  type CharacterEncoding,
  type Data,
  type Dimension,
  fieldsEnd,
  type Group,
  type HeaderField,
  type Message,
  type Schema,
  type Section,
  writtenBlockLength,
} from './model.ts';
import { className, memberName } from './naming.ts';

export function messageLayout(schema: Schema, message: Message, { reads, writes }: Use): string[] {
  const { bytes, isCopied } = blankOf(schema, message);
  return [
    ...(isCopied && writes ? [`const blank = ${image(bytes)};`] : []),
    'const layout: sbe.Layout = {',
    ...indented(layout(schema, [message.name], message, reads)),
    '};',
  ];
}

/** The initial bytes of a message. A short one is written word by word, which is faster than a copy. */
function blankOf(schema: Schema, message: Message): { bytes: Buffer; isCopied: boolean } {
  const bytes = blankMessage(schema, message);
  return { bytes, isCopied: bytes.length > 96 };
}

/** Statements that write the initial message at `start` of `view`: zeros eight at a time, then words, then bytes. */
export function putBlank(schema: Schema, message: Message): string[] {
  const { bytes, isCopied } = blankOf(schema, message);
  if (isCopied) return ['this.#block.octets.set(blank, start);'];
  const lines: string[] = [];
  let offset = 0;
  while (offset + 4 <= bytes.length) {
    const word = bytes.readUInt32LE(offset);
    // Eight zero bytes are the float zero: half the statements, so that twice as much is inlined.
    const isZero = offset + 8 <= bytes.length && bytes.readBigUInt64LE(offset) === 0n;
    if (isZero) lines.push(`view.setFloat64(${plus('start', offset)}, 0);`);
    else lines.push(`view.setUint32(${plus('start', offset)}, ${word}, true);`);
    offset += isZero ? 8 : 4;
  }
  for (; offset < bytes.length; offset += 1) {
    lines.push(`view.setUint8(${plus('start', offset)}, ${bytes.readUInt8(offset)});`);
  }
  return lines;
}

/** The names of a message and of the groups in it, down to a section. */
export type Path = readonly string[];

function layout(schema: Schema, path: Path, section: Section, isRead: boolean): string[] {
  const groups = section.groups.flatMap((group) =>
    groupLayout(schema, [...path, group.name], group, isRead),
  );
  return [
    `name: '${path.join('.')}',`,
    ...list('groups', groups),
    ...list('data', section.data.map(dataLayout)),
  ];
}

function groupLayout(schema: Schema, path: Path, group: Group, isRead: boolean): string[] {
  const { littleEndian, version: current } = schema;
  const { dimension, since } = group;
  const needed = (version: number) => fieldsEnd(group.fields, version);
  const written = (version: number) => writtenBlockLength(group, version, current);
  return [
    '{',
    `  since: ${since},`,
    `  dimension: types.dimensions.${memberName(dimension.typeName)},`,
    `  empty: ${image(blankDimension(group, littleEndian))},`,
    `  blank: ${image(blankBlock(group, littleEndian))},`,
    `  needed: [${inVersions(current, needed)}],`,
    `  written: [${inVersions(current, written)}],`,
    '  entry: {',
    ...indented(indented(layout(schema, path, group, isRead))),
    '  },',
    `  walk: ${isRead && hasParts(group) ? `walk${className(...path)}` : 'undefined'},`,
    '},',
  ];
}

export function hasParts({ data, groups }: Section): boolean {
  return data.length + groups.length > 0;
}

function dataLayout({ name, since, typeName }: Data): string {
  return `{ name: '${name}', since: ${since}, type: types.data.${memberName(typeName)} },`;
}

/** A length for each version, or one for all. */
function inVersions(current: number, lengthIn: (version: number) => number): string {
  const lengths = Array.from({ length: current + 1 }, (_, version) => lengthIn(version));
  return lengths.every((length) => length === lengths[0]) ? `${lengths[0]}` : lengths.join(', ');
}

/** The source of the bytes: the non-zero runs by offset. */
function image(bytes: Buffer): string {
  const runs: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const zero = bytes.indexOf(0, at);
    const end = zero < 0 ? bytes.length : zero;
    if (end > at) runs.push(`${at}: '${bytes.toString('hex', at, end)}'`);
    at = end + 1;
  }
  const filled = runs.length === 0 ? '' : `, { ${runs.join(', ')} }`;
  return `sbe.image(${bytes.length}${filled})`;
}

function list(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [`${name}: [],`] : [`${name}: [`, ...indented(items), '],'];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** The composites for data and for groups of the sections, by name. */
export function structuralTypes(
  sections: readonly Section[],
  littleEndian: boolean,
): { readonly data: string[]; readonly dimensions: string[] } {
  const data = new Map<string, string>();
  const dimensions = new Map<string, string>();
  const visit = (section: Section) => {
    for (const one of section.data) add(data, one.typeName, dataType(one, littleEndian));
    for (const group of section.groups) {
      const { dimension } = group;
      add(dimensions, dimension.typeName, dimensionType(dimension, littleEndian));
      visit(group);
    }
  };
  sections.forEach(visit);
  return { data: entries(data), dimensions: entries(dimensions) };
}

function add(types: Map<string, string>, typeName: string, source: string): void {
  const name = memberName(typeName);
  if ((types.get(name) ?? source) !== source) throw new Error(`two types would be called ${name}`);
  types.set(name, source);
}

function entries(types: ReadonlyMap<string, string>): string[] {
  return [...types].map(([name, source]) => `  ${name}: ${source},`);
}

function dataType({ characters, length, offset }: Data, littleEndian: boolean): string {
  return `{ length: ${sizeField(length, littleEndian)}, offset: ${offset}, characters: ${quotedOrNot(characters)} }`;
}

function quotedOrNot(characters: CharacterEncoding | undefined): string {
  return characters === undefined ? 'undefined' : `'${characters}'`;
}

function dimensionType(dimension: Dimension, littleEndian: boolean): string {
  const { blockLength, numInGroup, size } = dimension;
  const [length, count] = [blockLength, numInGroup].map((one) => sizeField(one, littleEndian));
  return `{ size: ${size}, blockLength: ${length}, numInGroup: ${count} }`;
}

function sizeField({ max, offset, primitive }: HeaderField, littleEndian: boolean): string {
  return `{ at: ${offset}, bytes: ${primitive.size}, max: ${max}, littleEndian: ${littleEndian} }`;
}
