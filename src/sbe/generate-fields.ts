/** The accessors of fields in generated messages: one getter and one chaining setter for each form that a field has. */
import type { Field } from './model.ts';
import { memberName } from './naming.ts';
import type { Primitive, WireNumber } from './primitive.ts';

/** A field without members: those of a composite become accessors of the message itself. */
export interface Leaf {
  readonly member: string;
  /** As errors name it. */
  readonly label: string;
  readonly field: Field;
  readonly offset: number;
  readonly since: number;
}

export function leavesOf(fields: readonly Field[], owner: string): Leaf[] {
  return leaves(fields, { names: [], offset: 0, since: 0, owner });
}

interface Around {
  readonly names: readonly string[];
  readonly offset: number;
  readonly since: number;
  readonly owner: string;
}

function leaves(fields: readonly Field[], around: Around): Leaf[] {
  return fields.flatMap((field): Leaf[] => {
    const names = [...around.names, field.name];
    const offset = around.offset + field.offset;
    const since = Math.max(around.since, field.since);
    if (field.encoding.kind === 'composite' && field.presence !== 'constant') {
      return leaves(field.encoding.members, { ...around, names, offset, since });
    }
    const label = `${around.owner}.${names.join('.')}`;
    return [{ member: memberName(...names), label, field, offset, since }];
  });
}

/** A line each. */
export function accessorsOf(leaf: Leaf, littleEndian: boolean): string[] {
  return oneLineEach(accessors(leaf, littleEndian));
}

function accessors(leaf: Leaf, littleEndian: boolean): string[] {
  const { field } = leaf;
  const { encoding } = field;
  if (field.presence === 'constant') return constant(leaf);
  if (encoding.kind === 'text') return text(leaf, encoding);
  if (encoding.kind === 'composite') throw new Error(`${leaf.label} has members`);
  const order = littleEndian ? ', true' : '';
  if (encoding.kind !== 'array') {
    const { primitive } = encoding;
    const bounds = encoding.kind === 'scalar' ? encoding : primitive;
    const nullValue = encoding.kind === 'set' ? undefined : encoding.nullValue;
    return numbers({ leaf, primitive, bounds, nullValue, order, index: undefined });
  }
  if (isOctets(field)) return octets(leaf, encoding.length, Number(encoding.element.nullValue));
  const { primitive, nullValue } = encoding.element;
  const index = encoding.length;
  return numbers({ leaf, primitive, bounds: encoding.element, nullValue, order, index });
}

function isOctets({ encoding }: Field): boolean {
  return encoding.kind === 'array' && encoding.element.primitive.name === 'uint8';
}

/** A number, or the numbers of an array by index. */
interface NumberForm {
  readonly leaf: Leaf;
  readonly primitive: Primitive;
  readonly bounds: { readonly min: WireNumber; readonly max: WireNumber };
  readonly nullValue: WireNumber | undefined;
  readonly order: string;
  /** The length of the array. */
  readonly index: number | undefined;
}

function numbers(form: NumberForm): string[] {
  if (form.primitive.size === 8 && !form.primitive.isFloat) return longs(form);
  const { leaf, primitive, bounds, order } = form;
  const at = position(form);
  const getOrder = primitive.size === 1 ? '' : order;
  const nullValue = nullOf(form);
  const type = nullValue === undefined ? 'number' : 'number | undefined';
  const read = `this.#view.get${primitive.accessor}(${at}${getOrder})`;
  const lines = [`  ${getter(form, '')}: ${withAbsent(type, leaf)} {`, ...absent(leaf)];
  if (nullValue === undefined) lines.push(`    return ${read};`);
  else {
    const isNull = Number.isNaN(nullValue) ? 'Number.isNaN(value)' : `value === ${nullValue}`;
    lines.push(`    const value = ${read};`, `    return ${isNull} ? undefined : value;`);
  }
  const check = outsideCheck(primitive, bounds);
  const guard = check === '' ? '' : ifGiven(nullValue !== undefined, check);
  const value = nullValue === undefined ? 'value' : `value ?? ${literal(nullValue)}`;
  lines.push('  }', `  ${setter(form, '', type)} {`, ...refuse(leaf));
  if (guard !== '') lines.push(`    if (${guard}) throw outside('${leaf.label}', value);`);
  lines.push(`    this.#view.set${primitive.accessor}(${at}, ${value}${getOrder});`);
  return [...lines, '    return this;', '  }'];
}

