/** The schemas that ship with the bridge, for all who read its messages by name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../../sbe/model.ts';
import { readSchema } from '../../sbe/schema.ts';

type ShippedFile = 'fixp.xml' | 'orders.xml';

const loaded = new Map<ShippedFile, Schema>();

export function shippedSchema(file: ShippedFile): Schema {
  const path = join(import.meta.dirname, '../../../dictionaries', file);
  const schema = loaded.get(file) ?? readSchema(readFileSync(path, 'utf8'));
  loaded.set(file, schema);
  return schema;
}
