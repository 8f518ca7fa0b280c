import fs, {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CertifySigner } from '../../src/cli/certify/signer.ts';
import { writeDemoFiles } from '../../src/cli/demo-files.ts';
import { type Config, configSchema } from '../../src/gateway/config/config.ts';
import { ConfigError, type LoadedConfig } from '../../src/gateway/config/config-file.ts';
import {
  checkSignerFile,
  greetSigner,
  openGatewaySigner,
  readSignerFile,
} from '../../src/gateway/signing.ts';
import { developmentAccounts } from '../../src/sandbox/development-accounts.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { GoldenVectorError } from '../../src/signer/golden-vectors.ts';
import { sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import {
  cancel,
  contract,
  envelope,
  openPolicy,
  request,
  secretKey,
} from '../signer/signer-samples.ts';
import { writeQuickFiles } from '../support/quick-files.ts';

const profile = loadProfile(join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'));
const config = configSchema.parse({
  environment: 'local',
  dataDir: 'data',
  roles: ['drop-copy'],
  venue: { profile: 'venue.yaml' },
  accounts: [
    {
      name: 'desk',
      account: `0x${'1'.repeat(40)}`,
      apiKeyFile: 'k',
      apiSecretFile: 's',
      passphraseFile: 'p',
    },
  ],
  fix: { listen: { port: 0 } },
  users: [{ name: 'alpha', secretHashFile: 'h' }],
  sessions: [
    {
      senderCompId: 'ALPHA',
      targetCompId: 'CAUSEWAY',
      role: 'drop-copy',
      users: ['alpha'],
      accounts: ['desk'],
    },
  ],
});
const elsewhere = {
  ...config,
  signer: { mode: 'process' as const, socket: '/nowhere/signer.sock' },
};

test('R17: the bridge recomputes the vectors of its own profile, wherever the signer runs', async () => {
  const [first, ...others] = profile.signing.goldenVectors;
  if (first === undefined) throw new Error('no vectors');
  const wrong = { ...first, actionHash: `0x${'0'.repeat(64)}` };
  const signing = { ...profile.signing, goldenVectors: [...others, wrong] };
  const loaded = {
    config: elsewhere,
    credentials: new Map(),
    users: new Map(),
    connectPasswords: new Map(),
    operators: new Map(),
    path: (file: string) => file,
    at: () => '',
  };
  const opening = openGatewaySigner(loaded, { ...profile, signing }, () => {});
  await expect(opening).rejects.toThrow(GoldenVectorError);
});

test('a greeting finds that the signer answers and signs nothing; a signer inside the process is left alone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-signing-'));
  await writeQuickFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 0,
    venueUrl: 'http://127.0.0.1:1',
    profileFile: join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'),
    accounts: developmentAccounts({ profile, seed: 1 }, await openEcdsa('noble'), 2),
    cancelOnDisconnect: false,
  });
  const path = (file: string) => join(directory, file);
  const greet = (signer: Config['signer']) =>
    greetSigner({ config: { ...config, signer }, path } as LoadedConfig, profile, () => {});
  await greet({ mode: 'inline', configFile: 'no such file' });
  expect(existsSync(path('data'))).toBe(false);
  const signer = new CertifySigner(path('signer.yaml'));
  await signer.start();
  await greet({ mode: 'process', socket: 'signer.sock' });
  expect(readFileSync(path('data/signer.anchor'), 'utf8')).toMatch(/"count":0,/);
  await signer.stop();
  rmSync(directory, { recursive: true });
});

test('keys and passphrases that others may read are found before anything is opened', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-signing-'));
  await writeDemoFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 0,
    venueUrl: 'http://127.0.0.1:1',
    profileFile: join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'),
    accounts: developmentAccounts({ profile, seed: 1 }, await openEcdsa('noble'), 2),
    cancelOnDisconnect: false,
  });
  const check = () => checkSignerFile(join(directory, 'signer.yaml'), 'local');
  expect(check).not.toThrow();
  chmodSync(join(directory, 'secrets/desk-a.key-passphrase'), 0o604);
  chmodSync(join(directory, 'secrets/desk-b.keystore.json'), 0o644);
  expect(check).toThrow(ConfigError);
  expect(check).toThrow(/keys\[0\]\.passphraseFile: .*desk-a.key-passphrase has mode 0604/);
  expect(check).toThrow(/keys\[1\]\.keystoreFile: .*desk-b.keystore.json has mode 0644/);
  chmodSync(join(directory, 'secrets/desk-a.key-passphrase'), 0o600);
  chmodSync(join(directory, 'secrets/desk-b.keystore.json'), 0o600);
  const keystore = join(directory, 'secrets/desk-a.keystore.json');
  writeFileSync(keystore, readFileSync(keystore, 'utf8').replace('"local"', '"mainnet"'));
  expect(check).toThrow(
    /keys\[0\]\.keystoreFile: .*one for mainnet, one for local|for local, one for mainnet/,
  );
  rmSync(directory, { recursive: true });
});

