/** Writes all bytes: the system may write only some of them and, on a disk that fills up, refuse the others. */
import { writeSync } from 'node:fs';
import { constants } from 'node:os';

/** No quota: Node.js has no code for it and says UNKNOWN. */
export const noQuota = -constants.errno.EDQUOT;

export function writeAll(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at, bytes.length - at, position + at);
    } catch (error) {
      const met = error as NodeJS.ErrnoException;
      if (met.errno === noQuota) met.message = 'EDQUOT: disk quota exceeded, write';
      throw met;
    }
  }
}
