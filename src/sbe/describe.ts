/** Renders a schema as Markdown for client developers: fields, codes, and an example of each message in bytes. */
import { exampleOf } from './example.ts';
import { decodeMessage, type Piece } from './generic-decoder.ts';
import { encodeMessage } from './generic-encoder.ts';
import {
  type Data,
  type Encoding,
  type EnumEncoding,
  encodedSize,
  type Field,
  type Group,
  leavesOf,
  type Message,
  type Schema,
  type Section,
  type SetEncoding,
} from './model.ts';
import type { WireNumber } from './primitive.ts';

export function describeSchema(schema: Schema, source: string): string {
  const { id, version, description, semanticVersion, littleEndian, messages } = schema;
  const order = littleEndian ? 'little-endian' : 'big-endian';
  const semantics = semanticVersion === '' ? '' : ` ${semanticVersion}.`;
  const lines = [
    `# ${description === '' ? source : description}`,
    '',
    `Generated from \`${source}\` by \`causeway sbe document\`. Schema ${id}, version ${version}, ${order}.${semantics}`,
    '',
    ...headerTable(schema),
    ...listOf(messages),
    ...messages.flatMap((message) => describeMessage(schema, message)),
    ...codes(schema),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function headerTable({ header }: Schema): string[] {
  return [
    `Every message begins with \`${header.typeName}\`, ${header.size} bytes:`,
    '',
    ...table(
      '| Offset | Type | Member |',
      header.members.map(({ offset, encoding, name }) => [offset, typeText(encoding), name]),
    ),
  ];
}

function listOf(messages: readonly Message[]): string[] {
  const rows = messages.map(({ id, name, description }): Row => {
    return [id, `[${name}](#${anchor(id, name)})`, description];
  });
  return table('| Template | Message | |', rows);
}

function anchor(id: number, name: string): string {
  return `${name.toLowerCase()}-${id}`;
}

function describeMessage(schema: Schema, message: Message): string[] {
  const { name, id, description, blockLength, since } = message;
  const notes = [description, age(since, 'Since'), `Block of ${blockLength} bytes`];
  return [
    `## ${name} (${id})`,
    '',
    `${joined(notes, '. ')}.`,
    '',
    ...sectionTables(message, name),
    ...exampleTable(schema, message),
  ];
}

function sectionTables(section: Section, label: string): string[] {
  const { fields, groups, data } = section;
  const fieldHead = '| Offset | Bytes | Field | Id | Type | Presence | |';
  const dataHead = '| Variable data | Id | Length | Content | |';
  return [
    ...(fields.length > 0 ? table(fieldHead, fieldRows(fields)) : []),
    ...groups.flatMap((group) => groupTables(group, label)),
    ...(data.length > 0 ? table(dataHead, data.map(dataRow)) : []),
  ];
}

function groupTables(group: Group, label: string): string[] {
  const { name, id, dimension, blockLength, description, since } = group;
  const { blockLength: length, numInGroup } = dimension;
  const path = `${label}.${name}`;
  const notes = [
    description,
    age(since, 'Since'),
    `${dimension.size} bytes before the entries: blockLength ${length.primitive.name} at ${length.offset}, numInGroup ${numInGroup.primitive.name} at ${numInGroup.offset}`,
    `each entry has a block of ${blockLength} bytes`,
  ];
  return [
    `**Group ${path}**${id === undefined ? '' : ` (${id})`}. ${joined(notes)}.`,
    '',
    ...sectionTables(group, path),
  ];
}

function fieldRows(fields: readonly Field[]): Row[] {
  return leavesOf(fields).map(({ field, name, offset }): Row => {
    const { encoding, id } = field;
    const isConstant = field.constant !== undefined;
    const place = isConstant ? '–' : String(offset);
    const size = isConstant ? '–' : String(encodedSize(encoding));
    const { deprecated, description } = field;
    const end = deprecated === undefined ? '' : `deprecated since version ${deprecated}`;
    const cells = [place, size, name, id ?? '', typeText(encoding), presenceText(field)];
    return [...cells, joined([description, end])];
  });
}

function dataRow({ name, id, length, characters, description, since }: Data): Row {
  const bound = length.max < Number(length.primitive.max) ? ` to ${length.max}` : '';
  const size = `${length.primitive.name}${bound}`;
  return [name, id ?? '', size, characters ?? 'octets', joined([description, age(since)])];
}

function typeText(encoding: Encoding): string {
  switch (encoding.kind) {
    case 'scalar':
      return encoding.primitive.name;
    case 'array':
      return `${encoding.element.primitive.name}[${encoding.length}]`;
    case 'text':
      return `${encoding.characters}[${encoding.length}]`;
    case 'enum':
    case 'set':
      return `[${encoding.typeName}](#${encoding.typeName.toLowerCase()}) ${encoding.primitive.name}`;
    case 'composite':
      return encoding.typeName;
  }
}

function presenceText({ presence, encoding, constant, since }: Field): string {
  const age = since === 0 ? '' : `, since version ${since}`;
  if (constant !== undefined) return `always ${constant}${age}`;
  const range = rangeText(encoding);
  if (presence === 'required') return `required${range}${age}`;
  return `optional${nullText(encoding)}${range}${age}`;
}

function nullText(encoding: Encoding): string {
  const one = encoding.kind === 'array' ? encoding.element : encoding;
  return one.kind === 'scalar' || one.kind === 'enum' ? `, null is ${one.nullValue}` : '';
}

/** Formats ranges that the schema narrows; null is always outside. */
function rangeText(encoding: Encoding): string {
  if (encoding.kind !== 'scalar') return '';
  const { primitive, nullValue, min, max } = encoding;
  const isNative = (value: WireNumber) => value === primitive.min || value === primitive.max;
  const nextToNull = primitive.isFloat ? [] : [BigInt(nullValue) - 1n, BigInt(nullValue) + 1n];
  const isWide = (value: WireNumber) =>
    isNative(value) || (isNative(nullValue) && nextToNull.some((one) => one === value));
  return isWide(min) && isWide(max) ? '' : `, ${min} to ${max}`;
}

function exampleTable(schema: Schema, message: Message): string[] {
  const bytes = encodeMessage(schema, { message: message.name, fields: exampleOf(message) });
  const pieces: Piece[] = [];
  const decoded = decodeMessage(schema, bytes, 0, bytes.length, pieces);
  if (typeof decoded === 'string') throw new Error(decoded);
  const rows = pieces.map(({ offset, bytes, name, value }): Row => {
    const path = name.startsWith(`${message.name}.`) ? name.slice(message.name.length + 1) : name;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [offset, `\`${bytes.toString('hex')}\``, path, text];
  });
  return [`Example, ${bytes.length} bytes:`, '', ...table('| Offset | Bytes | | Value |', rows)];
}

function codes({ enums, sets }: Schema): string[] {
  return [...enums.flatMap(enumTable), ...sets.flatMap(setTable)];
}

function enumTable({ typeName, primitive, values }: EnumEncoding): string[] {
  const isChar = primitive.name === 'char';
  const rows = values.map(({ value, name, description, since }): Row => {
    const code = isChar ? `'${String.fromCharCode(value)}' (${value})` : value;
    return [code, name, joined([description, age(since)])];
  });
  return [`### ${typeName}`, '', ...table(`| ${primitive.name} | Name | |`, rows)];
}

function setTable({ typeName, primitive, choices }: SetEncoding): string[] {
  const rows = choices.map(({ bit, name, description }): Row => [bit, name, description]);
  return [`### ${typeName}`, '', ...table(`| Bit of ${primitive.name} | Name | |`, rows)];
}

function age(since: number, word = 'since'): string {
  return since > 0 ? `${word} version ${since}` : '';
}

function joined(notes: readonly string[], separator = '; '): string {
  return notes.filter((note) => note !== '').join(separator);
}

type Row = readonly (string | number)[];

/** `head` is the first line; an empty line ends the table. */
function table(head: string, rows: readonly Row[]): string[] {
  const line = (row: Row) =>
    `| ${row.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [head, head.replaceAll(/[^|]+/g, '---'), ...rows.map(line), ''];
}
