/** The settings that a counterparty gets log its client on; QuickFIX C++ is in the tutorial's own test. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const main = join(import.meta.dirname, '../../src/main.ts');
let directory: string;
let demo: ReturnType<typeof spawn>;
let fix: { port: number; sessions: { senderCompId: string; password: string }[] };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'roe-clients-'));
  const info = join(directory, 'demo.json');
  const words = ['demo', '--port', '0', '--console', '0', '--no-makers', '--info', info];
  const data = ['--data', join(directory, 'demo')];
  demo = spawn(process.execPath, [main, ...words, ...data], { stdio: 'ignore' });
  while (!existsSync(info)) {
    if (demo.exitCode !== null) throw new Error(`the demo ended with ${demo.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  fix = JSON.parse(readFileSync(info, 'utf8')).fix;
});

afterAll(async () => {
  const exited = once(demo, 'exit');
  demo.kill('SIGTERM');
  await exited;
  rmSync(directory, { recursive: true });
});

test('jspurefix logs on and off with its file', () => {
  const out = join(directory, 'alpha');
  const config = join(directory, 'demo/gateway.yaml');
  const asked = ['roe', '--config', config, '--session', 'ALPHA', '--out', out];
  spawnSync(process.execPath, [main, ...asked, '--port', String(fix.port)]);
  const password = fix.sessions.find(({ senderCompId }) => senderCompId === 'ALPHA')?.password;
  const peer = join(import.meta.dirname, 'jspurefix-settings-peer.ts');
  const told = spawnSync(process.execPath, [peer, join(out, 'jspurefix.json'), password ?? ''], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(told.stdout.split('\n').slice(0, 2)).toEqual(['logon', 'logout']);
});
