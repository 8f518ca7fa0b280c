/** Creates the outcomes of actions. */
import type { VenueStatus } from '../../domain/event.ts';
import type { Refusal } from './refusal.ts';
import { leavesOf, type Order } from './state.ts';
import type { Outcome } from './view.ts';

type Progress = Pick<Outcome, 'filledQty' | 'leavesQty' | 'feeMicro' | 'fills'>;

export const noProgress: Progress = { filledQty: 0, leavesQty: 0, feeMicro: 0, fills: [] };

export function refused(refusal: Refusal, orderId: string | null): Outcome {
  return { ...noProgress, status: 'rejected', refusal, orderId };
}

export function statusOf(order: Order): VenueStatus {
  switch (order.state) {
    case 'open':
      return order.filledQty > 0 ? 'partially_filled' : 'resting';
    case 'filled':
      return 'filled';
    case 'canceled':
    case 'expired':
      return 'canceled';
  }
}

export function outcomeOf(order: Order, status: VenueStatus = statusOf(order)): Outcome {
  return { status, refusal: null, orderId: order.id, ...progressOf(order) };
}

/** Nothing for an order that was not placed. */
export function progressOf(order: Order | undefined): Progress {
  if (order === undefined) return noProgress;
  const { feeMicro, filledQty, fills } = order;
  return { filledQty, leavesQty: leavesOf(order), feeMicro, fills: [...fills] };
}

/** The outcome of a completed action that has no order of its own. */
export function applied(orderId: string | null, leavesQty = 0): Outcome {
  return { ...noProgress, status: 'applied', refusal: null, orderId, leavesQty };
}
