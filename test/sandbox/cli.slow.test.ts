/** `causeway sandbox` in processes of its own: what a seed decides, and what is wrong from the start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test('faults and a wrong clock can be there from the start', async () => {
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
});
