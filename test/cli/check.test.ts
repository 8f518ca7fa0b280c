/** `causeway check`, called in this process and as a program. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const warnings = bridge.sessions.map(() => expect.stringContaining('renew it with'));
  const offline = await causeway('check', '--config', bridge.configFile, '--json');
  expect([offline.status, JSON.parse(offline.stdout)]).toEqual([0, { ok: true, warnings }]);
  const online = await causeway('check', '--config', bridge.configFile, '--online');
  expect(online.status).toBe(3);
  expect(online.stderr).toMatch(/sessions\[0\]\.markets\[1\]: the venue lists no NO-SUCH/);
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

test('run ends with the exit code of the configuration where check finds a fault', async () => {
  const file = join(folder, 'gateway.yaml');
  const text = readFileSync(bridge.configFile, 'utf8');
  writeFileSync(file, text.replace(/^dataDir: .*$/m, 'dataDir: /proc/x'));
  const { status, stderr } = await causeway('run', '--config', file);
  expect(status).toBe(3);
  expect(stderr).toMatch(/does not exist|no permission to write to \/proc/);
});
