/** Each package that the program or its tests stand on has its reason in docs/DEPENDENCIES.md, and no other has one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'));

test.each([
  ['runtime', dependencies],
  ['optional', optionalDependencies],
  ['development', devDependencies],
])('each %s dependency has its reason', (kind, packages) => {
  const rows = read('docs/DEPENDENCIES.md')
    .split('\n')
    .filter((line) => line.split('|')[2]?.trim() === kind);
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(named.sort()).toEqual(Object.keys(packages).sort());
});

test.each(Object.keys({ ...dependencies, ...optionalDependencies }))('src uses %s', (name) => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const isUsed = files.some(
    (file) => /\.[jt]s$/.test(file) && new RegExp(`['/]${name}['/]`).test(read(join('src', file))),
  );
  expect(isUsed).toBe(true);
});
