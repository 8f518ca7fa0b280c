/** Tables made from the command line on a real server, and a ledger in them that the command line explains. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { CanonicalEncoder } from '../../src/signer/canonical.ts';
import { sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { openSignerCore } from '../../src/signer/open-signer.ts';
import { type SignerConfigInput, signerConfigSchema } from '../../src/signer/signer-config.ts';
import { sandboxSigningContract as contract } from '../signer/sandbox-contract.ts';
import { account, envelope, spot } from '../signer/signer-samples.ts';
import { PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';

const encoder = new CanonicalEncoder(contract);
let server: PostgresServer;
let directory: string;
let file: string;
let config: SignerConfigInput;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  directory = mkdtempSync(join(tmpdir(), 'migrate-'));
  const admin = await server.admin();
  await admin.run('create role keeper login');
  await admin.run('create database ledger');
  await admin.close();
  const keystoreFile = join(directory, 'key.json');
  const passphraseFile = join(directory, 'pass');
  const sealed = await sealKey(new Uint8Array(32).fill(7), 'pass', 'local', {
    n: 1024,
    r: 8,
    p: 1,
  });
  writeKeystore(keystoreFile, sealed);
  writeFileSync(passphraseFile, 'pass\n', { mode: 0o600 });
  mkdirSync(join(directory, 'data'), { mode: 0o700 });
  config = {
    environment: 'local',
    profile: join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'),
    socket: join(directory, 'signer.sock'),
    dataDir: join(directory, 'data'),
    durability: 'power',
    ledger: {
      postgres: { hosts: [`127.0.0.1:${server.port}`], database: 'ledger', user: 'keeper' },
    },
    keys: [
      {
        ...{ keystoreFile, passphraseFile },
        policy: { accounts: [account], placementsPerSecond: 100, burst: 100 },
      },
    ],
  };
  file = join(directory, 'signer.yaml');
  writeFileSync(file, stringify(config));
});

afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

const migrate = (user: string, ...more: string[]) =>
  causeway('signer', 'migrate', '--config', file, '--user', user, ...more);

test('a role that does not own the database makes nothing, and the owner makes each table once', async () => {
  const refused = await migrate('keeper');
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toMatch(/permission denied/);
  const made = await migrate('postgres', '--json');
  expect([made.status, JSON.parse(made.stdout)]).toEqual([0, { applied: ['0001-ledger.sql'] }]);
  expect(await migrate('postgres')).toMatchObject({
    status: 0,
    stdout: 'the tables are complete\n',
  });
});

test('an action is explained by what the ledger in the database has', async () => {
  const { close, core } = await openSignerCore({
    ...{ config: signerConfigSchema.parse(config), contract, alarm: () => {}, fatal: () => {} },
    askPassphrase: () => Promise.reject(new Error('not asked')),
    mayCreateLedger: true,
  });
  const placed = encoder.encode(envelope(10, spot()));
  const canonical = Uint8Array.from(placed);
  expect(await core.sign({ canonical, scheme: 'ecdsa' })).toMatchObject({ kind: 'signed' });
  await close();
  const explained = async (name: string, bytes: Uint8Array) => {
    writeFileSync(join(directory, name), bytes);
    const called = await causeway('signer', 'explain', join(directory, name), '--config', file);
    return { status: called.status, text: called.stdout };
  };
  expect(await explained('same', canonical)).toMatchObject({ status: 0 });
  const other = Uint8Array.from(encoder.encode(envelope(10, spot(50n, 2n))));
  const refused = await explained('other', other);
  expect(refused.status).toBe(1);
  expect(refused.text).toMatch(/ledger/);
  const next = Uint8Array.from(encoder.encode(envelope(11, spot(50n, 2n))));
  expect(await explained('next', next)).toMatchObject({ status: 0 });
});
