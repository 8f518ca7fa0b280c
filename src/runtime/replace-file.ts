/**
 * Replaces a file as a whole, for its owner alone: a reader sees either the previous content or the new one, also after
 * a loss of power. Without the sync before the rename, the new file could then be empty.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './directory.ts';

const onDisk = { mode: 0o600, flush: true };

/**
 * The new content is on the disk when this returns. If it throws because the disk is full, nothing has changed, and it
 * leaves no draft.
 */
export function replaceFileSync(file: string, content: string | Uint8Array): void {
  const draft = `${file}.new`;
  try {
    writeFileSync(draft, content, onDisk);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  try {
    syncDirectory(dirname(file));
  } catch (error) {
    throw new Error(`${file} is replaced, but its directory is not synced: ${error}`);
  }
}

/** The previous content may return after a loss of power. Its own draft, because the other form may overtake it. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.next`;
  await writeFile(draft, content, onDisk);
  await rename(draft, file);
}
