/** What a bridge that is a shard of a cluster asks of its node: acts for all shards, and what the node knows of the others. */
import type { Actor } from './operator.ts';
import type { SharedAct } from './shared-acts.ts';

/** What one shard has done about an act. */
export interface Confirmation {
  readonly shard: string;
  readonly node: string;
  readonly atMs: number;
  /** False if the account or the session is of another shard. */
  readonly isHere: boolean;
  readonly text: string;
}

export interface Unconfirmed {
  readonly shard: string;
  /** Why, as far as this node knows. */
  readonly why: string;
}

export interface ActReport {
  /** Null while the database has not recorded the act. */
  readonly id: number | null;
  readonly node: string;
  readonly by: Actor;
  readonly act: SharedAct;
  readonly atMs: number;
  readonly confirmed: readonly Confirmation[];
  readonly unconfirmed: readonly Unconfirmed[];
}

export interface ClusterNodeRow {
  readonly node: string;
  readonly version: string;
  readonly isDraining: boolean;
  /** The node that answers. */
  readonly isHere: boolean;
  /** Since it said that it is alive. */
  readonly silentMs: number;
  readonly shards: readonly string[];
}

export interface ClusterShardRow {
  readonly shard: string;
  readonly accounts: readonly string[];
  readonly sessions: number;
  /** Null while nobody has it. */
  readonly node: string | null;
  readonly state: string;
  /** Clients are served, by whichever node. */
  readonly isServed: boolean;
  /** These four are null without a database. */
  readonly epoch: number | null;
  readonly position: number | null;
  readonly ownedMs: number | null;
  readonly renewedMs: number | null;
  readonly consoleUrl: string | null;
}

export interface ClusterDatabase {
  /** Everything that follows is as it was when it answered last. */
  readonly isAway: boolean;
  readonly readAgoMs: number | null;
  /** Commits wait for a standby; null if not known. */
  readonly isReplicated: boolean | null;
  /** Null if not known, or if the role may not see them. */
  readonly standbys:
    | readonly { readonly name: string; readonly syncState: string; readonly lagBytes: number }[]
    | null;
}

/** What a node knows of the whole cluster. */
export interface ClusterView {
  /** The node that answers. */
  readonly node: string;
  readonly nodes: readonly ClusterNodeRow[];
  readonly shards: readonly ClusterShardRow[];
  /** Null with data directories. */
  readonly database: ClusterDatabase | null;
  /** The latest, the last one first. */
  readonly acts: readonly ActReport[];
}

export interface ClusterLink {
  /** Resolves when every shard has confirmed, or after a few seconds with what is known then. */
  carryOut(by: Actor, act: SharedAct): Promise<ActReport>;
  view(): Promise<ClusterView>;
}

/** The report in sentences. A shard that has not confirmed is never left out. */
export function reportLines({ act, confirmed, id, unconfirmed }: ActReport): readonly string[] {
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
      'The act is NOT recorded for the other nodes: it is sent again while this one runs.',
    );
  }
  return lines;
}
