/** Generates the accessors of fields: one getter and one chaining setter for each representation of a field. */
import type { Field, HeaderField, TextEncoding } from './model.ts';
import { capitalized } from './naming.ts';
import type { Primitive, WireNumber } from './primitive.ts';

/** The methods of a field, one per line. */
export interface Accessors {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** A field in its class. */
export interface Leaf {
  readonly field: Field;
  readonly member: string;
  /** The name in error messages. */
  readonly label: string;
  /** The source expression of its position in the buffer. */
  readonly at: string;
  readonly since: number;
}

export interface Forms {
  readonly littleEndian: boolean;
  /** Whether 64-bit integers also have accessors for their two halves. */
  readonly halves: boolean;
}

export function accessorsOf(leaf: Leaf, { halves, littleEndian }: Forms): Accessors {
  const { field } = leaf;
  const { encoding } = field;
  if (field.presence === 'constant') return { read: [constant(leaf)], write: [] };
  if (encoding.kind === 'text') return text(leaf, encoding);
  if (encoding.kind === 'composite') throw new Error(`${leaf.label} has members`);
  const order = littleEndian ? ', true' : '';
  if (encoding.kind !== 'array') {
    const { primitive } = encoding;
    const bounds = encoding.kind === 'scalar' ? encoding : primitive;
    const nullValue = encoding.kind === 'set' ? undefined : encoding.nullValue;
    return numbers({ leaf, primitive, bounds, nullValue, order, index: undefined, halves });
  }
  const { element, length } = encoding;
  if (element.primitive.name === 'uint8') return octets(leaf, length, Number(element.nullValue));
  const { primitive, nullValue } = element;
  return numbers({ leaf, primitive, bounds: element, nullValue, order, index: length, halves });
}

const view = 'this.#block.view';
export const blockAt = 'this.#block.at';
const octetsOfBlock = 'this.#block.octets';

function method(head: string, ...statements: readonly string[]): string {
  const body = statements.filter((one) => one !== '').join(' ');
  const used = ['at', 'octets', 'version', 'view'].filter((one) => body.includes(`#block.${one}`));
  if (used.length < 2) return `  ${head} { ${body} }`;
  // Local variables are less code to inline than repeated paths.
  const locals = `const { ${used.join(', ')} } = this.#block;`;
  return `  ${head} { ${locals} ${body.replaceAll('this.#block.', '')} }`;
}

/** A number, or the elements of an array. */
interface NumberForm {
  readonly leaf: Leaf;
  readonly primitive: Primitive;
  readonly bounds: { readonly min: WireNumber; readonly max: WireNumber };
  readonly nullValue: WireNumber | undefined;
  readonly order: string;
  /** The length of the array. */
  readonly index: number | undefined;
  readonly halves: boolean;
}

function numbers(form: NumberForm): Accessors {
  const { leaf, primitive, bounds } = form;
  if (primitive.size === 8 && !primitive.isFloat) return longs(form);
  const check = outsideCheck(primitive, bounds);
  const refused = check === '' ? '' : throwIf(leaf, nullOf(form) !== undefined, check);
  return wholeForm(form, '', 'number', refused, literal);
}

/** A number that the view reads and writes as a whole. */
function wholeForm(
  form: NumberForm,
  suffix: string,
  type: string,
  check: string,
  literalOf: (value: WireNumber) => string,
): Accessors {
  const { primitive } = form;
  const at = position(form);
  const order = primitive.size === 1 ? '' : form.order;
  const nullValue = nullOf(form);
  const read = `${view}.get${primitive.accessor}(${at}${order})`;
  const put = (value: string) => `${view}.set${primitive.accessor}(${at}, ${value}${order});`;
  if (nullValue === undefined) {
    return {
      read: [getterOf(form, suffix, type, `return ${read};`)],
      write: [setterOf(form, suffix, `value: ${type}`, check, put('value'))],
    };
  }
  const orNull = `${type} | undefined`;
  const isNull = Number.isNaN(nullValue)
    ? 'Number.isNaN(value)'
    : `value === ${literalOf(nullValue)}`;
  const body = [`const value = ${read};`, `return ${isNull} ? undefined : value;`];
  const value = `value ?? ${literalOf(nullValue)}`;
  return {
    read: [getterOf(form, suffix, orNull, ...body)],
    write: [setterOf(form, suffix, `value: ${orNull}`, check, put(value))],
  };
}

/** A 64-bit integer: a number that throws beyond 2^53, a bigint, and optionally the two halves. */
function longs(form: NumberForm): Accessors {
  const [number, big, halves] = [numberForm(form), bigForm(form), halvesForm(form)];
  const forms = form.halves ? [number, big, halves] : [number, big];
  return {
    read: forms.flatMap(({ read }) => read),
    write: forms.flatMap(({ write }) => write),
  };
}

/** The accessors of the two halves of a 64-bit integer. */
function halvesOf(form: NumberForm) {
  const { order, primitive } = form;
  const at = position(form);
  const [highAt, lowAt] = order === '' ? [at, plus(at, 4)] : [plus(at, 4), at];
  return {
    high: `${view}.get${primitive.name === 'int64' ? 'Int' : 'Uint'}32(${highAt}${order})`,
    low: `${view}.getUint32(${lowAt}${order})`,
    put: (high: string, low: string) => [
      `${view}.setUint32(${highAt}, ${high}${order});`,
      `${view}.setUint32(${lowAt}, ${low}${order});`,
    ],
  };
}

function numberForm(form: NumberForm): Accessors {
  const { leaf, bounds } = form;
  const { high, low, put } = halvesOf(form);
  const nulls = nullHalves(form);
  const type = nulls === undefined ? 'number' : 'number | undefined';
  const joined = (one: string, other: string) => `joined(${one}, ${other}, '${leaf.label}')`;
  const highOf = `highOf(value, '${leaf.label}')`;
  const read =
    nulls === undefined
      ? [`return ${joined(high, low)};`]
      : [
          `const high = ${high};`,
          `const low = ${low};`,
          `return high === ${nulls.high} && low === ${nulls.low} ? undefined : ${joined('high', 'low')};`,
        ];
  // setUint32 keeps the lower half of any integer.
  const written =
    nulls === undefined
      ? put(highOf, 'value')
      : put(`value === undefined ? ${nulls.high} : ${highOf}`, `value ?? ${nulls.low}`);
  const checks = longChecks(bounds, nulls !== undefined, leaf);
  return {
    read: [getterOf(form, '', type, ...read)],
    write: [setterOf(form, '', `value: ${type}`, checks, ...written)],
  };
}

/** The halves of the null value, for a nullable field. */
function nullHalves(form: NumberForm): { high: bigint; low: bigint } | undefined {
  const nullValue = nullOf(form);
  if (nullValue === undefined) return undefined;
  const bits = BigInt.asUintN(64, BigInt(nullValue));
  const isSigned = form.primitive.name === 'int64';
  return {
    high: isSigned ? BigInt.asIntN(32, bits >> 32n) : bits >> 32n,
    low: bits & 0xffff_ffffn,
  };
}

function bigForm(form: NumberForm): Accessors {
  const { min, max } = form.bounds;
  const isOptional = nullOf(form) !== undefined;
  const check = throwIf(form.leaf, isOptional, `value < ${min}n || value > ${max}n`);
  return wholeForm(form, 'Big', 'bigint', check, (value) => `${value}n`);
}

function halvesForm(form: NumberForm): Accessors {
  const { high, low, put } = halvesOf(form);
  return {
    read: [
      getterOf(form, 'High', 'number', `return ${high};`),
      getterOf(form, 'Low', 'number', `return ${low};`),
    ],
    write: [setterOf(form, 'Halves', 'high: number, low: number', ...put('high', 'low'))],
  };
}

/** The field of an accessor; the accessor of an array takes the index of an element. */
type Owner = Pick<NumberForm, 'leaf' | 'index'>;

function getterOf({ leaf, index }: Owner, suffix: string, type: string, ...body: string[]): string {
  const name = leaf.member + suffix;
  const head = index === undefined ? `get ${name}()` : `${name}(index: number)`;
  return method(`${head}: ${withAbsent(type, leaf)}`, absent(leaf), ...body);
}

function setterOf(
  { leaf, index }: Owner,
  suffix: string,
  value: string,
  ...body: string[]
): string {
  const first = index === undefined ? '' : 'index: number, ';
  const head = `set${capitalized(leaf.member)}${suffix}(${first}${value})`;
  return method(`${head}: this`, refuse(leaf), ...body, 'return this;');
}

/** Checks of the bounds, if a number can exceed them. */
function longChecks(bounds: NumberForm['bounds'], isOptional: boolean, leaf: Leaf): string {
  const tests: string[] = [];
  if (BigInt(bounds.min) > BigInt(Number.MIN_SAFE_INTEGER)) tests.push(`value < ${bounds.min}`);
  if (BigInt(bounds.max) < BigInt(Number.MAX_SAFE_INTEGER)) tests.push(`value > ${bounds.max}`);
  return tests.length === 0 ? '' : throwIf(leaf, isOptional, tests.join(' || '));
}

function throwIf({ label }: Leaf, isOptional: boolean, test: string): string {
  const condition = isOptional ? `value !== undefined && (${test})` : test;
  return `if (${condition}) throw outside('${label}', value);`;
}

function text(leaf: Leaf, { length, characters }: TextEncoding): Accessors {
  const { at, label } = leaf;
  const isOptional = leaf.field.presence === 'optional';
  const type = isOptional ? 'string | undefined' : 'string';
  const read = `textAt(${octetsOfBlock}, ${at}, ${length}, '${characters}')`;
  const value = isOptional ? "value ?? ''" : 'value';
  // `putPairs` is for short fields of an even length.
  const put = length <= 16 && length % 2 === 0 ? 'putPairs' : 'putOctets';
  const putAll = `putText(${octetsOfBlock}, ${at}, ${length}, ${value}, '${characters}', '${label}');`;
  const putBytes = `${put}(${octetsOfBlock}, ${at}, ${length}, value, '${label}');`;
  const owner = { leaf, index: undefined };
  return {
    read: [
      getterOf(owner, '', type, `return ${isOptional ? `${read} || undefined` : read};`),
      getterOf(owner, 'Bytes', 'Uint8Array', lent(leaf, length)),
    ],
    write: [
      setterOf(owner, '', `value: ${type}`, putAll),
      setterOf(owner, 'Bytes', 'value: Uint8Array', putBytes),
    ],
  };
}

/** The statement that returns the bytes of a field, without a copy. */
function lent({ at }: Leaf, length: number): string {
  return `return ${octetsOfBlock}.subarray(${at}, ${plus(at, length)});`;
}

function octets(leaf: Leaf, length: number, nullByte: number): Accessors {
  const { at, label } = leaf;
  const owner = { leaf, index: undefined };
  const range = `${at}, ${plus(at, length)}`;
  const isOptional = leaf.field.presence === 'optional';
  const type = isOptional ? 'Uint8Array | undefined' : 'Uint8Array';
  const isNull = isOptional
    ? `if (isFilled(${octetsOfBlock}, ${range}, ${nullByte})) return undefined;`
    : '';
  const put = `putWhole(${octetsOfBlock}, ${at}, ${length}, value, '${label}');`;
  const putNull = `if (value === undefined) ${octetsOfBlock}.fill(${nullByte}, ${range}); else`;
  return {
    read: [getterOf(owner, '', type, isNull, lent(leaf, length))],
    write: [setterOf(owner, '', `value: ${type}`, isOptional ? `${putNull} ${put}` : put)],
  };
}

function constant({ label, member, field }: Leaf): string {
  const { constant: value } = field;
  if (value === undefined) throw new Error(`${label} has no constant`);
  if (typeof value === 'string')
    return method(`get ${member}(): string`, `return ${quoted(value)};`);
  return isSafe(value)
    ? method(`get ${member}(): number`, `return ${value};`)
    : method(`get ${member}(): bigint`, `return ${value}n;`);
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
  const { at, label } = leaf;
  return index === undefined
    ? at
    : `${at} + placeOf(index, ${index}, ${primitive.size}, '${label}')`;
}

function withAbsent(type: string, { since }: Leaf): string {
  return since === 0 || type.endsWith('undefined') ? type : `${type} | undefined`;
}

function absent({ since }: Leaf): string {
  return since === 0 ? '' : `if (this.#block.version < ${since}) return undefined;`;
}

function refuse({ label, since }: Leaf): string {
  const error = `notInVersion('${label}', this.#block.version)`;
  return since === 0 ? '' : `if (this.#block.version < ${since}) throw ${error};`;
}

/** The source of a condition that is true for values outside the range. */
function outsideCheck(primitive: Primitive, { min, max }: NumberForm['bounds']): string {
  const tests: string[] = [];
  if (primitive.isFloat) {
    if (min > primitive.min) tests.push(`value < ${min}`);
    if (max < primitive.max) tests.push(`value > ${max}`);
    return tests.join(' || ');
  }
  // The shortest test is used, because the compiler inlines fewer long ones into a chain of setters.
  if (min === 0n && (max === 0xffn || max === 0xffffn)) return `value !== (value & ${max})`;
  const isWord = primitive.name === 'uint32';
  tests.push(isWord ? 'value !== value >>> 0' : 'value !== (value | 0)');
  if (!(isWord && min === 0n) && !(primitive.name === 'int32' && min === primitive.min)) {
    tests.push(`value < ${min}`);
  }
  if (max !== primitive.max || primitive.size < 4) tests.push(`value > ${max}`);
  return tests.join(' || ');
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

/** The source that reads a structural number. */
export function read(
  at: string,
  { offset, primitive }: HeaderField,
  littleEndian: boolean,
): string {
  const order = littleEndian && primitive.size > 1 ? ', true' : '';
  return `view.get${primitive.accessor}(${plus(at, offset)}${order})`;
}

export function write(
  at: string,
  field: HeaderField,
  value: string,
  littleEndian: boolean,
): string {
  const { offset, primitive } = field;
  const order = littleEndian && primitive.size > 1 ? ', true' : '';
  return `view.set${primitive.accessor}(${plus(at, offset)}, ${value}${order});`;
}
