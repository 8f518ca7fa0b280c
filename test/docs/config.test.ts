/** The examples of configurations are configurations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../src/gateway/config/config.ts';
import { fixEngineKeys } from '../../src/gateway/config/engine-config.ts';
import { readYaml } from '../../src/runtime/yaml.ts';

const root = join(import.meta.dirname, '../..');

test.each(['gateway.yaml', 'relay.yaml'])(
  'config/%s is a configuration, but for its secrets',
  (name) => {
    const checked = readYaml(join(root, 'config', name), configSchema);
    expect(checked.kind === 'faults' ? checked.faults : []).toEqual([]);
  },
);

test('the console section that CONSOLE.md shows is one, with what it leaves out put in', () => {
  const [, block = ''] = readFileSync(join(root, 'docs/CONSOLE.md'), 'utf8').split(/^```.*\n/m);
  const whole = block.replace(/^ {2}# (\w+: (?!\{).*?)(?: {2,}.*)?$/gm, '  $1');
  const { console } = parse(whole);
  expect(Object.keys(console)).toEqual(
    expect.arrayContaining([
      'operators',
      'hostNames',
      'keepRecords',
      'certificationDir',
      'certificationKeyFile',
    ]),
  );
  const example = parse(readFileSync(join(root, 'config/gateway.yaml'), 'utf8'));
  expect(configSchema.safeParse({ ...example, console }).error).toBeUndefined();
});

test('the week that OPERATING.md shows is one that a session can keep', () => {
  const text = readFileSync(join(root, 'docs/OPERATING.md'), 'utf8');
  const [, block = ''] = /^```yaml\n(schedule: [^`]+)```/m.exec(text) ?? [];
  expect(fixEngineKeys.parse(parse(block)).schedule).toMatchObject({ days: [0], lengthDays: 5 });
});
