/** Writes all bytes: the system may write only some of them and, on a disk that fills up, refuse the others. */
import { writeSync } from 'node:fs';

export function writeAll(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(descriptor, bytes, at, bytes.length - at, position + at);
  }
}
