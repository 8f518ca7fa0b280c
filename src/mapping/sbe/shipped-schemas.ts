/** The schemas that ship with the bridge, for everything that reads its messages by name. */
import { entryOf } from '../../runtime/entry-of.ts';
import { shippedText } from '../../runtime/shipped.ts';
import type { Schema } from '../../sbe/model.ts';
import { readSchema } from '../../sbe/schema.ts';

export const shippedFiles = ['fixp.xml', 'orders.xml'] as const;
type ShippedFile = (typeof shippedFiles)[number];

const loaded = new Map<ShippedFile, Schema>();

export function shippedSchema(file: ShippedFile): Schema {
  return entryOf(loaded, file, () => readSchema(shippedText(`dictionaries/${file}`)));
}

export function shippedSchemas(): readonly Schema[] {
  return shippedFiles.map(shippedSchema);
}
