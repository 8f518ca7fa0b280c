/** A data directory that a bridge of an earlier version left, unpacked below the system's temporary directory. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export function keptDirectory(
  name: 'earlier-directory' | 'directory-before-sums' | 'directory-with-sums',
): string {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-kept-'));
  const packed = join(import.meta.dirname, '../gateway', name);
  for (const file of readdirSync(packed)) {
    const bytes = gunzipSync(readFileSync(join(packed, file)));
    writeFileSync(join(directory, file.replace(/\.gz$/, '')), bytes, { mode: 0o600 });
  }
  return directory;
}
