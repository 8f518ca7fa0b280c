/** Directories that earlier versions left, and what their own `causeway journal export` said of each. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** `closed` and `killed` hold random writes: after a stop, and after kill -9 with most of them in front of the tables. */
export const keptStores = {
  closed: import.meta.dirname,
  killed: import.meta.dirname,
  'earlier-directory': join(import.meta.dirname, '../../gateway'),
  'directory-before-sums': join(import.meta.dirname, '../../gateway'),
  'directory-with-sums': join(import.meta.dirname, '../../gateway'),
} as const;

export type KeptStore = keyof typeof keptStores;

export function unpacked(name: KeptStore): string {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-earlier-'));
  const packed = join(keptStores[name], name);
  for (const file of readdirSync(packed)) {
    const bytes = gunzipSync(readFileSync(join(packed, file)));
    writeFileSync(join(directory, file.replace(/\.gz$/, '')), bytes, { mode: 0o600 });
  }
  return directory;
}

export function exportedBefore(name: KeptStore): string {
  return gunzipSync(readFileSync(join(import.meta.dirname, `${name}.jsonl.gz`))).toString();
}
