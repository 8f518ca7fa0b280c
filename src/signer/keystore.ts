/**
 * The key at rest: Web3 secret storage version 3 with scrypt and aes-128-ctr, so that any wallet tool can read it.
 * The file has mode 0600. A member that other readers skip names the environment that the key was made for.
 */
import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  randomBytes,
  randomUUID,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { z } from 'zod';
import type { Account } from '../domain/units.ts';
import { parsedJson } from '../runtime/parsed-json.ts';
import { readPrivateFile, unreadable } from '../runtime/private-file.ts';
import { addressOf } from './scheme.ts';

export const environments = ['local', 'mainnet'] as const;
export type Environment = (typeof environments)[number];

/** A keystore that cannot be used; the message names the file and never anything secret. */
export class KeystoreError extends Error {}

const maxFileBytes = 16_384;
const hexText = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`), `must be ${bytes} bytes in hex`);
const powerOfTwo = (n: number) => Number.isInteger(Math.log2(n));

/** Numbers that cost more than 512 MB or are too weak to mean anything are refused. */
const keystoreSchema = z.object({
  version: z.literal(3),
  id: z.string().max(64),
  address: z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/, 'must be an address'),
  crypto: z.object({
    cipher: z.literal('aes-128-ctr'),
    ciphertext: hexText(32),
    cipherparams: z.object({ iv: hexText(16) }),
    kdf: z.literal('scrypt'),
    kdfparams: z.object({
      dklen: z.literal(32),
      n: z.int().min(1024).max(524_288).refine(powerOfTwo, 'must be a power of two'),
      r: z.int().min(1).max(8),
      p: z.int().min(1).max(16),
      salt: z.string().regex(/^([0-9a-fA-F]{2}){8,64}$/, 'must be 8 to 64 bytes in hex'),
    }),
    mac: hexText(32),
  }),
  causeway: z.object({ environment: z.enum(environments) }).optional(),
});
export type Keystore = z.infer<typeof keystoreSchema>;

export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}
/** About a second and 256 MB: what wallets use. */
export const standardCost: ScryptCost = { n: 262_144, r: 8, p: 1 };

export async function sealKey(
  secretKey: Uint8Array,
  passphrase: string,
  environment: Environment,
  cost: ScryptCost = standardCost,
): Promise<Keystore> {
  const salt = randomBytes(32);
  const iv = randomBytes(16);
  const derived = await deriveKey(passphrase, salt, cost);
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(secretKey), cipher.final()]);
  return {
    version: 3,
    id: randomUUID(),
    address: addressOfKey(secretKey).slice(2),
    crypto: {
      cipher: 'aes-128-ctr',
      ciphertext: ciphertext.toString('hex'),
      cipherparams: { iv: iv.toString('hex') },
      kdf: 'scrypt',
      kdfparams: { dklen: 32, ...cost, salt: salt.toString('hex') },
      mac: macOf(derived, ciphertext).toString('hex'),
    },
    causeway: { environment },
  };
}

export async function openKey(keystore: Keystore, passphrase: string): Promise<Uint8Array> {
  const { crypto } = keystore;
  const { n, r, p, salt } = crypto.kdfparams;
  const derived = await deriveKey(passphrase, Buffer.from(salt, 'hex'), { n, r, p });
  const ciphertext = Buffer.from(crypto.ciphertext, 'hex');
  const mac = Buffer.from(crypto.mac, 'hex');
  const isRight = timingSafeEqual(macOf(derived, ciphertext), mac);
  const iv = Buffer.from(crypto.cipherparams.iv, 'hex');
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const opened = decipher.update(ciphertext);
  const secretKey = Buffer.alloc(opened.length);
  secretKey.set(opened);
  // The derived key is wiped from memory, but the runtime may have copied it, so this is no promise (SECURITY.md).
  opened.fill(0);
  derived.fill(0);
  if (!isRight) throw new KeystoreError('the passphrase is wrong, or the keystore was changed');
  if (!secp256k1.utils.isValidSecretKey(secretKey)) {
    throw new KeystoreError('the keystore holds no secp256k1 key');
  }
  if (addressOfKey(secretKey) !== addressIn(keystore)) {
    throw new KeystoreError('the address of the keystore is not that of its key');
  }
  return secretKey;
}

export function addressIn({ address }: Keystore): Account {
  return `0x${address.replace(/^0x/, '').toLowerCase()}` as Account;
}

/** Not with noble, which first builds tables that a start with another signing backend never needs again. */
export function addressOfKey(secretKey: Uint8Array): Account {
  const pair = createECDH('secp256k1');
  pair.setPrivateKey(secretKey);
  return addressOf(pair.getPublicKey());
}

/** Refuses a file that others may read. */
export function readKeystore(file: string): Keystore {
  const value = parsedJson(secretText(file));
  if (value === undefined) throw new KeystoreError(`${file} is no JSON`);
  const checked = keystoreSchema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new KeystoreError(`${file}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

