/**
 * The files and threads that ship with the program, and how to start the program again. They are in the package's
 * folder, or embedded in the single executable as assets with the same names (docs/decisions/0293-packages.md).
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';

const root = resolve(import.meta.dirname, '../..');
/** The folder of the package, or of the single executable. */
export const programRoot = isSea() ? dirname(process.execPath) : root;
const isSingle = isSea();

/** `src/*.ts` when the sources themselves run, `dist/*.js` when they are compiled. */
export const code = isSingle
  ? { folder: 'dist', ending: '.js' }
  : {
      folder: basename(resolve(import.meta.dirname, '..')),
      ending: import.meta.filename.slice(-3),
    };

/** `name` is a path from the root of the package, such as `dictionaries/orders.xml`. */
export function shippedText(name: string): string {
  return isSingle ? getAsset(name, 'utf8') : readFileSync(join(root, name), 'utf8');
}

/** A file of a dependency, from the folder of the module that `specifier` names. */
export function dependencyText(specifier: string, file: string): string {
  if (isSingle) return getAsset(`node_modules/${specifier}/${file}`, 'utf8');
  const { resolve: resolveModule } = createRequire(import.meta.url);
  return readFileSync(join(dirname(resolveModule(specifier)), file), 'utf8');
}

/**
 * The native add-on of a dependency. The system can load it only from a file: an installed executable has it in its lib
 * folder; one that was only copied writes it into a private folder, and removes it at once.
 */
export function nativeAddon(dependency: string): unknown {
  if (!isSingle) {
    const load = createRequire(
      createRequire(import.meta.url).resolve(`${dependency}/package.json`),
    );
    return load('node-gyp-build')(dirname(load.resolve('./package.json')));
  }
  const name = `${dependency}.node`;
  const installed = join(dirname(process.execPath), '../lib/causeway', name);
  if (existsSync(installed)) return addonIn(installed);
  const folder = mkdtempSync(join(tmpdir(), 'causeway-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, new Uint8Array(getRawAsset(`addons/${name}`)), { mode: 0o700 });
    return addonIn(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function addonIn(file: string): unknown {
  const loaded = { exports: {} };
  process.dlopen(loaded, file);
  return loaded.exports;
}

/** The files below a folder of the package, by their paths from that folder. */
export function shippedNames(folder: string): readonly string[] {
  if (!isSingle) return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return getAssetKeys()
    .filter((key) => key.startsWith(`${folder}/`))
    .map((key) => key.slice(folder.length + 1));
}

/** Writes a copy of the file into a folder, for readers that need a path, and returns that path. */
export function copyShipped(name: string, folder: string): string {
  const path = join(folder, basename(name));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, shippedText(name));
  return path;
}

/** `module` is a path from the code's folder, without its extension: `console/trail-worker`. */
export function startThread(module: string, workerData?: unknown): Worker {
  return isSingle
    ? new Worker(shippedText(`threads/${module}.js`), { eval: true, workerData })
    : new Worker(join(root, code.folder, `${module}${code.ending}`), { workerData });
}

/** The arguments with which `process.execPath` runs this program again: `ownArguments('certify', 'run')`. */
export function ownArguments(
  first: string,
  ...rest: readonly string[]
): readonly [string, ...string[]] {
  return isSingle
    ? [first, ...rest]
    : [join(root, code.folder, `main${code.ending}`), first, ...rest];
}
