/** The package as others get it: packed, installed into an empty directory by npm, and run from there. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
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

const root = join(import.meta.dirname, '../..');
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let directory: string;
let app: string;
let program: string;

/** A checkout with nothing built in it, packed by the commands of docs/TUTORIAL.md. */
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'package-'));
  const source = join(directory, 'source');
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const name of tracked.split('\0').filter((one) => existsSync(join(root, one)))) {
    if (name !== '') cpSync(join(root, name), join(source, name));
  }
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  const npm = (words: string[], cwd: string) =>
    execFileSync('npm', words, { cwd, stdio: 'ignore' });
  npm(['pack', '--pack-destination', directory], source);
  app = join(directory, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"name":"app","version":"1.0.0"}');
  const file = join(directory, `${own.name.slice(1).replace('/', '-')}-${own.version}.tgz`);
  npm(['install', '--ignore-scripts', file], app);
  program = join(app, 'node_modules/.bin/causeway');
});

afterAll(() => rmSync(directory, { recursive: true }));

test('the installed program trades with its own demo', async () => {
  const info = join(app, 'demo.json');
  const words = [program, 'demo', '--port', '0', '--console', '0', '--info', info];
  const demo: ChildProcess = spawn(process.execPath, words, { cwd: app, stdio: 'ignore' });
  while (!existsSync(info)) {
    if (demo.exitCode !== null) throw new Error(`the demo ended with ${demo.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const client = spawnSync(process.execPath, [program, 'client', '--info', info, '--json'], {
    input: 'buy BTC-USDC 0.001\n',
    encoding: 'utf8',
  });
  expect(client.stderr).toBe('');
  const heard = client.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const statuses = heard
    .filter(({ msgType }) => msgType === '8')
    .map(({ fields }) => fields.find(({ tag }: { tag: number }) => tag === 39).value);
  expect(statuses).toContain('2');
  const exited = once(demo, 'exit');
  demo.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('each verb of the installed program has its help', () => {
  const overview = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect([overview.status, overview.stderr]).toEqual([0, '']);
  expect(overview.stdout).toContain('causeway VERB');
});

test('the package holds what runs and what is read, and nothing that is worked with', () => {
  const names = readdirSync(join(app, 'node_modules', own.name)).sort();
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']));
  for (const name of ['src', 'test', 'bench', '.ci', 'node_modules']) {
    expect(names).not.toContain(name);
  }
});

test('every file that the program reads beside its code is in the package', () => {
  for (const words of [
    ['check', '--schema'],
    ['sbe', 'check'],
    ['certify', 'list'],
    ['--version'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
      cwd: app,
      encoding: 'utf8',
    });
    expect([words, status, stderr]).toEqual([words, 0, '']);
  }
});

/** Debian's own Node, where it is an older one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 && Number.parseInt(stdout.slice(1), 10) < 24;
});

test.runIf(oldNode)('an older Node is told which one is needed', () => {
  const told = spawnSync(oldNode ?? '', [program, 'demo'], { encoding: 'utf8' });
  expect(told.status).toBe(1);
  expect(told.stderr).toMatch(/^causeway needs Node 24 or later, and this is Node \d+\./);
});
