/** docs/TUTORIAL.md as a new user follows it: every command of it, in order, in an empty directory. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/runtime/free-port.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/TUTORIAL.md'), 'utf8');
const blocks = [...text.matchAll(/^```sh( background)?\n([\s\S]*?)^```$/gm)].map(
  ([, background, commands = '']) => ({ isBackground: background !== undefined, commands }),
);

let directory: string;
let work: string;
let env: NodeJS.ProcessEnv;
let demo: ChildProcess | undefined;
const free = new Map<string, number>();

/** What `npm install --global` would have made: `causeway` on the path, and the package under npm's root. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tutorial-'));
  work = join(directory, 'work');
  const bin = join(directory, 'bin');
  for (const made of [work, bin, join(directory, 'lib/node_modules')]) {
    mkdirSync(made, { recursive: true });
  }
  mkdirSync(join(directory, 'lib/node_modules/@causeway-gateway'));
  symlinkSync(root, join(directory, 'lib/node_modules/@causeway-gateway/causeway'));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'src/main.ts')}" "$@"\n`;
  writeFileSync(join(bin, 'causeway'), program, { mode: 0o755 });
  const { PATH: path } = process.env;
  env = { ...process.env, npm_config_prefix: directory, PATH: `${bin}:${path}` };
  for (const port of ['9880', '9881'])
    free.set(port, await freePort({ host: '127.0.0.1', port: 0 }));
});

afterAll(async () => {
  if (demo?.exitCode === null) {
    const exited = once(demo, 'exit');
    demo.kill('SIGTERM');
    await exited;
  }
  rmSync(directory, { recursive: true });
});

/** The ports of the tutorial may be taken on a machine that runs tests. */
function withFreePorts(commands: string): string {
  return commands.replace(/\b988[01]\b/g, (port) => String(free.get(port)));
}

async function startDemo(commands: string): Promise<void> {
  const words = withFreePorts(commands).trim().split(' ').slice(1);
  demo = spawn(join(directory, 'bin/causeway'), words, { cwd: work, env, stdio: 'ignore' });
  while (!existsSync(join(work, 'demo.json'))) {
    if (demo.exitCode !== null) throw new Error(`the demo ended with ${demo.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('the commands of the tutorial lead from nothing to a filled order', async () => {
  expect(blocks.length).toBeGreaterThan(5);
  let before = '';
  let all = '';
  for (const { isBackground, commands } of blocks) {
    if (isBackground) {
      await startDemo(commands);
      continue;
    }
    // One shell after the other stands for one terminal: directories and variables go on.
    const script = `set -eu\n${before}\n${withFreePorts(commands)}\npwd > ${directory}/pwd`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: work,
      env,
      encoding: 'utf8',
    });
    expect(status, `${commands}\n${stdout}\n${stderr}`).toBe(0);
    before = `cd ${readFileSync(join(directory, 'pwd'), 'utf8').trim()}`;
    all += stdout;
  }
  expect(all).toContain('logged on\n');
  expect(all).toMatch(/ExecType\(150\)=F OrdStatus\(39\)=2 CumQty\(14\)=0\.001/);
  expect(all).toContain('quickfix-cpp.cfg');
  expect(all).toMatch(/session {2}FIX\.4\.4:CAUSEWAY\/->ALPHA\//);
  expect(all).toMatch(/ 54 Side +1 {2}BUY/);
});

/** It resets its store each day at StartTime, and 23 hours are too long for a test: the store is made of yesterday. */
test('on the next day QuickFIX, which resets its sequence numbers, logs on at the first attempt', () => {
  const store = join(work, 'alpha/store');
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  for (const file of readdirSync(store)) {
    const path = join(store, file);
    if (file.endsWith('.session')) writeFileSync(path, `${yesterday.replaceAll('-', '')}-12:00:00`);
    if (file.endsWith('.seqnums')) writeFileSync(path, '0000000400 : 0000000700');
  }
  const { password } = JSON.parse(readFileSync(join(work, 'demo.json'), 'utf8')).fix.sessions[0];
  const { status, stdout } = spawnSync('../first-order', ['quickfix-cpp.cfg', 'alpha', password], {
    cwd: join(work, 'alpha'),
    encoding: 'utf8',
  });
  expect(stdout.split('\n')[0]).toBe('logged on');
  expect(status).toBe(0);
});
