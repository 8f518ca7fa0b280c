/**
 * What a run of the cluster leaves behind, as plain data: the clients' own logs, the venue's ledger, the database's rows, and what each
 * node sent to the venue. The checker reads nothing else, and nothing here comes from the bridge's code.
 */

/** Of an order or a request for one, in the words of FIX, whichever protocol carried it. Quantities are in 1e-8, prices in 1e-6. */
export interface Sent {
  readonly way: 'sent';
  readonly atMs: number;
  readonly kind: 'new' | 'replace' | 'cancel';
  readonly id: string;
  readonly origId?: string;
  readonly side: 'buy' | 'sell';
  readonly qty: number;
}

/** A message that has a number. Those that are not about orders have only that. */
export interface Heard {
  readonly way: 'heard';
  readonly atMs: number;
  readonly seq: number;
  /** It came again: PossDupFlag(43) of FIX, a retransmission of FIXP. */
  readonly isRepeated: boolean;
  /** All of the message that a repetition must not change. */
  readonly content: string;
  readonly report?: Report;
}

export interface Report {
  /** ExecType(150); 9 for an OrderCancelReject, j for a business reject. */
  readonly type: string;
  readonly id: string;
  readonly origId: string;
  readonly orderId: string;
  readonly execId: string;
  /** OrdStatus(39). */
  readonly status: string;
  readonly cumQty: number;
  readonly lastQty?: number;
  readonly lastPx?: number;
  readonly text: string;
}

export interface ClientHistory {
  readonly session: string;
  /** As the venue knows it. */
  readonly account: string;
  /** The number that the next message would have. */
  readonly nextIn: number;
  readonly entries: readonly (Sent | Heard)[];
}

export interface VenueOrder {
  readonly orderId: string;
  readonly account: string;
  readonly side: string;
  readonly qty: number;
  readonly filledQty: number;
  readonly state: string;
  readonly nonce: number;
}

export interface VenueTrade {
  readonly tradeId: string;
  readonly price: number;
  readonly qty: number;
  readonly makerOrderId: string;
  readonly takerOrderId: string;
}

export interface Ledger {
  readonly orders: readonly VenueOrder[];
  readonly trades: readonly VenueTrade[];
  /** What the venue no longer has; the check would not see it. */
  readonly forgotten: { readonly orders: number; readonly trades: number };
}

/** One change of the row of a shard, in the order in which they were committed. */
export interface ShardChange {
  readonly atMs: number;
  readonly shard: string;
  readonly epoch: number;
  readonly position: number;
  readonly node: string;
}

/** What a table has of one stream or session. */
export interface Span {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly rows: number;
}

export interface DatabaseRows {
  readonly changes: readonly ShardChange[];
  readonly records: readonly Span[];
}

/** A request that a node sent to the venue, in the order of sending. */
export interface VenueRequest {
  readonly atMs: number;
  readonly node: string;
  readonly account: string;
  readonly nonce: number;
}

export interface RunHistory {
  readonly accounts: readonly { readonly account: string; readonly shard: string }[];
  readonly clients: readonly ClientHistory[];
  readonly ledger: Ledger;
  /** Undefined where the shards have data directories. */
  readonly rows: DatabaseRows | undefined;
  readonly requests: readonly VenueRequest[];
}
