/** Generates the classes of messages and of their groups' entries. */
import { finished, inComment, type Target, type Use } from './generate-class.ts';
import { read, write } from './generate-fields.ts';
import { hasParts, messageLayout, type Path, putBlank } from './generate-layout.ts';
import {
  type Data,
  fieldsEnd,
  type Group,
  type HeaderField,
  type Message,
  type Schema,
  type Section,
  writtenBlockLength,
} from './model.ts';
import { className, memberName } from './naming.ts';

/** The layout and the class of a message, after the classes of its groups. */
export function messageSource(target: Target, message: Message): string[] {
  const { composites, schema, use } = target;
  const { header, id, version } = schema;
  const name = className(message.name);
  const { objects, methods } = composites.ofBlock(message.fields, message.name, use);
  const end = hasParts(message) ? 'this.#block.finish()' : 'this.#block.end';
  const description = message.description === '' ? '' : ` ${inComment(message.description)}.`;
  return [
    ...messageLayout(schema, message, use),
    '',
    ...(use.reads ? walkSource([message.name], message, schema.littleEndian) : []),
    ...message.groups.flatMap((group) => groupSource(target, [message.name, group.name], group)),
    ...finished(name, [
      `/** ${message.name} (${message.id}).${description} */`,
      `export class ${name} {`,
      `  static readonly templateId = ${message.id};`,
      `  static readonly schemaId = ${id};`,
      `  static readonly schemaVersion = ${version};`,
      `  static readonly blockLength = ${message.blockLength};`,
      '  readonly #block = new sbe.Block(layout);',
      ...objects.map(
        ({ member, offset, type }) =>
          `  readonly ${member} = new types.${type}(this.#block, ${offset});`,
      ),
      ...groupMembers(message, [message.name]).map(
        ({ member, type, index }) =>
          `  readonly #${member} = new ${type}(this.#block.group(${index}));`,
      ),
      '',
      ...(use.reads ? reading(schema, message) : []),
      ...(use.writes ? writing(schema, message) : []),
      '  /** With the header; groups and data that were not written are empty. */',
      `  get length(): number { return ${end} - this.#block.at + ${header.size}; }`,
      '  /** The message with its header, lent until the buffer is used again. */',
      `  get bytes(): Uint8Array { return this.#block.whole(${header.size}); }`,
      ...methods,
      ...partMethods(message, [message.name], use),
      '}',
    ]),
  ];
}

function reading({ header, id, littleEndian, version }: Schema, message: Message): string[] {
  const { name } = message;
  const { size } = header;
  const get = (field: HeaderField) => read('start', field, littleEndian);
  const needed = inVersions(version, (one) => fieldsEnd(message.fields, one));
  const walk = hasParts(message) ? ` ?? walk${className(name)}(block)` : '';
  return [
    '  /** Takes the message whose header is at `at`; answers what is wrong with it. */',
    '  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {',
    '    const block = this.#block;',
    '    const start = block.take(bytes, at);',
    '    const limit = start - at + Math.min(end, bytes.length);',
    '    const { view } = block;',
    `    if (start + ${size} > limit) return cut('${name}', ${size}, limit - start);`,
    `    if (${get(header.templateId)} !== ${message.id} || ${get(header.schemaId)} !== ${id}) return wrongTemplate('${name}');`,
    `    const version = ${get(header.version)};`,
    `    return block.wrap(start + ${size}, ${get(header.blockLength)}, ${needed}, version, limit)${walk};`,
    '  }',
    '  /** The version of the schema that the message was written in. */',
    '  get actingVersion(): number { return this.#block.version; }',
  ];
}

function writing(schema: Schema, message: Message): string[] {
  const { header, littleEndian, version } = schema;
  const { name } = message;
  const room = header.size + message.blockLength;
  const written = inVersions(version, (one) => writtenBlockLength(message, one, version));
  const place = `start + ${header.size}, ${written}, version`;
  const put = (field: HeaderField, value: string) => write('start', field, value, littleEndian);
  const earlier = [
    `    if (version < ${version}) {`,
    `      ${put(header.blockLength, written)}`,
    `      ${put(header.version, 'version')}`,
    '    }',
  ];
  const blank = [
    ...putBlank(schema, message).map((line) => `    ${line}`),
    ...(version > 0 ? earlier : []),
  ];
  return [
    "  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */",
    `  encode(bytes: Uint8Array, at = 0, version = ${version}): this {`,
    `    if (version > ${version}) throw notInVersion('${name}', version);`,
    `    if (at + ${room} > bytes.length) throw noRoom('${name}');`,
    '    const start = this.#block.take(bytes, at);',
    ...(blank.some((line) => line.includes(' view.')) ? ['    const { view } = this.#block;'] : []),
    ...blank,
    hasParts(message)
      ? `    this.#block.begin(${place}, start - at + bytes.length);`
      : `    this.#block.place(${place});`,
    '    return this;',
    '  }',
  ];
}

/** Functions that check every count and length of a section before using it. */
function walkSource(path: Path, section: Section, littleEndian: boolean): string[] {
  const { data, groups } = section;
  const inner = groups.flatMap((group) => walkSource([...path, group.name], group, littleEndian));
  if (!hasParts(section)) return inner;
  const walkGroups = groups.map((_, index) => `block.walkGroup(${index})`).join(' ?? ');
  const walkAll = [
    '  const { dataAt, limit, view } = block;',
    '  let next = block.end;',
    ...data.flatMap((one, index) => walkData(one, index, littleEndian)),
    '  block.end = next;',
    '  return undefined;',
  ];
  const walkBoth = [
    `  const fault = ${walkGroups};`,
    '  if (fault !== undefined) return fault;',
    ...walkAll,
  ];
  return [
    ...inner,
    `/** Moves the end over ${[...groups, ...data].map(({ name }) => name).join(', ')}; answers what is wrong with them. */`,
    `function walk${className(...path)}(block: sbe.Block): string | undefined {`,
    ...(data.length === 0 ? [`  return ${walkGroups};`] : groups.length === 0 ? walkAll : walkBoth),
    '}',
    '',
  ];
}

