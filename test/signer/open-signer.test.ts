import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { openSignerCore } from '../../src/signer/open-signer.ts';
import { type SignerConfigInput, signerConfigSchema } from '../../src/signer/signer-config.ts';
import { account, contract, envelope, request, secretKey } from './signer-samples.ts';

const root = join(import.meta.dirname, '../..');
const profile = join(root, 'dictionaries/venue.sandbox.yaml');
let directory: string;
let config: SignerConfigInput;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'open-signer-'));
  const keystoreFile = join(directory, 'key.json');
  const passphraseFile = join(directory, 'passphrase');
  writeKeystore(
    keystoreFile,
    await sealKey(secretKey(), 'canary-passphrase', 'local', { n: 1024, r: 8, p: 1 }),
  );
  writeFileSync(passphraseFile, 'canary-passphrase\n', { mode: 0o600 });
  config = {
    environment: 'local',
    profile,
    socket: join(directory, 'signer.sock'),
    dataDir: join(directory, 'data'),
    durability: 'process',
    keys: [{ keystoreFile, passphraseFile, policy: { accounts: [account] } }],
  };
});

afterEach(() => rmSync(directory, { recursive: true }));

const askPassphrase = () => Promise.reject(new Error('nobody is there to ask'));
const open = (changed: SignerConfigInput) =>
  openSignerCore({
    config: signerConfigSchema.parse(changed),
    contract,
    askPassphrase,
    alarm: () => {},
    fatal: () => {},
    mayCreateLedger: true,
  });

test('a signer does not start on a ledger that is missing, unless a person confirms it', async () => {
  const options = { config: signerConfigSchema.parse(config), contract, askPassphrase };
  const start = (mayCreateLedger: boolean) =>
    openSignerCore({ ...options, alarm: () => {}, fatal: () => {}, mayCreateLedger });
  await expect(start(false)).rejects.toThrow(/there is no ledger of signed nonces.*--new-ledger/);
  await (await start(true)).close();
  await (await start(false)).close();
});

test('R20: a key made for mainnet does not serve local', async () => {
  const keystoreFile = join(directory, 'main.json');
  const other = new Uint8Array(32).fill(8);
  writeKeystore(keystoreFile, await sealKey(other, 'pass', 'mainnet', { n: 1024, r: 8, p: 1 }));
  const [key] = config.keys;
  const keys = key === undefined ? [] : [{ ...key, keystoreFile }];
  await expect(open({ ...config, keys })).rejects.toThrow('hold the same key');
});

test('R17: a wrong golden vector of the profile stops the start', async () => {
  const goldenVectors = [
    {
      name: 'wrong',
      canonical: Buffer.from(request(envelope(1)).canonical).toString(),
      actionHash: `0x${'00'.repeat(32)}`,
    },
  ];
  const signing = { ...contract.signing, goldenVectors };
  await expect(
    openSignerCore({
      config: signerConfigSchema.parse(config),
      contract: { ...contract, signing },
      askPassphrase,
      alarm: () => {},
      fatal: () => {},
      mayCreateLedger: true,
    }),
  ).rejects.toThrow('golden vector wrong: actionHash');
});

test('a wrong passphrase names the keystore and not the passphrase', async () => {
  const [key] = config.keys;
  writeFileSync(join(directory, 'passphrase'), 'guess\n');
  const refused = open(config);
  await expect(refused).rejects.toThrow(`${key?.keystoreFile}: the passphrase is wrong`);
  await expect(refused).rejects.not.toThrow('guess');
});

test('a configuration with a word too many is refused by name', () => {
  const checked = signerConfigSchema.safeParse({ ...config, url: 'http://x' });
  expect(checked.error?.issues[0]?.message).toContain('url');
});
