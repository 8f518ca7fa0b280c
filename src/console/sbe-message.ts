/** Messages of the second lane for people: names and values by the schemas that ship with the bridge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { framingHeaderSize } from '../fixp/framing.ts';
import { decodeMessage } from '../sbe/generic-decoder.ts';
import type { Json, JsonObject } from '../sbe/json.ts';
import type { Schema } from '../sbe/model.ts';
import { readSchema } from '../sbe/schema.ts';

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
  readonly fields: JsonObject;
}

/** Undefined where no schema of ours has it, or it is cut. */
export function sbeMessage(frame: Uint8Array): SbeMessage | undefined {
  for (const schema of schemas()) {
    const decoded = decodeMessage(schema, frame, framingHeaderSize);
    if (typeof decoded === 'string') continue;
    return { name: decoded.message, fields: decoded.fields };
  }
  return undefined;
}

export function sbeName(schemaId: number, templateId: number): string {
  const schema = schemas().find(({ id }) => id === schemaId);
  return schema?.messages.find(({ id }) => id === templateId)?.name ?? '';
}

/** Members of composites and entries of groups by their path. */
export function* namedValues(value: Json, name = ''): IterableIterator<NamedValue> {
  if (value === null) return;
  if (Array.isArray(value) && isOctets(value)) {
    yield { name, value: `0x${Buffer.from(value).toString('hex')}` };
  } else if (typeof value === 'object') {
    for (const [key, held] of Object.entries(value)) {
      yield* namedValues(held, name === '' ? key : `${name}.${key}`);
    }
  } else yield { name, value: String(value) };
}

function isOctets(value: readonly Json[]): value is readonly number[] {
  return value.length > 0 && value.every((one) => typeof one === 'number');
}
