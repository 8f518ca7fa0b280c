/**
 * What ships with the program: its files, its threads and the way to start it again. All of it is in the folder of the
 * package, or inside the program itself if that is a single executable, whose assets have the same names
 * (docs/decisions/0293-one-program-four-packages.md).
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';

const root = resolve(import.meta.dirname, '../..');
const isSingle = isSea();

/** `src/*.ts` while the sources themselves run, `dist/*.js` once they are compiled. */
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

/** The files below a folder of the package, by their paths from that folder. */
export function shippedNames(folder: string): readonly string[] {
  if (!isSingle) return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return getAssetKeys()
    .filter((key) => key.startsWith(`${folder}/`))
    .map((key) => key.slice(folder.length + 1));
}

/** Writes a copy of the file into a folder, for readers who want a path, and returns that path. */
export function copyShipped(name: string, folder: string): string {
  const path = join(folder, basename(name));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, shippedText(name));
  return path;
}

/** `module` is a path from the folder of the code, without its ending: `console/trail-worker`. */
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
