import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verb } from '../../src/cli/keys.ts';
import {
  isSecret,
  parseSecretHash,
  type SecretHash,
} from '../../src/gateway/passwords/secret-hash.ts';
import { causeway } from '../support/program.ts';

const root = join(import.meta.dirname, '../..');
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'keys-'));
  writeFileSync(join(directory, 'pass'), 'correct horse\n', { mode: 0o600 });
});

afterAll(() => rmSync(directory, { recursive: true }));

const keys = (...args: string[]) => causeway('keys', ...args);

/** A descriptor from which the program reads this text; it closes one of a passphrase itself. */
function given(text: string): string {
  writeFileSync(at('given'), text, { mode: 0o600 });
  return String(openSync(at('given'), 'r'));
}

const at = (name: string) => join(directory, name);
const withFile = () => ['--passphrase-file', at('pass'), '--light', '--json'];
const secret = '4646464646464646464646464646464646464646464646464646464646464646';
const address = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f';

test('a new key is shown by its address, and opens with its passphrase', async () => {
  const file = at('new.json');
  const made = await keys('new', file, '--environment', 'local', ...withFile());
  expect(made.status).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const shown = JSON.parse(made.stdout);
  expect(shown).toEqual({ file, address: shown.address, environment: 'local' });
  expect(JSON.parse((await keys('address', file, '--json')).stdout)).toEqual(shown);
  const check = (passphrase: string) =>
    keys('check', file, '--passphrase-fd', given(passphrase), '--json');
  const checked = await check('correct horse\n');
  expect(JSON.parse(checked.stdout)).toEqual({ ...shown, checked: true });
  const wrong = await check('wrong\n');
  expect(wrong).toMatchObject({ status: 1, stdout: '' });
  expect(wrong.stderr).toContain('the passphrase is wrong');
});

test('R20: an imported key is refused where its directory holds it for the other environment', async () => {
  const importing = async (name: string, environment: string) => {
    const fd = given(secret);
    const words = ['import', at(name), '--environment', environment, '--key-fd', fd];
    const called = await keys(...words, ...withFile());
    closeSync(Number(fd));
    return called;
  };
  expect(JSON.parse((await importing('a.json', 'local')).stdout)).toMatchObject({ address });
  const second = await importing('b.json', 'mainnet');
  expect(second.status).toBe(1);
  expect(second.stderr).toContain('hold the same key');
  expect(second.stderr).not.toContain(secret);
});

test('the hash of a password is what a session is checked against, another one each time', async () => {
  const fromFile = await keys('hash', '--passphrase-file', at('pass'));
  const fromDescriptor = await keys(
    ...['hash', '--passphrase-fd', given('correct horse\n'), '--json'],
  );
  expect(fromFile).toMatchObject({ status: 0, stderr: '' });
  const texts = [fromFile.stdout, JSON.parse(fromDescriptor.stdout).hash];
  const [first, second] = texts.map((text) => parseSecretHash(text) as SecretHash);
  expect(isSecret('correct horse', first as SecretHash)).toBe(true);
  expect(isSecret('correct horse\n', first as SecretHash)).toBe(false);
  expect(isSecret('correct horse', second as SecretHash)).toBe(true);
  expect(texts[0].trim()).not.toBe(texts[1]);
  expect(fromFile.stdout).not.toContain('correct');
});

test.each([
  [['new'], 'new needs one file'],
  [['new', '/tmp/x.json'], '--environment'],
  [['new', '/tmp/x.json', '--environment', 'test'], 'local or mainnet'],
  [['burn', '/tmp/x.json'], 'no action burn'],
  [['hash', '/tmp/x.json'], 'hash takes no file'],
  [[], 'name an action: new, import, address, check, hash'],
  [['new', '/tmp/x.json', '--passphrase', 'x'], 'passphrase'],
  [['new', '/tmp/x.json', '--passphrase-fd', 'x'], '--passphrase-fd must be an integer'],
  [['import', '/tmp/x.json', '--environment', 'local'], '--key-fd or --key-file'],
  [['address', '/tmp/none/x.json'], '/tmp/none/x.json does not exist'],
])('keys %j is refused with the reason', async (args, text) => {
  await expect(verb.run(args)).rejects.toThrow(text);
});

test('without a terminal, a file or a descriptor there is an error and no wait', () => {
  // In a session without a terminal a prompt is an error and never waits.
  const words = ['src/main.ts', 'keys', 'new', at('asked.json'), '--environment', 'local'];
  const called = spawnSync('setsid', ['--wait', process.execPath, ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(called.status).toBe(1);
  expect(called.stderr).toContain('no terminal to ask');
});
