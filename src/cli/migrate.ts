/** Creates or updates tables as the owner of their database, for the verbs `store` and `signer`. */
import { type DatabasePlace, withPrimary } from '../store/postgres/connection.ts';
import { migrateTables, type Tables } from '../store/postgres/migrations.ts';
import { secretIn } from '../store/postgres/place-config.ts';

/** `place` contains the role that will use the tables. */
export async function migrateAs(
  user: string,
  passwordFile: string | undefined,
  place: DatabasePlace,
  tables: Tables,
): Promise<void> {
  const password = passwordFile && secretIn(passwordFile);
  const secrets = () => ({ ...place.secrets?.(), password });
  await withPrimary({ ...place, user, secrets }, 'power', async (connection) => {
    const applied = await migrateTables(connection, place.user, tables);
    console.log(applied.length === 0 ? 'the tables are complete' : applied.join('\n'));
  });
}
