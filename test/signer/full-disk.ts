/** A disk that is full, as Linux shows it to this process: files that may not grow beyond a size (`EFBIG`). */
import { execFileSync } from 'node:child_process';

/** No file of this process may become larger, until `hasRoomAgain`. Part of a write may fit. */
export function fillDisk(maxBytes: number): void {
  execFileSync('prlimit', [`--pid=${process.pid}`, `--fsize=${maxBytes}:`]);
}

export function hasRoomAgain(): void {
  execFileSync('prlimit', [`--pid=${process.pid}`, '--fsize=unlimited:']);
}
