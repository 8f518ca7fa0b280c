/** A summary of an SBE message: its content, with amounts as decimals. The message page displays it as on the wire. */

import { inDecimals } from '../mapping/sbe/amounts.ts';
import type { JsonObject } from '../sbe/json.ts';
import { namedValues } from './sbe-message.ts';

const amount = /(Qty|Px|Price)$/;
/** Values that mean that a field is absent, except in an amount. */
const nothing = /^(|0|0x0*|Unset)$/;

export function summaryOf(fields: JsonObject): readonly (readonly [string, string])[] {
  return [...namedValues(inDecimals(fields))].flatMap(({ name, value }) => {
    // One of several flags gets the name of its field instead of its index.
    const leaf = name.replace(/\.\d+$/, '').replace(/^.*\./, '');
    const isShown = amount.test(leaf) ? value !== '' : !nothing.test(value);
    return isShown ? [[leaf, value] as const] : [];
  });
}
