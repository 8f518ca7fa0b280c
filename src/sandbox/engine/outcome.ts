/** Creates the outcomes of actions. */
import type { VenueStatus } from '../../domain/event.ts';
import type { Refusal } from './refusal.ts';
import { leavesOf, type Order } from './state.ts';
import type { Outcome } from './view.ts';

export const noProgress = { filledQty: 0, leavesQty: 0, feeMicro: 0, fills: [] } as const;

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
  return {
    status,
    refusal: null,
    orderId: order.id,
    filledQty: order.filledQty,
    leavesQty: leavesOf(order),
    feeMicro: order.feeMicro,
    fills: [...order.fills],
  };
}

/** The outcome of a completed action that has no order of its own. */
export function applied(orderId: string | null, leavesQty = 0): Outcome {
  return { ...noProgress, status: 'applied', refusal: null, orderId, leavesQty };
}
