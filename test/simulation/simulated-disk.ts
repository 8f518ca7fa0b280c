/**
 * A disk in memory that loses what was not synced, as a real one may. A power loss keeps each unsynced write, or a part of
 * it, or nothing, whatever became of those before it; of the names made, changed and removed in a directory it keeps the
 * first so many, because file systems write those down in order. It can fail, be full and be slow. Chance comes from a seed
 * and the path, never from the order in which files are used, so that a seed has one outcome.
 */
import { basename, dirname } from 'node:path';
import type { Disk, DiskFile, OpenMode } from '../../src/store/log/disk.ts';
import { Dice } from './dice.ts';

export type Operation = 'open' | 'write' | 'sync' | 'rename' | 'remove' | 'syncDirectory';

interface Unsynced {
  readonly at: number;
  readonly bytes: Buffer;
}

/** Bytes that grow, with zeros where nothing was ever written. */
class Bytes {
  length = 0;
  #bytes = Buffer.alloc(0);

  read(from: number, to = this.length): Buffer {
    return Buffer.from(this.#bytes.subarray(from, Math.min(to, this.length)));
  }

  write(bytes: Uint8Array, at: number): void {
    const end = at + bytes.length;
    if (end > this.#bytes.length) {
      const wider = Buffer.alloc(2 * end);
      this.#bytes.copy(wider);
      this.#bytes = wider;
    }
    this.#bytes.set(bytes, at);
    this.length = Math.max(this.length, end);
  }
}

/** What a file consists of, whatever its name. */
class Content {
  /** As every process reads it. */
  cached = new Bytes();
  /** What a power loss leaves of it at least. */
  readonly #kept = new Bytes();
  #unsynced = new Set<Unsynced>();
  /** A sync of these failed. The system takes them for written, so no later sync writes them. */
  readonly #doomed = new Set<Unsynced>();

