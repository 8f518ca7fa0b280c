/** A PKCS#11 token under the single executable, which has no package folder and looks for `pkcs11js` beside itself. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPackages, root } from '../support/built-packages.ts';
import { SoftToken } from '../support/soft-token.ts';
import { rotateInToken } from '../support/token-rotation.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let directory: string;
let program: string;
let token: SoftToken;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'token-'));
  const built = await buildPackages(join(directory, 'built'), '--without-image');
  mkdirSync(join(directory, 'installed'));
  program = join(directory, 'installed/causeway');
  copyFileSync(join(built, `causeway-${version}-linux-x64`), program);
  token = new SoftToken();
}, 600_000);

afterAll(() => {
  token.close();
  rmSync(directory, { recursive: true });
});

const env = () => ({
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  SOFTHSM2_CONF: process.env['SOFTHSM2_CONF'],
});

test('without pkcs11js the executable does not start the signer, and names what is to be installed', async () => {
  await expect(rotateInToken([program], token, env())).rejects.toThrow(
    /keys\[0\]: .*keys in a token need the package pkcs11js: npm install pkcs11js@2\.1\.7, with -g/,
  );
  rmSync(join(token.directory, 'signer'), { recursive: true });
});

test('with it the signer signs with a key of the token, and takes up another key of it on SIGHUP', async () => {
  mkdirSync(join(directory, 'installed/node_modules'));
  symlinkSync(
    join(import.meta.dirname, 'pkcs11/node_modules/pkcs11js'),
    join(directory, 'installed/node_modules/pkcs11js'),
  );
  token.make();
  const { code, keys, log } = await rotateInToken([program], token, env());
  expect(keys).toEqual(['desk-1', 'desk-2', 'desk-1', 'desk-2', 'desk-2', 'desk-2']);
  expect(log).toContain('desk has no private key desk-9');
  expect(log).toMatch(/keys\[0\]: .* has the address 0x[0-9a-f]{40}, and the configuration says/);
  expect(code).toBe(0);
});
