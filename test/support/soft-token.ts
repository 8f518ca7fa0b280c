/**
 * A PKCS#11 token in software: Debian's SoftHSM2, with keys that OpenSSL made. The package `pkcs11js` is compiled where it is first
 * needed, because only those who keep keys in a token install it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../../src/domain/units.ts';
import { nobleEcdsa } from '../../src/signer/ecdsa.ts';
import { addressOf } from '../../src/signer/scheme.ts';
import type { TokenPlace } from '../../src/signer/token-process.ts';

const folder = join(import.meta.dirname, '../interop/pkcs11');
export const softHsm = '/usr/lib/softhsm/libsofthsm2.so';
export const pin = '5678';

export class SoftToken {
  readonly directory = mkdtempSync(join(tmpdir(), 'soft-token-'));
  readonly #tokens = join(this.directory, 'tokens');

  constructor() {
    if (!existsSync(join(folder, 'node_modules/pkcs11js/build'))) {
      execFileSync('npm', ['ci'], { cwd: folder, stdio: 'ignore' });
    }
    const config = join(this.directory, 'softhsm2.conf');
    writeFileSync(config, `directories.tokendir = ${this.#tokens}\nlog.level = ERROR\n`);
    process.env['SOFTHSM2_CONF'] = config;
    process.env['NODE_PATH'] = join(folder, 'node_modules');
    this.make();
  }

  /** An empty token. */
  make(userPin = pin): void {
    rmSync(this.#tokens, { recursive: true, force: true });
    mkdirSync(this.#tokens);
    const pins = ['--so-pin', '1234', '--pin', userPin];
    softHsmUtil('--init-token', '--free', '--label', 'desk', ...pins);
  }

  /** Removes the token from its slot, as far as a process that starts now can see. */
  remove(): void {
    rmSync(this.#tokens, { recursive: true });
    mkdirSync(this.#tokens);
  }

  /** Takes a key with this label into the token, and answers its address. */
  addKey(label: string, { id = '01', curve = 'secp256k1', userPin = pin } = {}): Account {
    const made = join(this.directory, `${label}-${id}.pem`);
    if (!existsSync(made)) {
      const plain = openssl('ecparam', '-name', curve, '-genkey', '-noout');
      writeFileSync(`${made}.plain`, plain);
      openssl('pkcs8', '-topk8', '-nocrypt', '-in', `${made}.plain`, '-out', made);
    }
    const place = ['--token', 'desk', '--pin', userPin, '--label', label, '--id', id];
    softHsmUtil('--import', made, ...place);
    if (curve !== 'secp256k1') return '0x' as Account;
    const [, digits = ''] = /priv:\s*((?:[0-9a-f]{2}:?\s*)+)/.exec(
      openssl('ec', '-in', made, '-text', '-noout'),
    ) as RegExpExecArray;
    const secretKey = digits.replaceAll(/[:\s]/g, '').slice(-64).padStart(64, '0');
    return addressOf(nobleEcdsa().publicKey(Buffer.from(secretKey, 'hex')));
  }

  place(keyLabel: string): TokenPlace {
    return { module: softHsm, token: 'desk', keyLabel };
  }

  close(): void {
    rmSync(this.directory, { recursive: true });
  }
}

function softHsmUtil(...args: string[]): void {
  execFileSync('softhsm2-util', args, { stdio: 'pipe' });
}

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { stdio: 'pipe', encoding: 'utf8' });
}
