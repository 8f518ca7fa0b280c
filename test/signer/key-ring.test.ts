import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { SigningKey } from '../../src/signer/account-keys.ts';
import { patienceMs } from '../../src/signer/key-holder.ts';
import { KeyRing } from '../../src/signer/key-ring.ts';
import { sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { signerConfigSchema } from '../../src/signer/signer-config.ts';
import { accessKey, KmsServer, keyId, region, secretKey as secret } from './kms-server.ts';
import { account, ecdsa } from './signer-samples.ts';

let directory: string;
let asked: string[];
let clock: ManualClock;
let ring: KeyRing;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'key-ring-'));
  for (const fill of [7, 9]) {
    const sealed = await sealKey(new Uint8Array(32).fill(fill), 'word', 'local', {
      n: 1024,
      r: 8,
      p: 1,
    });
    writeKeystore(join(directory, `${fill}.json`), sealed);
  }
  asked = [];
  clock = new ManualClock();
  const askPassphrase = async (of: string) => {
    asked.push(of);
    return 'word';
  };
  ring = new KeyRing({ askPassphrase, ecdsa, environment: 'local', report: () => {} }, clock);
});

afterEach(() => rmSync(directory, { recursive: true }));

const file = (fill: number) => join(directory, `${fill}.json`);
const configs = (key: number, older?: number) =>
  signerConfigSchema.shape.keys.parse([
    {
      keystoreFile: file(key),
      ...(older && { older: { keystoreFile: file(older), expiresAt: '2026-12-01T00:00:00Z' } }),
      policy: { accounts: [account] },
    },
  ]);
async function changed(...keys: [number, number?]): Promise<SigningKey[]> {
  let all: SigningKey[] = [];
  await ring.change(configs(...keys), (opened) => {
    all = opened;
  });
  return all;
}

test('a key that stays is not asked for again, and one that goes is closed when its last signature is out', async () => {
  const [first] = await changed(7);
  const [rotating] = await changed(9, 7);
  expect(asked).toEqual([file(7), file(9)]);
  expect(rotating?.older?.holder).toBe(first?.holder);
  expect(rotating?.older?.expiresAtMs).toBe(Date.UTC(2026, 11, 1));
  const [last] = await changed(9);
  expect(last?.holder).toBe(rotating?.holder);
  expect(first?.holder.problem).toBeUndefined();
  clock.advance(2 * patienceMs);
  expect(first?.holder.problem).toBe('it is closed');
  expect(last?.holder.problem).toBeUndefined();
});

test('a key of another address is refused by its place in the file, and the one before goes on signing', async () => {
  const server = new KmsServer();
  const endpoint = await server.listen();
  const credentialsFile = file(4);
  const lines = [
    '[default]',
    `aws_access_key_id = ${accessKey}`,
    `aws_secret_access_key = ${secret}`,
  ];
  writeFileSync(credentialsFile, lines.join('\n'), { mode: 0o600 });
  const [first] = await changed(7);
  const kms = { region, keyId, endpoint, credentialsFile, address: account };
  const policy = { accounts: [account] };
  const wrong = signerConfigSchema.shape.keys.parse([
    { keystoreFile: file(7), policy, older: { kms } },
  ]);
  let isUsed = false;
  const change = ring.change(wrong, () => {
    isUsed = true;
  });
  await expect(change).rejects.toThrow(
    /^keys\[0\]\.older: 1234abcd.* has the address 0x[0-9a-f]{40}, and the configuration says 0x1111/,
  );
  await server.close();
  clock.advance(2 * patienceMs);
  expect(isUsed).toBe(false);
  expect(first?.holder.problem).toBeUndefined();
  expect(first?.holder.sign(new Uint8Array(32).fill(9))).toBeInstanceOf(Uint8Array);
});

test('what cannot be used changes nothing', async () => {
  const [first] = await changed(7);
  let rejected: SigningKey | undefined;
  const refuse = (keys: SigningKey[]) => {
    [rejected] = keys;
    throw new Error('not these');
  };
  await expect(ring.change(configs(9, 7), refuse)).rejects.toThrow('not these');
  clock.advance(2 * patienceMs);
  expect(rejected?.holder.problem).toBe('it is closed');
  expect(first?.holder.problem).toBeUndefined();
  writeFileSync(file(9), 'no keystore');
  await expect(changed(9, 7)).rejects.toThrow(/^keys\[0\]: .*9.*/);
  expect((await changed(7))[0]?.holder).toBe(first?.holder);
});
