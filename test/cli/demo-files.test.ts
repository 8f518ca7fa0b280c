import fs, {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readInterview } from '../../src/certify/interview.ts';
import {
  type DemoOptions,
  demoFixpSessions,
  demoOperator,
  demoSessions,
  writeDemoFiles,
} from '../../src/cli/demo-files.ts';
import { checkConfig } from '../../src/gateway/config/config-checks.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { isSecret } from '../../src/gateway/passwords/secret-hash.ts';
import { checkSignerFile } from '../../src/gateway/signing.ts';
import { developmentAccounts } from '../../src/sandbox/development-accounts.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { openKey, readKeystore, readPassphraseFile } from '../../src/signer/keystore.ts';
import { sandboxProfile, writeQuickFiles } from '../support/quick-files.ts';

const profileFile = join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const accounts = developmentAccounts({ profile: sandboxProfile, seed: 7 }, await openEcdsa(), 2);
const logins = [...demoSessions(7), ...demoFixpSessions(7)];
let directory: string;
let options: DemoOptions;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'demo-files-'));
  options = {
    ...{ directory, seed: 7, fixHost: '127.0.0.1', fixPort: 1, fixpPort: 2, consolePort: 3 },
    ...{ venueUrl: 'http://127.0.0.1:4', profileFile, accounts, cancelOnDisconnect: true },
  };
});
afterEach(() => rmSync(directory, { recursive: true }));

const secret = (name: string) => readFileSync(join(directory, 'secrets', name), 'utf8');

/** The bridge and its signer can start from the files, and let in those who have the secrets of the seed. */
async function checkFiles(file: string): Promise<void> {
  const loaded = loadConfig(file);
  const { config, credentials, operators, users } = loaded;
  expect(checkConfig(loaded)).toEqual({ faults: [], warnings: [] });
  checkSignerFile(
    join(directory, 'signer.yaml'),
    'local',
    accounts.map(({ account }) => account),
  );
  expect([...credentials.values()]).toMatchObject(
    accounts.map(({ apiKey: key, apiSecret, passphrase }) => ({
      key,
      secret: apiSecret,
      passphrase,
    })),
  );
  for (const { password, username } of logins) {
    expect(isSecret(password, users.get(username)!.hash!), username).toBe(true);
  }
  const { name, token } = demoOperator(7);
  expect(isSecret(token, operators.get(name)!.hash!)).toBe(true);
  expect(config.accounts.map(({ account }) => account)).toEqual(
    accounts.map(({ account }) => account),
  );
  for (const [at, { name: alias }] of config.accounts.entries()) {
    const of = (ending: string) => join(directory, 'secrets', `${alias}.${ending}`);
    const passphrase = readPassphraseFile(of('key-passphrase'));
    const key = await openKey(readKeystore(of('keystore.json')), passphrase);
    expect(Buffer.from(key).toString('hex')).toBe(accounts[at]!.agents[0]!.key);
  }
}

test('the bridge, its signer and the counterparty to certify can start from the files, with the secrets of the seed', async () => {
  await checkFiles(await writeQuickFiles(options));
  const interview = readInterview(join(directory, 'certification/example/interview.yaml'));
  expect(interview.session.targetCompId).toBe(demoSessions(7)[0]!.targetCompId);
});

test('every session and its user are configured, with the rights that the demo announces', async () => {
  const { config, users } = loadConfig(await writeQuickFiles(options));
  const sessions = [
    ...demoSessions(7),
    ...demoFixpSessions(7).map(({ name, ...rest }) => ({ senderCompId: name, ...rest })),
  ];
  expect(config.sessions).toMatchObject(
    sessions.map(({ accounts: own, role, senderCompId, username }) => ({
      ...{ senderCompId, role, accounts: own, users: [username] },
      cancelOnDisconnect: { when: 'abrupt' },
    })),
  );
  expect(config.sessions.map(({ protocol }) => protocol)).toEqual([
    ...demoSessions(7).map(() => 'fix'),
    ...demoFixpSessions(7).map(() => 'fixp'),
  ]);
  const signers = demoFixpSessions(7).filter(({ hmacSecret }) => hmacSecret !== undefined);
  expect(signers.map(({ username }) => username)).toEqual(['delta']);
  expect(secret('delta.hmac')).toBe(`${signers[0]!.hmacSecret}\n`);
  const signing = [...users].filter(([, { hmacSecret }]) => hmacSecret !== null);
  expect(signing.map(([name]) => name)).toEqual(['delta']);
});

