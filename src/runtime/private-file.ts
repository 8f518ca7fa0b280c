/**
 * Files with secrets. A file that other users of the machine may read is not used, as in ssh (decision 0150). It
 * belongs to one user alone, or to root, who may let a group read it: that is how systemd and Kubernetes provide
 * secrets, and how Debian stores TLS keys.
 */
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/** A file that must not be used; the message contains its name and the remedy. */
export class PrivateFileError extends Error {}

/** No key in PEM, password or PIN is longer. */
const longestSecret = 65_536;

export function readPrivateFile(file: string, maxBytes = longestSecret): string {
  const descriptor = openSync(file, 'r');
  try {
    const stats = fstatSync(descriptor);
    if (isExposed(stats)) {
      const octal = (stats.mode & 0o777).toString(8).padStart(4, '0');
      throw new PrivateFileError(`${file} has mode ${octal}: others may read it; chmod 600`);
    }
    if (stats.size > maxBytes) {
      throw new PrivateFileError(`${file} is longer than ${maxBytes} bytes`);
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Whether users other than the owner have access that they should not have. Root may let a group read a file. */
export function isExposed({ mode, uid }: Pick<Stats, 'mode' | 'uid'>): boolean {
  return (mode & (uid === 0 ? 0o037 : 0o077)) !== 0;
}

/** Why a file could not be read, as a text with its name. */
export function unreadable(file: string, error: unknown): string {
  if (error instanceof PrivateFileError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' ? `${file} does not exist` : `${file} cannot be read: ${code ?? error}`;
}
