/** `causeway client` over FIX, against a bridge whose session must not reset its numbers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { causeway } from '../support/program.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-client-'));
let bridge: Bridge;

beforeAll(async () => {
  bridge = await startBridge({ session: { allowReset: false } });
  writeFileSync(join(directory, 'password'), bridge.user().password, { mode: 0o600 });
});
afterAll(async () => {
  await bridge.stop();
  rmSync(directory, { recursive: true });
});

async function client(input: string, ...more: readonly string[]) {
  const { senderCompId, targetCompId, username } = bridge.user();
  const names = ['--sender', senderCompId, '--target', targetCompId, '--user', username];
  const password = ['--password-file', join(directory, 'password')];
  const at = ['--port', String(bridge.gateway.port)];
  const stdin = vi.spyOn(process, 'stdin', 'get');
  stdin.mockReturnValue(Readable.from([input]) as typeof process.stdin);
  try {
    const { status, stdout, stderr } = await causeway(
      'client',
      ...at,
      ...names,
      ...password,
      ...more,
    );
    return { status, text: stdout + stderr };
  } finally {
    stdin.mockRestore();
  }
}

test('a client that resets its numbers reads why it was refused', async () => {
  const { status, text } = await client('orders\n');
  expect(status).not.toBe(0);
  expect(text).toContain('ResetSeqNumFlag(141)=Y is not allowed on this session');
});

test('a client that keeps its numbers logs on twice, and the numbers continue', async () => {
  const data = join(directory, 'kept');
  const first = await client('buy BTC-USDC 0.001 49000\n', '--data', data);
  expect(first.text).toContain('ExecType(150)=0');
  const nextIn = () => bridge.gateway.view.statuses().find(({ name }) => name.includes('ALPHA'));
  const before = nextIn()?.nextIn ?? 0;
  const second = await client('orders\n', '--data', data);
  expect(second.text).toContain('MassStatusReqID(584)');
  expect(nextIn()?.nextIn).toBeGreaterThan(before);
});

test('a Reject(3) is shown with its reason', async () => {
  const { text } = await client('raw q 530=7\n', '--data', join(directory, 'kept'));
  expect(text).toMatch(/!! .*Required tag missing/);
});
