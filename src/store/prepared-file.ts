/**
 * Makes a file long before it is filled: a sync that must record a new length of its file takes about twice the time.
 * Whoever reads such a file takes zeros for its end.
 */
import { closeSync, fstatSync, fsyncSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const piece = Buffer.alloc(1024 * 1024);

/** Nothing is done on a disk with little space, and what cannot be done is no fault: a short file works, too. */
export function prepareFile(path: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < 4 * bytes) return;
  const file = openSync(path, 'r+');
  try {
    for (let at = fstatSync(file).size; at < bytes; ) {
      at += writeSync(file, piece, 0, Math.min(piece.length, bytes - at), at);
    }
    fsyncSync(file);
  } catch {
    // A disk that fails says so again at the first commit, and there it counts.
  } finally {
    closeSync(file);
  }
}
