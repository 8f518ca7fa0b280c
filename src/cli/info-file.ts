/** What a client starts from, as a file: a reader sees the whole of it or none, and only its owner may read it. */
import { renameSync, writeFileSync } from 'node:fs';

export function writeInfo(file: string, info: object): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
