import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assert, asyncProperty, constantFrom, oneof, string, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { asset } from '../../src/console/assets.ts';

const modules = readdirSync(resolve(import.meta.dirname, '../../src/console/app'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => `/app/${name}`);

/** All that a text of ours loads, by the path from the page. The library is one file. */
function loadedBy(path: string, text: string): string[] {
  if (path.startsWith('/vendor/')) return [];
  const imported = text.matchAll(
    /^(?:import|export|\}) ?(?:.* ?from )?'([^']+)';$|import\('([^']+)'\)/gm,
  );
  const linked = path === '/' ? text.matchAll(/(?:src|href)="([^"]+)"/g) : [];
  const { origin } = new URL('http://console');
  return [...imported, ...linked].map(([, first, second = '']) => {
    const name = first ?? second;
    const url =
      name.startsWith('/') || name.startsWith('.') ? new URL(name, `${origin}${path}`) : name;
    return typeof url === 'string' ? url : url.pathname;
  });
}

test('whatever the page loads, and what that loads, is here and has no types left', async () => {
  const found = new Set(['/']);
  for (const path of found) {
    const { body, type } = (await asset(path)) ?? {};
    expect(body, path).toBeDefined();
    const text = String(body);
    const kinds = [
      [/^\/(app\/|vendor\/)/, 'text/javascript; charset=utf-8'],
      [/\.css$/, 'text/css; charset=utf-8'],
      [/\.svg$/, 'image/svg+xml'],
      [/^\/$/, 'text/html; charset=utf-8'],
    ] as const;
    expect(type, path).toBe(kinds.find(([form]) => form.test(path))?.[1]);
    if (path.startsWith('/app/')) expect(text, path).not.toMatch(/^(?:interface|type) /m);
    for (const name of loadedBy(path, text)) found.add(name);
  }
  // The stylesheet is written by a module, which only the server loads.
  const loaded = modules.filter((path) => path !== '/app/style.ts');
  expect([...found].filter((path) => path.startsWith('/app/')).sort()).toEqual(loaded.sort());
  expect(found).toContain('/vendor/preact.js');
});

test('a tag is kept while the contents are the same, and differs between files', async () => {
  const paths = ['/', '/style.css', '/icon.svg', '/vendor/preact.js', ...modules];
  const tags = await Promise.all(paths.map(async (path) => (await asset(path))?.etag));
  expect(new Set(tags).size).toBe(paths.length);
  for (const tag of tags) expect(tag).toMatch(/^"[\w-]{43}"$/);
  const again = await Promise.all(paths.map(async (path) => (await asset(path))?.etag));
  expect(again).toEqual(tags);
  const ending = '/app/main.js';
  expect(await asset(ending)).toEqual(await asset(ending.replace('.js', '.ts')));
});

test('no other path has a file, and none leads out of the folder of the page', async () => {
  const parts = constantFrom(
    '/app',
    '/',
    '..',
    '.',
    'main',
    '.ts',
    '.js',
    '%2e',
    '\\',
    '\0',
    'console',
  );
  const hostile = oneof(
    string({ unit: parts, maxLength: 8 }),
    string({ maxLength: 20 }).map((text) => `/app/${text}`),
    stringMatching(/^\/app\/[a-z-]{1,45}\.[tj]s$/),
  );
  const known = new Set(['/', ...modules, ...modules.map((name) => name.replace('.ts', '.js'))]);
  await assert(
    asyncProperty(hostile, async (path) => {
      expect((await asset(path)) !== undefined, path).toBe(known.has(path));
    }),
  );
  for (const path of [
    '/app/../routes.ts',
    '/app//main.ts',
    '/app/main.ts\n',
    '/app/dom.d.ts',
    '/app/constructor.ts',
    '/app/',
    '/style.css/',
    '/STYLE.CSS',
    '__proto__',
    join('/app', 'a'.repeat(5_000)),
  ]) {
    expect(await asset(path), path).toBeUndefined();
  }
});
