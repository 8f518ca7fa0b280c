/**
 * The session messages of FIXP 1.1 (dictionaries/fixp.xml) as values for the state machines. They are few, rare, and
 * discriminated by `name`; the generated flyweights read and write them. Timestamps are in nanoseconds, intervals and
 * windows in milliseconds; a SessionId is 32 hex digits; a message number that is not a safe integer is beyond every
 * limit.
 */
import { capitalized } from '../sbe/naming.ts';
import * as generated from './generated/messages.ts';

export const fixpSchema = {
  id: generated.Negotiate.schemaId,
  version: generated.Negotiate.schemaVersion,
} as const;

type Classes = typeof generated;
type FlyweightOf<N extends keyof Classes> = InstanceType<Classes[N]>;
/** The fields of a flyweight are its members with a setter; `Big` and `Bytes` are other forms of one. */
type FieldOf<F> = {
  [K in keyof F & string]: `set${Capitalize<K>}` extends keyof F
    ? Exclude<K, `${string}${'Big' | 'Bytes'}`>
    : never;
}[keyof F & string];
type Nanoseconds = 'timestamp' | 'requestTimestamp';
type ValueOf<F, Value> = F extends 'sessionId' ? string : F extends Nanoseconds ? bigint : Value;

type SessionMessageName = keyof Classes;
export type SessionMessageOf<N extends SessionMessageName> = N extends SessionMessageName
  ? { readonly name: N } & {
      readonly [F in FieldOf<FlyweightOf<N>>]: ValueOf<F, FlyweightOf<N>[F]>;
    }
  : never;
export type SessionMessage = SessionMessageOf<SessionMessageName>;

/** The bytes are not a complete session message. */
export interface MessageFault {
  readonly name: 'fault';
  readonly reason: string;
}

/** The common interface of all flyweights. */
interface Flyweight {
  wrap(bytes: Uint8Array): string | undefined;
  encode(bytes: Uint8Array): void;
  readonly bytes: Uint8Array;
  readonly [member: string]: unknown;
}

interface Codec {
  readonly name: SessionMessageName;
  readonly flyweight: Flyweight;
  readonly fields: readonly Accessors[];
}

/** How to access a field in a flyweight, and its type here. */
interface Accessors {
  readonly field: string;
  readonly getter: string;
  readonly setter: string;
  readonly read: (value: unknown) => unknown;
  readonly write: (value: unknown) => unknown;
}

const codecs = Object.entries(generated).map(
  ([name, Message]): Codec => ({
    name: name as SessionMessageName,
    flyweight: new Message() as unknown as Flyweight,
    fields: fieldsOf(Message.prototype).map(accessorsOf),
  }),
);
const codecByName = new Map(codecs.map((codec) => [codec.name, codec]));
const codecByTemplate = new Map<number, Codec>(
  codecs.map((codec) => [generated[codec.name].templateId, codec]),
);
/** The maximum length of a Reason, in either direction. */
const maxReasonLength = 256;
/** Credentials are the longest field that we write, and their length is limited. */
const scratch = Buffer.alloc(8 * 1024);

/** Reads the header of any SBE message; the framing has checked that it is complete. */
export function templateIdOf(message: Uint8Array): number {
  return u16At(message, 2);
}

export function schemaIdOf(message: Uint8Array): number {
  return u16At(message, 4);
}

export function versionOf(message: Uint8Array): number {
  return u16At(message, 6);
}

/** Byte fields of the result are views of `message`. */
export function readSessionMessage(message: Uint8Array): SessionMessage | MessageFault {
  const codec = codecByTemplate.get(templateIdOf(message));
  if (schemaIdOf(message) !== fixpSchema.id || codec === undefined) {
    const what = `template ${templateIdOf(message)} of schema ${schemaIdOf(message)}`;
    return { name: 'fault', reason: `${what} is not a session message` };
  }
  const { name, flyweight, fields } = codec;
  const reason = flyweight.wrap(message);
  if (reason !== undefined) return { name: 'fault', reason };
  const found: Record<string, unknown> = { name };
  for (const { field, getter, read } of fields) found[field] = read(flyweight[getter]);
  return found as unknown as SessionMessage;
}

export function writeSessionMessage(message: SessionMessage): Uint8Array {
  const codec = codecByName.get(message.name);
  if (codec === undefined) throw new Error(`no session message is called ${message.name}`);
  const { flyweight, fields } = codec;
  const values = message as unknown as Record<string, unknown>;
  flyweight.encode(scratch);
  for (const { field, setter, write } of fields) {
    const set = flyweight[setter] as (value: unknown) => unknown;
    if (values[field] !== undefined) set.call(flyweight, write(values[field]));
  }
  return Buffer.from(flyweight.bytes);
}

/** In the order of the schema, like `FieldOf`. */
function fieldsOf(prototype: object): string[] {
  const members = Object.getOwnPropertyNames(prototype);
  const isField = (member: string) => members.includes(setterOf(member));
  return members.filter((member) => isField(member) && !/(Big|Bytes)$/.test(member));
}

function setterOf(field: string): string {
  return `set${capitalized(field)}`;
}

function accessorsOf(field: string): Accessors {
  const plain = { field, getter: field, setter: setterOf(field) };
  const same = (value: unknown) => value;
  if (field === 'sessionId') {
    return {
      ...plain,
      read: (octets) => Buffer.from(octets as Uint8Array).toString('hex'),
      write: (text) => Buffer.from(text as string, 'hex'),
    };
  }
  const getter = `${field}Big`;
  if (field.toLowerCase().endsWith('timestamp'))
    return { ...plain, getter, setter: `${plain.setter}Big`, read: same, write: same };
  if (field.endsWith('SeqNo')) {
    const read = (value: unknown) => (value === undefined ? undefined : Number(value));
    return { ...plain, getter, read, write: same };
  }
  if (field === 'reason') {
    const cut = (value: unknown) => String(value).slice(0, maxReasonLength);
    return { ...plain, read: cut, write: cut };
  }
  return { ...plain, read: same, write: same };
}

function u16At(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}
