/** `causeway check`, called in this process and as a program. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { causeway } from '../support/program.ts';

const root = join(import.meta.dirname, '../..');
let bridge: Bridge;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-check-'));
  bridge = await startBridge({ session: { markets: ['BTC-USDC', 'NO-SUCH'] } });
});

afterAll(async () => {
  await bridge.stop();
  rmSync(folder, { recursive: true });
});

test('a sound configuration is OK, and its markets are compared with the venue only online', async () => {
  // The hashes of a test are made quickly.
  const keys = bridge.sessions.map((_, index) => `users\\[${index}\\]\\.secretHashFile`).join(', ');
  const warnings = [expect.stringMatching(new RegExp(`^${keys}: these .* hashes are faster`))];
  const offline = await causeway('check', '--config', bridge.configFile, '--json');
  expect([offline.status, JSON.parse(offline.stdout)]).toEqual([0, { ok: true, warnings }]);
  const online = await causeway('check', '--config', bridge.configFile, '--online');
  expect(online.status).toBe(3);
  expect(online.stderr).toMatch(/sessions\[0\]\.markets\[1\]: the venue lists no NO-SUCH/);
});

test('with --json the exit code is the same: a venue that does not answer is no fault of the configuration', async () => {
  const file = join(dirname(bridge.configFile), 'unreachable.yaml');
  const text = readFileSync(bridge.configFile, 'utf8');
  writeFileSync(file, text.replace(/^( +baseUrl: ).*$/m, '$1http://127.0.0.1:1'));
  const words = ['check', '--config', file, '--online'];
  const { status, stderr } = await causeway(...words);
  expect([status, stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  const asJson = await causeway(...words, '--json');
  expect([asJson.status, JSON.parse(asJson.stdout)]).toMatchObject([1, { ok: false }]);
  expect(asJson.stdout).toContain('ECONNREFUSED');
});

test("a signer's file is checked with its keystores", async () => {
  const file = join(folder, 'signer.yaml');
  const example = readFileSync(join(root, 'config/signer.yaml'), 'utf8');
  writeFileSync(
    file,
    example.replace(/^profile: .*$/m, `profile: ${root}/dictionaries/venue.sandbox.yaml`),
  );
  const { status, stderr } = await causeway('check', '--signer', file);
  expect(status).toBe(3);
  expect(stderr).toContain('keys[0].keystoreFile');
  writeFileSync(file, example.replace('dataDir:', 'dataDri:'));
  expect((await causeway('check', '--signer', file)).stderr).toContain('Did you mean dataDir?');
});

test('a passphrase that belongs to another key is reported with its place, the keystore and the key, and no secret', async () => {
  const directory = dirname(bridge.configFile);
  const [file, secrets] = [join(directory, 'signer.yaml'), join(directory, 'secrets')];
  expect((await causeway('check', '--signer', file)).status).toBe(0);
  const passphrase = join(secrets, 'desk-b.key-passphrase');
  const own = readFileSync(passphrase, 'utf8');
  const other = readFileSync(join(secrets, 'desk-a.key-passphrase'), 'utf8');
  writeFileSync(passphrase, other);
  for (const words of [
    ['--signer', file],
    ['--config', bridge.configFile],
  ]) {
    const { status, stdout, stderr } = await causeway('check', ...words, '--json');
    expect(status).toBe(3);
    expect(JSON.parse(stdout).faults).toEqual([
      {
        ...{ file, line: expect.any(Number), column: expect.any(Number) },
        key: 'keys[1].passphraseFile',
        problem: expect.stringMatching(
          /^it does not open \S+desk-b\.keystore\.json \(key 0x[0-9a-f]{40}\): the passphrase is wrong, or/,
        ),
      },
    ]);
    expect(stdout + stderr).not.toContain(other.trim());
  }
  writeFileSync(passphrase, own);
});

test('run ends with the exit code of the configuration where check finds a fault', async () => {
  const file = join(folder, 'gateway.yaml');
  const text = readFileSync(bridge.configFile, 'utf8');
  writeFileSync(file, text.replace(/^dataDir: .*$/m, 'dataDir: /proc/x'));
  const { status, stderr } = await causeway('run', '--config', file);
  expect(status).toBe(3);
  expect(stderr).toMatch(/does not exist|no permission to write to \/proc/);
});

test('a misspelt key hides neither a file that is missing nor a port that is used twice', async () => {
  const file = join(folder, 'several.yaml');
  writeFileSync(
    file,
    `envronment: local
venue: { profile: none.yaml }
fix: { listen: { host: 127.0.0.1, port: 9880 } }
fixp: { listen: { host: 127.0.0.1, port: 9880 } }
accounts:
  - { name: a, account: '0x${'1'.repeat(40)}', apiKeyFile: a.key, apiSecretFile: b.key, passphraseFile: ${file} }
console: { listen: { host: 127.0.0.1, port: 0 }, auditHeadFile: written.later }
`,
  );
  const { status, stderr } = await causeway('check', '--config', file);
  expect(status).toBe(3);
  expect(stderr).toMatch(/:1:1 envronment: unknown key\. Did you mean environment\?/);
  expect(stderr).toMatch(/:6:\d+ accounts\[0\]\.apiKeyFile: \S+a\.key does not exist/);
  expect(stderr).toMatch(/:6:\d+ accounts\[0\]\.apiSecretFile: \S+b\.key does not exist/);
  expect(stderr).not.toMatch(/passphraseFile|written\.later/);
});
