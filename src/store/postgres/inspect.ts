/**
 * Finds conditions of a database that would prevent a bridge or a signer from starting, or make it less safe than its
 * operator believes.
 */
import type { Durability } from '../store.ts';
import {
  type Connection,
  ConnectionLost,
  connectToPrimary,
  type DatabasePlace,
} from './connection.ts';
import { bridgeTables, neededVersion, presentVersion, type Tables } from './migrations.ts';

export interface DatabaseFindings {
  /** Each fault includes its remedy. */
  readonly faults: readonly string[];
  /** The faults may be temporary, as while a standby is promoted or machines start. */
  readonly mayPass: boolean;
  readonly warnings: readonly string[];
}

export interface InspectOptions {
  readonly durability: Durability;
  /** Set for real money: what is otherwise a warning is a fault. */
  readonly isStrict: boolean;
  readonly tables?: Tables;
}

/** Error codes of a server that refuses a role or a database. */
const refusals = ({ command, section }: Tables): Readonly<Record<string, string>> => ({
  '28P01': `check ${section}.user and the password in passwordFile`,
  '28000':
    'allow the role, from this address and with or without TLS as configured, in pg_hba.conf',
  '3D000': `create the database, then run ${command}`,
  '53300': 'raise max_connections of the database: each bridge needs 3 connections',
});

/** Error codes of a server that is starting, stopping or out of space, or lost the connection. */
const passing = /^(08|53|57)/;

export async function inspectDatabase(
  place: DatabasePlace,
  { durability, isStrict, tables = bridgeTables }: InspectOptions,
): Promise<DatabaseFindings> {
  let connection: Connection;
  try {
    connection = await connectToPrimary(place, durability);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    const { sqlState } = error;
    const remedy =
      refusals(tables)[sqlState ?? ''] ?? `start the primary, or correct ${tables.section}.hosts`;
    return {
      faults: [`no primary of the database can be used (${error.message}): ${remedy}`],
      mayPass: sqlState === undefined || passing.test(sqlState),
      warnings: [],
    };
  }
  await using _connected = connection;
  const faults: string[] = [];
  const warnings: string[] = [];
  const weak = isStrict ? faults : warnings;
  faults.push(...(await tableFaults(connection, tables)));
  const server = await serverOf(connection, tables);
  if (server.mayWrite)
    weak.push(
      `the role ${place.user} can write past the functions (a superuser, or the tables' owner): use one that only ${tables.command} has given rights to`,
    );
  for (const name of ['fsync', 'full_page_writes'] as const) {
    if (server[name] === 'on') continue;
    weak.push(
      `${name} is off in the database, so a loss of power can destroy it: set ${name} = on`,
    );
  }
  const unsafe = durability === 'replicated' ? standbyProblem(server) : undefined;
  if (unsafe !== undefined) weak.push(unsafe);
  if (server.timeZone !== 'UTC' && server.timeZone !== 'Etc/UTC')
    warnings.push(
      `SQL shows times in the zone ${server.timeZone}, the bridge writes UTC: alter database ${place.database} set timezone = 'UTC'`,
    );
  const mayPass = faults.length === 1 && faults[0] === noStandby;
  return { faults, mayPass, warnings };
}

async function tableFaults(connection: Connection, tables: Tables): Promise<readonly string[]> {
  const { command } = tables;
  const needed = neededVersion(tables);
  const [schema] = await connection.query<{ mayUse: boolean | null }>({
    text: `select has_schema_privilege(oid, 'usage') as "mayUse" from pg_namespace where nspname = $1`,
    values: [tables.schema],
  });
  if (schema === undefined)
    return [`the database has no tables of ${tables.schema}: run ${command} with its owner`];
  const noRights = `the role lacks rights on the tables: run ${command} again with their owner`;
  if (schema.mayUse !== true) return [noRights];
  const [rights] = await connection.query<{ areGiven: boolean }>({
    text: `select coalesce((select bool_and(has_table_privilege(oid, 'select')) from pg_class
                     where relnamespace = $1::regnamespace and relkind = 'r'), false)
              and coalesce((select bool_and(has_function_privilege(oid, 'execute')) from pg_proc
                     where pronamespace = $1::regnamespace), false) as "areGiven"`,
    values: [tables.schema],
  });
  if (rights?.areGiven !== true) return [noRights];
  const present = await presentVersion(connection, tables);
  if (present < needed)
    return [`the tables have version ${present} and this program needs ${needed}: run ${command}`];
  if (present > needed)
    return [
      `the tables have version ${present}, written by a later version of the program; this one supports ${needed}: install the later version`,
    ];
  return [];
}

interface Server {
  /** Whether the role may write the tables' rows without the functions that check them. */
  readonly mayWrite: boolean;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly timeZone: string;
  readonly standbyNames: string;
  /** Null if the role may not see them. */
  readonly standbys: number | null;
}

async function serverOf(connection: Connection, { schema }: Tables): Promise<Server> {
  const [server] = await connection.query<Server>({
    values: [schema],
    text: `select coalesce((select bool_or(has_table_privilege(c.oid, 'insert, update, delete, truncate'))
                     from pg_class c join pg_namespace n on n.oid = c.relnamespace
                    where n.nspname = $1 and c.relkind = 'r'), false) as "mayWrite",
                  current_setting('fsync') as fsync,
                  current_setting('full_page_writes') as full_page_writes,
                  current_setting('TimeZone') as "timeZone",
                  current_setting('synchronous_standby_names') as "standbyNames",
                  case when pg_has_role('pg_read_all_stats', 'usage') then
                    (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum'))::int
                  end as standbys`,
  });
  if (server === undefined) throw new ConnectionLost('the server did not report its state');
  return server;
}

const noStandby =
  'no synchronous standby is connected, so every commit would wait: start one that synchronous_standby_names names';

function standbyProblem({ standbyNames, standbys }: Server): string | undefined {
  if (standbyNames === '')
    return 'no synchronous standby is configured, so a failover can lose what was confirmed: set synchronous_standby_names in the database, or durability: power';
  return standbys === 0 ? noStandby : undefined;
}
