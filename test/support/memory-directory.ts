/**
 * Temporary files are in memory during a run, where there is room: the tests make many thousands of them, and sync each
 * as the bridge does. What a test leaves behind goes with the directory.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';

const memory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

export function setup(): (() => void) | undefined {
  if (!existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < neededBytes) return undefined;
  const directory = mkdtempSync(`${memory}/causeway-tests-`);
  // Servers of other users have their files in it, too.
  chmodSync(directory, 0o1777);
  process.env['TMPDIR'] = directory;
  return () => rmSync(directory, { recursive: true, force: true });
}
