import fs, {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addressOfKey,
  checkEnvironments,
  type Keystore,
  openKey,
  readKeystore,
  readPassphraseFile,
  sealKey,
  siblingKeys,
  writeKeystore,
} from '../../src/signer/keystore.ts';
import { addressOf } from '../../src/signer/scheme.ts';

const cost = { n: 1024, r: 8, p: 1 };
const secretKey = () => Buffer.alloc(32, 7);
let directory: string;
let sealed: Keystore;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keystore-'));
  sealed = await sealKey(secretKey(), 'correct horse', 'local', cost);
});

afterAll(() => rmSync(directory, { recursive: true }));

function written(name: string, text: string, mode = 0o600): string {
  const file = join(directory, name);
  writeFileSync(file, text, { mode });
  return file;
}

test('a key comes back with its passphrase only', async () => {
  expect(await openKey(sealed, 'correct horse')).toEqual(secretKey());
  await expect(openKey(sealed, 'wrong horse')).rejects.toThrow('the passphrase is wrong');
});

test('the address of a key is the one that the reference library derives', () => {
  for (let round = 0; round < 20; round += 1) {
    const secret = secp256k1.utils.randomSecretKey();
    expect(addressOfKey(secret)).toBe(addressOf(secp256k1.getPublicKey(secret, false)));
  }
});

test('a changed keystore does not open', async () => {
  const { ciphertext } = sealed.crypto;
  const flipped = `${ciphertext.slice(0, -1)}${ciphertext.endsWith('0') ? '1' : '0'}`;
  const changed = { ...sealed, crypto: { ...sealed.crypto, ciphertext: flipped } };
  await expect(openKey(changed, 'correct horse')).rejects.toThrow('was changed');
  const moved = { ...sealed, address: '00'.repeat(20) };
  await expect(openKey(moved, 'correct horse')).rejects.toThrow('not that of its key');
});

test('the file has mode 0600, is never written over, and holds no key in the clear', () => {
  const file = join(directory, 'mine.json');
  writeKeystore(file, sealed);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readKeystore(file)).toEqual(sealed);
  expect(readFileSync(file, 'utf8')).not.toContain(secretKey().toString('hex'));
  expect(() => writeKeystore(file, sealed)).toThrow('exists already');
});

test('a full disk leaves no part of a keystore, and no file of somebody else is removed', () => {
  const file = join(directory, 'full.json');
  const { writeFileSync: write } = fs;
  const full = (to: number, text: string) => {
    write(to, text.slice(0, 9));
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  };
  Object.assign(fs, { writeFileSync: full });
  syncBuiltinESMExports();
  try {
    expect(() => writeKeystore(file, sealed)).toThrow(`${file} cannot be written: ENOSPC`);
  } finally {
    Object.assign(fs, { writeFileSync: write });
    syncBuiltinESMExports();
  }
  expect(existsSync(file)).toBe(false);
  writeKeystore(file, sealed);
  expect(() => writeKeystore(file, sealed)).toThrow('exists already');
  expect(readKeystore(file)).toEqual(sealed);
  expect(() => writeKeystore(join(file, 'in'), sealed)).toThrow('cannot be written: ENOTDIR');
});

test('a file that others may read is refused', () => {
  const file = written('open.json', JSON.stringify(sealed));
  chmodSync(file, 0o644);
  expect(() => readKeystore(file)).toThrow(/mode 0644: others may read it; chmod 600/);
  const passphrase = written('open.pass', 'secret\n');
  chmodSync(passphrase, 0o604);
  expect(() => readPassphraseFile(passphrase)).toThrow('mode 0604');
});

test.each([
  ['no JSON', () => 'nonsense', 'is no JSON'],
  ['another version', () => JSON.stringify({ ...sealed, version: 1 }), 'version'],
  ['a kdf of another kind', () => withCrypto({ kdf: 'pbkdf2' }), 'crypto.kdf'],
  ['a cost without limit', () => withParams({ n: 2 ** 30 }), 'crypto.kdfparams.n'],
  ['a cost that is no power of two', () => withParams({ n: 5000 }), 'crypto.kdfparams.n'],
  ['a short mac', () => withCrypto({ mac: 'ab' }), 'crypto.mac'],
  ['too long a file', () => ' '.repeat(20_000), 'longer than 16384'],
])('a keystore with %s is refused by name', (what, text, problem) => {
  const file = written(`${what.replaceAll(' ', '-')}.json`, text());
  expect(() => readKeystore(file)).toThrow(problem);
  expect(() => readKeystore(file)).toThrow(file);
});

test('a passphrase is the first line of its file', () => {
  expect(readPassphraseFile(written('pass', 'one two\nmore\n'))).toBe('one two');
  expect(() => readPassphraseFile(written('empty', '\n'))).toThrow('no passphrase');
  expect(() => readPassphraseFile(join(directory, 'none'))).toThrow('does not exist');
});

test('R20: one key for local and for mainnet is refused, naming both', async () => {
  const folder = mkdtempSync(join(directory, 'both-'));
  writeKeystore(join(folder, 'a.json'), sealed);
  writeKeystore(join(folder, 'b.json'), await sealKey(secretKey(), 'x', 'mainnet', cost));
  expect(() => checkEnvironments(siblingKeys(join(folder, 'a.json')))).toThrow(
    /b\.json and a\.json hold the same key 0x|a\.json and b\.json hold the same key 0x/,
  );
});

test('R20: the same key twice for one environment is no fault', () => {
  const use = { environment: 'local', address: addressOfKey(secretKey()) } as const;
  expect(() =>
    checkEnvironments([
      { ...use, where: 'a' },
      { ...use, where: 'b' },
    ]),
  ).not.toThrow();
});

function withCrypto(change: object): string {
  return JSON.stringify({ ...sealed, crypto: { ...sealed.crypto, ...change } });
}

function withParams(change: object): string {
  return withCrypto({ kdfparams: { ...sealed.crypto.kdfparams, ...change } });
}
