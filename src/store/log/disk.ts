/**
 * The operations of the file system that the log needs, so that tests can use a simulated disk. Only a sync takes long
 * enough to be waited for; everything else is done when the call returns. A failed call throws with the system's code
 * (`ENOSPC`, `EEXIST`, `ENOENT` …), and a file or name that was not synced may be gone after a power loss.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makePrivateDirectory } from '../../runtime/directory.ts';
import { writeAll } from '../../runtime/write-all.ts';

export interface DiskFile extends Disposable {
  size(): number;
  /** Reads this many bytes from a position, or fewer if the file ends earlier. */
  read(at: number, bytes: number): Buffer;
  /** Writes all bytes. If it throws, the file may contain some of them. */
  write(bytes: Uint8Array, at: number): void;
  /** Resolves when the file's content as of the call would survive a power loss. Its name is synced separately. */
  sync(): Promise<void>;
  /** A synchronous `sync`, for an owner that is about to exit. */
  syncNow(): void;
  close(): void;
}

/** `write` creates a missing file; `new` throws `EEXIST` if the file exists. */
export type OpenMode = 'read' | 'write' | 'new';

export interface Disk {
  /** Creates the directory and all missing parents, accessible to this user only; an existing one is left as it is. */
  makeDirectory(path: string): void;
  /** The names in a directory, in no particular order; empty if the directory is missing. */
  list(directory: string): readonly string[];
  has(path: string): boolean;
  open(path: string, mode: OpenMode): DiskFile;
  /** Replaces any file with the other name. */
  rename(from: string, to: string): void;
  /** A file, or a folder with its files; a missing one is no error. Who has a file open can still read it. */
  remove(path: string): void;
  /** Resolves when the names in a directory, as of the call, would survive a power loss. */
  syncDirectory(path: string): Promise<void>;
  /** The bytes that an unprivileged user can still write on the disk of this directory. */
  freeBytes(directory: string): number;
}

/**
 * Makes a folder as a whole or not at all: `fill` writes it under another name, and one rename makes it valid. What is
 * left of an attempt is renamed before it is removed, so an attempt that still runs fails, and mixes nothing.
 */
export async function makeFolder<T>(
  disk: Disk,
  folder: string,
  fill: (made: string) => Promise<T>,
): Promise<T> {
  if (disk.has(folder))
    throw new Error(`there is a store in ${dirname(folder)}: name a directory without one`);
  const made = `${folder}.new-${randomBytes(4).toString('hex')}`;
  for (const left of attemptsAt(disk, folder)) {
    disk.rename(left, made);
    disk.remove(made);
  }
  disk.makeDirectory(made);
  try {
    const found = await fill(made);
    await disk.syncDirectory(made);
    disk.rename(made, folder);
    await disk.syncDirectory(dirname(folder));
    return found;
  } finally {
    disk.remove(made);
  }
}

/** What attempts to make this folder have left, or are writing. */
export function attemptsAt(disk: Disk, folder: string): readonly string[] {
  const isAttempt = (name: string) =>
    name.startsWith(basename(folder)) &&
    /^\.new(-[0-9a-f]{8})?$/.test(name.slice(basename(folder).length));
  const parent = dirname(folder);
  return disk.list(parent).flatMap((name) => (isAttempt(name) ? join(parent, name) : []));
}

const synced = promisify(fdatasync);
const directorySynced = promisify(fsync);
const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;
const flags = { read: O_RDONLY, write: O_RDWR | O_CREAT, new: O_RDWR | O_CREAT | O_EXCL } as const;

class RealFile implements DiskFile {
  readonly #descriptor: number;

  constructor(path: string, mode: OpenMode) {
    this.#descriptor = openSync(path, flags[mode], 0o600);
  }

  size(): number {
    return fstatSync(this.#descriptor).size;
  }

  read(at: number, bytes: number): Buffer {
    const found = Buffer.allocUnsafe(Math.max(0, Math.min(bytes, this.size() - at)));
    let length = 0;
    while (length < found.length) {
      const count = readSync(this.#descriptor, found, length, found.length - length, at + length);
      if (count === 0) break;
      length += count;
    }
    return found.subarray(0, length);
  }

  write(bytes: Uint8Array, at: number): void {
    writeAll(this.#descriptor, bytes, at);
  }

  sync(): Promise<void> {
    return synced(this.#descriptor);
  }

  syncNow(): void {
    fdatasyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

export const realDisk: Disk = {
  makeDirectory: makePrivateDirectory,
  list(directory) {
    try {
      return readdirSync(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  },
  has: existsSync,
  open: (path, mode) => new RealFile(path, mode),
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true, recursive: true }),
  async syncDirectory(path) {
    const descriptor = openSync(path, 'r');
    await directorySynced(descriptor).finally(() => closeSync(descriptor));
  },
  freeBytes(directory) {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  },
};

/** Returns the beginning of a small file; empty if there is none. */
export function readText(disk: Disk, path: string): string {
  if (!disk.has(path)) return '';
  using file = disk.open(path, 'read');
  return file.read(0, 1024).toString('latin1');
}

/** The text is on the disk when it resolves; the name is not. */
export async function writeText(disk: Disk, path: string, text: string): Promise<void> {
  disk.remove(path);
  using file = disk.open(path, 'new');
  file.write(Buffer.from(text), 0);
  await file.sync();
}
