/**
 * Creates an order from the first event of an order that no session of the bridge sent (contract R72). The event is
 * then applied like any other, so that drop copies of such orders come from the same transition function. Terms that
 * the stream does not contain (time in force, order type) are not reported.
 */
import type { StreamEvent } from './event.ts';
import type { Instrument } from './instrument.ts';
import { createOrder, type Order, otherChannel } from './order.ts';
import { limitTerms } from './terms.ts';
import type { Qty } from './units.ts';

const none = 0n as Qty;

/** Returns undefined if the event does not concern an order, or has too few facts for a report. */
export function adoptedOrder(
  event: StreamEvent,
  instrument: Instrument,
  accountName: string,
): Order | undefined {
  const { account, orderId, side, price, qty, kind } = event;
  if (orderId === null || side === null || price === null || qty === null) return undefined;
  const owner = {
    session: otherChannel,
    account,
    accountName,
    tag: accountName,
    key: `:${orderId}`,
    quoteId: null,
  };
  const unseenQty = filledBefore(event);
  // A venue that states more filled than ordered means at least that quantity, as with a fill beyond OrderQty(38).
  const orderQty = unseenQty > qty ? unseenQty : qty;
  const terms = limitTerms(side, price, orderQty, 'gtc', null);
  const order = createOrder(owner, event.clientOrderId ?? '', instrument, terms, event.engineTsMs);
  const isBegun = unseenQty > none || !beginnings.has(kind);
  return {
    ...order,
    phase: isBegun ? 'live' : 'pending_new',
    submission: 'answered',
    orderId,
    parentOrderId: event.parentOrderId,
    cumQty: unseenQty,
    unseenQty,
    leavesQty: (orderQty - unseenQty) as Qty,
  };
}

/** Events that can be the first of an order; before any other, the bridge missed a New. */
const beginnings: ReadonlySet<StreamEvent['kind']> = new Set([
  'accepted',
  'resting',
  'fill',
  'replaced',
  'rejected',
]);

/** The quantity that was filled by trades that the bridge did not receive. */
function filledBefore({ filledQty, fill }: StreamEvent): Qty {
  const before = (filledQty ?? none) - (fill?.qty ?? none);
  return (before > none ? before : none) as Qty;
}
