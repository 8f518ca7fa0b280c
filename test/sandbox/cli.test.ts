import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { DevelopmentAccount } from '../../src/sandbox/development-accounts.ts';
import { Client, spot } from './client.ts';

const directory = mkdtempSync(join(tmpdir(), 'sandbox-cli-'));
afterAll(() => rmSync(directory, { recursive: true }));

function start(...args: string[]) {
  return spawn(process.execPath, ['src/main.ts', 'sandbox', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('causeway sandbox writes the info file when it is ready, and stops cleanly on SIGTERM', async () => {
  const file = join(directory, 'info.json');
  const child = start('--port', '0', '--seed', '3', '--info', file, '--no-makers');
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

test('R132: two processes of one seed that are asked the same come to the same ledger', async () => {
  const first = await runOf('first');
  expect(first).toMatchObject({ wallMs: Date.UTC(2026, 0, 5, 12), fills: 1, status: 200 });
  expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await runOf('second')).toEqual(first);
});

/** A trade, a cancel and an order that expires, in a process of its own. */
async function runOf(name: string) {
  const file = join(directory, `${name}.json`);
  const flags = ['--seed', '7', '--no-makers', '--manual-clock'];
  const child = start('--port', '0', '--info', file, ...flags);
  await once(child.stdout, 'data');
  const info = JSON.parse(readFileSync(file, 'utf8'));
  const [maker, taker] = info.accounts.map(
    (facts: DevelopmentAccount) => new Client({ info }, facts, new ManualClock()),
  );
  const { wallMs } = (await maker.get('/api/v1/health')).body;
  const resting = await maker.act(spot({ side: 'Ask', expires_at: wallMs + 1000 }));
  await taker.act(spot({ qty: 400_000 }));
  const away = await taker.act(spot({ price: 10_000_000_000 }));
  const { status } = await taker.act({ Cancel: { order_id: away.body.derivedOrderId } });
  await fetch(`${info.adminUrl}/clock`, { method: 'POST', body: '{"advanceMs":1000}' });
  const { derivedOrderId } = resting.body;
  const receipts = await maker.get(`/api/v1/order-entry/receipts?orderId=${derivedOrderId}`);
  const ledger = await fetch(`${info.adminUrl}/ledger/hash`);
  const { hash } = (await ledger.json()) as { hash: string };
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { wallMs, fills: receipts.body.receipts[0].fills.length, status, hash };
}

test('faults and a wrong clock can be there from the start, and a wrong list of faults is refused', async () => {
  const info = join(directory, 'wrong-clock.json');
  const file = join(directory, 'faults.json');
  writeFileSync(file, '[{"kind": "fail_before", "status": 502, "path": "/health"}]');
  const flags = ['--manual-clock', '--clock-offset=-5000', '--faults', file];
  const child = start('--port', '0', '--info', info, ...flags);
  await once(child.stdout, 'data');
  const { baseUrl } = JSON.parse(readFileSync(info, 'utf8'));
  expect((await fetch(`${baseUrl}/api/v1/health`)).status).toBe(502);
  const health = await (await fetch(`${baseUrl}/api/v1/health`)).json();
  expect(health).toMatchObject({ wallMs: Date.UTC(2026, 0, 5, 12) - 5000 });
  child.kill('SIGTERM');
  await once(child, 'exit');
  writeFileSync(file, '[{"kind": "meteor"}]');
  const refused = start('--faults', file);
  const [text] = (await once(refused.stderr, 'data')) as [Buffer];
  const [code] = await once(refused, 'exit');
  expect([code, String(text)]).toEqual([2, expect.stringContaining(`--faults ${file}: `)]);
});

test('wrong words on the command line are named', async () => {
  const child = start('--port', '70000');
  const [text] = (await once(child.stderr, 'data')) as [Buffer];
  const [code] = await once(child, 'exit');
  expect(code).toBe(2);
  expect(String(text)).toContain('--port must be an integer from 0 to 65535, not "70000"');
});