test('a token without the package that talks to it is found before anything is opened, with how to install it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-signing-'));
  const [pinFile, module, file] = ['pin', 'module.so', 'signer.yaml'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  for (const each of [pinFile, module]) writeFileSync(each, '1234\n', { mode: 0o600 });
  const address = `0x${'2'.repeat(40)}`;
  const token = { module, label: 'desk', keyLabel: 'desk-1', pinFile, address };
  const policy = { accounts: [`0x${'1'.repeat(40)}`] };
  const place = { environment: 'local', profile: 'venue.yaml', socket: 's', dataDir: 'd' };
  writeFileSync(file, JSON.stringify({ ...place, keys: [{ token, policy }] }));
  expect(() => checkSignerFile(file, 'local')).toThrow(
    /keys\[0\]\.token: keys in a token need the package pkcs11js: npm install pkcs11js@2\.1\.7/,
  );
  rmSync(directory, { recursive: true });
});

test('an account has one key where each agent has its own nonces', () => {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-signing-'));
  const [file, profileFile] = [join(directory, 'signer.yaml'), join(directory, 'venue.yaml')];
  const policy = { accounts: [`0x${'1'.repeat(40)}`] };
  const keys = [{ keystoreFile: 'new.json', policy, older: { keystoreFile: 'old.json' } }];
  const place = { environment: 'local', profile: 'venue.yaml', socket: 's', dataDir: 'd' };
  writeFileSync(file, JSON.stringify({ ...place, keys }));
  const shipped = readFileSync(
    join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'),
    'utf8',
  );
  writeFileSync(profileFile, shipped);
  expect(() => readSignerFile(file, 'local')).not.toThrow();
  writeFileSync(profileFile, shipped.replace('scope: account', 'scope: agent'));
  expect(() => readSignerFile(file, 'local')).toThrow(
    /keys\[0\]\.older: each agent has its own nonces/,
  );
  rmSync(directory, { recursive: true });
});

test('a signer inside whose ledger is broken says that it signs no orders, raises one alarm, and signs cancels', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-signing-'));
  const path = (file: string) => join(directory, file);
  writeKeystore(path('key'), await sealKey(secretKey(), 'pass', 'local', { n: 1024, r: 8, p: 1 }));
  writeFileSync(path('pass'), 'pass\n', { mode: 0o600 });
  const policy = { accounts: [...openPolicy.accounts], maxNonceJump: openPolicy.maxNonceJump };
  const given = {
    ...{ environment: 'local', profile: profile.profile, socket: 'none', dataDir: 'signer' },
    keys: [{ keystoreFile: 'key', passphraseFile: 'pass', policy }],
  };
  writeFileSync(path('signer.yaml'), JSON.stringify(given));
  const alarms: unknown[] = [];
  const signer = await openGatewaySigner(
    {
      config: {
        ...config,
        dataDir: '.',
        signer: { mode: 'inline', configFile: 'signer.yaml' },
      },
      path,
    } as LoadedConfig,
    contract,
    (_, { code }) => alarms.push(code),
  );
  const sign = async (...of: Parameters<typeof envelope>) => {
    const result = await signer.sign(request(envelope(...of)));
    return result.kind === 'signed' ? result.kind : result.code;
  };
  expect([await sign(1), signer.away]).toEqual(['signed', undefined]);
  const { writeSync } = fs;
  const broken = () => {
    throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
  };
  Object.assign(fs, { writeSync: broken });
  syncBuiltinESMExports();
  expect(await sign(2)).toBe('not_recorded');
  Object.assign(fs, { writeSync });
  syncBuiltinESMExports();
  expect([await sign(3), await sign(4, cancel)]).toEqual(['unavailable', 'signed']);
  expect(signer.away).toMatch(/^the ledger cannot record, which only a restart changes: .*EIO/);
  expect(alarms).toEqual(['ledger_failed']);
  await signer.close();
  rmSync(directory, { recursive: true });
});
