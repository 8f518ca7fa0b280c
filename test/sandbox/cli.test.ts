import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { causeway } from '../support/program.ts';

const directory = mkdtempSync(join(tmpdir(), 'sandbox-cli-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('causeway sandbox writes the info file when it is ready, and stops cleanly on SIGTERM', async () => {
  const file = join(directory, 'info.json');
  const words = ['--port', '0', '--seed', '3', '--info', file, '--no-makers'];
  const child = spawn(process.execPath, ['src/main.ts', 'sandbox', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const info = JSON.parse(readFileSync(file, 'utf8'));
  expect(String(line)).toContain(info.baseUrl);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(info).toMatchObject({ service: 'SANDBOX', markets: expect.any(Array) });
  expect(info.accounts).toHaveLength(4);
  for (const { account, agents, apiKey, apiSecret, ownerKey, passphrase } of info.accounts) {
    expect([account, ownerKey, apiKey, apiSecret, passphrase]).toEqual([
      expect.stringMatching(/^0x[0-9a-f]{40}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^spk_/),
      expect.stringMatching(/^sps_/),
      expect.stringMatching(/^spp_/),
    ]);
    expect(agents[0]).toEqual({
      agentId: expect.any(String),
      address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      scopes: ['trade', 'cancel', 'quote', 'mint_redeem'],
    });
  }
  expect((await fetch(`${info.baseUrl}/api/v1/health`)).status).toBe(200);
  expect((await fetch(`${info.adminUrl}/state`)).status).toBe(200);
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual([0, null]);
});

test('a wrong list of faults is refused with its file', async () => {
  const file = join(directory, 'faults.json');
  writeFileSync(file, '[{"kind": "meteor"}]');
  const { status, stderr } = await causeway('sandbox', '--faults', file);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`--faults ${file}: `)]);
});

test('wrong words on the command line are named', async () => {
  const { status, stderr } = await causeway('sandbox', '--port', '70000');
  expect(status).toBe(2);
  expect(stderr).toContain('--port must be an integer from 0 to 65535, not "70000"');
});
