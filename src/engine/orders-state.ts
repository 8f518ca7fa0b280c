/** The state of the orders of an account, as its journal keeps it. */
import type { BoundedNames } from './bounded-names.ts';
import type { SharedSeats } from './exposure.ts';
import type { MassCancel } from './mass-cancels.ts';
import type { Kept, Numbers, OrderIndex } from './order-index.ts';
import type { QuoteState } from './quote-groups.ts';

/** The state of the orders without `memory`. */
export interface OrdersRest {
  readonly lastSeq: number;
  /** The number in the last key; absent in snapshots of earlier versions, whose keys have none. */
  readonly lastKey?: number;
  /** Absent in snapshots of earlier versions, in which each order had its own seat. */
  readonly sharedSeats?: SharedSeats;
  readonly quotes: QuoteState;
  /** Absent in snapshots of versions that canceled everything in one transaction. */
  readonly massCancels?: readonly MassCancel[];
}

export interface OrdersState extends OrdersRest {
  /** The ended orders come first, in the order of their end. Snapshots of earlier versions have no numbers. */
  readonly orders: readonly (Kept & Partial<Numbers>)[];
  readonly spent: readonly string[];
  /** The number of the first spent name; absent if the orders have no numbers. */
  readonly firstSpent?: number;
}

/** The part of the state that grows with the orders, so the journal keeps it in parts (`state-writer.ts`). */
export interface OrdersMemory {
  readonly index: Pick<OrderIndex, 'all' | 'changeAll' | 'size' | 'stored' | 'takeChanges'>;
  readonly spent: Pick<BoundedNames, 'end' | 'first' | 'slice'>;
}

/** Older entries are forgotten, so that memory and snapshots stay bounded however long the bridge runs. */
export interface OrdersBounds {
  /** How many ended orders are kept for status requests and late events. */
  readonly endedOrders: number;
  /** How many ClOrdIDs, besides those of remembered orders, are refused as duplicates. */
  readonly spentNames: number;
}
