/** What became of an action whose answer was lost: its receipt says, the durable read of the venue (contract R48). */
import { finerRefusal, refusalOfStatus } from '../domain/refusal.ts';
import type { SignedSend } from './action-json.ts';
import type { Receipt } from './records.ts';
import type { Found } from './submission.ts';
import { VenueReadError, type VenueReads } from './venue-reads.ts';

/** One look; that nothing is there proves nothing yet, so the submission looks again. */
export async function reconcile(
  reads: Pick<VenueReads, 'receipts'>,
  { account, hash }: SignedSend,
): Promise<Found> {
  const actionHash = `0x${hash}`;
  try {
    const receipts = await reads.receipts(account, { actionHash });
    const receipt = receipts.find((one) => one.actionHash === actionHash);
    return receipt === undefined ? { kind: 'nothing' } : foundIn(receipt);
  } catch (error) {
    if (!(error instanceof VenueReadError)) throw error;
    return { kind: 'unreadable', problem: error.message };
  }
}

function foundIn({ rejectCode, rejectReason, seq, status }: Receipt): Found {
  if (status !== 'rejected') return { kind: 'applied', seq };
  const label = rejectCode ?? 'ENGINE_REJECTED';
  const refusal = finerRefusal(label, rejectReason) ?? refusalOfStatus(400, label);
  return { kind: 'refused', refusal, text: rejectReason ?? '' };
}
