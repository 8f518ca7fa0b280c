/**
 * Our ids against the venue's (contract G02, G28; R10). The venue's word wins; that it differs is an integrity alarm,
 * because every cancel goes by an id.
 */
import type { OrderId } from '../domain/units.ts';
import type { NewOrders } from '../signer/digest.ts';
import type { ChildIds } from './answer.ts';

export interface IdMismatch {
  /** Index of the leg, or 0 for a single order. */
  readonly index: number;
  readonly ours: OrderId;
  readonly theirs: OrderId;
}

/**
 * Ids that an answer names otherwise than we derived them. A single submit of a quote replace names the first placing
 * leg only; a batch names one id a leg, null where the leg only cancels.
 */
export function idMismatches(ours: NewOrders, theirs: ChildIds): readonly IdMismatch[] {
  const own: readonly (OrderId | null)[] =
    ours.kind === 'none' ? [] : ours.kind === 'legs' ? ours.legIds : [ours.orderId];
  const isFirstOnly = ours.kind === 'legs' && theirs.length === 1;
  const first = own.findIndex((id) => id !== null);
  const compared = isFirstOnly ? own.slice(first, first + 1) : own;
  return compared.flatMap((mine, at) => {
    const told = theirs[at] ?? null;
    if (mine === null || told === null || mine === told) return [];
    return [{ index: isFirstOnly ? first : at, ours: mine, theirs: told }];
  });
}