/** 64 bits: a number that throws beyond 2^53, a bigint, and the two halves for the hot path. */
function longs(form: NumberForm): string[] {
  const { leaf, primitive, bounds, order } = form;
  const isSigned = primitive.name === 'int64';
  const at = position(form);
  const isLittle = order !== '';
  const [highAt, lowAt] = isLittle ? [plus(at, 4), at] : [at, plus(at, 4)];
  const high = `this.#view.get${isSigned ? 'Int' : 'Uint'}32(${highAt}${order})`;
  const low = `this.#view.getUint32(${lowAt}${order})`;
  const nullValue = nullOf(form);
  const orUndefined = nullValue === undefined ? '' : ' | undefined';
  const nulls = nullValue === undefined ? undefined : halves(BigInt(nullValue), isSigned);
  const high32 = `highOf(value, '${leaf.label}')`;
  const isNull = nulls && `if (high === ${nulls.high} && low === ${nulls.low}) return undefined;`;
  const [highTo, lowTo] = isLittle ? ['at + 4', 'at'] : ['at', 'at + 4'];
  const put = (highValue: string, lowValue: string) => [
    '    const view = this.#view;',
    `    const at = ${at};`,
    `    view.setUint32(${highTo}, ${highValue}${order});`,
    `    view.setUint32(${lowTo}, ${lowValue}${order});`,
  ];
  const big = `this.#view.get${primitive.accessor}(${at}${order})`;
  const [min, max] = [BigInt(bounds.min), BigInt(bounds.max)];
  const lines = [
    `  ${getter(form, '')}: ${withAbsent(`number${orUndefined}`, leaf)} {`,
    ...absent(leaf),
    `    const high = ${high};`,
    `    const low = ${low};`,
    ...(isNull === undefined ? [] : [`    ${isNull}`]),
    `    return joined(high, low, '${leaf.label}');`,
    '  }',
    `  ${getter(form, 'Big')}: ${withAbsent(`bigint${orUndefined}`, leaf)} {`,
    ...absent(leaf),
    ...(nullValue === undefined
      ? [`    return ${big};`]
      : [`    const value = ${big};`, `    return value === ${nullValue}n ? undefined : value;`]),
    '  }',
    `  ${getter(form, 'High')}: ${withAbsent('number', leaf)} {`,
    ...absent(leaf),
    `    return ${high};`,
    '  }',
    `  ${getter(form, 'Low')}: ${withAbsent('number', leaf)} {`,
    ...absent(leaf),
    `    return ${low};`,
    '  }',
    `  ${setter(form, '', `number${orUndefined}`)} {`,
    ...refuse(leaf),
    ...longCheck(leaf, min, max, nulls !== undefined),
    // Of any integer setUint32 keeps the lower half.
    ...put(
      nulls === undefined ? high32 : `value === undefined ? ${nulls.high} : ${high32}`,
      nulls === undefined ? 'value' : `value ?? ${nulls.low}`,
    ),
    '    return this;',
    '  }',
    `  ${setter(form, 'Big', `bigint${orUndefined}`)} {`,
    ...refuse(leaf),
    `    if (${ifGiven(nulls !== undefined, `value < ${min}n || value > ${max}n`)}) throw outside('${leaf.label}', value);`,
    `    this.#view.set${primitive.accessor}(${at}, ${nullValue === undefined ? 'value' : `value ?? ${nullValue}n`}${order});`,
    '    return this;',
    '  }',
    `  ${setter(form, 'Halves', 'number', 'high: number, low')} {`,
    ...refuse(leaf),
    ...put('high', 'low'),
    '    return this;',
    '  }',
  ];
  return lines;
}

