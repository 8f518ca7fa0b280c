/** Directories of files that must survive a power loss: a new name is on disk only once its directory is synced. */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Creates the directory and its missing parents, accessible to this user only. */
export function makePrivateDirectory(path: string): void {
  const missing: string[] = [];
  // Node's recursive mkdir never returns if a directory refuses new names with ENOENT, as /proc does.
  for (let at = resolve(path); !isThere(at); at = dirname(at)) missing.unshift(at);
  if (missing.length === 0 && !statSync(path).isDirectory()) missing.push(resolve(path));
  for (const each of missing) mkdirSync(each, { mode: 0o700 });
  for (const each of missing.toReversed()) syncDirectory(dirname(each));
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Throws if that cannot be found out, as on a faulty disk: such a file is not missing. */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
