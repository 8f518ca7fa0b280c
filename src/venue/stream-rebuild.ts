/**
 * Rebuilds, order by order, the part of the stream that the venue no longer keeps from its receipts (contract R75).
 * Reports to the client continue from the order's state at the venue, and the client is informed that a part was lost.
 */
import type { Denial } from '../domain/denial.ts';
import type { Order } from '../domain/order.ts';
import type { Standing, Statement } from '../domain/stated.ts';
import type { Orders } from '../engine/orders.ts';
import type { Receipt } from './records.ts';
import { denialOf } from './refusals.ts';
import type { VenueReads } from './venue-reads.ts';

/** The orders of an account, and how an order gets its state after lost events. */
export interface RebuiltAccount {
  readonly orders: Orders;
  state(key: string, statement: Statement): void;
}

/** Returns a text about the loss and the number of orders that the receipts contain. */
export async function rebuildFromReceipts(
  account: RebuiltAccount,
  reads: Pick<VenueReads, 'receipts'>,
  gap: { readonly fromSeq: number; readonly toSeq: number },
  alarm: (text: string, orderId?: string) => void,
): Promise<readonly string[]> {
  let count = 0;
  for (const { owner } of [...account.orders.openOnVenue()]) {
    const order = account.orders.get(owner.key);
    const statement = order && (await statementOf(order, reads));
    if (statement === undefined) continue;
    if (statement === null) {
      const { orderId } = order ?? {};
      alarm(`no receipt of order ${owner.key}: a person must look it up`, orderId ?? owner.key);
    } else {
      account.state(owner.key, statement);
      count += 1;
    }
  }
  const range = `Executions ${gap.fromSeq} to ${gap.toSeq} of the venue are lost`;
  alarm(`${range}; ${count} open orders were rebuilt from receipts`);
  return [`${range}.`, `${count} open orders were rebuilt from the venue's receipts.`];
}

/** Returns undefined for an order that was never sent, and null if the venue has no receipt of a sent order. */
async function statementOf(
  { venueRef, orderId, owner, pending }: Order,
  reads: Pick<VenueReads, 'receipts'>,
): Promise<Statement | null | undefined> {
  if (orderId === null) return undefined;
  const { account } = owner;
  const receipts = await reads.receipts(account, { orderId });
  const known = receipts.filter((one) => one.orderId === orderId && isPlacement(one, venueRef));
  const isOwn = ({ actionHash, status }: Receipt) =>
    actionHash !== null && actionHash === venueRef && status !== 'rejected';
  // The receipt of a cancel may lack the trades of the order that it names.
  const own = known.find(isOwn) ?? known.toSorted(byFilledQty).at(-1);
  if (own === undefined) return null;
  const isReplacing = pending?.kind === 'replace' && pending.way === 'leg';
  const hash = isReplacing ? pending.venueRef : null;
  const replaces = hash === null ? [] : await reads.receipts(account, { actionHash: hash });
  const child = replaces.find((one) => one.orderId !== orderId && one.status !== 'rejected');
  return {
    order: standingOf(own, orderId),
    child: child?.orderId == null ? null : standingOf(child, child.orderId),
  };
}

/**
 * Receipts of amends and of refused requests name the order, too, but do not contain its state. Nor does the refusal of
 * one copy of its own action.
 */
function isPlacement(receipt: Receipt, ofEntry: string | null): boolean {
  const { actionHash, status } = receipt;
  if (status !== 'rejected') return status !== 'applied';
  return actionHash === ofEntry && denialIn(receipt)?.decidesNothing !== true;
}

function byFilledQty(one: Receipt, other: Receipt): number {
  return Number((one.filledQty ?? 0n) - (other.filledQty ?? 0n));
}

function standingOf(receipt: Receipt, orderId: NonNullable<Receipt['orderId']>): Standing {
  const { filledQty, fills, leavesQty, status } = receipt;
  return { orderId, status, leavesQty, filledQty, fills, denial: denialIn(receipt) };
}

function denialIn({ rejectCode, rejectReason }: Receipt): Denial | null {
  if (!rejectCode) return null;
  return denialOf({ code: rejectCode, number: null, text: rejectReason ?? '' });
}
