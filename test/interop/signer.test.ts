/** Hashes, signatures and keystores against what nobody here wrote: b3sum, OpenSSL, the keystore standard's vector. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fastestBlake3, referenceBlake3 } from '../../src/signer/blake3.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { openKey, readKeystore } from '../../src/signer/keystore.ts';
import { sandboxSigningContract as contract } from '../signer/sandbox-contract.ts';
import { vectors } from '../signer/signed-action-samples.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'signer-interop-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

function command(name: string, args: readonly string[], input: string | Uint8Array = ''): Buffer {
  const { status, stdout, stderr, error } = spawnSync(name, args, { input });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${name} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const b3sum = (bytes: Uint8Array) => command('b3sum', ['--no-names'], bytes).toString().trim();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('R7: blake3 is that of b3sum at every length where the algorithm branches', async () => {
  const { blake3 } = await fastestBlake3();
  const input = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
  for (const length of [0, 1, 64, 65, 300, 1023, 1024, 1025, 2049, 3073, 8193, 70_000]) {
    const piece = input.subarray(0, length);
    expect(hex(referenceBlake3(piece))).toBe(b3sum(piece));
    expect(hex(blake3(piece))).toBe(b3sum(piece));
  }
});

test('R7 R8: hashes and order ids of the vectors are those of b3sum over domain and bytes', () => {
  const derivation = new Derivation(contract, referenceBlake3);
  for (const { canonical, orderId } of vectors) {
    const bytes = Buffer.from(canonical);
    expect(hex(derivation.actionHash(bytes))).toBe(
      b3sum(Buffer.from(`SANDBOX/ACTION_PAYLOAD/v1${canonical}`)),
    );
    if (orderId === undefined) continue;
    expect(orderId).toBe(`0x${b3sum(Buffer.from(`SANDBOX/ORDER_ID/v1${canonical}`))}`);
  }
});

test.each(['noble', 'secp256k1'] as const)(
  'OpenSSL verifies what the %s backend signs, and nothing else',
  async (name) => {
    const ecdsa = await openEcdsa(name);
    const pem = join(directory, `${name}.pem`);
    command('openssl', ['ecparam', '-name', 'secp256k1', '-genkey', '-noout', '-out', pem]);
    const text = command('openssl', ['ec', '-in', pem, '-text', '-noout']).toString();
    const secretKey = Buffer.from(fieldOf(text, 'priv').slice(-64).padStart(64, '0'), 'hex');
    const publicKey = fieldOf(text, 'pub');
    expect(hex(ecdsa.publicKey(secretKey))).toBe(publicKey);

    const publicFile = join(directory, `${name}.pub`);
    command('openssl', ['ec', '-in', pem, '-pubout', '-out', publicFile]);
    for (let round = 0; round < 8; round += 1) {
      const digest = referenceBlake3(Uint8Array.of(round));
      const signature = ecdsa.sign(digest, secretKey);
      expect(hex(ecdsa.recover(digest, signature) ?? new Uint8Array())).toBe(publicKey);
      const verify = (over: Uint8Array) => verified(publicFile, over, derOf(signature));
      expect(verify(digest)).toBe(true);
      expect(verify(referenceBlake3(digest))).toBe(false);
    }
  },
);

test('the scrypt vector that the Web3 keystore standard publishes opens', async () => {
  const file = join(directory, 'published.json');
  writeFileSync(file, JSON.stringify(publishedKeystore), { mode: 0o600 });
  const key = await openKey(readKeystore(file), 'testpassword');
  expect(hex(key)).toBe('7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d');
});

const publishedKeystore = {
  address: '008aeeda4d805471df9b2a5b0f38a0c3bcba786b',
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};

function verified(publicFile: string, digest: Uint8Array, der: Uint8Array): boolean {
  const [digestFile, signatureFile] = [join(directory, 'digest'), join(directory, 'signature')];
  writeFileSync(digestFile, digest);
  writeFileSync(signatureFile, der);
  const files = ['-inkey', publicFile, '-in', digestFile, '-sigfile', signatureFile];
  return spawnSync('openssl', ['pkeyutl', '-verify', '-pubin', ...files]).status === 0;
}

/** The hex digits of a field that `openssl ec -text` prints over several lines. */
function fieldOf(text: string, name: string): string {
  const found = new RegExp(`${name}:\\s*\\n((?:\\s+[0-9a-f:]+\\n)+)`).exec(text)?.[1];
  if (found === undefined) throw new Error(`no ${name} in ${text}`);
  return found.replace(/[^0-9a-f]/g, '');
}

function derOf(signature: Uint8Array): Buffer {
  const integer = (bytes: Uint8Array) => {
    let digits = hex(bytes).replace(/^(00)+/, '');
    if (Number.parseInt(digits.slice(0, 2), 16) >= 0x80) digits = `00${digits}`;
    const value = Buffer.from(digits, 'hex');
    return Buffer.concat([Buffer.from([2, value.length]), value]);
  };
  const body = Buffer.concat([
    integer(signature.subarray(0, 32)),
    integer(signature.subarray(32, 64)),
  ]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}
