/** Messages of the second lane for people: names and values by the schemas that ship with the bridge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeMessage } from '../sbe/generic-decoder.ts';
import type { Json } from '../sbe/json.ts';
import type { Schema } from '../sbe/model.ts';
import { readSchema } from '../sbe/schema.ts';

/** Length and encoding type of the Simple Open Framing Header stand before each message. */
export const framingBytes = 6;
/** The value of `sofhEncoding`: SBE 1.0, in either order of bytes. */
const encodings: ReadonlySet<number> = new Set([0x5be0, 0xeb50]);

/** Whether the bytes begin as a frame of SBE does. */
export function isFrame(bytes: Uint8Array): boolean {
  const [, , , , high = 0, low = 0] = bytes;
  return encodings.has(high * 256 + low);
}

const folder = join(import.meta.dirname, '../../dictionaries');

let loaded: readonly Schema[] | undefined;

function schemas(): readonly Schema[] {
  loaded ??= ['orders.xml', 'fixp.xml'].map((file) => {
    return readSchema(readFileSync(join(folder, file), 'utf8'));
  });
  return loaded;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export interface SbeMessage {
  readonly name: string;
  /** Members of composites and entries of groups by their path. */
  readonly values: readonly NamedValue[];
}

/** Undefined where no schema of ours has it, or it is cut. */
export function sbeMessage(frame: Uint8Array): SbeMessage | undefined {
  for (const schema of schemas()) {
    const decoded = decodeMessage(schema, frame, framingBytes);
    if (typeof decoded === 'string') continue;
    return { name: decoded.message, values: [...flat(decoded.fields, '')] };
  }
  return undefined;
}

export function sbeName(schemaId: number, templateId: number): string {
  const schema = schemas().find(({ id }) => id === schemaId);
  return schema?.messages.find(({ id }) => id === templateId)?.name ?? '';
}

function* flat(value: Json, name: string): IterableIterator<NamedValue> {
  if (value === null) return;
  if (Array.isArray(value) && isOctets(value)) {
    yield { name, value: `0x${Buffer.from(value).toString('hex')}` };
  } else if (typeof value === 'object') {
    for (const [key, held] of Object.entries(value)) {
      yield* flat(held, name === '' ? key : `${name}.${key}`);
    }
  } else yield { name, value: String(value) };
}

function isOctets(value: readonly Json[]): value is readonly number[] {
  return value.length > 0 && value.every((one) => typeof one === 'number');
}