function walkData({ length, offset, since }: Data, index: number, littleEndian: boolean): string[] {
  const size = read('next', length, littleEndian);
  const refuse = `return block.refuseData(${index}, next);`;
  const lines = [
    `  if (next + ${offset} > limit) ${refuse}`,
    `  dataAt[${index}] = next;`,
    ...(length.max < Number(length.primitive.max)
      ? [`  if (${size} > ${length.max}) ${refuse}`]
      : []),
    `  next += ${offset} + ${size};`,
    `  if (next > limit) return block.refuseData(${index});`,
  ];
  if (since === 0) return lines;
  return [`  if (block.version >= ${since}) {`, ...lines.map((line) => `  ${line}`), '  }'];
}

/** The source of a length: the same in all versions, or by `version`. */
function inVersions(current: number, lengthIn: (version: number) => number): string {
  let source = '';
  for (let one = 0; one < current; one += 1) {
    if (lengthIn(one) !== lengthIn(one + 1)) source += `version <= ${one} ? ${lengthIn(one)} : `;
  }
  return source + lengthIn(current);
}

function groupSource(target: Target, path: Path, group: Group): string[] {
  const { composites, use } = target;
  const name = className(...path);
  const label = path.join('.');
  const { objects, methods } = composites.ofBlock(group.fields, label, use);
  const accessors = [...methods, ...partMethods(group, path, use)];
  const groups = groupMembers(group, path);
  const keepsBlock = accessors.some((line) => line.includes('this.#block'));
  const description = group.description === '' ? '' : `: ${inComment(group.description)}`;
  return [
    ...group.groups.flatMap((one) => groupSource(target, [...path, one.name], one)),
    ...finished(name, [
      `/** The entries of ${label}${description}. */`,
      `export class ${name} {`,
      `  static readonly blockLength = ${group.blockLength};`,
      '  readonly #entries: sbe.Entries;',
      ...(keepsBlock ? ['  readonly #block: sbe.Block;'] : []),
      ...objects.map(({ member, type }) => `  readonly ${member}: types.${type};`),
      ...groups.map(({ member, type }) => `  readonly #${member}: ${type};`),
      '',
      '  constructor(entries: sbe.Entries) {',
      '    this.#entries = entries;',
      ...(keepsBlock ? ['    this.#block = entries.block;'] : []),
      ...objects.map(
        ({ member, offset, type }) =>
          `    this.${member} = new types.${type}(entries.block, ${offset});`,
      ),
      ...groups.map(
        ({ member, type, index }) =>
          `    this.#${member} = new ${type}(entries.block.group(${index}));`,
      ),
      '  }',
      '',
      '  get count(): number { return this.#entries.count; }',
      ...(use.reads ? entryReading : []),
      ...(use.writes ? entryWriting : []),
      ...accessors,
      '}',
      '',
    ]),
  ];
}

const entryReading = [
  '  /** Goes before the first entry. */',
  '  rewind(): this { this.#entries.rewind(); return this; }',
  '  /** Goes to the next entry, if there is one. */',
  '  next(): boolean { return this.#entries.next(); }',
];
const entryWriting = [
  '  /** Begins the next entry. */',
  '  add(): this { this.#entries.add(); return this; }',
];

function groupMembers({ groups }: Section, path: Path) {
  return groups.map(({ name }, index) => {
    return { name, member: memberName(name), type: className(...path, name), index };
  });
}

function partMethods(section: Section, path: Path, { reads, writes }: Use): string[] {
  return [
    ...groupMembers(section, path).flatMap(({ name, member, type, index }) => [
      ...(reads
        ? [
            '  /** The entries, before the first. */',
            `  get ${member}(): ${type} { this.#block.readGroup(${index}); return this.#${member}; }`,
          ]
        : []),
      ...(writes
        ? [
            '  /** The group for writing: `add()` begins an entry. */',
            `  write${className(name)}(): ${type} { this.#block.beginGroup(${index}); return this.#${member}; }`,
          ]
        : []),
    ]),
    ...section.data.flatMap((data, index) => [
      ...(reads ? dataGetters(data, index) : []),
      ...(writes ? dataSetters(data, index) : []),
    ]),
  ];
}

function dataGetters({ name, characters, since }: Data, index: number): string[] {
  const member = memberName(name);
  const absent = since === 0 ? '' : `if (this.#block.version < ${since}) return undefined; `;
  const orUndefined = since === 0 ? '' : ' | undefined';
  const octets = (as: string) =>
    `  get ${as}(): Uint8Array${orUndefined} { ${absent}return this.#block.bytes(${index}); }`;
  if (characters === undefined) return [octets(member)];
  return [
    `  get ${member}(): string${orUndefined} { ${absent}return this.#block.text(${index}); }`,
    octets(`${member}Bytes`),
  ];
}

function dataSetters({ name, characters }: Data, index: number): string[] {
  const setter = `set${className(name)}`;
  const octets = (as: string) =>
    `  ${as}(value: Uint8Array): this { this.#block.putBytes(${index}, value); return this; }`;
  if (characters === undefined) return [octets(setter)];
  return [
    `  ${setter}(value: string): this { this.#block.putText(${index}, value); return this; }`,
    octets(`${setter}Bytes`),
  ];
}