/** Never writes over a file, and is on the disk when it returns. If the disk is full, it leaves no part of it. */
export function writeKeystore(file: string, keystore: Keystore): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'wx', 0o600);
    writeFileSync(descriptor, `${JSON.stringify(keystore, null, 2)}\n`, { flush: true });
  } catch (error) {
    if (descriptor !== undefined) rmSync(file);
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'exists already' : `cannot be written: ${code ?? error}`;
    throw new KeystoreError(`${file} ${why}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The first line of a file that others may not read. */
export function readPassphraseFile(file: string): string {
  return firstLine(secretText(file), file);
}

/** The content of a file that others may not read. */
export function secretText(file: string): string {
  try {
    return readPrivateFile(file, maxFileBytes);
  } catch (error) {
    throw new KeystoreError(unreadable(file, error));
  }
}

export function firstLine(text: string, where: string): string {
  const [line = ''] = text.split(/\r?\n/);
  if (line.length === 0) throw new KeystoreError(`${where} has no passphrase in its first line`);
  return line;
}

export interface KeyUse {
  readonly environment: Environment;
  readonly address: string;
  readonly where: string;
}

/** One key for `local` and `mainnet` would make a test's signature worth real money (R20). */
export function checkEnvironments(uses: readonly KeyUse[]): void {
  const seen = new Map<string, KeyUse>();
  for (const use of uses) {
    const other = seen.get(use.address);
    if (other !== undefined && other.environment !== use.environment) {
      throw new KeystoreError(
        `${use.where} and ${other.where} hold the same key ${use.address}, ` +
          `one for ${use.environment}, one for ${other.environment}`,
      );
    }
    seen.set(use.address, use);
  }
}

/** Refuses a key that was made for the other environment, or is there for both. */
export function readKeystoreFor(environment: Environment, file: string): Keystore {
  const keystore = readKeystore(file);
  const where = `the signer (${file})`;
  checkEnvironments([...siblingKeys(file), { environment, address: addressIn(keystore), where }]);
  const madeFor = keystore.causeway?.environment ?? environment;
  if (madeFor === environment) return keystore;
  throw new KeystoreError(`${file} is a key for ${madeFor}, not for ${environment}`);
}

/** The keystores in the folder of `file`, including itself if it exists, for the check of R20. */
export function siblingKeys(file: string): KeyUse[] {
  const directory = dirname(resolve(file));
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      try {
        const keystore = readKeystore(join(directory, name));
        const environment = keystore.causeway?.environment;
        if (environment === undefined) return [];
        return [{ environment, address: addressIn(keystore), where: name }];
      } catch {
        return [];
      }
    });
}

function deriveKey(passphrase: string, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array> {
  const { n: N, r, p } = cost;
  const maxmem = 256 * N * r + 1_048_576;
  // OpenSSL keeps to RFC 7914, where N < 2^(16 r). The vector that the keystore standard itself shows does not.
  if (N >= 2 ** (16 * r)) return scryptAsync(passphrase, salt, { N, r, p, dkLen: 32, maxmem });
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, { N, r, p, maxmem }, (error, key) => {
      if (error === null) resolve(key);
      else reject(new KeystoreError('scrypt failed: is there memory enough?'));
    });
  });
}

function macOf(derived: Uint8Array, ciphertext: Uint8Array): Buffer {
  return Buffer.from(keccak_256(Buffer.concat([derived.subarray(16, 32), ciphertext])));
}
