/** The examples of configurations are configurations. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/gateway/config.ts';
import { readYaml } from '../../src/runtime/yaml.ts';

test('config/gateway.yaml is a configuration, but for the secrets that it names', () => {
  const file = join(import.meta.dirname, '../../config/gateway.yaml');
  const checked = readYaml(file, configSchema);
  expect(checked.kind === 'faults' ? checked.faults : []).toEqual([]);
});
