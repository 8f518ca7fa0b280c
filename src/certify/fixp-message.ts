/**
 * Messages of FIXP and of orders.xml by name, in the form of scenarios and evidence. They are encoded and decoded by
 * the schemas alone, so that no verdict depends on the bridge's own codec. Members of composites have the shortest
 * unambiguous path as their name; amounts are decimals, whatever their exponents; bytes are hex.
 */
import { type ByteOrder, framed, framingHeaderSize, messageHeaderSize } from '../fixp/framing.ts';
import { schemaIdOf } from '../fixp/session-messages.ts';
import { inDecimals, isAmount } from '../mapping/sbe/amounts.ts';
import { shippedSchemas } from '../mapping/sbe/shipped-schemas.ts';
import { decodeMessage } from '../sbe/generic-decoder.ts';
import { EncodeError, encodeMessage } from '../sbe/generic-encoder.ts';
import type { Json, JsonObject } from '../sbe/json.ts';
import type { Encoding, Field, Message, Schema, Section } from '../sbe/model.ts';
import { calculate } from './bindings.ts';
import { LineError } from './line.ts';
import type { Key } from './received-message.ts';

export interface NamedMessage {
  readonly msgType: string;
  readonly fields: readonly (readonly [key: string, value: string])[];
}

/** Returns a fault as text. */
export function decodeFrame(frame: Uint8Array): NamedMessage | string {
  if (frame.length < framingHeaderSize + messageHeaderSize) return 'it holds no message';
  const schemaId = schemaIdOf(frame.subarray(framingHeaderSize));
  const schema = shippedSchemas().find(({ id }) => id === schemaId);
  if (schema === undefined) return `unknown schema ${schemaId}`;
  const decoded = decodeMessage(schema, frame, framingHeaderSize);
  if (typeof decoded === 'string') return decoded;
  return { msgType: decoded.message, fields: [...flat(inDecimals(decoded.fields), '')] };
}

function* flat(value: Json, path: string): IterableIterator<readonly [string, string]> {
  if (value === null || value === '') return;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number')) {
    if (value.some((octet) => octet !== 0)) yield [path, Buffer.from(value).toString('hex')];
  } else if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    if (value.length > 0) yield [path, value.join(',')];
  } else if (typeof value === 'object') {
    for (const [name, held] of Object.entries(value)) {
      yield* flat(held, path === '' ? name : `${path}.${name}`);
    }
  } else if (path === 'Credentials') yield [path, Buffer.from(String(value), 'hex').toString()];
  else yield [path, String(value)];
}

function leafOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The number of decimal places of the amounts in a line. */
const scale = 8;
const unit = String(10 ** scale);

/** Takes values by name; others are absent. `@schema`, `@template`, `@version` and `@extra` make an invalid header. */
export function encodeFrame(
  msgType: string,
  given: ReadonlyMap<Key, string>,
  framing: ByteOrder = 'big',
): Buffer {
  const [schema, message] = messageOf(msgType);
  const used = new Set<Key>();
  const find = (path: string): string | undefined => {
    for (const key of [path, ...suffixes(path)]) {
      const value = given.get(key);
      if (value === undefined) continue;
      used.add(key);
      return value;
    }
    return undefined;
  };
  const isGiven = (path: string) => [...given.keys()].some((key) => String(key).startsWith(path));
  const fields = sectionJson(message, '', find, isGiven);
  for (const key of given.keys()) {
    if (used.has(key) || String(key).startsWith('@')) continue;
    throw new LineError(`${msgType} has no field ${key}`);
  }
  try {
    const bytes = encodeMessage(schema, { message: msgType, fields });
    return framed(withHeader(bytes, given), framing);
  } catch (error) {
    if (error instanceof EncodeError) throw new LineError(error.message);
    throw error;
  }
}

/** The template ids of client messages, in the order schema. */
const requestIds = { least: 100, most: 199 };
let requests: ReadonlySet<string> | undefined;

