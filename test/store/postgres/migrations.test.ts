/** Tables that an earlier version made, with data in them, get what this version adds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connectToPrimary } from '../../../src/store/postgres/connection.ts';
import { listShards, takeShard } from '../../../src/store/postgres/lease.ts';
import {
  bridgeTables,
  migrateTables,
  neededVersion,
  presentVersion,
} from '../../../src/store/postgres/migrations.ts';
import { bridgeRole, PostgresServer } from '../../support/postgres.ts';

let server: PostgresServer;
let admin: Connection;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
});

afterAll(async () => {
  await admin.close();
  await server.stop();
});

test('each version of the tables becomes the present one, and keeps its data and its fence', async () => {
  for (let version = 1; version <= neededVersion(); version += 1) {
    await admin.run('drop schema causeway cascade');
    const before = await migrateTables(admin, bridgeRole, bridgeTables, version);
    expect(before).toHaveLength(version);
    const early = await connectToPrimary(server.place, 'power');
    expect(await takeShard(early, 'a', 0, { node: 'n1', address: '' })).toMatchObject({ epoch: 1 });
    const after = await migrateTables(admin, bridgeRole);
    expect([...before, ...after].map((name) => Number.parseInt(name, 10))).toEqual(
      Array.from({ length: neededVersion() }, (_, index) => index + 1),
    );
    expect(await presentVersion(early)).toBe(neededVersion());
    // The earlier program runs on while the tables change.
    expect(await listShards(early)).toMatchObject([{ shard: 'a', epoch: 1, isReleased: false }]);
    expect(await takeShard(early, 'a', 0, { node: 'n2', address: '' })).toBeUndefined();
    await early.close();
  }
});

test('tables that are complete are not changed', async () => {
  expect(await migrateTables(admin, bridgeRole)).toEqual([]);
});

test('nobody but the role of the bridge may call a function, whichever version added it', async () => {
  const open = await admin.query<{ proname: string }>({
    text: `select proname from pg_proc
            where pronamespace = 'causeway'::regnamespace and has_function_privilege('public', oid, 'execute')`,
  });
  expect(open).toEqual([]);
});