/** The bounds that a number can reach. */
function longCheck(leaf: Leaf, min: bigint, max: bigint, isOptional: boolean): string[] {
  const tests: string[] = [];
  if (min > BigInt(Number.MIN_SAFE_INTEGER)) tests.push(`value < ${min}`);
  if (max < BigInt(Number.MAX_SAFE_INTEGER)) tests.push(`value > ${max}`);
  if (tests.length === 0) return [];
  const test = ifGiven(isOptional, tests.join(' || '));
  return [`    if (${test}) throw outside('${leaf.label}', value);`];
}

function ifGiven(isOptional: boolean, test: string): string {
  return isOptional ? `value !== undefined && (${test})` : test;
}

function text(
  leaf: Leaf,
  { length, characters }: { length: number; characters: string },
): string[] {
  const at = plus('this.#at', leaf.offset);
  const isOptional = leaf.field.presence === 'optional';
  const type = isOptional ? 'string | undefined' : 'string';
  const read = `textAt(this.#octets, ${at}, ${length}, '${characters}')`;
  const value = isOptional ? "value ?? ''" : 'value';
  return [
    `  get ${leaf.member}(): ${withAbsent(type, leaf)} {`,
    ...absent(leaf),
    `    return ${isOptional ? `${read} || undefined` : read};`,
    '  }',
    `  get ${leaf.member}Bytes(): ${withAbsent('Uint8Array', leaf)} {`,
    ...absent(leaf),
    `    return this.#octets.subarray(${at}, ${plus('this.#at', leaf.offset + length)});`,
    '  }',
    `  set${upper(leaf.member)}(value: ${type}): this {`,
    ...refuse(leaf),
    `    putText(this.#octets, ${at}, ${length}, ${value}, '${characters}', '${leaf.label}');`,
    '    return this;',
    '  }',
    `  set${upper(leaf.member)}Bytes(value: Uint8Array): this {`,
    ...refuse(leaf),
    `    ${isPaired(length) ? 'putPairs' : 'putOctets'}(this.#octets, ${at}, ${length}, value, '${leaf.label}');`,
    '    return this;',
    '  }',
  ];
}

/** Whether `putPairs` serves names of this length. */
function isPaired(length: number): boolean {
  return length <= 16 && length % 2 === 0;
}

function octets(leaf: Leaf, length: number, nullByte: number): string[] {
  const at = plus('this.#at', leaf.offset);
  const end = plus('this.#at', leaf.offset + length);
  const isOptional = leaf.field.presence === 'optional';
  const type = isOptional ? 'Uint8Array | undefined' : 'Uint8Array';
  return [
    `  get ${leaf.member}(): ${withAbsent(type, leaf)} {`,
    ...absent(leaf),
    ...(isOptional
      ? [`    if (isFilled(this.#octets, ${at}, ${end}, ${nullByte})) return undefined;`]
      : []),
    `    return this.#octets.subarray(${at}, ${end});`,
    '  }',
    `  set${upper(leaf.member)}(value: ${type}): this {`,
    ...refuse(leaf),
    ...(isOptional
      ? [
          '    if (value === undefined) {',
          `      this.#octets.fill(${nullByte}, ${at}, ${end});`,
          '      return this;',
          '    }',
        ]
      : []),
    `    putWhole(this.#octets, ${at}, ${length}, value, '${leaf.label}');`,
    '    return this;',
    '  }',
  ];
}

function constant({ member, field }: Leaf): string[] {
  const { constant: value } = field;
  if (value === undefined) throw new Error(`${member} has no constant`);
  const type = typeof value === 'string' ? 'string' : isSafe(value) ? 'number' : 'bigint';
  const written =
    typeof value === 'string' ? quoted(value) : isSafe(value) ? `${value}` : `${value}n`;
  return [`  get ${member}(): ${type} {`, `    return ${written};`, '  }'];
}

