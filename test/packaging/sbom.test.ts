import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Lockfile, runtimeParts, sbom } from '../../packaging/sbom.ts';

const file = join(import.meta.dirname, '../../package-lock.json');
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
const other = {
  name: 'node',
  version: '24.0.0',
  purl: 'pkg:generic/node@24.0.0',
  sha256: 'ab'.repeat(32),
};

test('it lists what npm installs for a user, each with version, license and hash', () => {
  const { components } = JSON.parse(sbom(lockfile));
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['undici', 'zod', 'sonic-boom', '@noble/curves']));
  for (const tool of ['vitest', 'typescript', 'rolldown', 'fast-check'])
    expect(names).not.toContain(tool);
  for (const { name, version, licenses, hashes } of components) {
    expect([name, version, licenses?.length, hashes]).toEqual([
      name,
      expect.stringMatching(/^\d/),
      1,
      [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    ]);
  }
});

test('every dependency that it names is one of its components', () => {
  const { components, dependencies, metadata } = JSON.parse(sbom(lockfile, [other]));
  const refs = new Set(components.map((one: Record<string, string>) => one['bom-ref']));
  expect(refs.size).toBe(components.length);
  for (const { ref, dependsOn } of dependencies) {
    expect(ref === metadata.component['bom-ref'] || refs.has(ref)).toBe(true);
    for (const needed of dependsOn) expect(refs).toContain(needed);
  }
  expect(dependencies[0].dependsOn).toContain(other.purl);
});

test('of two versions of a package, the one that Node would load is named', () => {
  const packages = {
    '': { dependencies: { a: '1', b: '1' } },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', dependencies: { a: '2', absent: '1' } },
    'node_modules/b/node_modules/a': { version: '2.0.0' },
    'node_modules/unused': { version: '1.0.0' },
  };
  expect(runtimeParts(packages)).toEqual([
    'node_modules/a',
    'node_modules/b',
    'node_modules/b/node_modules/a',
  ]);
  const { dependencies } = JSON.parse(sbom({ name: 'x', version: '1.0.0', packages }));
  expect(
    dependencies.find(({ ref }: { ref: string }) => ref === 'pkg:npm/b@1.0.0').dependsOn,
  ).toEqual(['pkg:npm/a@2.0.0']);
});

test('it is the same every time', () => {
  expect(sbom(lockfile, [other])).toBe(sbom(lockfile, [other]));
});
