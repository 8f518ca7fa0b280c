/**
 * What one wants to see of a message of the second lane at a glance: what it states, with amounts as decimals. A message
 * as it is on the wire has its own page.
 */

import { inDecimals } from '../mapping/sbe/amounts.ts';
import type { JsonObject } from '../sbe/json.ts';
import { namedValues } from './sbe-message.ts';

const amount = /(Qty|Px|Price)$/;
/** Means that a field is not set, except in an amount. */
const nothing = /^(|0|0x0*|Unset)$/;

export function glance(fields: JsonObject): readonly (readonly [string, string])[] {
  return [...namedValues(inDecimals(fields))].flatMap(({ name, value }) => {
    // One of several flags is named by its field, and not by its place.
    const leaf = name.replace(/\.\d+$/, '').replace(/^.*\./, '');
    const isShown = amount.test(leaf) ? value !== '' : !nothing.test(value);
    return isShown ? [[leaf, value] as const] : [];
  });
}
