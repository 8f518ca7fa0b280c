/** Creates or updates tables as the owner of their database, for the verbs `store` and `signer`. */
import { type DatabasePlace, withPrimary } from '../store/postgres/connection.ts';
import { migrateTables, type Tables } from '../store/postgres/migrations.ts';
import { secretIn } from '../store/postgres/place-config.ts';
import { concluded } from './verb.ts';

/** `place` contains the role that will use the tables. */
export async function migrateAs(
  user: string,
  passwordFile: string | undefined,
  place: DatabasePlace,
  tables: Tables,
  json: boolean,
): Promise<number> {
  const password = passwordFile && secretIn(passwordFile);
  const secrets = () => ({ ...place.secrets?.(), password });
  return withPrimary({ ...place, user, secrets }, 'power', async (connection) => {
    const applied = await migrateTables(connection, place.user, tables);
    return concluded(json, { applied }, applied.join('\n') || 'the tables are complete');
  });
}
