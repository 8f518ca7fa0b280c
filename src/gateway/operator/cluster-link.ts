/** The requests of a shard's bridge to its node: acts for all shards, and the node's view of the other nodes. */
import type { Actor } from './operator.ts';
import type { DoneAct, NumberedAct, SharedAct } from './shared-acts.ts';

/** The response of one shard to an act. */
export interface Confirmation extends Readonly<Omit<DoneAct, 'numbered'>> {
  readonly shard: string;
}

export interface Unconfirmed {
  readonly shard: string;
  /** The reason, if this node knows it. */
  readonly why: string;
}

export interface ActReport extends Readonly<Omit<NumberedAct, 'id' | 'uid'>> {
  /** Null until the act has its number. */
  readonly id: number | null;
  readonly confirmed: readonly Confirmation[];
  readonly unconfirmed: readonly Unconfirmed[];
  /**
   * Set if the database has not said that it is recorded, and it is not retried: with a number of later it might undo a
   * kill switch that another node gives meanwhile.
   */
  readonly isGivenUp?: boolean;
}

export interface ClusterNodeRow {
  readonly node: string;
  readonly version: string;
  readonly isDraining: boolean;
  /** True for the node that responds. */
  readonly isHere: boolean;
  /** The time since its last announcement. */
  readonly silentMs: number;
  readonly shards: readonly string[];
}

export interface ClusterShardRow {
  readonly shard: string;
  readonly accounts: readonly string[];
  readonly sessions: number;
  /** Null while no node owns it. */
  readonly node: string | null;
  readonly state: string;
  /** Whether any node serves its clients. */
  readonly isServed: boolean;
  /** The following four are null without a database. */
  readonly epoch: number | null;
  readonly position: number | null;
  readonly ownedMs: number | null;
  readonly renewedMs: number | null;
  readonly consoleUrl: string | null;
}

export interface ClusterDatabase {
  /** If true, everything that follows is as of the last response of the database. */
  readonly isAway: boolean;
  readonly readAgoMs: number | null;
  /** False if commits wait for a standby; null if not known. */
  readonly isReplicated: boolean | null;
  /** Null if not known, or if the database role may not see them. */
  readonly standbys:
    | readonly { readonly name: string; readonly syncState: string; readonly lagBytes: number }[]
    | null;
}

/** A node's view of the whole cluster. */
export interface ClusterView {
  /** The node that responds. */
  readonly node: string;
  readonly nodes: readonly ClusterNodeRow[];
  readonly shards: readonly ClusterShardRow[];
  /** Null with data directories. */
  readonly database: ClusterDatabase | null;
  /** The latest acts, newest first. */
  readonly acts: readonly ActReport[];
}

export interface ClusterLink {
  /** Resolves when every shard has confirmed, or after a few seconds with the confirmations so far. */
  carryOut(by: Actor, act: SharedAct): Promise<ActReport>;
  view(): Promise<ClusterView>;
}

/** Formats the report as sentences. A shard that has not confirmed is never omitted. */
export function reportLines(report: ActReport): readonly string[] {
  const { act, confirmed, id, isGivenUp, unconfirmed } = report;
  const here = confirmed.filter(({ isHere }) => isHere);
  const lines = here.map(
    ({ atMs, node, shard, text }) =>
      `Shard ${shard} confirms (node ${node}, ${new Date(atMs).toISOString()}): ${text}`,
  );
  if (here.length === 0 && unconfirmed.length === 0) {
    const name = act.kind === 'set_limits' ? act.target : act.scope;
    lines.push(`No shard has ${'name' in name ? `${name.kind} ${name.name}` : 'anything'}.`);
  }
  for (const { shard, why } of unconfirmed) lines.push(`Shard ${shard} has NOT confirmed: ${why}.`);
  if (id === null) {
    lines.push(
      isGivenUp === true
        ? 'The act has no number and is given up. Should the database have recorded it all the same, the shards carry it out, and an alarm says so.'
        : 'The act is NOT recorded for the other nodes: it is sent again while this one runs.',
    );
  }
  return lines;
}
