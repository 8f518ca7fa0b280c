/** The standbys of the primary, and their lag. */
import type { Connection } from './connection.ts';

export interface Standby {
  readonly name: string;
  /** Commits wait for `sync` and `quorum`, but not for `async` and `potential`. */
  readonly syncState: string;
  /** Bytes of the primary's log that are not yet on the standby's disk. */
  readonly lagBytes: number;
}

export interface Replication {
  /** Whether commits wait for a standby: the setting of the server, whether a standby is connected or not. */
  readonly isReplicated: boolean;
  /** Null if the role may not see them: grant pg_read_all_stats to it. */
  readonly standbys: readonly Standby[] | null;
}

interface Row extends Standby {
  readonly mayRead: boolean;
  readonly isReplicated: boolean;
}

export async function replicationOf(connection: Connection): Promise<Replication> {
  const rows = await connection.query<Row>({
    name: 'replication',
    text: `select pg_has_role('pg_read_all_stats', 'usage') as "mayRead",
                  current_setting('synchronous_standby_names') <> '' as "isReplicated",
                  r.application_name as name, r.sync_state as "syncState",
                  coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), r.flush_lsn), 0)::float8 as "lagBytes"
             from (select) one
             left join pg_stat_replication r on r.state = 'streaming'
            order by name`,
  });
  const [first] = rows;
  const standbys = rows.flatMap(({ lagBytes, name, syncState }) =>
    name === null ? [] : [{ name, syncState, lagBytes: Math.max(0, lagBytes) }],
  );
  return {
    isReplicated: first?.isReplicated === true,
    standbys: first?.mayRead === true ? standbys : null,
  };
}