/** A string literal in single quotes. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

function isSafe(value: WireNumber): boolean {
  return typeof value === 'number' || (value >= -(2n ** 53n) && value <= 2n ** 53n);
}

function nullOf({ leaf, nullValue }: NumberForm): WireNumber | undefined {
  return leaf.field.presence === 'optional' ? nullValue : undefined;
}

function position({ leaf, index, primitive }: NumberForm): string {
  const at = plus('this.#at', leaf.offset);
  return index === undefined
    ? at
    : `${at} + placeOf(index, ${index}, ${primitive.size}, '${leaf.label}')`;
}

function getter({ leaf, index }: NumberForm, form: string): string {
  return index === undefined
    ? `get ${leaf.member}${form}()`
    : `${leaf.member}${form}(index: number)`;
}

function setter({ leaf, index }: NumberForm, form: string, type: string, name = 'value'): string {
  const first = index === undefined ? '' : 'index: number, ';
  return `set${upper(leaf.member)}${form}(${first}${name}: ${type}): this`;
}

function withAbsent(type: string, leaf: Leaf): string {
  return leaf.since === 0 || type.endsWith('undefined') ? type : `${type} | undefined`;
}

function absent(leaf: Leaf): string[] {
  return leaf.since === 0 ? [] : [`    if (this.#version < ${leaf.since}) return undefined;`];
}

function refuse(leaf: Leaf): string[] {
  if (leaf.since === 0) return [];
  const error = `notInVersion('${leaf.label}', this.#version)`;
  return [`    if (this.#version < ${leaf.since}) throw ${error};`];
}

/** The condition of a value that does not fit, as source. */
function outsideCheck(primitive: Primitive, { min, max }: NumberForm['bounds']): string {
  const tests: string[] = [];
  if (primitive.isFloat) {
    if (min > primitive.min) tests.push(`value < ${min}`);
    if (max < primitive.max) tests.push(`value > ${max}`);
    return tests.join(' || ');
  }
  // The shortest test: of long ones the compiler takes fewer into a chain of setters.
  if (min === 0n && (max === 0xffn || max === 0xffffn)) return `value !== (value & ${max})`;
  const isWord = primitive.name === 'uint32';
  tests.push(isWord ? 'value !== value >>> 0' : 'value !== (value | 0)');
  if (!(isWord && min === 0n) && !(primitive.name === 'int32' && min === primitive.min)) {
    tests.push(`value < ${min}`);
  }
  if (max !== primitive.max || primitive.size < 4) tests.push(`value > ${max}`);
  return tests.join(' || ');
}

function halves(value: bigint, isSigned: boolean): { high: string; low: string } {
  const high = isSigned ? BigInt.asIntN(32, value >> 32n) : BigInt.asUintN(32, value >> 32n);
  return { high: `${high}`, low: `${BigInt.asUintN(32, value)}` };
}

function literal(value: WireNumber): string {
  return Number.isNaN(value) ? 'Number.NaN' : `${value}`;
}

/** `base + offset`, without an addition of zero. */
export function plus(base: string, offset: number): string {
  if (offset === 0) return base;
  const sum = /^(.*) \+ (\d+)$/.exec(base);
  return sum === null ? `${base} + ${offset}` : `${sum[1]} + ${Number(sum[2]) + offset}`;
}

function upper(member: string): string {
  return (member[0] ?? '').toUpperCase() + member.slice(1);
}

/** Puts each method of a class on a line of its own. */
export function oneLineEach(lines: readonly string[]): string[] {
  const methods: string[] = [];
  let open: string[] = [];
  for (const line of lines) {
    open.push(open.length === 0 ? line : line.trim());
    if (line !== '  }') continue;
    methods.push(open.join(' '));
    open = [];
  }
  return methods;
}
