/** The program as it is called: words in, exit code and output out. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs.ts';

const root = join(import.meta.dirname, '../..');

function causeway(...args: string[]) {
  const words = [join(root, 'src/main.ts'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('without words it lists every verb', () => {
  const { status, stdout } = causeway();
  expect(status).toBe(0);
  for (const name of Object.keys(verbs)) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  expect(causeway('--help').stdout).toBe(stdout);
});

test('its version is that of the package', () => {
  expect(causeway('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('an unknown verb is a fault of usage that names those there are', () => {
  const { status, stderr } = causeway('trade');
  expect(status).toBe(2);
  expect(stderr).toContain('no verb "trade"; there are: ');
  expect(causeway('constructor').status).toBe(2);
});

test('a wrong configuration ends with its own exit code and with what to do next', () => {
  const { status, stdout, stderr } = causeway('run', '--config', '/nowhere/gateway.yaml');
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toContain('/nowhere/gateway.yaml cannot be read');
  expect(stderr).toContain('causeway check --config FILE');
});

test('with --json an error is one JSON object on standard error', () => {
  const { status, stdout, stderr } = causeway('sandbox', '--port', 'x', '--json');
  expect([status, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr)).toEqual({
    ok: false,
    verb: 'sandbox',
    error: '--port must be an integer from 0 to 65535, not "x"',
    next: 'See: causeway sandbox --help',
    code: 2,
  });
});
