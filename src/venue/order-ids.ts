/**
 * Compares our order ids with the venue's (contract G02, G28; R10). The venue's id is used; a difference raises an
 * integrity alarm, because every cancel names an id.
 */
import type { OrderId } from '../domain/units.ts';
import type { NewOrders } from '../signer/digest.ts';
import type { ChildIds } from './answer.ts';

export interface IdMismatch {
  /** The index of the leg, or 0 for a single order. */
  readonly index: number;
  readonly ours: OrderId;
  readonly theirs: OrderId;
}

/**
 * Finds ids in an answer that differ from ours. A single submit of a quote replace names only the first placing leg. A
 * batch names one id for each leg, and null for a leg that only cancels.
 */
export function idMismatches(ours: NewOrders, theirs: ChildIds): readonly IdMismatch[] {
  const own: readonly (OrderId | null)[] =
    ours.kind === 'none' ? [] : ours.kind === 'legs' ? ours.legIds : [ours.orderId];
  const isFirstOnly = ours.kind === 'legs' && theirs.length === 1;
  const first = own.findIndex((id) => id !== null);
  const compared = isFirstOnly ? own.slice(first, first + 1) : own;
  return compared.flatMap((mine, at) => {
    const stated = theirs[at] ?? null;
    if (mine === null || stated === null || mine === stated) return [];
    return [{ index: isFirstOnly ? first : at, ours: mine, theirs: stated }];
  });
}
