/**
 * The groups and data of a generated message or group entry: the walk that believes no count or length before it is
 * checked, and the writing in the order of the schema.
 */
import { plus, quoted } from './generate-fields.ts';
import type { Data, Group, HeaderField, Section } from './model.ts';
import { className, memberName } from './naming.ts';

export interface Owner {
  /** The class, and the beginning of the classes of its groups. */
  readonly className: string;
  /** As errors name it. */
  readonly label: string;
  readonly section: Section;
  readonly littleEndian: boolean;
  /** The version of the schema. */
  readonly version: number;
}

export function groupClass(owner: Owner, group: Group): string {
  return className(owner.className, group.name);
}

export function partCount({ section }: Owner): number {
  return section.groups.length + section.data.length;
}

export function hasParts(owner: Owner): boolean {
  return partCount(owner) > 0;
}

export function partFields(owner: Owner): string[] {
  const { groups, data } = owner.section;
  const lines = groups.map(
    (group) => `  readonly #${memberName(group.name)} = new ${groupClass(owner, group)}();`,
  );
  for (const { name } of data) lines.push(`  #${memberName(name)}At = 0;`);
  if (!hasParts(owner)) return lines;
  lines.push('  /** Groups and data that are begun or left empty. */', '  #part = 0;');
  if (groups.length > 0) {
    const types = groups.map((group) => groupClass(owner, group)).join(' | ');
    lines.push(`  #open: ${types} | undefined;`);
  }
  return lines;
}

/** Statements that move `next` over each part, inside a function that answers faults. */
export function walk(owner: Owner): string[] {
  const lines: string[] = [];
  if (owner.section.groups.length > 0) lines.push('    let fault: string | undefined;');
  for (const group of owner.section.groups) {
    const member = `this.#${memberName(group.name)}`;
    lines.push(
      `    fault = ${member}.wrap(view, this.#octets, next, limit, this.#version);`,
      '    if (fault !== undefined) return fault;',
      `    next = ${member}.end;`,
    );
  }
  for (const data of owner.section.data) {
    const body = dataWalk(owner, data);
    if (data.since === 0) lines.push(...body);
    else
      lines.push(
        `    if (this.#version >= ${data.since}) {`,
        ...body.map((line) => `  ${line}`),
        '    }',
      );
  }
  return lines;
}

function dataWalk(owner: Owner, data: Data): string[] {
  const label = `${owner.label}.${data.name}`;
  const size = read('view', 'next', data.length, owner.littleEndian);
  const at = memberName(data.name);
  const lines = [
    `    if (next + ${data.offset} > limit) return cut('${label}', ${data.offset}, limit - next);`,
    `    this.#${at}At = next;`,
    `    const ${at}Size = ${size};`,
    `    next += ${data.offset};`,
    `    if (next + ${at}Size > limit) return cut('${label}', ${at}Size, limit - next);`,
    `    next += ${at}Size;`,
  ];
  if (data.length.max < Number(data.length.primitive.max)) {
    lines.splice(
      3,
      0,
      `    if (${at}Size > ${data.length.max}) return beyond('${label}', ${at}Size, ${data.length.max});`,
    );
  }
  return lines;
}

/** Accessors of the parts, and what closes them. */
export function partMethods(owner: Owner): string[] {
  const { groups, data } = owner.section;
  return [
    ...groups.flatMap((group, part) => groupAccessors(owner, group, part)),
    ...data.flatMap((one, index) => dataAccessors(owner, one, groups.length + index)),
    ...(hasParts(owner) ? reach(owner) : []),
  ];
}

function groupAccessors(owner: Owner, group: Group, part: number): string[] {
  const member = memberName(group.name);
  const type = groupClass(owner, group);
  return [
    '  /** The entries, before the first. */',
    `  get ${member}(): ${type} {`,
    ...(group.since === 0
      ? []
      : [`    if (this.#version < ${group.since}) this.#${member}.clear();`]),
    `    return this.#${member}.rewind();`,
    '  }',
    '  /** The group for writing: `add()` begins an entry. */',
    `  write${className(group.name)}(): ${type} {`,
    ...refuse(group, `${owner.label}.${group.name}`),
    `    this.#reach(${part});`,
    `    this.#part = ${part + 1};`,
    `    this.#${member}.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);`,
    `    this.#open = this.#${member};`,
    `    return this.#${member};`,
    '  }',
  ];
}

