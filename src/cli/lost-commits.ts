/**
 * A bridge exits when its database has lost commits, and no supervisor may start it again before an operator has
 * decided which database is the right one: a new process has nothing to compare the database with.
 */
import { readFileSync } from 'node:fs';
import type { LoadedConfig } from '../gateway/config/config-file.ts';
import { lockPath } from '../gateway/data/data-lock.ts';
import { isThere } from '../runtime/directory.ts';
import { replaceFileSync } from '../runtime/replace-file.ts';
import { CommitsForgotten } from '../store/store.ts';

export function keepLostCommits(loaded: LoadedConfig, error: unknown): void {
  if (!(error instanceof CommitsForgotten)) return;
  try {
    replaceFileSync(pathOf(loaded), `${error.message}\n`);
  } catch {
    // The exit code alone keeps systemd from starting the bridge again.
  }
}

/** Throws if this bridge, or its standby on this machine, has exited because of lost commits. */
export function refuseLostCommits(loaded: LoadedConfig): void {
  const path = pathOf(loaded);
  if (!isThere(path)) return;
  const text = readFileSync(path, 'utf8').trim();
  throw new CommitsForgotten(`to accept the database as it is, delete ${path}: ${text}`);
}

function pathOf(loaded: LoadedConfig): string {
  return lockPath(loaded).replace(/\.lock$/, '.commits-lost');
}
