/** What an action came to, before it becomes the answer and the receipt. */
import type { VenueStatus } from '../../domain/event.ts';
import type { ExecutionFill } from './event.ts';
import type { Refusal } from './refusal.ts';
import { leavesOf, type Order, type State } from './state.ts';

export interface Outcome {
  readonly status: VenueStatus;
  readonly refusal: Refusal | null;
  readonly orderId: string | null;
  readonly filledQty: number;
  readonly leavesQty: number;
  readonly feeMicro: number;
  readonly fills: readonly ExecutionFill[];
}

const noFills: readonly ExecutionFill[] = [];

export function refused(refusal: Refusal, orderId: string | null): Outcome {
  return {
    status: 'rejected',
    refusal,
    orderId,
    filledQty: 0,
    leavesQty: 0,
    feeMicro: 0,
    fills: noFills,
  };
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

export function outcomeOf(
  state: State,
  order: Order,
  status: VenueStatus = statusOf(order),
): Outcome {
  return {
    status,
    refusal: null,
    orderId: order.id,
    filledQty: order.filledQty,
    leavesQty: leavesOf(order),
    feeMicro: order.feeMicro,
    fills: order.filledQty === 0 ? noFills : state.fills.of(order),
  };
}

/** Of an action that is done without an order of its own to report on. */
export function applied(orderId: string | null, leavesQty = 0): Outcome {
  return {
    status: 'applied',
    refusal: null,
    orderId,
    filledQty: 0,
    leavesQty,
    feeMicro: 0,
    fills: noFills,
  };
}
