/** The program as it is called: words in, exit code and output out. */
import { spawnSync } from 'node:child_process';
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

test('an unknown verb is a fault of usage that names those there are', async () => {
  const { status, stderr } = await causeway('trade');
  expect(status).toBe(2);
  expect(stderr).toContain('no verb "trade"; there are: ');
  expect((await causeway('constructor')).status).toBe(2);
});

test('a wrong configuration ends with its own exit code and with what to do next', async () => {
  const { status, stdout, stderr } = await causeway('run', '--config', '/nowhere/gateway.yaml');
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toContain('/nowhere/gateway.yaml cannot be read');
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

test('the exit code is that of the process, and a pipe that is closed early ends it in silence', () => {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const called = spawnSync('bash', [
    '-c',
    `"${process.execPath}" "${main}" check --schema | head -c 1; exit \${PIPESTATUS[0]}`,
  ]);
  expect([called.status, String(called.stdout), String(called.stderr)]).toEqual([0, '{', '']);
  const wrong = spawnSync(process.execPath, [main, 'check']);
  expect([wrong.status, String(wrong.stdout)]).toEqual([2, '']);
});
