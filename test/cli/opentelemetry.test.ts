import { expect, test } from 'vitest';
import { installed } from '../../src/cli/opentelemetry.ts';

test('a missing package is an error of the configuration that names what to install', async () => {
  const missing = '@opentelemetry/there-is-none';
  const loaded = installed('gateway.yaml:7 tracing', ['there-is-none'], () => import(missing));
  await expect(loaded).rejects.toThrow(
    /^gateway\.yaml:7 tracing: .*npm install @opentelemetry\/there-is-none$/,
  );
});

test('another error of a package is not taken for a missing one', async () => {
  const broken = () => Promise.reject(new TypeError('broken'));
  await expect(installed('at', ['api'], broken)).rejects.toThrow(TypeError);
});
