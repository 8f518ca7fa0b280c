/**
 * The tables of the database, in numbered files of `database/`. `causeway store migrate` applies those that are missing; the
 * bridge only compares, and never alters a table.
 */
import pg from 'pg';
import { shippedNames, shippedText } from '../../runtime/shipped.ts';
import type { Connection } from './connection.ts';

/** The last file's number. */
export function neededVersion(): number {
  return files().at(-1)?.version ?? 0;
}

/** 0 where there are no tables. */
export async function presentVersion(connection: Connection): Promise<number> {
  const [there] = await connection.query<{ isThere: boolean }>({
    text: `select to_regclass('causeway.schema_version') is not null as "isThere"`,
  });
  if (there?.isThere !== true) return 0;
  const text = 'select coalesce(max(version), 0) as version from causeway.schema_version';
  const [row] = await connection.query<{ version: number }>({ text });
  return row?.version ?? 0;
}

/** Applies each missing file in one transaction, then lets the bridge's role use the tables. Returns the files. */
export async function migrateTables(
  connection: Connection,
  role: string,
  upTo = neededVersion(),
): Promise<readonly string[]> {
  const applied: string[] = [];
  await connection.run(`
    begin;
    select pg_advisory_xact_lock(hashtext('causeway migrations'));
    create schema if not exists causeway;
    create table if not exists causeway.schema_version (
      version integer primary key,
      file text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`);
  const present = await presentVersion(connection);
  for (const { version, name } of files()) {
    if (version <= present || version > upTo) continue;
    await connection.run(shippedText(`database/${name}`));
    const text = 'insert into causeway.schema_version (version, file) values ($1, $2)';
    await connection.query({ text, values: [version, name] });
    applied.push(name);
  }
  const grantee = pg.escapeIdentifier(role);
  await connection.run(`
    grant usage on schema causeway to ${grantee};
    grant select on all tables in schema causeway to ${grantee};
    grant execute on all functions in schema causeway to ${grantee};
    commit`);
  return applied;
}

function files(): readonly { readonly version: number; readonly name: string }[] {
  return shippedNames('database')
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ version: Number.parseInt(name, 10), name }));
}
