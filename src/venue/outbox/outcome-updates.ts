/** Builds the texts and updates about an outcome for orders and operators. */
import type { RequestRef, VenueUpdate } from '../../engine/venue-port.ts';
import type { Outcome } from './submission-life.ts';

type Accepted = Extract<Outcome, { kind: 'accepted' }>;
type Refused = Extract<Outcome, { kind: 'refused' }>;

export function acceptedUpdate(
  asked: RequestRef,
  { orderIds }: Pick<Accepted, 'orderIds'>,
): VenueUpdate {
  const orderId = orderIds.find((each) => each !== null) ?? null;
  return { kind: 'outcome', asked, outcome: { kind: 'accepted', orderId } };
}

export function refusedUpdate(asked: RequestRef, { nonce, refusal, text }: Refused): VenueUpdate {
  const isSpent = refusal.source === 'bridge' ? null : nonce.nonceConsumed;
  const denial = { refusal, text, number: null, isSpent };
  return { kind: 'outcome', asked, outcome: { kind: 'refused', denial } };
}

export function overdueText(hash: string, nonce: number, open: number): string {
  return `the outcome of action 0x${hash}, nonce ${nonce}, is still open (${open} are): the venue shows no receipt of it and has not given its nonce to a fence; what it is about stays pending`;
}
