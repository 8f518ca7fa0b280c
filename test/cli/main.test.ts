/** The program as it is called: words in, exit code and output out. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs.ts';
import { causeway } from '../support/program.ts';

test('without words it lists every verb', async () => {
  const { status, stdout } = await causeway();
  expect(status).toBe(0);
  for (const name of Object.keys(verbs)) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  expect((await causeway('--help')).stdout).toBe(stdout);
});

test('its version is that of the package', async () => {
  expect((await causeway('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('with an old Node the message says which one is needed, and names no package of others', () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });";
  const preload = `data:text/javascript,${encodeURIComponent(old)}`;
  const words = ['--import', preload, join(import.meta.dirname, '../../src/main.ts'), 'demo'];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('causeway needs Node 24 or later, and this is Node 20.20.2.');
  expect(stderr).not.toMatch(/npx|npm (install|i|exec)/);
});

test('an unknown verb is a fault of usage that names those there are', async () => {
  const { status, stderr } = await causeway('trade');
  expect(status).toBe(2);
  expect(stderr).toContain('no verb "trade"; there are: ');
  expect((await causeway('constructor')).status).toBe(2);
  expect((await causeway('chek')).stderr).toContain('Did you mean check?\n');
  const { error, next } = JSON.parse((await causeway('trade', '--json')).stderr);
  expect([error, next]).toEqual([expect.stringContaining('"trade"'), 'See: causeway --help']);
});

test('help of a verb is asked for in front of it as well as behind it', async () => {
  const { status, stdout } = await causeway('help', 'decode');
  expect([status, stdout]).toEqual([0, (await causeway('decode', '--help')).stdout]);
  expect((await causeway('help', 'trade')).status).toBe(2);
});

test('a misspelt option or action is reported with the closest one', async () => {
  expect((await causeway('decode', '--colour', 'always')).stderr).toBe(
    'causeway decode: no option --colour. Did you mean --color?\nSee: causeway decode --help\n',
  );
  expect((await causeway('keys', 'nwe')).stderr).toContain('Did you mean new?\n');
  expect((await causeway('node', 'drian', '--config', 'c', '--name', 'n')).stderr).toContain(
    'Did you mean drain?\n',
  );
  expect((await causeway('keys', 'burn')).stderr).not.toContain('Did you mean');
});

test("what stands in other people's files neither steers the terminal nor fills it", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'main-'));
  const file = join(directory, 'hostile.yaml');
  writeFileSync(file, `\x1b[2J: ${'x'.repeat(5_000)}\n`.repeat(5));
  const { status, stderr } = await causeway('import', '--settings', file, '--out', directory);
  expect(status).toBe(1);
  expect(stderr).not.toContain('\x1b');
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(300);
  rmSync(directory, { recursive: true });
});

test('a wrong configuration ends with its own exit code and with what to do next', async () => {
  const { status, stdout, stderr } = await causeway('run', '--config', '/nowhere/gateway.yaml');
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toContain('/nowhere/gateway.yaml does not exist');
  expect(stderr).toContain('causeway check --config FILE');
});

test('with --json an error is one JSON object on standard error', async () => {
  const { status, stdout, stderr } = await causeway('sandbox', '--port', 'x', '--json');
  expect([status, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr)).toEqual({
    ok: false,
    verb: 'sandbox',
    error: '--port must be an integer from 0 to 65535, not "x"',
    next: 'See: causeway sandbox --help',
    code: 2,
  });
});

test.runIf(existsSync('/dev/full'))(
  'output that cannot be written is reported in one line, without a stack',
  () => {
    const main = join(import.meta.dirname, '../../src/main.ts');
    const full = openSync('/dev/full', 'w');
    const called = spawnSync(process.execPath, [main, '--version'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(called.status).toBe(1);
    expect(called.stderr).toMatch(/^causeway: the output cannot be written: ENOSPC.*\n$/);
  },
);

test('the exit code is that of the process, and a pipe that is closed early ends it in silence, as one that was ended by it', () => {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const called = spawnSync('bash', [
    '-c',
    `"${process.execPath}" "${main}" check --schema | head -c 1; exit \${PIPESTATUS[0]}`,
  ]);
  expect([called.status, String(called.stdout), String(called.stderr)]).toEqual([141, '{', '']);
  const wrong = spawnSync(process.execPath, [main, 'trade']);
  expect([wrong.status, String(wrong.stdout)]).toEqual([2, '']);
});