  /** What a sync that begins now is of. */
  get unsynced(): readonly Unsynced[] {
    return [...this.#unsynced];
  }

  write(bytes: Uint8Array, at: number): void {
    this.cached.write(bytes, at);
    this.#unsynced.add({ at, bytes: Buffer.from(bytes) });
  }

  keep(writes: readonly Unsynced[]): void {
    for (const write of writes) {
      if (this.#unsynced.delete(write)) this.#kept.write(write.bytes, write.at);
    }
  }

  fail(writes: readonly Unsynced[]): void {
    for (const write of writes) {
      if (this.#unsynced.delete(write)) this.#doomed.add(write);
    }
  }

  losePower(dice: Dice): void {
    for (const { at, bytes } of [...this.#doomed, ...this.#unsynced]) {
      const fate = dice.below(3);
      const length = fate === 0 ? 0 : fate === 1 ? bytes.length : dice.below(bytes.length + 1);
      if (length > 0) this.#kept.write(bytes.subarray(0, length), at);
    }
    this.#doomed.clear();
    this.#unsynced.clear();
    this.cached = new Bytes();
    this.cached.write(this.#kept.read(0), 0);
  }
}

type Names = Map<string, Content>;

/** The names in one directory, and what was done to them since they were synced. */
class Directory {
  readonly cached: Names = new Map();
  readonly #kept: Names = new Map();
  #changes: ((names: Names) => void)[] = [];
  #count = 0;

  change(change: (names: Names) => void): void {
    change(this.cached);
    this.#changes.push(change);
    this.#count += 1;
  }

  /** How many changes there have ever been. */
  get count(): number {
    return this.#count;
  }

  /** The first so many of all changes are on the disk. */
  keep(count: number): void {
    const done = this.#count - this.#changes.length;
    for (const change of this.#changes.splice(0, Math.max(0, count - done))) change(this.#kept);
  }

  losePower(dice: Dice): void {
    this.keep(this.#count - dice.below(this.#changes.length + 1));
    this.#changes = [];
    this.cached.clear();
    for (const [path, content] of this.#kept) this.cached.set(path, content);
  }
}

/** One process's use of the disk. After its end nothing that it does reaches the disk, and no sync of it comes back. */
interface Use {
  isOver: boolean;
}

const never = new Promise<never>(() => {});

export class SimulatedDisk {
  /** How much all files may hold. */
  capacity = Number.POSITIVE_INFINITY;
  /** How long a sync takes. */
  delay: () => Promise<void> = () => Promise.resolve();
  /** The code of the error with which an operation fails, if it is to. */
  fault: (operation: Operation, path: string) => string | undefined = () => undefined;
  /** Operations of all processes so far. */
  operations = 0;
  /** For whoever chooses what happens to the disk. */
  readonly dice: Dice;
  /** The process that is up dies before this operation, as if it had never come to it. */
  diesBefore = Number.POSITIVE_INFINITY;
  readonly #seed: number;
  readonly #directories = new Map<string, Directory>();
  #losses = 0;
  #use: Use = { isOver: false };

  constructor(seed: number) {
    this.#seed = seed;
    this.dice = new Dice(seed ^ 0x2545f491);
  }

  /** The disk as the process that is up has it; another begins with each call of `end` or `share`. */
  get disk(): Disk {
    return this.#of(this.#use);
  }

  get hasDied(): boolean {
    return this.#use.isOver;
  }

  /** Another process begins to use it while the one that is up goes on, until the returned function ends that one. */
  share(): () => void {
    const use = this.#use;
    this.#use = { isOver: false };
    return () => {
      use.isOver = true;
    };
  }

  /** The process ends at once. What it wrote stays, unless the power goes too. */
  end(losesPower: boolean): void {
    this.#use.isOver = true;
    this.#use = { isOver: false };
    this.diesBefore = Number.POSITIVE_INFINITY;
    if (!losesPower) return;
    this.#losses += 1;
    for (const [folder, directory] of this.#directories) {
      directory.losePower(this.#dice(folder));
      for (const [path, content] of directory.cached) content.losePower(this.#dice(path));
    }
  }

  get usedBytes(): number {
    let bytes = 0;
    for (const { cached } of this.#directories.values()) {
      for (const content of cached.values()) bytes += content.cached.length;
    }
    return bytes;
  }

  /** Of a place, whatever its directory is called in this run. */
  #dice(path: string, at = 0): Dice {
    let sum = this.#seed + 7_919 * this.#losses + at;
    for (const char of basename(path)) sum = Math.imul(sum, 31) + char.charCodeAt(0);
    return new Dice(sum);
  }

  /** False where the process is dead; throws where the operation is to fail. */
  #begins(use: Use, operation: Operation, path: string): boolean {
    if (use.isOver) return false;
    this.operations += 1;
    if (this.operations >= this.diesBefore) {
      use.isOver = true;
      return false;
    }
    const code = this.fault(operation, path);
    if (code !== undefined) throw systemError(code, operation, path);
    return true;
  }

  #of(use: Use): Disk {
    const begins = (operation: Operation, path: string) => this.#begins(use, operation, path);
    const namesIn = (path: string) => this.#directories.get(path)?.cached ?? new Map();
    const at = (path: string): Content | undefined => namesIn(dirname(path)).get(path);
    return {
      makeDirectory: (path) => {
        if (use.isOver) return;
        for (const each of [dirname(path), path]) {
          if (!this.#directories.has(each)) this.#directories.set(each, new Directory());
        }
      },
      list: (path) => [...namesIn(path).keys()].map((name) => name.slice(path.length + 1)),
      has: (path) => !use.isOver && at(path) !== undefined,
      open: (path, mode) => {
        const found = at(path);
        if (!begins('open', path)) return this.#file(use, path, new Content());
        return this.#file(use, path, this.#opened(path, mode, found));
      },
      rename: (from, to) => {
        if (!begins('rename', from)) return;
        const content = at(from);
        if (content === undefined) throw systemError('ENOENT', 'rename', from);
        this.#change(from, (names) => {
          names.delete(from);
          names.set(to, content);
        });
      },
      remove: (path) => {
        if (begins('remove', path)) this.#change(path, (names) => names.delete(path));
      },
      syncDirectory: async (path) => {
        const directory = this.#directories.get(path);
        const count = directory?.count ?? 0;
        if (!begins('syncDirectory', path)) await never;
        await this.delay();
        if (use.isOver) await never;
        directory?.keep(count);
      },
      freeBytes: () => Math.max(0, Math.min(this.capacity - this.usedBytes, 2 ** 40)),
    };
  }

  #opened(path: string, mode: OpenMode, found: Content | undefined): Content {
    if (mode === 'new' && found !== undefined) throw systemError('EEXIST', 'open', path);
    if (found !== undefined) return found;
    if (mode === 'read') throw systemError('ENOENT', 'open', path);
    const made = new Content();
    this.#change(path, (names) => names.set(path, made));
    return made;
  }

  #change(path: string, change: (names: Names) => void): void {
    const directory = this.#directories.get(dirname(path));
    if (directory === undefined) throw systemError('ENOENT', 'open', path);
    directory.change(change);
  }

  #file(use: Use, path: string, content: Content): DiskFile {
    return {
      size: () => content.cached.length,
      read: (at, bytes) => content.cached.read(at, at + bytes),
      write: (bytes, at) => {
        const room = this.capacity - this.usedBytes + Math.max(0, content.cached.length - at);
        const put = (length: number) => content.write(bytes.subarray(0, length), at);
        try {
          if (!this.#begins(use, 'write', path)) return;
        } catch (error) {
          put(this.#dice(path, at).below(bytes.length + 1));
          throw error;
        }
        put(Math.max(0, Math.min(room, bytes.length)));
        if (bytes.length > room) throw systemError('ENOSPC', 'write', path);
      },
      sync: async () => {
        const writes = this.#syncing(use, path, content);
        if (writes === undefined) await never;
        await this.delay();
        if (use.isOver) await never;
        content.keep(writes ?? []);
      },
      syncNow: () => content.keep(this.#syncing(use, path, content) ?? []),
      close: () => {},
      [Symbol.dispose]: () => {},
    };
  }

  /** What a sync is of; undefined for a process that is dead. */
  #syncing(use: Use, path: string, content: Content): readonly Unsynced[] | undefined {
    const writes = content.unsynced;
    try {
      return this.#begins(use, 'sync', path) ? writes : undefined;
    } catch (error) {
      content.fail(writes);
      throw error;
    }
  }
}

function systemError(code: string, operation: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: simulated, ${operation} '${path}'`), { code });
}
