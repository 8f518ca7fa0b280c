/** Several schemas on one connection: the header of a message identifies its schema. */
import { type DecodedMessage, decodeMessage, readHeader } from './generic-decoder.ts';
import { encodeMessage } from './generic-encoder.ts';
import type { JsonMessage } from './json.ts';
import type { Schema } from './model.ts';

/** Returns a fault as text. */
export function decodeWith(
  schemas: readonly Schema[],
  bytes: Uint8Array,
  at = 0,
): DecodedMessage | string {
  const seen: string[] = [];
  for (const schema of schemas) {
    const header = readHeader(schema, bytes, at, bytes.length);
    if (typeof header === 'string') seen.push(header);
    else if (header.schemaId === schema.id) return decodeMessage(schema, bytes, at);
    else seen.push(`the schema ${header.schemaId} is not ${schema.id}`);
  }
  return seen.join('; ');
}

/** Encodes the message with its header, using the first schema that has it. */
export function encodeWith(schemas: readonly Schema[], json: JsonMessage): Buffer {
  const has = ({ messages }: Schema) => messages.some(({ name }) => name === json.message);
  const schema = schemas.find(has);
  if (schema === undefined) throw new Error(`no schema has a message ${json.message}`);
  return encodeMessage(schema, json);
}
