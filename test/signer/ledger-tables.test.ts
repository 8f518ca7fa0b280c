/** What is made and read of a ledger's tables besides the record itself, on a real server. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findLedger, inspectLedger } from '../../src/signer/ledger-tables.ts';
import { connectToPrimary, type DatabasePlace } from '../../src/store/postgres/connection.ts';
import { PostgresServer, signerRole } from '../support/postgres.ts';

let server: PostgresServer;
let place: DatabasePlace;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
});

beforeEach(async () => {
  place = await server.ledger();
});

afterAll(() => server.stop());

async function find(environment: 'local' | 'mainnet', mayCreate: boolean) {
  const connection = await connectToPrimary(place, 'power');
  try {
    return await findLedger(connection, place.database, environment, mayCreate);
  } finally {
    await connection.close();
  }
}

test('a ledger is made only where a person has confirmed it, once, however many ask at the same time', async () => {
  await expect(find('local', false)).rejects.toThrow(
    /has no ledger of signed nonces.*--new-ledger/,
  );
  const made = await Promise.all([1, 2, 3].map(() => find('local', true)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(made[0]).toMatchObject({ count: 0, id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(await find('local', false)).toEqual(made[0]);
});

test('the ledger of another environment is refused by name, also where one may be made', async () => {
  await find('local', true);
  await expect(find('mainnet', true)).rejects.toThrow(
    /causeway_signer has the ledger of a signer for local, not for mainnet: correct ledger.postgres/,
  );
});

test('what could lose a record is a warning, and a fault on mainnet', async () => {
  const loose = await inspectLedger(place, 'power', false);
  expect(loose.faults).toEqual([]);
  expect(loose.warnings.join()).toContain('fsync is off');
  const strict = await inspectLedger(place, 'power', true);
  expect(strict.faults.join()).toContain('fsync is off');
});

test('a role that can write past the functions is reported', async () => {
  const admin = await server.admin(place.database);
  await admin.run(`grant delete on causeway_signer.nonces to ${signerRole}`);
  await admin.close();
  const { warnings } = await inspectLedger(place, 'power', false);
  expect(warnings.join()).toContain(`the role ${signerRole} can write past the functions`);
});

test('the role of the signer can delete nothing and change nothing by itself', async () => {
  await find('local', true);
  const connection = await connectToPrimary(place, 'power');
  for (const text of [
    'delete from causeway_signer.nonces',
    'update causeway_signer.ledger set entries = 0',
    'truncate causeway_signer.totals',
  ])
    await expect(connection.query({ text })).rejects.toThrow(/permission denied/);
  await connection.close();
});

test('a database without the tables says which command makes them', async () => {
  const { faults, mayPass } = await inspectLedger(
    { ...place, database: 'causeway' },
    'power',
    false,
  );
  expect(faults.join()).toContain('causeway signer migrate');
  expect(mayPass).toBe(false);
});
