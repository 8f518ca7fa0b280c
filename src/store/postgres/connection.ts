/**
 * Connections to the database, always to the primary, with the settings that the meaning of a commit depends on. A
 * connection that has failed is never used again: its user requests a new one, and determines the outcome of the
 * statements in flight (docs/decisions/0280-shards-nodes-and-postgresql.md).
 */
import { Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import pg from 'pg';
import type { Durability } from '../store.ts';

export interface Host {
  readonly host: string;
  readonly port: number;
}

interface DatabaseSecrets {
  readonly password?: string | undefined;
  readonly tls?: { ca: string; cert?: string | undefined; key?: string | undefined } | undefined;
}

/** The address of the database, and the role to use. */
export interface DatabasePlace {
  readonly hosts: readonly Host[];
  readonly database: string;
  readonly user: string;
  /** Called for each connection, because an operator may have replaced them. */
  readonly secrets?: () => DatabaseSecrets;
}

// Positions, sequence numbers, sizes and times have eight bytes in the database; all are safe integers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** How a commit is confirmed: by the standbys, by the disk of the primary, or by its memory. */
const synchronousCommit: Readonly<Record<Durability, string>> = {
  replicated: 'on',
  power: 'local',
  process: 'off',
};

/** The server is not reachable, is not the primary, or did not answer in time: a retry may succeed. */
export class ConnectionLost extends Error {
  /** The server's error for a refused connection or statement. */
  readonly sqlState: string | undefined;

  constructor(message: string, sqlState?: string) {
    super(message);
    this.sqlState = sqlState;
  }
}

export interface Statement {
  /** A statement with a name is parsed once for each connection. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** The maximum time for connecting, including the settings. */
const connectMs = 1_000;
/** How long the other hosts may take after one has reported that it is the primary. */
const othersMs = 100;

export class Connection {
  readonly at: Host;
  /** A promotion starts a new timeline: of two servers that accept writes, the higher timeline is the primary's. */
  readonly timeline: number;
  readonly #client: pg.Client;
  readonly #socket: Socket;
  #lost: ConnectionLost | undefined;
  readonly #listeners: ((error: ConnectionLost) => void)[] = [];

  constructor(at: Host, timeline: number, client: pg.Client, socket: Socket) {
    this.at = at;
    this.timeline = timeline;
    this.#client = client;
    this.#socket = socket;
    client.on('error', (error) => this.destroy(new ConnectionLost(error.message)));
    client.on('end', () => this.destroy(new ConnectionLost('the server closed the connection')));
    // A commit whose wait for standbys was canceled is reported as successful, with this warning before.
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') this.destroy(new ConnectionLost(message ?? severity));
    });
  }

  get lost(): ConnectionLost | undefined {
    return this.#lost;
  }

  whenLost(call: (error: ConnectionLost) => void): void {
    if (this.#lost === undefined) this.#listeners.push(call);
    else call(this.#lost);
  }

  /**
   * Resolves with the rows once the server is ready for the next statement, which is after it has committed this one.
   * Statements may be sent before earlier ones have completed.
   */
  async query<Row extends object = never>({
    name,
    text,
    values = [],
  }: Statement): Promise<readonly Row[]> {
    if (this.#lost !== undefined) throw this.#lost;
    const query = { text, values: [...values], ...(name !== undefined && { name }) };
    try {
      const { rows } = await this.#client.query<Row>(query);
      // The reply may have included a warning.
      if (this.#lost === undefined) return rows;
    } catch (error) {
      if (this.#lost === undefined) throw error;
    }
    throw this.#lost;
  }

  /** Runs several statements without parameters. */
  async run(script: string): Promise<void> {
    await this.#client.query(script);
    if (this.#lost !== undefined) throw this.#lost;
  }

  /** Closes at once, without waiting; the outcome of statements in flight is unknown. */
  destroy(error = new ConnectionLost('the connection was given up')): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#socket.destroy();
    for (const listener of this.#listeners) listener(error);
  }

  async close(): Promise<void> {
    if (this.#lost !== undefined) return;
    this.#lost = new ConnectionLost('the connection is closed');
    const late = setTimeout(() => this.#socket.destroy(), connectMs);
    await this.#client.end().catch(() => {});
    clearTimeout(late);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A late reply counts as lost, and so does its connection. */
export function within<T>(connection: Connection, ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const error = new ConnectionLost(`no answer within ${ms} ms`);
      connection.destroy(error);
      // The library's own timeout is not used, because it would have to reject each statement in flight.
      reject(error);
    }, ms);
    answer.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

export interface PrimaryWanted {
  /** The timeline of the last known primary: a server with an earlier one is outdated. */
  readonly timeline?: number;
  /** This host reported that it is the primary but did not commit, so another one is preferred. */
  readonly avoid?: Host | undefined;
}

/** All hosts are queried at once, so one that does not respond delays nothing. */
export async function connectToPrimary(
  place: DatabasePlace,
  durability: Durability,
  { timeline = 0, avoid }: PrimaryWanted = {},
): Promise<Connection> {
  const opened: Connection[] = [];
  const problems: ConnectionLost[] = [];
  let isChosen = false;
  await new Promise<void>((resolve) => {
    let waiting = place.hosts.length;
    for (const host of place.hosts) {
      connect(place, host, durability)
        .then((connection) => {
          if (connection.timeline < timeline) {
            // An old primary keeps each connection open until it is stopped, and has only max_connections of them.
            connection.destroy();
            throw new ConnectionLost(`${nameOf(host)} is not the primary any more`);
          }
          if (isChosen) return connection.destroy();
          opened.push(connection);
          if (host === avoid) return;
          setTimeout(resolve, othersMs);
        })
        .catch((error) => problems.push(lostOf(error, host)))
        .finally(() => {
          waiting -= 1;
          if (waiting === 0) resolve();
        });
    }
  });
  isChosen = true;
  const worth = ({ at, timeline }: Connection) => (at === avoid ? 0 : timeline);
  opened.sort((a, b) => worth(b) - worth(a));
  const [best, ...others] = opened;
  for (const other of others) other.destroy();
  if (best !== undefined) return best;
  const [first] = problems;
  throw new ConnectionLost(problems.map(({ message }) => message).join('; '), first?.sqlState);
}

/** The connection is for `use` alone, and closed after it. */
export async function withPrimary<T>(
  place: DatabasePlace,
  durability: Durability,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  await using connection = await connectToPrimary(place, durability);
  return await use(connection);
}

async function connect(
  place: DatabasePlace,
  at: Host,
  durability: Durability,
): Promise<Connection> {
  const { database, user } = place;
  const { password = '', tls } = place.secrets?.() ?? {};
  const socket = new Socket();
  const client = new pg.Client({
    ...at,
    database,
    user,
    // The password never comes from the environment or a file of the system's user.
    password: () => password,
    ssl: tls !== undefined && {
      ...tls,
      checkServerIdentity: (_, certificate) => checkServerIdentity(at.host, certificate),
    },
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    application_name: 'causeway',
    pipeline: true,
  });
  // Errors are ignored until the `Connection` exists, which then handles them.
  const ignore = () => {};
  client.on('error', ignore);
  const tooLate = new Error(`no answer within ${connectMs} ms`);
  const late = setTimeout(() => socket.destroy(tooLate), connectMs);
  try {
    await client.connect();
    await client.query(settings(durability));
    const { rows } = await client.query(whichServer);
    const { isstandby, isreadonly, timeline } = rows[0] ?? {};
    if (isstandby === true) throw new ConnectionLost('is a standby');
    if (isreadonly === 'on') throw new ConnectionLost('is read-only');
    return new Connection(at, Number(timeline), client, socket);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Override defaults of the database and the role. Warnings must be delivered: a commit may succeed with one. */
const settings = (durability: Durability) => `
  set synchronous_commit = ${synchronousCommit[durability]};
  set client_min_messages = warning;
  set bytea_output = hex;
  set default_transaction_isolation = 'read committed';
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_session_timeout = 0;
  set tcp_keepalives_idle = 5;
  set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3;
  do $$ begin
    -- Else statements of owners that gave up would wait on for a lock. Not every system that PostgreSQL runs on can do it.
    perform set_config('client_connection_check_interval', '1s', false);
  exception when others then null; end $$`;

const whichServer = `
  select pg_is_in_recovery() as isStandby,
         current_setting('transaction_read_only') as isReadOnly,
         case when pg_is_in_recovery() then 0
              else ('x' || lpad(substring(pg_walfile_name(pg_current_wal_lsn()) for 8), 8, '0'))::bit(32)::int
          end as timeline`;

/** The SQLSTATE of an error from the server. */
export function sqlStateOf(error: unknown): string | undefined {
  if (error instanceof ConnectionLost) return error.sqlState;
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function nameOf({ host, port }: Host): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function lostOf(error: unknown, at: Host): ConnectionLost {
  const reason = error instanceof Error && error.message !== '' ? error.message : String(error);
  return new ConnectionLost(`${nameOf(at)}: ${reason}`, sqlStateOf(error));
}
