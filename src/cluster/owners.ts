/**
 * The owners of shards, as seen by a node's front doors and relays (docs/decisions/0287-nodes-own-shards-by-leases.md).
 * It may be slightly out of date: when a connection is relayed, the other node confirms that it still has the shard.
 */
import type { NodeRow } from '../store/postgres/nodes.ts';

/** A node as it announced itself. */
export type NodeView = Omit<NodeRow, 'instance' | 'renewedAt'>;

export interface Ownership {
  readonly node: NodeView;
  readonly epoch: number;
}

export interface Owners {
  /** All nodes that were alive at the last read of the database, including this one. */
  readonly nodes: readonly NodeView[];
  /** Whether the database has a node of this name, alive or not. Only registered nodes may use a relay port. */
  isNode(name: string): boolean;
  /** The owner may be this node. Undefined while no living node owns the shard. */
  ownerOf(shard: string): Ownership | undefined;
  /** Calls back when an owner, the nodes, or the shards that a node serves change; the returned function cancels. */
  whenChanged(callback: () => void): () => void;
}
