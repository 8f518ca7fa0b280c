/**
 * Determines the outcome of an action whose answer was lost from its receipt, the venue's durable record (contract
 * R48).
 */

import type { Account } from '../domain/units.ts';
import type { Found } from './outbox/submission-life.ts';
import type { Receipt } from './records.ts';
import { decidesNothing, finerRefusal, refusalOfStatus } from './refusals.ts';
import { VenueReadError, type VenueReads } from './venue-reads.ts';

export interface SoughtAction {
  readonly account: Account;
  readonly hash: string;
  /** Set once the outcome has been unknown for long: another action may have used its nonce, and its event is lost. */
  readonly nonce: number | null;
}

/** Queries once. A missing receipt proves nothing yet, so the submission queries again. */
export async function reconcile(
  reads: Pick<VenueReads, 'receipts'>,
  { account, hash, nonce }: SoughtAction,
): Promise<Found> {
  const actionHash = `0x${hash}`;
  try {
    const receipts = await reads.receipts(account, { actionHash });
    const own = receipts.filter((one) => one.actionHash === actionHash).map(foundIn);
    // If one copy was applied and another refused, the action was applied.
    const applied = own.find(({ kind }) => kind === 'applied');
    const found = applied ?? own.find(({ kind }) => kind !== 'nothing');
    if (found !== undefined || nonce === null) return found ?? { kind: 'nothing' };
    // The venue can be asked for an action or an order, but not for a nonce.
    const newest = await reads.receipts(account);
    const isOther = (one: Receipt) => one.nonce === BigInt(nonce) && one.actionHash !== actionHash;
    const isTaken = newest.some((one) => isOther(one) && foundIn(one).kind !== 'nothing');
    return { kind: isTaken ? 'superseded' : 'nothing' };
  } catch (error) {
    if (!(error instanceof VenueReadError)) throw error;
    return { kind: 'unreadable', problem: error.message };
  }
}

function foundIn({ rejectCode, rejectReason, seq, status }: Receipt): Found {
  if (status !== 'rejected') return { kind: 'applied', seq };
  const label = rejectCode ?? 'no_reason';
  const refusal = finerRefusal(label, rejectReason) ?? refusalOfStatus(400, label);
  // The nonce may have been used by another copy, or by another action whose own event shows that.
  if (decidesNothing(refusal)) return { kind: 'nothing' };
  return { kind: 'refused', refusal, text: rejectReason ?? '' };
}