test('without their ports there is no FIXP session and no console', async () => {
  const { fixpPort: _, consolePort: __, ...rest } = options;
  const { config } = loadConfig(await writeQuickFiles({ ...rest, cancelOnDisconnect: false }));
  expect([config.fixp, config.console]).toEqual([undefined, undefined]);
  const names = config.sessions.map(({ senderCompId }) => senderCompId);
  expect(names).toEqual(demoSessions(7).map(({ senderCompId }) => senderCompId));
  expect(config.users.map(({ name }) => name)).toEqual(names.map((name) => name.toLowerCase()));
  for (const { cancelOnDisconnect } of config.sessions) {
    expect(cancelOnDisconnect?.when).not.toBe('abrupt');
  }
});

test('a second time the secrets and the interview are kept, and the configuration has the new addresses', async () => {
  const file = await writeQuickFiles(options);
  const interview = join(directory, 'certification/example/interview.yaml');
  const kept = ['alpha.hash', 'desk-a.api-key', 'desk-a.keystore.json', 'delta.hmac'];
  writeFileSync(interview, 'of the operator\n');
  writeFileSync(join(directory, 'secrets/desk-a.api-key'), 'rotated\n');
  const before = kept.map(secret);
  await writeDemoFiles({ ...options, fixPort: 9, venueUrl: 'http://127.0.0.1:8' });
  expect(kept.map(secret)).toEqual(before);
  expect(readFileSync(interview, 'utf8')).toBe('of the operator\n');
  const { config } = loadConfig(file);
  expect([config.fix.listen.port, config.venue.baseUrl]).toEqual([9, 'http://127.0.0.1:8']);
});

test('only the owner can read the files', async () => {
  await writeQuickFiles(options);
  const modeOf = (path: string) => statSync(join(directory, path)).mode & 0o777;
  expect(modeOf('secrets')).toBe(0o700);
  const files = readdirSync(join(directory, 'secrets')).map((name) => `secrets/${name}`);
  expect(files.length).toBeGreaterThan(15);
  for (const file of [...files, 'gateway.yaml', 'signer.yaml']) {
    expect([file, modeOf(file)]).toEqual([file, 0o600]);
  }
});

test('what could not be written whole is not kept, so the next attempt completes the files', async () => {
  await writeQuickFiles(options);
  const secrets = join(directory, 'secrets');
  // Hashes take time to make; those that stay are quick ones.
  const gone = readdirSync(secrets).filter(
    (name) => !name.endsWith('.hash') || name === 'echo.hash',
  );
  for (const name of gone) rmSync(join(secrets, name));
  const { writeFileSync: write } = fs;
  let written = 0;
  const failing = (...[file, content, how]: Parameters<typeof write>) => {
    written += 1;
    const isCut = written === 4;
    write(file, isCut ? String(content).slice(0, 9) : content, how);
    if (isCut) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  };
  let attempts = 1;
  try {
    Object.assign(fs, { writeFileSync: failing });
    syncBuiltinESMExports();
    const attempt = () => {
      written = 0;
      return writeDemoFiles(options).catch(({ message }: Error) => message);
    };
    while ((await attempt()).includes('ENOSPC')) attempts += 1;
  } finally {
    Object.assign(fs, { writeFileSync: write });
    syncBuiltinESMExports();
  }
  expect(attempts).toBeGreaterThan(3);
  await checkFiles(join(directory, 'gateway.yaml'));
  expect(readdirSync(join(directory, 'secrets')).filter((name) => name.endsWith('.new'))).toEqual(
    [],
  );
});

test('the secrets follow from the seed, and each differs from the others', () => {
  const secretsOf = (seed: number) => [
    ...[...demoSessions(seed), ...demoFixpSessions(seed)].map(({ password }) => password),
    ...demoFixpSessions(seed).flatMap(({ hmacSecret }) => hmacSecret ?? []),
    demoOperator(seed).token,
  ];
  expect(secretsOf(7)).toEqual(secretsOf(7));
  const all = [...secretsOf(7), ...secretsOf(8), ...secretsOf(77)];
  expect(new Set(all).size).toBe(3 * (logins.length + 2));
  for (const one of all) expect(one.length).toBeGreaterThanOrEqual(20);
});

test('too few accounts, and one without an agent, are refused; only the owner has the folder of the secrets', async () => {
  const [first, second] = accounts;
  const write = (given: DemoOptions['accounts']) => writeDemoFiles({ ...options, accounts: given });
  await expect(write([first!])).rejects.toThrow('the demo needs 2 accounts');
  await expect(write([first!, { ...second!, agents: [] }])).rejects.toThrow('has no agent');
  expect(statSync(join(directory, 'secrets')).mode & 0o777).toBe(0o700);
});