function dataAccessors(owner: Owner, data: Data, part: number): string[] {
  const member = memberName(data.name);
  const label = `${owner.label}.${data.name}`;
  const { characters, since, offset, length } = data;
  const end = `at + ${offset} + ${read('this.#view', 'at', length, owner.littleEndian)}`;
  const absent = since === 0 ? [] : [`    if (this.#version < ${since}) return undefined;`];
  const orUndefined = since === 0 ? '' : ' | undefined';
  const bytesGetter = (name: string) => [
    `  get ${name}(): Uint8Array${orUndefined} {`,
    ...absent,
    `    const at = this.#${member}At;`,
    `    return this.#octets.subarray(at + ${offset}, ${end});`,
    '  }',
  ];
  const bytesSetter = (name: string) => [
    `  ${name}(value: Uint8Array): this {`,
    ...refuse(data, label),
    `    this.#reach(${part});`,
    '    const at = this.#end;',
    `    if (value.length > ${length.max}) throw outside('${label}', \`\${value.length} bytes\`);`,
    `    if (at + ${offset} + value.length > this.#limit) throw noRoom('${label}');`,
    `    this.#octets.set(value, at + ${offset});`,
    ...written('value.length'),
  ];
  const written = (size: string) => [
    `    ${write('this.#view', 'at', length, size, owner.littleEndian)};`,
    `    this.#${member}At = at;`,
    `    this.#end = at + ${offset} + ${size};`,
    `    this.#part = ${part + 1};`,
    '    return this;',
    '  }',
  ];
  const setter = `set${className(data.name)}`;
  if (characters === undefined) return [...bytesGetter(member), ...bytesSetter(setter)];
  return [
    `  get ${member}(): string${orUndefined} {`,
    ...absent,
    `    const at = this.#${member}At;`,
    `    return decoded(this.#octets, at + ${offset}, ${end}, '${characters}');`,
    '  }',
    ...bytesGetter(`${member}Bytes`),
    `  ${setter}(value: string): this {`,
    ...refuse(data, label),
    `    this.#reach(${part});`,
    '    const at = this.#end;',
    `    const limit = Math.min(this.#limit, ${plus('at', offset)} + ${length.max});`,
    `    const size = putCharacters(this.#octets, at + ${offset}, limit, value, '${characters}', '${label}');`,
    ...written('size'),
    ...bytesSetter(`${setter}Bytes`),
  ];
}

/** Closes what is open and leaves empty what was passed over. */
function reach(owner: Owner): string[] {
  const { groups, data } = owner.section;
  const lines = ['  #reach(part: number): void {'];
  lines.push(`    if (part < this.#part) throw wrongOrder(${quoted(owner.label)});`);
  if (groups.length > 0) {
    lines.push('    if (this.#open !== undefined) {', '      this.#end = this.#open.finish();');
    lines.push('      this.#open = undefined;', '    }');
  }
  for (const [part, group] of groups.entries()) {
    const member = `this.#${memberName(group.name)}`;
    lines.push(
      `    if (this.#part <= ${part} && part > ${part}${inVersion(group.since)}) {`,
      `      ${member}.begin(this.#view, this.#octets, this.#end, this.#limit, this.#version);`,
      `      this.#end = ${member}.finish();`,
      '    }',
    );
  }
  for (const [index, one] of data.entries()) {
    const part = groups.length + index;
    lines.push(
      `    if (this.#part <= ${part} && part > ${part}${inVersion(one.since)}) {`,
      `      if (this.#end + ${one.offset} > this.#limit) throw noRoom('${owner.label}.${one.name}');`,
      `      ${write('this.#view', 'this.#end', one.length, '0', owner.littleEndian)};`,
      `      this.#${memberName(one.name)}At = this.#end;`,
      `      this.#end += ${one.offset};`,
      '    }',
    );
  }
  return [...lines, '    this.#part = part;', '  }'];
}

function inVersion(since: number): string {
  return since === 0 ? '' : ` && this.#version >= ${since}`;
}

function refuse(part: Group | Data, label: string): string[] {
  if (part.since === 0) return [];
  return [`    if (this.#version < ${part.since}) throw notInVersion('${label}', this.#version);`];
}

/** The source that reads a structural number. */
export function read(view: string, at: string, field: HeaderField, littleEndian: boolean): string {
  const order = littleEndian && field.primitive.size > 1 ? ', true' : '';
  return `${view}.get${field.primitive.accessor}(${plus(at, field.offset)}${order})`;
}

export function write(
  view: string,
  at: string,
  field: HeaderField,
  value: string | number,
  littleEndian: boolean,
): string {
  const order = littleEndian && field.primitive.size > 1 ? ', true' : '';
  return `${view}.set${field.primitive.accessor}(${plus(at, field.offset)}, ${value}${order})`;
}
