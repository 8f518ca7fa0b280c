/** In the sources; test/interop shows the same from the compiled package and from inside the single executable. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  code,
  copyShipped,
  dependencyText,
  ownArguments,
  shippedNames,
  shippedText,
  startThread,
} from '../../src/runtime/shipped.ts';

const root = join(import.meta.dirname, '../..');

test('a shipped file is read by its path from the root of the package', () => {
  const file = 'dictionaries/orders.xml';
  expect(shippedText(file)).toBe(readFileSync(join(root, file), 'utf8'));
  expect(() => shippedText('dictionaries/none.xml')).toThrow(/ENOENT/);
});

test('the names of a folder lead to its files', () => {
  const names = shippedNames('config');
  expect(names).toEqual(expect.arrayContaining(['gateway.yaml', 'signer.yaml']));
  for (const name of names) expect(shippedText(`config/${name}`)).not.toBe('');
});

test('a copy is written under the same name, into a folder that need not be there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-shipped-'));
  const path = copyShipped('config/signer.yaml', join(folder, 'made'));
  expect(path).toBe(join(folder, 'made/signer.yaml'));
  expect(readFileSync(path, 'utf8')).toBe(shippedText('config/signer.yaml'));
  rmSync(folder, { recursive: true });
});

test('a file of a dependency is found beside the module of that name', () => {
  expect(dependencyText('htm/preact', 'standalone.module.js')).toContain('export');
});

test('the program starts itself again with its own main file', () => {
  const [main, ...rest] = ownArguments('certify', 'list');
  expect(rest).toEqual(['certify', 'list']);
  expect(existsSync(main)).toBe(true);
  expect(code).toEqual({ folder: 'src', ending: '.ts' });
});

test('a thread that is missing is an error of that thread', async () => {
  const thread = startThread('runtime/no-such-thread');
  const [error] = await once(thread, 'error');
  expect(String(error)).toMatch(/no-such-thread/);
});

/** The bundler of the single executable finds threads by these calls; one that is started otherwise would be missing. */
test('every thread of the program is started here', () => {
  const src = join(root, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const starting = files.filter((file) =>
    /new Worker\(|\bfork\(import|new URL\([^)]*import\.meta/.test(
      readFileSync(join(src, file), 'utf8'),
    ),
  );
  expect(starting).toEqual(['runtime/shipped.ts']);
});
