/**
 * What one wants to see of a message of the second lane at a glance: what was said, without what stands for nothing, and
 * amounts as decimals. A message as it lies on the wire is on its own page.
 */
import { formatAtoms } from '../domain/units.ts';
import type { NamedValue } from './sbe-message.ts';

/** By its own name, or by that of the amounts that it is of (dictionaries/orders.xml). */
const exponentOf: Readonly<Record<string, string>> = {
  CumQty: 'CumQtyExponent',
  LeavesQty: 'CumQtyExponent',
  AvgPx: 'AvgPxExponent',
};
const amount = /(Qty|Px|Price)$/;
const nothing = /^(|0|0x0*)$/;
const heads: ReadonlySet<string> = new Set(['blockLength', 'templateId', 'schemaId', 'version']);

export function glance(values: readonly NamedValue[]): readonly (readonly [string, string])[] {
  const byPath = new Map(values.map(({ name, value }) => [name, value]));
  const exponent = (path: string, leaf: string) => {
    const wanted = exponentOf[leaf] ?? (leaf.endsWith('Qty') ? 'QtyExponent' : 'PriceExponent');
    const beside = byPath.get(path.slice(0, path.length - leaf.length) + wanted);
    return beside ?? values.find(({ name }) => leafOf(name) === wanted)?.value;
  };
  return values.flatMap(({ name, value }) => {
    const leaf = leafOf(name);
    if (heads.has(leaf) || leaf.endsWith('Exponent')) return [];
    if (amount.test(leaf)) {
      return value === '' ? [] : [[leaf, decimal(value, exponent(name, leaf))] as const];
    }
    return nothing.test(value) ? [] : [[leaf, value] as const];
  });
}

function decimal(value: string, exponent: string | undefined): string {
  const places = -Number(exponent);
  const isSound = /^-?\d{1,40}$/.test(value) && places >= 0 && places <= 18;
  return isSound ? formatAtoms(BigInt(value), places) : value;
}

function leafOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
