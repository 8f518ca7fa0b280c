/** One SBE message for showing, by the schemas of the bridge or by those that are given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DecodedMessage } from '../../sbe/generic-decoder.ts';
import type { Json } from '../../sbe/json.ts';
import type { Schema } from '../../sbe/model.ts';
import { readSchema } from '../../sbe/schema.ts';
import { decodeWith } from '../../sbe/schema-set.ts';

const dictionaries = join(import.meta.dirname, '../../../dictionaries');
const shipped = ['fixp.xml', 'orders.xml'].map((file) => join(dictionaries, file));

export class SbeReader {
  readonly #schemas: readonly Schema[];

  constructor(files: readonly string[] = shipped) {
    this.#schemas = files.map((file) => readSchema(readFileSync(file, 'utf8')));
  }

  /** Answers a fault as text. */
  read(bytes: Buffer): DecodedMessage | string {
    return decodeWith(this.#schemas, bytes);
  }
}

/** `name=value`, groups and composites in the form of JSON. */
export function sbeFields(
  fields: DecodedMessage['fields'],
): readonly (readonly [string, string])[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, plain(value)]);
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
