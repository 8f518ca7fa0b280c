/** docs/CONFIGURATION.md is generated from the schemas: `npx vitest run test/docs -u` writes it anew. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ConfigKey, keysOf } from './config-keys.ts';
import {
  clusterKeys,
  configReference,
  gatewayKeys,
  isReloadable,
  signerKeys,
} from './config-reference.ts';

test('the reference of the configuration is what the schemas accept', async () => {
  await expect(configReference()).toMatchFileSnapshot('../../docs/CONFIGURATION.md');
});

/** What the reference lacks about its keys. */
function gapsOf(keys: readonly ConfigKey[]): string[] {
  return keys.flatMap(({ path, meaning, isSection, isNumber, unit, example, accepts }) => {
    const isSentence = /^[A-Z`].*[.)]$/.test(meaning ?? '');
    return [
      ...(meaning === undefined ? [`${path}: no description`] : []),
      ...(meaning !== undefined && !isSentence ? [`${path}: its description is no sentence`] : []),
      ...(isNumber && unit === undefined ? [`${path}: no unit`] : []),
      ...(!isSection && example === undefined ? [`${path}: no example`] : []),
      ...(example !== undefined && !accepts(example) ? [`${path}: takes no ${example}`] : []),
    ];
  });
}

describe.each([
  ['gateway', gatewayKeys],
  ['signer', signerKeys],
  ['cluster', clusterKeys],
])('every key of the %s', (_, keys) => {
  test('has a description, a unit if it is a number, and an example that the schema accepts', () => {
    expect(gapsOf(keys)).toEqual([]);
  });
});

test('a key that lacks something is found, however deep it is', () => {
  const part = z.strictObject({
    bare: z.string(),
    size: z.int().meta({ description: 'The size.', examples: ['large'] }),
    mode: z.enum(['a', 'b']).default('a').describe('fragment'),
  });
  const schema = z.strictObject({
    list: z.array(part).describe('A list.'),
    named: z.record(z.string(), z.strictObject({ waitMs: z.int().min(5).default(5) })).optional(),
  });
  expect(gapsOf(keysOf(schema))).toEqual([
    'list[].bare: no description',
    'list[].bare: no example',
    'list[].size: no unit',
    'list[].size: takes no large',
    'list[].mode: its description is no sentence',
    'named: no description',
    'named.NAME.waitMs: no description',
    'named.NAME.waitMs: no example',
  ]);
});

test('whether a reload may change a key is what the check of a reload says', () => {
  const reloadable = (path: string) => isReloadable(gatewayKeys.find((key) => key.path === path)!);
  expect(
    ['users[].secretHashFile', 'sessions[].engine.schedule.start', 'profiles.NAME.stp'].map(
      reloadable,
    ),
  ).toEqual([true, true, true]);
  expect(
    ['accounts[].limits.maxOrderQty', 'accounts[].account', 'fix.tls.keyFile'].map(reloadable),
  ).toEqual([true, false, false]);
});

test('a key that only some variants have names them', () => {
  const about = (path: string) => gatewayKeys.find((key) => key.path === path);
  expect(about('sessions[].engine')?.meaning).toMatch(/Only with `protocol: fix`\.$/);
  expect(about('signer.socket')?.meaning).toMatch(/Only with `mode: process`\.$/);
  expect(about('sessions[].protocol')).toMatchObject({ type: '`fix`, `fixp`', fallback: 'fix' });
});
