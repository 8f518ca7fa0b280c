/** A file's bytes written whole: the system may take a part and, on a disk that fills up, refuse the rest. */
import { writeSync } from 'node:fs';

export function writeAll(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(descriptor, bytes, at, bytes.length - at, position + at);
  }
}
