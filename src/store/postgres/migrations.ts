/**
 * The tables of a database, in numbered files of `database/` for the bridge and of `database/signer/` for the signer. A
 * command that their owner runs applies missing files; bridge and signer only compare versions, and never alter a
 * table.
 */
import pg from 'pg';
import { shippedNames, shippedText } from '../../runtime/shipped.ts';
import type { Connection } from './connection.ts';

/** One set of tables, with the names that error messages contain. */
export interface Tables {
  readonly schema: string;
  /** The package's directory with the numbered files. */
  readonly folder: string;
  readonly command: string;
  /** The section of the configuration. */
  readonly section: string;
}

export const bridgeTables: Tables = {
  schema: 'causeway',
  folder: 'database',
  command: 'causeway store migrate',
  section: 'store.postgres',
};

export function neededVersion(tables = bridgeTables): number {
  return files(tables).at(-1)?.version ?? 0;
}

/** Returns 0 if there are no tables. */
export async function presentVersion(
  connection: Connection,
  { schema } = bridgeTables,
): Promise<number> {
  const [there] = await connection.query<{ isThere: boolean }>({
    text: `select to_regclass('${schema}.schema_version') is not null as "isThere"`,
  });
  if (there?.isThere !== true) return 0;
  const text = `select coalesce(max(version), 0) as version from ${schema}.schema_version`;
  const [row] = await connection.query<{ version: number }>({ text });
  return row?.version ?? 0;
}

/** Applies each missing file in one transaction, then grants the tables to their role. Returns the files. */
export async function migrateTables(
  connection: Connection,
  role: string,
  tables = bridgeTables,
  upTo = neededVersion(tables),
): Promise<readonly string[]> {
  const { folder, schema } = tables;
  const applied: string[] = [];
  await connection.run(`
    begin;
    select pg_advisory_xact_lock(hashtext('${schema} migrations'));
    create schema if not exists ${schema};
    create table if not exists ${schema}.schema_version (
      version integer primary key,
      file text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`);
  const present = await presentVersion(connection, tables);
  for (const { version, name } of files(tables)) {
    if (version <= present || version > upTo) continue;
    await connection.run(shippedText(`${folder}/${name}`));
    const text = `insert into ${schema}.schema_version (version, file) values ($1, $2)`;
    await connection.query({ text, values: [version, name] });
    applied.push(name);
  }
  const grantee = pg.escapeIdentifier(role);
  await connection.run(`
    grant usage on schema ${schema} to ${grantee};
    grant select on all tables in schema ${schema} to ${grantee};
    grant execute on all functions in schema ${schema} to ${grantee};
    commit`);
  return applied;
}

function files({ folder }: Tables): readonly { readonly version: number; readonly name: string }[] {
  return shippedNames(folder)
    .filter((name) => /^\d+-[^/]*\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number.parseInt(name, 10), name }));
}
