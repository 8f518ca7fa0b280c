/** SBE messages for people: names and values from the schemas that ship with the bridge. */
import { framingHeaderSize } from '../fixp/framing.ts';
import { inDecimals } from '../mapping/sbe/amounts.ts';
import { shippedSchemas } from '../mapping/sbe/shipped-schemas.ts';
import type { Json, JsonObject } from '../sbe/json.ts';
import { decodeWith } from '../sbe/schema-set.ts';

/** Undefined if no schema of ours has it, or it is truncated. */
export function sbeMessage(frame: Uint8Array) {
  const decoded = decodeWith(shippedSchemas(), frame, framingHeaderSize);
  if (typeof decoded === 'string') return undefined;
  return { name: decoded.message, fields: decoded.fields };
}

export function sbeName(schemaId: number, templateId: number): string {
  const schema = shippedSchemas().find(({ id }) => id === schemaId);
  return schema?.messages.find(({ id }) => id === templateId)?.name ?? '';
}

/** Members of composites and entries of groups, by path. */
export function* namedValues(
  value: Json,
  name = '',
): IterableIterator<{ readonly name: string; readonly value: string }> {
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

const amount = /(Qty|Px|Price)$/;
/** Values that mean that a field is absent, except in an amount. */
const nothing = /^(|0|0x0*|Unset)$/;

/** The content of a message, with amounts as decimals. The message page displays it as on the wire. */
export function summaryOf(fields: JsonObject): readonly (readonly [string, string])[] {
  return [...namedValues(inDecimals(fields))].flatMap(({ name, value }) => {
    // One of several flags gets the name of its field instead of its index.
    const leaf = name.replace(/\.\d+$/, '').replace(/^.*\./, '');
    const isShown = amount.test(leaf) ? value !== '' : !nothing.test(value);
    return isShown ? [[leaf, value] as const] : [];
  });
}
