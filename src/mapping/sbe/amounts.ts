/** Formats the amounts of orders.xml for display: integers with their exponents become decimals. */
import { formatAtoms } from '../../domain/units.ts';
import { integerOf, isObject, type Json, type JsonObject } from '../../sbe/json.ts';

/** Amounts that share an exponent with others in their message; all others have their own. */
const exponentOf: Readonly<Record<string, string>> = {
  ...named('PriceExponent', 'Price StopPx LastPx BidPx OfferPx MDEntryPx Tick MinNotional'),
  ...named('QtyExponent', 'OrderQty MaxFloor SliceQty LastQty BidSize OfferSize'),
  ...named('QtyExponent', 'MDEntrySize Lot MaxQty'),
  // The terms next to LeavesQty may belong to another order, or use a client's exponents.
  ...named('CumQtyExponent', 'LeavesQty CumQty'),
  ...named('AvgPxExponent', 'AvgPx'),
};
const exponents: ReadonlySet<string> = new Set(Object.values(exponentOf));

function named(exponent: string, amounts: string): Record<string, string> {
  return Object.fromEntries(amounts.split(' ').map((amount) => [amount, exponent]));
}

export function isAmount(name: string): boolean {
  return Object.hasOwn(exponentOf, name);
}

/** The exponents of a part are its own, then those of its parts, then those of the enclosing ones. */
export function inDecimals(fields: JsonObject, around: ReadonlyMap<string, number> = new Map()) {
  const scope = new Map([...around, ...exponentsIn(fields)]);
  const shown: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!exponents.has(name)) shown[name] = decimal(name, value, scope);
  }
  return shown;
}

function decimal(name: string, value: Json, scope: ReadonlyMap<string, number>): Json {
  if (isObject(value)) return inDecimals(value, scope);
  if (Array.isArray(value)) {
    return value.map((one) => (isObject(one) ? inDecimals(one, scope) : one));
  }
  const exponent = scope.get(exponentOf[name] ?? '');
  const atoms = integerOf(value);
  return exponent === undefined || atoms === undefined ? value : formatAtoms(atoms, -exponent);
}

function exponentsIn(fields: JsonObject): readonly (readonly [string, number])[] {
  const ofParts = Object.values(fields).flatMap((value) =>
    isObject(value) ? exponentsIn(value) : [],
  );
  const own = Object.entries(fields).flatMap(([name, value]) =>
    exponents.has(name) && typeof value === 'number' ? [[name, value] as const] : [],
  );
  return [...ofParts, ...own];
}
