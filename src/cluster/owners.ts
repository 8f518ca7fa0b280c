/**
 * Which node owns which shard, as the front doors and the relays of a node see it (docs/decisions/0287-nodes-own-shards-by-leases.md).
 * It may be out of date by a moment: whoever relays a connection learns at the other node whether the shard is still there.
 */

/** A node as it announced itself. */
export interface NodeView {
  readonly node: string;
  /** HOST:PORT for connections from other nodes; empty if it takes none. */
  readonly relay: string;
  /** HOST:PORT for clients of each protocol; empty if it names none. */
  readonly fix: string;
  readonly fixp: string;
  readonly version: string;
  readonly isDraining: boolean;
  /** The shards whose workers take clients. A shard can be owned before it is served. */
  readonly serving: readonly string[];
  /** Since it renewed its announcement, by the clock of the database. */
  readonly ageMs: number;
}

export interface Ownership {
  readonly node: NodeView;
  readonly epoch: number;
}

export interface Owners {
  /** All that were alive when the database was last read, this one too. */
  readonly nodes: readonly NodeView[];
  /** Whether the database has a node of this name, alive or not. Nobody else may use a relay port. */
  isNode(name: string): boolean;
  /** Undefined while no living node owns the shard. It may be this node. */
  ownerOf(shard: string): Ownership | undefined;
  /** Calls back after each change of an owner, of what a node serves, or of the nodes; the returned function cancels. */
  whenChanged(callback: () => void): () => void;
}
