/** The `store` section of the configuration: the database that holds the data of several machines. */
import { z } from 'zod';
import { key } from '../runtime/yaml-problem.ts';
import { bridgeTables } from '../store/postgres/migrations.ts';
import { placeKeys } from '../store/postgres/place-config.ts';
import { name } from './config-keys.ts';

export const store = z.strictObject({
  postgres: z
    .strictObject({
      ...placeKeys('bridge', 'causeway', bridgeTables.command),
      shard: key(
        name.optional(),
        'The name under which this bridge keeps its data; several bridges with different names share a database. If absent, `gateway`, or `relay` for a process that only relays.',
        'desk-1',
      ),
    })
    .describe('A PostgreSQL database, version 14 or later, best with a synchronous standby.'),
});
