import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verb } from '../../src/cli/signer.ts';
import { UsageError } from '../../src/cli/verb.ts';
import { readYaml } from '../../src/runtime/yaml.ts';
import { signerConfigSchema } from '../../src/signer/signer-config.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'signer-cli-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

test('a call without a configuration is a fault of usage', async () => {
  await expect(verb.run([])).rejects.toThrow(UsageError);
});

test('a configuration that is wrong is refused with file, line and key, before anything is opened', async () => {
  const file = join(directory, 'signer.yaml');
  writeFileSync(file, 'environment: test\nsocket: s\nkeys: []\n');
  await expect(verb.run(['--config', file])).rejects.toThrow(/signer\.yaml:1:\d+ environment/);
});

test('the example of a configuration is one', () => {
  const example = join(import.meta.dirname, '../../config/signer.yaml');
  const checked = readYaml(example, signerConfigSchema);
  expect(checked.kind === 'faults' ? checked.faults : []).toEqual([]);
});

test('a market whose quantity is not bounded is refused, with the reason', async () => {
  const file = join(directory, 'unbounded.yaml');
  const example = readFileSync(join(import.meta.dirname, '../../config/signer.yaml'), 'utf8');
  writeFileSync(file, example.replace(", maxSellQtyAtoms: '2000000'", ''));
  await expect(verb.run(['--config', file])).rejects.toThrow(
    /maxSellQtyAtoms: is needed: maxNotionalAtoms alone bounds neither a sell nor a market order/,
  );
});
