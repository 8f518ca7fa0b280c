/** Creates or updates tables as the owner of their database, for the verbs `store` and `signer`. */
import { readPrivateFile } from '../runtime/private-file.ts';
import { type DatabasePlace, withPrimary } from '../store/postgres/connection.ts';
import { migrateTables, type Tables } from '../store/postgres/migrations.ts';

const longestPassword = 16_384;

/** `place` contains the role that will use the tables. */
export async function migrateAs(
  user: string,
  passwordFile: string | undefined,
  place: DatabasePlace,
  tables: Tables,
): Promise<void> {
  const password =
    passwordFile && readPrivateFile(passwordFile, longestPassword).replace(/\r?\n$/, '');
  await withPrimary({ ...place, user, password }, 'power', async (connection) => {
    const applied = await migrateTables(connection, place.user, tables);
    console.log(applied.length === 0 ? 'the tables are complete' : applied.join('\n'));
  });
}
