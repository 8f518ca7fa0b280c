/** The schemas that ship with the bridge, for everything that reads its messages by name. */
import { shippedText } from '../../runtime/shipped.ts';
import type { Schema } from '../../sbe/model.ts';
import { readSchema } from '../../sbe/schema.ts';

export const shippedFiles = ['fixp.xml', 'orders.xml'] as const;
type ShippedFile = (typeof shippedFiles)[number];

const loaded = new Map<ShippedFile, Schema>();

export function shippedSchema(file: ShippedFile): Schema {
  const schema = loaded.get(file) ?? readSchema(shippedText(`dictionaries/${file}`));
  loaded.set(file, schema);
  return schema;
}
