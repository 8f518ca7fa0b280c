import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/files.ts';
import { UsageError } from '../../src/cli/verb.ts';

const root = join(import.meta.dirname, '../..');

afterEach(() => vi.restoreAllMocks());

async function printed(...words: string[]): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(`${line}\n`));
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  await verb.run(words);
  vi.restoreAllMocks();
  return lines.join('');
}

test('every file that it lists is printed as it was shipped', async () => {
  const names = (await printed()).trim().split('\n');
  expect(names).toEqual(
    expect.arrayContaining([
      'config/gateway.yaml',
      'deploy/causeway.service',
      'dictionaries/orders.xml',
    ]),
  );
  for (const name of names) {
    expect(await printed(name)).toBe(readFileSync(join(root, name), 'utf8'));
  }
});

test('no other file of the machine can be asked for', async () => {
  for (const name of [
    '../etc/passwd',
    'package.json',
    'config',
    'config/../package.json',
    '/etc/passwd',
  ]) {
    await expect(verb.run([name])).rejects.toThrow(UsageError);
  }
});

test('JSON holds the names, or one file', async () => {
  expect(JSON.parse(await printed('--json'))).toContain('config/signer.yaml');
  expect(JSON.parse(await printed('config/signer.yaml', '--json'))).toMatchObject({
    name: 'config/signer.yaml',
  });
});
