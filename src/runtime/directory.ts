/** Directories for files that must outlive a power loss: a new name is on the disk only once its directory is synced. */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes the directory and those above it that are missing, for this user alone. */
export function makePrivateDirectory(path: string): void {
  const whole = resolve(path);
  const first = mkdirSync(whole, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = dirname(first);
  for (let at = dirname(whole); at !== top; at = dirname(at)) syncDirectory(at);
  syncDirectory(top);
}

export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
