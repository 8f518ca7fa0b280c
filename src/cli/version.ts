/** The version of the package that this program was installed from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function version(): string {
  const file = join(import.meta.dirname, '../../package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