/** Whether it is a client's order or request, by its MsgType(35) or its name in the order schema. */
export function isRequest(msgType: string): boolean {
  requests ??= new Set(
    messageOf('NewOrderSingle')[0]
      .messages.filter(({ id }) => id >= requestIds.least && id <= requestIds.most)
      .flatMap(({ name, semanticType }) => [name, semanticType]),
  );
  return requests.has(msgType);
}

/** The id of the order schema. */
export function applicationSchema(): number {
  return messageOf('NewOrderSingle')[0].id;
}

/** The fields that a line may omit, because the session knows their values. */
export function namesOf(msgType: string): readonly string[] {
  const [, { fields, data }] = messageOf(msgType);
  return [...fields, ...data].map(({ name }) => name);
}

function messageOf(msgType: string): readonly [Schema, Message] {
  for (const schema of shippedSchemas()) {
    const message = schema.messages.find(({ name }) => name === msgType);
    if (message !== undefined) return [schema, message];
  }
  throw new LineError(`no message is called ${msgType}`);
}

/** `State.Terms.Side` can also be written as `Terms.Side` and `Side`. */
function suffixes(path: string): readonly string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join('.'));
}

type Find = (path: string) => string | undefined;

/** A line can have one entry of a group, such as `Instruments.Symbol=BTC-USDC`. */
function sectionJson(
  { data, fields, groups }: Section,
  within: string,
  find: Find,
  isGiven: (path: string) => boolean,
): JsonObject {
  const json: Record<string, Json> = {};
  for (const field of fields) json[field.name] = jsonOf(field, within + field.name, find);
  for (const { name, characters } of data) {
    const text = find(within + name) ?? '';
    json[name] = characters === undefined ? Buffer.from(text).toString('hex') : text;
  }
  for (const group of groups) {
    const path = `${within}${group.name}.`;
    json[group.name] = isGiven(path) ? [sectionJson(group, path, find, isGiven)] : [];
  }
  return json;
}

function jsonOf({ encoding, presence }: Field, path: string, find: Find): Json {
  if (encoding.kind === 'composite') {
    const members: Record<string, Json> = {};
    for (const member of encoding.members) {
      members[member.name] = jsonOf(member, `${path}.${member.name}`, find);
    }
    return members as JsonObject;
  }
  const text = find(path);
  if (text !== undefined) return valueFor(encoding, text, leafOf(path));
  if (presence === 'optional') return null;
  return leafOf(path).endsWith('Exponent') ? -scale : blankOf(encoding);
}

type Simple = Exclude<Encoding, { kind: 'composite' }>;

function blankOf(encoding: Simple): Json {
  if (encoding.kind === 'set') return [];
  if (encoding.kind === 'array') return Array.from({ length: encoding.length }, () => 0);
  return encoding.kind === 'text' ? '' : 0;
}

function valueFor(encoding: Simple, text: string, leaf: string): Json {
  switch (encoding.kind) {
    case 'set':
      return text.split(',');
    case 'array':
      return [...Buffer.from(text, 'hex')];
    case 'enum':
      return encoding.values.some(({ name }) => name === text) ? text : Number(text);
    case 'scalar':
      if (!isAmount(leaf)) return text;
      if (!/^-?\d*\.?\d+$/.test(text)) throw new LineError(`${leaf}=${text} is not a decimal`);
      return calculate(text, '*', unit);
    case 'text':
      return text;
  }
}

/** Writes blockLength, templateId, schemaId and version, little-endian, and `@extra` bytes after the block. */
function withHeader(bytes: Buffer, given: ReadonlyMap<Key, string>): Buffer {
  const extra = Number(given.get('@extra') ?? 0);
  const blockEnd = messageHeaderSize + bytes.readUInt16LE(0);
  const longer = Buffer.concat([
    bytes.subarray(0, blockEnd),
    Buffer.alloc(extra),
    bytes.subarray(blockEnd),
  ]);
  longer.writeUInt16LE(bytes.readUInt16LE(0) + extra, 0);
  for (const [at, key] of [
    [2, '@template'],
    [4, '@schema'],
    [6, '@version'],
  ] as const) {
    const value = given.get(key);
    if (value !== undefined) longer.writeUInt16LE(Number(value), at);
  }
  return longer;
}
